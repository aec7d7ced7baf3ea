"""Rules of one's own: what they get, what they may say, and when they are run at all."""

from pathlib import Path

import numpy as np
import pytest

from own_questions import shown_files
from paseo.errors import BadValue
from paseo.registry.trust import Untrusted, only_known
from paseo.vqa.geometry.course import Course
from paseo.vqa.geometry.own_rules import own_rules
from paseo.vqa.geometry.places import Finding
from paseo.vqa.geometry.rules import Rulebook, geometry_answers
from paseo.vqa.questions.own import read_questions
from paseo.vqa.questions.questions import catalogue_of

FILE = """
[[question]]
key = "q_own"
category = "mood"
about_person = true
text = "Is {PERSON} calm?"
choices = ["yes", "no", "perhaps"]
rule = "mine.py:rule"
"""


def course(nearest: float = 3.0, left: float = 5.0) -> Course:
    """A robot that stands for ten frames and then goes straight to within `left` of its goal."""
    robot = np.zeros((20, 3))
    robot[10:, 0] = 9.0 - left
    walk = np.column_stack([np.full(20, nearest), np.zeros(20)])
    walk[0] = np.nan
    return Course(period=0.25, last=9, robot=robot, goal=np.array([9.0, 0.0]), people={4: walk})


def rulebook(file: Path) -> Rulebook:
    found = read_questions(file)
    return Rulebook(catalogue_of(found), own_rules(found, file, lambda code: True))


def ruled(folder: Path, body: str, more: str = "") -> Finding:
    (folder / "own.toml").write_text(FILE + more)
    (folder / "mine.py").write_text(f"def rule(course, person):\n    {body}\n")
    return rulebook(folder / "own.toml").answers(course())["q_own_p4"]


@pytest.mark.parametrize(
    ("nearest", "zone"), [(0.8, "within 1.2 m"), (3.0, "within 3.6 m"), (5.0, "farther away")]
)
def test_the_rules_of_the_page_say_what_is_right(tmp_path: Path, nearest: float, zone: str) -> None:
    answers = rulebook(shown_files(tmp_path)).answers(course(nearest))
    assert answers["q_comes_near_p4"] == Finding((zone,), clear=True)
    assert "q_polite_distance_p4" not in answers  # it has no rule
    assert not rulebook(tmp_path / "own.toml").answers(course(1.25))["q_comes_near_p4"].clear


def test_a_rule_knows_what_followed(tmp_path: Path) -> None:
    book = rulebook(shown_files(tmp_path))
    assert book.answers(course(left=0.5))["q_robot_arrives"].answer == ("yes",)
    assert book.answers(course(left=2.0))["q_robot_arrives"].answer == ("no",)


def test_the_fifteen_are_answered_as_without(tmp_path: Path) -> None:
    with_own = rulebook(shown_files(tmp_path)).answers(course())
    plain = geometry_answers(course())
    assert {key: with_own[key] for key in plain} == plain
    assert list(with_own)[: len(plain)] == list(plain)


def test_nothing_means_that_it_is_not_clear(tmp_path: Path) -> None:
    assert ruled(tmp_path, "return None") == Finding((), clear=False)


def test_several_choices_may_come_in_any_order_where_several_are_allowed(tmp_path: Path) -> None:
    found = ruled(tmp_path, "return {'perhaps', 'yes'}", "select_many = true")
    assert found == Finding(("yes", "perhaps"), clear=True)


@pytest.mark.parametrize(
    ("body", "word"),
    [
        ("return 'maybe'", "says 'maybe', expected one of yes, no, perhaps, or None"),
        ("return True", "says True, expected one of"),
        ("return ['yes', 'no']", r"says \['yes', 'no'\], expected one of"),
        ("return []", r"says \[\], expected one of"),
        ("return 1 / 0", r"q_own_p4: its rule .*mine\.py:rule failed \(ZeroDivisionError"),
        ("raise SystemExit(3)", r"failed \(SystemExit"),
        ("course.robot[0] = 1", r"failed \(ValueError: assignment destination is read-only"),
        ("course.people[4] = None", r"failed \(TypeError"),
    ],
)
def test_anything_else_is_one_sentence(tmp_path: Path, body: str, word: str) -> None:
    with pytest.raises(BadValue, match=word) as told:
        ruled(tmp_path, body)
    assert "\n" not in str(told.value)


def test_what_a_rule_prints_is_no_data(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ruled(tmp_path, "print('here'); return 'yes'")
    said = capsys.readouterr()
    assert (said.out, said.err) == ("", "here\n")


def test_a_rule_is_run_only_where_somebody_agreed(tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text(FILE)
    mark = tmp_path / "it ran"
    (tmp_path / "mine.py").write_text(f"open({str(mark)!r}, 'w')\ndef rule(course, person): ...\n")
    file = read_questions(tmp_path / "own.toml")
    with pytest.raises(Untrusted, match=r"own\.toml would import rule '.*mine\.py:rule'"):
        own_rules(file, tmp_path / "own.toml", only_known)
    assert not mark.exists()
    own_rules(file, tmp_path / "own.toml", lambda code: True)
    assert mark.exists()
    own_rules(file, tmp_path / "own.toml", only_known)  # it is remembered as it is


def test_a_rule_that_is_not_there_is_told(tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text(FILE)
    with pytest.raises(BadValue, match=r"rule file .*mine\.py: no such file"):
        rulebook(tmp_path / "own.toml")
    (tmp_path / "mine.py").write_text("rule = 3\n")
    with pytest.raises(BadValue, match="rule is no function"):
        rulebook(tmp_path / "own.toml")
