"""Files of one's own questions: what they ask, and what is refused in one sentence."""

from pathlib import Path

import pytest

from own_questions import shown_files
from paseo.errors import BadFile, BadValue
from paseo.vqa.prompts.wording import paseo_wording
from paseo.vqa.questions.answers import read_answer, read_value
from paseo.vqa.questions.methods import Method, asked
from paseo.vqa.questions.own import (
    GUIDANCE,
    OWN,
    asked_in,
    catalogue_in,
    check_questions,
    questions_bytes,
    questions_for,
    read_questions,
)
from paseo.vqa.questions.question_file import AskedQuestion, QuestionFile
from paseo.vqa.questions.questions import Catalogue, catalogue_of, kinds, shipped

ONE = """
[[question]]
key = "q_calm"
category = "social"
text = "Who is calm?"
choices = ["the robot", "the people"]
"""


def own(**changes: object) -> QuestionFile:
    usual = {"key": "q_a", "category": "mood", "text": "What?", "choices": ("yes", "no")}
    return QuestionFile(question=(AskedQuestion(**{**usual, **changes}),))  # type: ignore[arg-type]


def kind_with(*choices: str, **changes: object) -> Catalogue:
    return catalogue_of(own(choices=choices, **changes))


def refusal(folder: Path, text: str) -> str:
    (folder / "own.toml").write_text(text)
    with pytest.raises(BadFile) as told:
        read_questions(folder / "own.toml")
    assert "\n" not in str(told.value) and "own.toml: " in str(told.value)
    return str(told.value)


def test_they_come_after_the_fifteen_each_after_what_it_builds_on(tmp_path: Path) -> None:
    catalogue = catalogue_of(read_questions(shown_files(tmp_path)))
    assert list(catalogue.kinds) == [*kinds(), "q_comes_near", "q_robot_arrives",
                                     "q_polite_distance"]  # fmt: skip
    assert catalogue.categories == ("spatial", "spatiotemporal", "social", "proxemics")
    near = catalogue.question("a", "q_comes_near_p2")
    assert near.needs == ("q_person_distance_change_p2",)
    assert len(catalogue.questions("a", [1, 2])) == 3 + 1 + 2 * (12 + 2)


def test_they_may_take_the_place_of_the_fifteen_in_any_order() -> None:
    first = AskedQuestion(key="q_a", category="x", text="A?", choices=("y", "n"), needs=("q_b",))
    second = AskedQuestion(key="q_b", category="x", text="B?", choices=("y", "n"))
    catalogue = catalogue_of(QuestionFile(with_shipped=False, question=(first, second)))
    assert list(catalogue.kinds) == ["q_b", "q_a"]
    assert catalogue.categories == ("x",)


def test_without_a_file_the_fifteen_are_asked(tmp_path: Path) -> None:
    assert questions_for(tmp_path) is None
    assert catalogue_in(tmp_path) == asked_in(None) == shipped()
    assert shipped().categories == ("spatial", "spatiotemporal", "social")


def test_what_is_kept_beside_scenes_is_what_was_asked_but_for_the_rules(tmp_path: Path) -> None:
    first = read_questions(shown_files(tmp_path))
    (tmp_path / OWN).write_bytes(questions_bytes(first))
    assert questions_for(tmp_path) == first.as_asked != first
    assert catalogue_in(tmp_path) == catalogue_of(first)
    assert b"rules.py" not in questions_bytes(first)


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"key": "calm"}, "calm: is no key"),
        ({"key": "q_Calm"}, "q_Calm: is no key"),
        ({"key": "q_calm_p1"}, "q_calm_p1: is no key"),
        ({"key": "q_calm_n_answers"}, "q_calm_n_answers: is no key"),
        ({"key": "q_robot_action"}, "q_robot_action: is the key of a question that ships"),
        ({"category": "all"}, "q_calm: category 'all' is none"),
        ({"category": "By Mood"}, "q_calm: category 'By Mood' is none"),
        ({"text": "Is {PERSON} calm?"}, "q_calm: its text has {PERSON}, but it is about no person"),
        ({"about_person": True}, "q_calm: is about a person, but its text has no {PERSON}"),
        ({"text": "a\\u202eb"}, "q_calm: its text has signs that cannot be seen"),
        ({"text": "x" * 1001}, "question[0].text: expected `str` of length <= 1000"),
        ({"choices": ["a"]}, "question[0].choices: expected `array` of length >= 2"),
        ({"choices": ["a", "b", "A"]}, "q_calm: choice 'A' is there twice"),
        ({"choices": ["a ", "b"]}, "q_calm: choice 'a ' has signs that cannot be seen, or a blank"),
        ({"choices": [str(k) for k in range(27)]}, "question[0].choices: expected `array` of"),
        ({"choices": ["a", "x" * 81]}, "question[0].choices[1]: expected `str` of length <= 80"),
        ({"choices": list("abcdefghi"), "select_many": True}, "q_calm: has 9 choices, expected"),
        ({"needs": ["q_calmer"]}, "q_calm: needs 'q_calmer', which is no question"),
        ({"needs": ["q_calm"]}, "q_calm: builds on itself (q_calm -> q_calm)"),
        ({"needs": ["q_robot_action"]}, "q_calm: is about no person, but needs q_robot_action"),
        ({"needs": ["q_goal_position_end"] * 2}, "q_calm: needs the same question twice"),
        ({"guidance": "mood"}, "q_calm: guidance 'mood' is nowhere"),
        ({"rule": "rules:calm"}, "q_calm: rule 'rules:calm' is none, expected FILE.py:NAME"),
        ({"chioces": ["a", "b"]}, "question[0]: unknown key 'chioces'; did you mean 'choices'?"),
    ],
)  # fmt: skip
def test_each_mistake_is_one_sentence(tmp_path: Path, change: dict[str, object], word: str) -> None:
    lines = [line for line in ONE.splitlines() if line.partition(" =")[0] not in change]
    for key, value in change.items():
        lines.append(f"{key} = {str(value).lower() if isinstance(value, bool) else _toml(value)}")
    assert f"own.toml: {word}" in refusal(tmp_path, "\n".join(lines))


def _toml(value: object) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(_toml, value))}]"
    return f'"{value}"'


@pytest.mark.parametrize(
    ("text", "word"),
    [
        (ONE + ONE, "q_calm: is there twice"),
        ("with_shipped = false" + ONE + 'needs = ["q_goal_position_end"]', "which ships, but"),
        (ONE + 'needs = ["q_b"]' + ONE.replace("q_calm", "q_b") + 'needs = ["q_calm"]',
         "q_calm: builds on itself (q_calm -> q_b -> q_calm)"),
        (ONE + '[guidance]\ngoal = "x"', "guidance.goal: is the name of guidance that ships"),
        (ONE + '[guidance]\nmood = "a\\u0007b"', "guidance.mood: has signs that cannot be seen"),
        ("with_shipped = true", "missing required field `question`"),
        ("question = []", "question: expected `array` of length >= 1"),
        ("[[question", "not valid TOML"),
    ],
)  # fmt: skip
def test_so_is_each_mistake_of_the_whole_file(tmp_path: Path, text: str, word: str) -> None:
    assert word in refusal(tmp_path, text)


def test_a_file_that_is_no_text_or_has_another_ending_is_refused(tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_bytes(b"a = \xff")
    with pytest.raises(BadFile, match="not valid TOML"):
        read_questions(tmp_path / "own.toml")
    with pytest.raises(BadFile, match="no such file"):
        read_questions(tmp_path / "none.toml")
    with pytest.raises(BadFile, match=r"expected \.toml"):
        read_questions(tmp_path / "own.json")


def test_one_key_has_one_set_of_choices() -> None:
    one, other = kind_with("a", "b"), kind_with("a", "c")
    assert one.joined(shipped()).kinds.keys() == {*kinds(), "q_a"}
    with pytest.raises(BadValue, match="q_a has the choices a, c in one place and a, b in another"):
        Catalogue({"q_a": other.kinds["q_a"]}).joined(one)


@pytest.mark.parametrize(
    ("reply", "option"),
    [
        ('{"answer": "Keep more distance"}', "Keep more distance"),
        ("keep more distance.", "Keep more distance"),
        ("Slow Down", "Slow down"),
        ("It is best to slow down.", "Slow down"),
        ("It should not slow down.", None),
        ("slow down or keep more distance", None),
        ("distance", "Keep more distance"),
        ('{"answer": "< 1 m"}', "< 1 m"),
        ("1 m", None),
        ("A", None),
        ('{"answer": "a"}', None),
        ('{"answer": "A!"}', "A!"),
        ("über", "über"),
        ("Über", None),
        ('{"answer": "über"}', "über"),
    ],
)
def test_choices_of_ones_own_are_read_and_never_guessed(reply: str, option: str | None) -> None:
    catalogue = kind_with("Keep more distance", "Slow down", "< 1 m", "A!", "über")
    found = read_answer(reply, catalogue.question("s", "q_a"))
    assert found.option == (None if option is None else (option,))


def test_what_cannot_be_told_in_words_is_still_read_as_it_is() -> None:
    catalogue = kind_with("é", "ü")
    assert read_value("ü", catalogue.question("s", "q_a")).option == ("ü",)
    assert read_answer("it must be e", catalogue.question("s", "q_a")).invalid


def test_with_people_s_answers_other_categories_are_asked_like_the_social_ones() -> None:
    every = catalogue_of(own()).questions("s", [])
    assert [each.key for each in asked(every, Method.CHAIN_HUMAN)] == ["q_a"]
    spatial = catalogue_of(own(category="spatial")).questions("s", [])
    assert asked(spatial, Method.CHAIN_HUMAN) == ()


def test_guidance_that_ships_may_be_named_and_is_what_the_wording_has() -> None:
    assert set(GUIDANCE) == set(paseo_wording().guidance) - {"waypoints"}
    check_questions(own(guidance="goal"), "own.toml")


def test_checks_name_where_the_questions_stand() -> None:
    with pytest.raises(BadFile, match=r"exam\.json: q_A: is no key"):
        check_questions(own(key="q_A"), "exam.json")
