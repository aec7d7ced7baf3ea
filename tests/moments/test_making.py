"""Scenes of recorded, generated and driven episodes, written, read again and scored."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from own_questions import shown_files
from paseo.cli.main import main
from paseo.data.scenes.dataset import open_scenes
from paseo.errors import BadValue, UnknownName
from paseo.moments.making import MakingOptions, make_scenes
from paseo.suite.running import run
from paseo.suite.runs.planning import RunOptions
from paseo.vqa.geometry.aftermath import read_aftermath
from paseo.vqa.geometry.course import course_of
from paseo.vqa.geometry.labels import label_bytes
from paseo.vqa.geometry.rules import geometry_answers
from paseo.vqa.questions.questions import shipped
from paseo.vqa.questions.votes import Truth, read_labels
from paseo.world.scenes import ClipTiming
from runs import refused

pytestmark = pytest.mark.extra("camera")
TINY = """\
width_px = 96
height_px = 54
fx_px = 46.7
fy_px = 46.9
cx_px = 48.0
cy_px = 27.0
height_m = 0.85
"""


@pytest.fixture(scope="module")
def camera(tmp_path_factory: pytest.TempPathFactory) -> str:
    file = tmp_path_factory.mktemp("camera") / "tiny.toml"
    file.write_text(TINY)
    return str(file)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory, camera: str) -> Path:
    """Three scenes of an episode with a generated crowd."""
    out = tmp_path_factory.mktemp("made") / "scenes"
    make_scenes("mixed_zara", out, wishes=MakingOptions(count=3, camera=camera))
    return out


def files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes()
            for path in sorted(folder.rglob("*")) if path.is_file()}  # fmt: skip


@pytest.mark.slow
def test_the_same_wishes_make_the_same_files(made: Path, camera: str, tmp_path: Path) -> None:
    make_scenes("mixed_zara", tmp_path / "again", wishes=MakingOptions(count=3, camera=camera))
    assert files(tmp_path / "again") == files(made)


def test_scenes_are_read_as_the_original_s_are(made: Path) -> None:
    folder = open_scenes(made)
    assert folder.kind == "socialnav-sub" and len(folder.ids) == 3
    for id in folder.ids:
        scene = folder.read(id)
        assert [person.number for person in scene.people] == list(range(1, len(scene.people) + 1))
        first_left = [person.boxes[~np.isnan(person.boxes[:, 0])][:1, 0] for person in scene.people]
        seen = [float(each[0]) for each in first_left if len(each)]
        assert seen == sorted(seen)  # from left to right, those without a box last
        assert len(first_left[0])


def test_what_followed_goes_on_where_a_scene_ends(made: Path) -> None:
    folder = open_scenes(made)
    for id in folder.ids:
        scene, after = folder.read(id), read_aftermath(made, id)
        assert after is not None and len(after.robot) == 10
        steps = np.diff(np.concatenate([scene.robot[-2:], after.robot[:1]])[:, :2], axis=0)
        assert np.hypot(*(steps[1] - steps[0])) < 0.2  # nobody jumps
        assert set(after.people) == {person.number for person in scene.people}


def test_boxes_are_where_people_are(made: Path) -> None:
    """A box is around the column at which a pinhole shows the person's place."""
    folder, inside, boxes = open_scenes(made), 0, 0
    for id in folder.ids:
        scene = folder.read(id)
        for person in scene.people:
            for pose, (x, y), box in zip(scene.robot, person.positions, person.boxes, strict=True):
                if np.isnan(box[0]):
                    continue
                turn = np.cos(pose[2]), np.sin(pose[2])
                ahead = turn[0] * (x - pose[0]) + turn[1] * (y - pose[1])
                left = turn[0] * (y - pose[1]) - turn[1] * (x - pose[0])
                column = 48.0 - 46.7 * left / ahead
                boxes += 1
                inside += box[0] - 3 <= column <= box[2] + 3
    assert boxes > 20 and inside >= 0.95 * boxes


def test_labels_are_what_the_rules_say_and_nobody_s_votes(made: Path) -> None:
    labels = read_labels(made)
    assert labels.by_geometry and not labels.staged and set(labels.people.tolist()) == {1}
    folder, told = open_scenes(made), labels.most_common()
    expected = {
        (id, key): each.answer
        for id in folder.ids
        for key, each in geometry_answers(
            course_of(folder.read(id), read_aftermath(made, id))
        ).items()
        if each.clear
    }
    assert told == expected


def test_an_exam_is_scored_by_geometry(
    made: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    exam = tmp_path / "exam"
    assert main(["ask", "scripted/constant", "--scenes", str(made), "--out", str(exam)]) == 0
    capsys.readouterr()
    assert main(["score", str(exam), "--brief"]) == 0
    said = capsys.readouterr()
    assert "Accuracy" in said.out and "human oracle" not in said.out
    assert "No person was asked" in said.out and said.err == ""
    told = refused(capsys, "score", exam, "--labels", made, "--truth", "people")
    assert "holds no human_labels" in told


def test_people_s_votes_come_first_where_there_are_any(made: Path, tmp_path: Path) -> None:
    id = open_scenes(made).ids[0]
    course = course_of(open_scenes(made).read(id))
    votes = {key: replace(each, clear=True) for key, each in geometry_answers(course).items()}
    for name in ("human_labels", "geometry_labels"):
        (tmp_path / name / id).mkdir(parents=True)
        (tmp_path / name / id / "common_answers.json").write_bytes(
            label_bytes(id, votes, shipped())
        )
    assert not read_labels(tmp_path).by_geometry
    assert read_labels(tmp_path, Truth.GEOMETRY).by_geometry


@pytest.mark.slow
def test_longer_and_denser_scenes_are_clips_of_their_own(camera: str, tmp_path: Path) -> None:
    wishes = MakingOptions(count=1, camera=camera, timing=ClipTiming(40, 0.125))
    make_scenes("mixed_zara", tmp_path / "long", wishes=wishes)
    folder = open_scenes(tmp_path / "long")
    scene = folder.read(folder.ids[0])
    assert folder.kind == "clips" and scene.timing == ClipTiming(40, 0.125)
    after = read_aftermath(tmp_path / "long", scene.id)
    assert after is not None and len(after.robot) == 20
    assert read_labels(tmp_path / "long").by_geometry


@pytest.mark.slow
def test_a_driven_run_shows_what_its_robot_saw(camera: str, tmp_path: Path) -> None:
    run("mixed_zara", "straight", out=tmp_path / "run", options=RunOptions(runner="serial"))
    made = make_scenes(str(tmp_path / "run"), tmp_path / "out",
                       wishes=MakingOptions(count=1, camera=camera))  # fmt: skip
    told = json.loads((tmp_path / "out" / "moments.json").read_text())
    assert told["driven"] and told["scenes"][0]["camera_carried_by"] == "straight"
    assert "_straight_" in made.scenes[0].id


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        ("--from nowhere", "no suite or episode is called 'nowhere'"),
        ("--from mixed_zara --camera nikon", "no camera is called 'nikon'"),
        ("--from mixed_zara --rate-hz 100", "100 frames a second cannot be made"),
        ("--from mixed_zara --frames 500", "500 pictures, 0.25 s apart, cannot be made"),
        ("--synthetic --count 5", "a synthetic set is as it is"),
        ("", "one of the arguments --from --synthetic is required"),
    ],
)
def test_what_cannot_be_made_is_told(
    words: str, problem: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told = refused(capsys, "scenes", "make", "--out", tmp_path / "x", *words.split())
    assert problem in told and not (tmp_path / "x").exists()


def test_wishes_that_cannot_be_are_refused() -> None:
    with pytest.raises(BadValue, match="count must be between 1 and 10000"):
        MakingOptions(count=0)
    with pytest.raises(BadValue, match="cannot be made, expected at most 30 s"):
        MakingOptions(timing=ClipTiming(100, 1.0))
    with pytest.raises(UnknownName):
        make_scenes("nowhere", Path("x"))


def test_questions_of_one_s_own_are_answered_by_their_rules(
    camera: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    own, out = shown_files(tmp_path), tmp_path / "scenes"
    words = ["scenes", "make", "--from", "scripted_eth_along", "--count", "1", "--camera", camera,
             "--questions", str(own), "--out", str(out)]  # fmt: skip
    assert main(words) == 2 and not out.exists()
    assert "rules.py:comes_near' (sha256 " in capsys.readouterr().err
    assert main([*words, "--trust"]) == 0
    labels = read_labels(out)
    near = {p: o for p, o in labels.most_common().items() if p[1].startswith("q_comes_near")}
    (id,) = labels.scenes
    course = course_of(open_scenes(out).read(id), read_aftermath(out, id))
    assert near
    for (_, key), option in near.items():
        away = course.people[int(key.rpartition("_p")[2])][:10] - course.robot[:10, :2]
        nearest = np.nanmin(np.linalg.norm(away, axis=1))
        assert option == (("within 1.2 m" if nearest < 1.2 else
                           "within 3.6 m" if nearest < 3.6 else "farther away"),)  # fmt: skip
    assert (id, "q_robot_arrives") in labels.most_common()
    told = json.loads((out / "moments.json").read_text())["own_rules"]
    assert told["q_comes_near"]["rule"] == "rules.py:comes_near"
    assert set(told) == {"q_comes_near", "q_robot_arrives"}
