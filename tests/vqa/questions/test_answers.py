"""Replies are read strictly, then tolerantly, and never by luck."""

import json
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paseo.vqa.questions.answers import LONGEST_REPLY, read_answer, read_answers, read_value
from paseo.vqa.questions.methods import Method
from paseo.vqa.questions.phrases import VERBS
from paseo.vqa.questions.questions import QuestionType, kinds, question

ACTION = kinds()["q_robot_action"]
AFFECTED = kinds()["q_robot_affected"]
GOAL = kinds()["q_goal_position_end"]
WHERE = kinds()["q_person_spatial_position_begin"]
MOVING = kinds()["q_robot_moving_direction"]
SAME = next(each for each in kinds()["q_person_distance_change"].choices if "same" in each)
SUGGESTED = kinds()["q_robot_suggested_action"]


@pytest.mark.parametrize("kind", kinds().values(), ids=lambda kind: kind.key)
def test_every_option_in_the_json_that_was_asked_for_is_read_strictly(kind: QuestionType) -> None:
    for option in kind.options:
        text = json.dumps({"answer": list(option) if kind.select_many else option[0]})
        answer = read_answer(f" {text}\n", kind)
        assert (answer.option, answer.tolerant, answer.problem) == (option, False, "")


@pytest.mark.parametrize(
    ("text", "choice"),
    [
        ('```json\n{"answer": "following"}\n```', "following"),
        ('Sure! {"answer": "following"} I hope this helps.', "following"),
        ('{"answer": {"answer": "yielding to"}}', "yielding to"),
        ('{"answer": ["yielding to"]}', "yielding to"),
        ('{"Answer": "avoiding"}', "avoiding"),
        ('{"answer": " Not-Considering. "}', "not considering"),
        ('{"answer": "avoid"}', "avoiding"),
        ('{"answer": "yields to"}', "yielding to"),
        ('{"answer": "yielding"}', "yielding to"),
        ("{'answer': 'overtaking'}", "overtaking"),
        ("**not considering**", "not considering"),
        ("“Following”", "following"),
        ("The robot is avoiding person 3.", "avoiding"),
        ('<think>Perhaps {"answer": "avoiding"}</think>\n{"answer": "following"}', "following"),
        ('{"answer": "following"} and again {"answer": "following"}', "following"),
        ('{"answer": "following",}', "following"),
        ('{"answer": ["following" , ] , }', "following"),
        (r"\boxed{following}", "following"),
        (r"So $\boxed{\text{yielding to}}$.", "yielding to"),
        (r"\boxed{following} I say: \boxed{following}", "following"),
        ('{"answer": "\\boxed{following}"}', "following"),  # as JSON has it: a backspace
        ('{"answer": "\\\\boxed{following}"}', "following"),
    ],
)
def test_other_ways_of_writing_one_choice_are_read_and_marked(text: str, choice: str) -> None:
    answer = read_answer(text, ACTION)
    assert (answer.option, answer.tolerant, answer.raw) == ((choice,), True, text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        " \n",
        "INVALID",
        "A",
        "1",
        "ignoring",
        "considering",
        '{"answer": null}',
        '{"answer": 3}',
        '{"answer": true}',
        '{"answer": {"choice": "avoiding"}}',
        '{"reply": "avoiding"}',
        '{"answer": "..."}',
        '{"answer": ["yielding to", "avoiding"]}',
        '{"answer": []}',
        '{"answer": "avoiding", "answer": "following"}',
        '{"answer": "avoiding"} or {"answer": "following"}',
        '{"answer": "yield',
        'The robot is avoiding {"answer": "yiel',
        "I'm sorry, but I can't help with that.",
        "not avoiding",
        "The robot is not avoiding person 3.",
        "The robot isn't following.",
        "The robot isn\u2019t following.",
        "It is avoiding, not following.",
        "The robot fails to avoid person 3.",
        "The robot is avoiding nobody.",
        "avoiding or passing",
        "avoiding?",
        "avoiding ≠ true",
        "не avoiding",
        "following rather than running",
        "In the following frames nothing happens.",
        "Following the instructions, I looked at the clip.",
        "Person 3 is avoiding the robot.",
        "[" * 5000,
        '{"answer": ' + "[" * 900 + "]" * 900 + "}",
        '{"a": ' * 400,
        '{"answer": "avoiding"}' + " " * LONGEST_REPLY,
        "The robot is avoiding. " * 20,
        '{"answer": "avoiding",, }',
        '{"answer": "avoiding", "answer": "following",}',
        r"\boxed{avoiding} \boxed{following}",
        r"\boxed{not avoiding}",
        r"\boxed{}",
        r"\boxed{avoiding",
        "\\boxed{" * 20_000,
        '{"answer": "' + '",' * 50_000,
        '{"answer": "to"}',
        '{"answer": "not"}',
    ],
)
def test_what_may_mean_something_else_is_invalid_and_says_why(text: str) -> None:
    answer = read_answer(text, ACTION)
    assert answer.option is None
    assert answer.invalid
    assert answer.problem
    assert not answer.tolerant


@pytest.mark.parametrize(
    "text", ["No.", "no", "No, it is not.", "The answer is no.", '{"answer":"NO"}']
)
def test_a_clear_no_is_read(text: str) -> None:
    assert read_answer(text, AFFECTED).option == ("no",)


@pytest.mark.parametrize(
    "text",
    [
        "No person is in the way",
        "There is no person",
        "no effect",
        "Yes and no",
        "yes\nno",
        "Yes, it does not.",
        "not yes",
        "No, I cannot help with that.",
        "Yes, unless it stops.",
    ],
)
def test_a_no_that_is_part_of_something_else_is_not(text: str) -> None:
    assert read_answer(text, AFFECTED).invalid


def test_the_words_of_another_question_are_not_taken_for_a_part_of_them() -> None:
    assert read_value("moving ahead", GOAL).invalid  # "ahead" is a choice, this is not
    assert read_value("['moving ahead']", GOAL).invalid
    assert read_value("to the left of", ACTION).invalid
    assert read_answer("Let me go ahead and look.", GOAL).invalid
    assert read_value("ahead of", GOAL).option == ("ahead",)
    assert read_value("The goal is ahead of the robot.", GOAL).option == ("ahead",)
    assert read_value("to the left", WHERE).option == ("to the left of",)


@pytest.mark.parametrize(
    ("value", "kind", "choice"),
    [
        ("left", WHERE, "to the left of"),
        ("Right", GOAL, "to the right"),
        ("the left", GOAL, "to the left"),
        ("ahead", MOVING, "moving ahead"),
        ("same", kinds()["q_person_distance_change"], SAME),
        ("moving", MOVING, ""),
        ("turning", MOVING, ""),
        ("the", GOAL, ""),
        ("considering", ACTION, ""),
        ("lef", WHERE, ""),
    ],
)
def test_a_part_of_only_one_choice_is_read_unless_it_may_mean_another(
    value: str, kind: QuestionType, choice: str
) -> None:
    answer = read_answer(json.dumps({"answer": value}), kind)
    assert answer.option == ((choice,) if choice else None)
    assert answer.tolerant == bool(choice)


def test_a_comma_inside_an_answer_is_left_as_it_is() -> None:
    answer = read_answer('{"answer": "passing,}",}', ACTION)
    assert '"passing,}"' in answer.problem


def test_who_is_ahead_of_whom_is_not_turned_round() -> None:
    assert read_value("The person is ahead of the robot", WHERE).option == ("ahead of",)
    assert read_value("The robot is ahead of the person", WHERE).invalid
    assert read_value("ahead and slightly to the left", GOAL).invalid


def test_each_vocabulary_is_understood_where_the_other_was_asked_for() -> None:
    for observed, future in zip(ACTION.choices, SUGGESTED.choices, strict=True):
        assert read_value(future, ACTION).option == (observed,)
        assert read_value(observed, SUGGESTED).option == (future,)
    assert {form for verb in VERBS for form in verb} >= {*ACTION.choices, *SUGGESTED.choices}


@pytest.mark.parametrize(
    ("value", "option"),
    [
        (["turning left", "moving ahead"], ("moving ahead", "turning left")),
        (["moving ahead"] * 12, ("moving ahead",)),
        ("moving ahead", ("moving ahead",)),
        ("moving ahead and turning left", ("moving ahead", "turning left")),
        ("['moving ahead', 'turning left']", ("moving ahead", "turning left")),
        ([{"answer": "moving ahead"}], ("moving ahead",)),
    ],
)
def test_several_choices_are_put_in_order_each_once(value: object, option: object) -> None:
    answer = read_value(value, MOVING)
    assert (answer.option, answer.tolerant) == (option, True)


@pytest.mark.parametrize(
    "value",
    [[], ["moving ahead", 3], ["moving ahead", "flying"], ["moving ahead"] * 101,
     "moving ahead but not turning left", "turning left, then right"],
)  # fmt: skip
def test_one_bad_choice_spoils_the_list(value: object) -> None:
    assert read_value(value, MOVING).invalid


def test_reasoning_is_strict_when_its_last_line_is_json() -> None:
    text = 'Person 3 walks ahead, so perhaps {"answer": "avoiding"}.\n{"answer": "following"}'
    answer = read_answer(text, ACTION, method=Method.REASON)
    assert (answer.option, answer.tolerant) == (("following",), False)
    assert read_answer(text, ACTION).invalid  # two answers, and no reasoning was asked for


def test_reasoning_may_end_in_words() -> None:
    text = "The robot is not avoiding it, and stays behind. " * 20 + "\nFinal answer: **following**"
    answer = read_answer(text, ACTION, method=Method.REASON)
    assert (answer.option, answer.tolerant) == (("following",), True)
    assert read_answer(text + "\nnot sure", ACTION, method=Method.REASON).invalid


def test_long_reasoning_is_read_by_its_last_line_alone() -> None:
    text = "It walks on. " * 30 + "\nPerson 2 stands aside, so the answer is no."
    assert read_answer(text, AFFECTED, method=Method.REASON).option == ("no",)
    assert read_answer(text, AFFECTED).invalid


@pytest.mark.parametrize("part", ["a", "{", '{"', '{"a":[', " ", "\n", "answer ", "</think>", "*"])
def test_the_longest_replies_are_read_in_no_time(part: str) -> None:
    text = (part * LONGEST_REPLY)[:LONGEST_REPLY]
    start = time.process_time()
    for method in (Method.INDEPENDENT, Method.REASON):
        assert read_answer(text, AFFECTED, method=method).invalid
    assert time.process_time() - start < 1.0


def test_a_reply_that_was_cut_off_counts_only_if_its_json_is_whole() -> None:
    assert read_answer("The robot is avoiding", ACTION, ending="length").invalid
    assert not read_answer('{"answer": "avoiding"} I', ACTION, ending="length").invalid


@pytest.mark.parametrize("ending", ["refusal", "filtered"])
def test_what_was_refused_is_no_answer(ending: str) -> None:
    assert read_answer('{"answer": "avoiding"}', ACTION, ending=ending).invalid


def test_several_questions_in_one_reply_are_read_each_by_itself() -> None:
    keys = ["q_robot_moving_direction", "q_robot_action_p1", "q_robot_action_p11"]
    asked = [question("s", key) for key in [*keys, "q_goal_position_end"]]
    values = {
        "q_robot_moving_direction": ["moving ahead"],
        "q_robot_action_p1": "avoid",
        "q_robot_action_p11": 7,
    }
    answers = read_answers(json.dumps({"answers": values}), asked)
    assert [answer.option for answer in answers.values()] == [
        ("moving ahead",), ("avoiding",), None, None,
    ]  # fmt: skip
    assert [answer.tolerant for answer in answers.values()] == [False, True, False, False]
    assert "does not answer q_goal_position_end" in answers["q_goal_position_end"].problem
    fenced = read_answers(f"```\n{json.dumps({'answers': values})}\n```", asked[:1])
    assert fenced["q_robot_moving_direction"].tolerant


@pytest.mark.parametrize("text", ["", "avoiding", '{"answer": "avoiding"}', '{"answers": []}'])
def test_a_reply_without_answers_leaves_every_question_invalid(text: str) -> None:
    asked = [question("s", "q_robot_action_p1"), question("s", "q_robot_action_p2")]
    answers = read_answers(text, asked)
    assert [answer.invalid for answer in answers.values()] == [True, True]
    assert all(answer.problem for answer in answers.values())


WORDS = st.sampled_from(
    sorted({choice for kind in kinds().values() for choice in kind.choices})
    + ["not", "answer", "{", "}", '"', ":", ",", "[", "]", '{"answer":', "robot", "\n", "n't", "or"]
)
TEXTS = st.text() | st.lists(WORDS, max_size=12).map(" ".join)


@given(TEXTS, st.sampled_from(list(kinds().values())), st.sampled_from(Method))
def test_any_text_is_an_option_or_invalid(text: str, kind: QuestionType, method: Method) -> None:
    answer = read_answer(text, kind, method=method)
    assert answer.option is None or answer.option in kind.options
    assert (answer.option is None) == bool(answer.problem)


JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text() | WORDS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.just("answer"), inner),
)


@given(JSON, st.sampled_from(list(kinds().values())))
def test_any_value_is_read_as_the_reply_that_holds_it(value: object, kind: QuestionType) -> None:
    answer, reply = read_value(value, kind), read_answer(json.dumps({"answer": value}), kind)
    assert (answer.option, answer.tolerant) == (reply.option, reply.tolerant)


@given(st.lists(WORDS, min_size=1, max_size=8).map(" ".join))
def test_a_sentence_that_denies_is_never_an_action(text: str) -> None:
    assert read_answer(f"It is false: {text}", ACTION).invalid


@pytest.mark.recordings
def test_recorded_answers_agree_with_people_as_often_as_was_counted_before(data_dir: Path) -> None:
    folder = data_dir / "socialnavsub"
    agreement: dict[str, list[float]] = {}
    invalid = tolerant = 0
    for file in sorted((folder / "recorded_answers/gpt-5-nano_cot").glob("*.json")):
        people = json.loads(
            (folder / "human_labels" / file.stem / "common_answers.json").read_text()
        )
        for key, value in json.loads(file.read_text()).items():
            asked = question(file.stem, key)
            answer = read_value(value, asked)
            shares = dict(zip(map(str, people[key]), people[f"{key}_probabilities"], strict=True))
            option = list(answer.option or ())
            chosen = str(option if asked.kind.select_many else "".join(option))
            agreement.setdefault(asked.kind.category, []).append(shares.get(chosen, 0.0))
            invalid, tolerant = invalid + answer.invalid, tolerant + answer.tolerant
    means = {name: round(sum(each) / len(each), 3) for name, each in agreement.items()}
    assert means == {"spatial": 0.532, "spatiotemporal": 0.558, "social": 0.454}
    every = [share for each in agreement.values() for share in each]
    assert (len(every), round(sum(every) / len(every), 3)) == (4968, 0.493)
    assert (invalid, tolerant) == (71, 1)
