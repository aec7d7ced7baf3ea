"""People who are asked questions of one's own, and what becomes of their answers."""

from pathlib import Path

import pytest

from exams import scene_folder
from own_questions import shown_files
from paseo.survey.export.exporting import export_study
from paseo.survey.pages.parts import Said
from paseo.survey.pages.scene import scene_parts
from paseo.survey.study.creating import new_study
from paseo.survey.study.folder import Study, open_study
from paseo.survey.study.steps import steps_about
from paseo.vqa.exam.asking import AskOptions, ask
from paseo.vqa.questions.votes import read_labels
from paseo.vqa.scores.rows import Group
from paseo.vqa.scoring import score
from studies import Hand, opened_visits, take_part


@pytest.fixture
def study(tmp_path: Path) -> Study:
    scenes = scene_folder(tmp_path / "scenes", "yard-1", "yard-2")
    made = new_study(tmp_path / "study", scenes, scenes_each=2, questions=shown_files(tmp_path))
    assert made.questions == 2 * (15 + 3)
    return open_study(tmp_path / "study")


def test_a_category_of_ones_own_is_a_part_of_the_survey(study: Study) -> None:
    about = study.about_scenes
    steps = steps_about(about.scenes["yard-1"], about.catalogue)
    own = [(step.category, step.keys) for step in steps if step.category]
    assert own == [
        ("proxemics", ("q_comes_near_p1", "q_polite_distance_p1")),
        ("spatiotemporal", ("q_robot_arrives",)),
    ]
    last = [scene_parts(study, step, Said({})) for step in steps if step.category]
    assert "Proxemics" in last[0].above and "Distances are between" in "".join(last[0].questions)
    assert "How near does person 1 come" in "".join(last[0].questions)
    assert "<details" not in "".join(last[1].questions)  # nothing goes with it


def test_what_people_said_is_scored_without_a_flag(study: Study, tmp_path: Path) -> None:
    with opened_visits(study, Hand()) as visits:
        said = [take_part(visits, number)[1] for number in range(3)]
    export_study(study.folder, tmp_path / "labels")
    labels = read_labels(tmp_path / "labels")
    votes = labels.votes()["yard-1", "q_polite_distance_p1"]
    given = [each["yard-1"]["q_polite_distance_p1"] for each in said]
    assert votes == {option: given.count(option) for option in given}
    assert read_labels(tmp_path / "labels" / "human_labels").catalogue == labels.catalogue
    options = AskOptions(questions=tmp_path / "own.toml")
    ask("scripted/first", tmp_path / "scenes", out=tmp_path / "exam", options=options)
    card = score([tmp_path / "exam"], labels=tmp_path / "labels")
    row = next(each for each in card.rows if each.row.group is Group.MODEL)
    assert row.scores["category"]["proxemics"].questions == 4


def test_the_questions_are_fixed_from_the_first_answer_on(study: Study) -> None:
    assert "own_questions.toml" in study.about_scenes.files
