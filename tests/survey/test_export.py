"""What people said, as labels that `paseo score` reads."""

import csv
import json
from collections import Counter
from pathlib import Path

import pytest

from paseo.errors import InputError
from paseo.survey.export.card import grouped
from paseo.survey.export.exporting import export_study
from paseo.survey.status.standing import study_status
from paseo.survey.store.people import Stage
from paseo.survey.study.folder import Study
from paseo.vqa.questions.questions import question, questions
from paseo.vqa.questions.votes import read_labels
from paseo.vqa.scoring import score
from studies import Hand, opened_visits, take_part, tiny_study

Said = dict[tuple[str, str], Counter[tuple[str, ...]]]


@pytest.fixture
def study(tmp_path: Path) -> Study:
    return tiny_study(tmp_path / "study", {"a": (1,), "b": (1, 2), "c": ()}, scenes_each=3)


def votes_of(sheets: list[dict[str, dict[str, tuple[str, ...]]]]) -> Said:
    votes: Said = {}
    for sheet in sheets:
        for scene, answers in sheet.items():
            for key, option in answers.items():
                votes.setdefault((scene, key), Counter())[option] += 1
    return votes


def test_what_people_said_is_what_score_reads(study: Study, tmp_path: Path) -> None:
    with opened_visits(study, Hand()) as visits:
        sheets = [take_part(visits, number)[1] for number in range(5)]
    done = export_study(study.folder, tmp_path / "out")
    assert (done.people, done.scenes, done.lacking) == (5, 3, ())
    labels = read_labels(tmp_path / "out")
    assert labels.unreadable == () and labels.notes == ()
    assert labels.votes() == votes_of(sheets)
    assert sorted(map(sorted, [list(a.items()) for a in labels.annotators.values()])) == sorted(
        sorted(((scene, key), option) for scene, s in sheet.items() for key, option in s.items())
        for sheet in sheets
    )
    card = score(labels=tmp_path / "out")
    assert len(card.people) == 5


def test_label_files_are_laid_out_as_the_originals(study: Study, tmp_path: Path) -> None:
    with opened_visits(study, Hand()) as visits:
        for number in range(4):
            take_part(visits, number)
    export_study(study.folder, tmp_path / "out")
    folder = tmp_path / "out" / "human_labels"
    content = json.loads((folder / "b" / "common_answers.json").read_text())
    asked = [each.key for each in questions("b", (1, 2))]
    assert set(content) == {k + end for k in asked for end in ("", "_probabilities", "_n_answers")}
    for key in asked:
        shares = content[f"{key}_probabilities"]
        assert shares == sorted(shares, reverse=True)
        assert sum(shares) == pytest.approx(1)
        assert content[f"{key}_n_answers"] == 4
        several = question("b", key).kind.select_many
        assert all(isinstance(each, list) == several for each in content[key])
    listed = json.loads((folder / "sample_info.json").read_text())
    assert listed["samples"][1] == {"folderpath": "b", "n_people": 2}


def test_a_scene_that_somebody_did_not_finish_does_not_count(study: Study, tmp_path: Path) -> None:
    with opened_visits(study, Hand()) as visits:
        take_part(visits, 0, scenes=1)
        take_part(visits, 1)
        half, _ = take_part(visits, 2, scenes=1)
        steps = visits.steps(half)[1]
        form = {
            "scene": [steps[0].scene],
            "step": ["0"],
            "token": ["token-half"],
            "q_robot_moving_direction": ["moving ahead"],
        }
        person = visits.people.by_session("session 2")
        assert person is not None
        visits.answer(person, form)
    export_study(study.folder, tmp_path / "out")
    labels = read_labels(tmp_path / "out")
    by_scene = {
        each.scene: people for each, people in zip(labels.questions, labels.people, strict=True)
    }
    assert sum(by_scene.values()) == 3 + 2
    with (tmp_path / "out" / "answers.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [row["answer"] for row in rows if row["finished"] == "no"] == ["moving ahead"]


def test_who_fails_both_checks_is_in_no_label_but_in_the_table(
    study: Study, tmp_path: Path
) -> None:
    with opened_visits(study, Hand()) as visits:
        take_part(visits, 0)
        take_part(visits, 1, attentive=False)
    done = export_study(study.folder, tmp_path / "out")
    assert (done.people, done.failed) == (1, 1)
    with (tmp_path / "out" / "answers.csv").open() as file:
        rows = list(csv.DictReader(file))
    failed = [row for row in rows if row["stage"] == "failed" and row["wanted"]]
    assert len(failed) == 2
    assert all(row["answer"] != row["wanted"] for row in failed)
    assert (
        "answered 2 or more attention checks otherwise: 1"
        in (tmp_path / "out" / "README.md").read_text()
    )


def test_ids_and_remarks_are_exported_only_when_asked_for(study: Study, tmp_path: Path) -> None:
    with opened_visits(study, Hand()) as visits:
        take_part(visits, 0)
    export_study(study.folder, tmp_path / "out")
    everything = b"".join(f.read_bytes() for f in (tmp_path / "out").rglob("*") if f.is_file())
    for trace in (b"pid-0", b"submission-0", b"remark 0", str(tmp_path).encode()):
        assert trace not in everything
    export_study(study.folder, tmp_path / "all", with_ids=True)
    private = tmp_path / "all" / "private"
    assert "pid-0" in (private / "identities.csv").read_text()
    assert "remark 0" in (private / "remarks.csv").read_text()


def test_the_same_study_is_exported_as_the_same_bytes(study: Study, tmp_path: Path) -> None:
    with opened_visits(study, Hand()) as visits:
        for number in range(3):
            take_part(visits, number)
    for name in ("one", "two"):
        export_study(study.folder, tmp_path / name)
    files = [f.relative_to(tmp_path / "one") for f in (tmp_path / "one").rglob("*") if f.is_file()]
    assert len(files) == 2 * 3 + 4
    for file in files:
        assert (tmp_path / "one" / file).read_bytes() == (tmp_path / "two" / file).read_bytes()


def test_a_study_without_answers_cannot_be_exported_yet(study: Study, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="nobody has finished a scene"):
        export_study(study.folder, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_groups_of_fewer_than_five_cannot_be_worked_out() -> None:
    assert grouped(["w"] * 6 + ["m"] * 9, 15) == {"m": 9, "w": 6}
    assert grouped(["w"] * 6 + ["m"] * 2 + ["x"] * 3, 11) == {"w": 6, "other or not told": 5}
    assert grouped(["w"] * 18 + ["m"] * 2, 20) == {"other or not told": 20}
    assert grouped(["w"] * 18, 20) == {"other or not told": 20}
    assert grouped(["w"] * 3, 4) == {}
    assert grouped([], 0) == {}


def test_the_status_counts_people_by_scene_and_stage(study: Study) -> None:
    clock = Hand()
    with opened_visits(study, clock) as visits:
        take_part(visits, 0)
        take_part(visits, 1, scenes=1)
    found = study_status(study.folder, now=clock.now)
    assert sum(each.done for each in found.scenes.values()) == 4
    assert sum(each.under_way for each in found.scenes.values()) == 2
    assert (found.people[Stage.DONE], found.people[Stage.SCENES], found.left) == (1, 1, 0)
    later = study_status(study.folder, now=clock.now + 1e6)
    assert sum(each.under_way for each in later.scenes.values()) == 0
    assert later.left == 1
