"""Answers about staged scenes are not scored by people's votes on real ones, nor the reverse."""

import json
import shutil
import sqlite3
from pathlib import Path

import pytest

from ballots import GOAL, label_file, write_labels
from exams import Answering, small_scene
from paseo.cli.main import main
from paseo.data.scenes.origin import holds_staged, is_staged
from paseo.data.scenes.scene_file import write_scene
from paseo.errors import InputError
from paseo.vqa.exam.asking import AskOptions, ask
from paseo.vqa.exam.transcript import transcript
from paseo.vqa.pictures.pictures import Layout
from paseo.vqa.questions.methods import Method
from paseo.vqa.questions.votes import read_labels
from paseo.vqa.scoring import score

REAL = "33_Spot_45_228"  # the id of a real scene, which the first staged data sets had as well
OPTIONS = AskOptions(images=Layout.GRID, limit=2)


def labelled(folder: Path, *ids: str) -> Path:
    """Scenes of one's own with votes on them."""
    for id in ids:
        write_scene(small_scene(id), folder)
    return write_labels(folder, {id: label_file(id) for id in ids})


def old_staged(folder: Path) -> Path:
    """A data set as it was staged when it still had ids of real scenes."""
    labelled(folder, REAL)
    text = "# A synthetic data set\n\nMade by `paseo scenes make --synthetic --seed 0` in the lay"
    (folder / "README.md").write_text(text)
    return folder


def exam_on(scenes: Path, out: Path) -> Path:
    return ask(Answering(), scenes, out=out, options=OPTIONS).folder


@pytest.mark.extra("camera")
def test_an_exam_on_staged_scenes_is_scored_by_their_votes_only(
    staged: Path, tmp_path: Path
) -> None:
    exam, real = exam_on(staged, tmp_path / "exam"), labelled(tmp_path / "real", REAL)
    assert score([exam], labels=staged).rows[-1].row.name == "test/answering"
    for labels in (real, real / "human_labels"):
        with pytest.raises(InputError, match="is about staged scenes, but the votes in .* are on"):
            score([exam], labels=labels)
    with pytest.raises(InputError, match="staged scenes, but"):
        transcript(exam, labels=real)


@pytest.mark.extra("camera")
@pytest.mark.recordings
def test_the_real_votes_are_refused_on_the_command_line_with_one_sentence(
    staged: Path, tmp_path: Path, data_dir: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    exam = exam_on(staged, tmp_path / "exam")
    assert main(["score", str(exam), "--labels", str(data_dir / "socialnavsub")]) == 2
    out, err = capsys.readouterr()
    assert not out and len(err.splitlines()) == 1
    assert "give --labels of the same scenes" in err


@pytest.mark.recordings
def test_real_votes_are_taken_for_real_and_ours_for_staged(data_dir: Path) -> None:
    real = read_labels(data_dir / "socialnavsub")
    assert not real.staged and not any(map(is_staged, real.scenes))


def test_an_exam_on_other_scenes_is_not_scored_by_staged_votes(tmp_path: Path) -> None:
    exam = exam_on(labelled(tmp_path / "mine", REAL), tmp_path / "exam")
    old = old_staged(tmp_path / "old")
    for labels in (old, old / "human_labels"):
        with pytest.raises(InputError, match="about recorded scenes, but the votes in .* staged"):
            score([exam], labels=labels)


def test_staged_scenes_with_ids_of_real_ones_are_known_by_their_folder(tmp_path: Path) -> None:
    old, real = old_staged(tmp_path / "old"), labelled(tmp_path / "real", REAL)
    assert holds_staged(old) and not holds_staged(real)
    exam = exam_on(old, tmp_path / "exam")
    assert score([exam], labels=old)
    with pytest.raises(InputError, match="is about staged scenes"):
        score([exam], labels=real)
    shutil.rmtree(old)  # the exam remembers
    with pytest.raises(InputError, match="is about staged scenes"):
        score([exam], labels=real)


@pytest.mark.extra("camera")
def test_changing_ids_in_one_place_does_not_make_an_exam_a_real_one(
    staged: Path, tmp_path: Path
) -> None:
    exam, real = exam_on(staged, tmp_path / "exam"), labelled(tmp_path / "real", REAL)
    text = (exam / "exam.json").read_text()
    told = json.loads(text) | {"source": str(real), "staged": False}
    told["scenes"][0]["id"], told["scenes"] = REAL, told["scenes"][:1]
    (exam / "exam.json").write_text(json.dumps(told))  # replies still name the staged scenes
    with pytest.raises(InputError, match="staged scenes"):
        score([exam], labels=real)
    (exam / "exam.json").write_text(text)
    with sqlite3.connect(exam / "replies.sqlite") as db:
        db.execute("DELETE FROM replies WHERE scene NOT LIKE '%mixed%'")
        db.execute("UPDATE replies SET scene = ?", (REAL,))
    db.close()
    with pytest.raises(InputError, match="staged scenes"):
        score([exam], labels=real)


def test_votes_on_people_whom_the_scene_does_not_have_are_on_another_scene(tmp_path: Path) -> None:
    exam = exam_on(labelled(tmp_path / "mine", "a"), tmp_path / "exam")
    other = write_labels(tmp_path / "other", {"a": label_file("a", people=9)})
    with pytest.raises(InputError, match="was asked about another scene a than the votes in"):
        score([exam], labels=other)


def test_votes_on_none_of_an_exams_scenes_are_refused(tmp_path: Path) -> None:
    exam = exam_on(labelled(tmp_path / "mine", "a"), tmp_path / "exam")
    other = write_labels(tmp_path / "other", {"b": label_file("b")})
    with pytest.raises(InputError, match="holds answers about a and 0 other scenes, but the votes"):
        score([exam], labels=other)


def test_answers_in_files_are_known_by_their_ids(tmp_path: Path) -> None:
    real = labelled(tmp_path / "real", REAL)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "synthetic_0_mixed_228.json").write_text(json.dumps({GOAL: "ahead"}))
    with pytest.raises(InputError, match="is about staged scenes"):
        score([tmp_path / "mine"], labels=real)


def test_a_model_is_not_told_peoples_answers_to_other_scenes(tmp_path: Path) -> None:
    old, real = old_staged(tmp_path / "old"), labelled(tmp_path / "real", REAL)
    told = AskOptions(images=Layout.GRID, method=Method.CHAIN_HUMAN, labels=real)
    with pytest.raises(InputError, match="is about staged scenes"):
        ask(Answering(), old, out=tmp_path / "exam", options=told)
