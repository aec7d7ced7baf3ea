"""People's votes, read from label files that may be wrong in any way."""

import json
import os
from pathlib import Path

import numpy as np
import pytest

from ballots import AFFECTED, GOAL, MOVING, label_file, write_labels
from paseo.errors import BadFile, BadValue, MissingData
from paseo.vqa.questions.questions import question
from paseo.vqa.questions.votes import Labels, read_labels
from paseo.vqa.scores.breakdown import people_in_scene


def faults_of(labels: Labels) -> dict[str, tuple[str, ...]]:
    return {each.scene: each.faults for each in labels.unreadable}


def spoilt(tmp_path: Path, **changes: object) -> str:
    """What is said of a scene `bad` beside a good one, of which `changes` hold (None: removed)."""
    content = label_file("bad") | changes
    kept = {key: value for key, value in content.items() if value is not None}
    found = read_labels(write_labels(tmp_path, {"good": label_file("good"), "bad": kept}))
    assert found.scenes == ("good",)
    return " ".join(faults_of(found)["bad"])


def test_fractions_become_whole_votes(tmp_path: Path) -> None:
    votes = {"yes": 2, "no": 7}
    folder = write_labels(tmp_path, {"a": label_file("a", **{AFFECTED: votes})})
    found = read_labels(folder)
    assert len(found.questions) == 15
    row = found.rows()["a", AFFECTED]
    assert found.counts[row, :2].tolist() == [2, 7]
    assert found.people[row] == 9
    assert found.votes()["a", AFFECTED] == {("yes",): 2, ("no",): 7}
    assert found.most_common()["a", AFFECTED] == ("no",)
    assert not found.unreadable


def test_fractions_of_few_digits_are_read(tmp_path: Path) -> None:
    content = label_file("a", **{AFFECTED: {"yes": 1, "no": 2}})
    content[f"{AFFECTED}_probabilities"] = [0.333, 0.667]
    found = read_labels(write_labels(tmp_path, {"a": content}))
    assert found.votes()["a", AFFECTED] == {("yes",): 1, ("no",): 2}


def test_sets_of_choices_are_options_whatever_their_order(tmp_path: Path) -> None:
    content = label_file("a")
    content[MOVING] = [["turning left", "moving ahead"], ["turning right"]]
    content[f"{MOVING}_probabilities"] = [0.75, 0.25]
    content[f"{MOVING}_n_answers"] = 8
    found = read_labels(write_labels(tmp_path, {"a": content}))
    expected = {("turning right",): 2, ("moving ahead", "turning left"): 6}
    assert found.votes()["a", MOVING] == expected


def test_among_equals_the_first_choice_is_the_most_common(tmp_path: Path) -> None:
    votes = {"to the right": 4, "to the left": 4}
    found = read_labels(write_labels(tmp_path, {"a": label_file("a", **{GOAL: votes})}))
    assert found.most_common()["a", GOAL] == ("to the left",)


def test_the_folder_of_labels_itself_will_do(tmp_path: Path) -> None:
    folder = write_labels(tmp_path, {"a": label_file("a"), "b": label_file("b", people=2)})
    for place in (folder, folder / "human_labels"):
        found = read_labels(place)
        assert found.scenes == ("a", "b")
        assert len(found.questions) == 15 + 27


def test_a_missing_question_is_named_and_the_other_scenes_go_on(tmp_path: Path) -> None:
    assert "q_goal_position_begin is missing" in spoilt(tmp_path, **{GOAL: None})


@pytest.mark.parametrize("place", ["", "prompts", "human_labels"])
def test_a_person_of_the_data_sets_list_who_is_left_out_is_named(
    tmp_path: Path, place: str
) -> None:
    folder = write_labels(tmp_path, {"good": label_file("good"), "bad": label_file("bad")})
    (folder / place).mkdir(exist_ok=True)
    listed = {"samples": [{"folderpath": "bad", "n_people": 2}]}
    (folder / place / "sample_info.json").write_text(json.dumps(listed))
    for labels in (folder, folder / "human_labels"):
        found = read_labels(labels)
        assert found.scenes == ("good",)
        assert "q_person_action_p2 is missing" in " ".join(faults_of(found)["bad"])


@pytest.mark.parametrize("samples", [None, [{}], [{"folderpath": "a", "n_people": 10**9}]])
def test_votes_are_read_without_a_list_that_makes_sense(tmp_path: Path, samples: object) -> None:
    folder = write_labels(tmp_path, {"a": label_file("a")})
    (folder / "sample_info.json").write_text(json.dumps({"samples": samples}))
    assert not read_labels(folder).unreadable


def test_people_of_clips_may_have_any_numbers(tmp_path: Path) -> None:
    content = {key.replace("_p2", "_p7"): value for key, value in label_file("a", 2).items()}
    found = read_labels(write_labels(tmp_path, {"a": content}))
    assert {each.person for each in found.questions} == {None, 1, 7}
    assert set(people_in_scene(found)) == {2}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({f"{GOAL}_probabilities": [0.9]}, "add up to 0.9"),
        ({f"{GOAL}_probabilities": [0.95]}, "0.95 is no share of 10 people"),
        ({f"{GOAL}_probabilities": [2.0]}, "numbers from 0 to 1"),
        ({f"{GOAL}_probabilities": [float("nan")]}, "is no JSON"),
        ({f"{GOAL}_probabilities": ["1"]}, "numbers from 0 to 1"),
        ({f"{GOAL}_probabilities": [0.5, 0.5]}, "as many probabilities"),
        ({f"{GOAL}_n_answers": 0}, "is 0, expected 1 to"),
        ({f"{GOAL}_n_answers": 9.5}, "is 9.5, expected"),
        ({f"{GOAL}_n_answers": True}, "is True, expected"),
        ({f"{GOAL}_n_answers": 10**12}, "expected 1 to 100000 people"),
        ({f"{GOAL}_n_answers": None}, "is None, expected"),
        ({GOAL: "ahead"}, "needs a list of answers"),
        ({GOAL: ["upwards"]}, "'upwards' is none of its choices, expected ahead"),
        ({GOAL: [{"a": 1}]}, "is none of its choices"),
        ({GOAL: ["ahead"] * 2, f"{GOAL}_probabilities": [0.5, 0.5]}, "listed twice"),
        ({"q_strange": ["yes"]}, "no question is called 'q_strange'"),
        ({"q_robot_affected_p99999": ["yes"]}, "no question is called 'q_robot_affected_p99999'"),
        ({"q_robot_affected": ["yes"]}, "expected q_robot_affected_p<number>"),
    ],
)  # fmt: skip
def test_a_defect_is_named_and_the_other_scenes_go_on(
    tmp_path: Path, change: dict[str, object], words: str
) -> None:
    assert words in spoilt(tmp_path, **change)


def test_faults_of_one_scene_are_all_told_within_reason(tmp_path: Path) -> None:
    content = label_file("bad") | {f"q_robot_affected_p{k}": ["yes"] for k in (2, 3)}
    content[GOAL] = ["upwards"]
    folder = write_labels(tmp_path, {"good": label_file("good"), "bad": content})
    faults = faults_of(read_labels(folder))["bad"]
    assert "upwards" in faults[0]
    assert len(faults) == 20


@pytest.mark.parametrize("text", ["", "[]", "{", "[" * 100_000, "\0", '{"q_robot"'])
def test_a_file_that_is_no_label_file_leaves_the_others(tmp_path: Path, text: str) -> None:
    folder = write_labels(tmp_path, {"good": label_file("good"), "bad": {}})
    (folder / "human_labels/bad/common_answers.json").write_text(text)
    found = read_labels(folder)
    assert found.scenes == ("good",)
    assert "bad" in faults_of(found)


def test_a_scene_without_its_file_is_named(tmp_path: Path) -> None:
    folder = write_labels(tmp_path, {"good": label_file("good")})
    os.mkfifo(folder / "human_labels" / "pipe.json")
    (folder / "human_labels/bad").mkdir()
    (folder / "human_labels/odd/common_answers.json").mkdir(parents=True)
    found = read_labels(folder)
    assert found.scenes == ("good",)
    assert all("has no common_answers.json" in faults_of(found)[name][0] for name in ("bad", "odd"))


def test_a_huge_file_is_not_read(tmp_path: Path) -> None:
    folder = write_labels(tmp_path, {"good": label_file("good"), "bad": {}})
    (folder / "human_labels/bad/common_answers.json").write_bytes(b" " * (4 * 2**20 + 1))
    assert "more than 4194304 bytes" in faults_of(read_labels(folder))["bad"][0]


def test_a_folder_whose_name_is_no_scene_is_a_defect(tmp_path: Path) -> None:
    folder = write_labels(tmp_path, {"good": label_file("good"), "a b;\x1bc": label_file("x")})
    (defect,) = faults_of(read_labels(folder))[r"a b;\x1bc"]  # it cannot command a terminal
    assert "is no scene's id" in defect and defect.isprintable()


def test_without_any_labels_it_is_said_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(MissingData, match="is no folder.*paseo data fetch socialnav-sub"):
        read_labels(tmp_path / "nowhere")
    with pytest.raises(MissingData, match="paseo scenes make"):
        read_labels(tmp_path)


def test_labels_without_one_good_scene_are_refused(tmp_path: Path) -> None:
    folder = write_labels(tmp_path, {"bad": {}})
    (folder / "human_labels/bad/common_answers.json").write_text("{}")
    with pytest.raises(BadFile, match="no scene's labels can be read.*q_robot_moving"):
        read_labels(folder)


def test_counts_need_a_column_for_every_option() -> None:
    with pytest.raises(BadValue, match="2 columns, fewer than options"):
        Labels(questions=(question("a", GOAL),), counts=np.array([[3, 4]]))


def test_counts_without_votes_are_refused() -> None:
    asked = (question("a", GOAL),)
    for counts in (np.zeros((1, 3), int), np.ones((2, 3), int), np.array([[-1, 5, 0]])):
        with pytest.raises(BadValue):
            Labels(questions=asked, counts=counts)
