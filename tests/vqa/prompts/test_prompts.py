"""Prompts begin alike, tell earlier answers as valid JSON, and say how to reply."""

import json
import re
from dataclasses import replace

import pytest

from paseo.vqa.pictures.pictures import Layout
from paseo.vqa.prompts.prompts import prompt_text, prompt_text_for_many
from paseo.vqa.prompts.wording import paseo_wording
from paseo.vqa.questions.answers import Answer
from paseo.vqa.questions.methods import Method, asked
from paseo.vqa.questions.questions import Question, question, questions

OURS = paseo_wording()
LAYOUT = Layout.FRONT_BEV
ALL = questions("s", [1, 2, 11])
ACTION = question("s", "q_person_action_p11")
FIRST = {each.key: each.kind.options[-1] for each in ALL}


@pytest.mark.parametrize("method", Method)
@pytest.mark.parametrize("each", ALL[::5], ids=lambda each: each.key)
def test_a_prompt_asks_its_question_and_nothing_is_left_to_fill_in(
    each: Question, method: Method
) -> None:
    text = prompt_text(each, OURS, method=method, layout=LAYOUT, earlier=FIRST)
    assert "{PERSON}" not in text
    line = text.rpartition("Possible answers: ")[2].partition("\n")[0]
    assert tuple(json.loads(f"[{line}]")) == each.kind.choices
    assert text.endswith(
        '{"answer": ["...", "..."]}' if each.kind.select_many else '{"answer": "..."}'
    )
    if each.person:
        assert {int(who) for who in re.findall(r"[Pp]erson (\d+)", text)} == {each.person}


@pytest.mark.parametrize("layout", Layout)
def test_all_prompts_of_a_layout_begin_alike_whatever_the_scene(layout: Layout) -> None:
    start = f"{OURS.introduction}\n\n{OURS.pictures[layout.value]}\n\n"
    for each in (*ALL, *questions("other", [3])):
        text = prompt_text(each, OURS, method=Method.CHAIN, layout=layout, earlier=FIRST)
        assert text.startswith(start + OURS.guidance[each.kind.guidance])


def test_a_chain_tells_earlier_answers_in_order_as_valid_json() -> None:
    text = prompt_text(ACTION, OURS, method=Method.CHAIN, layout=LAYOUT, earlier=FIRST)
    told = [json.loads(line)["answer"] for line in text.splitlines() if line.startswith("{")][:-1]
    assert told[:2] == [["moving ahead", "turning left", "turning right"], "behind"]
    assert len(told) == len(ACTION.needs) == 7
    places = [text.index(json.dumps({"answer": each})) for each in told[:2]]
    assert places == sorted(places)
    assert places[0] < text.index("What is person 11 most likely doing")


@pytest.mark.parametrize("method", [Method.INDEPENDENT, Method.REASON])
def test_only_chains_tell_earlier_answers(method: Method) -> None:
    alone = prompt_text(ACTION, OURS, method=method, layout=LAYOUT)
    assert prompt_text(ACTION, OURS, method=method, layout=LAYOUT, earlier=FIRST) == alone
    assert ("write down" in alone) == (method is Method.REASON)


def test_an_earlier_answer_that_could_not_be_read_is_left_out() -> None:
    key = ACTION.needs[1]
    invalid = Answer(option=None, problem="empty", raw="{broken")
    others = {need: FIRST[need] for need in ACTION.needs if need != key}
    told = [
        prompt_text(ACTION, OURS, method=Method.CHAIN, layout=LAYOUT, earlier=earlier)
        for earlier in (others, {**FIRST, key: invalid})
    ]
    assert told[0] == told[1]
    assert "in the first frame?" not in told[0].replace("goal G lie in the first frame?", "")
    nothing = prompt_text(ACTION, OURS, method=Method.CHAIN, layout=LAYOUT)
    assert nothing == prompt_text(ACTION, OURS, method=Method.INDEPENDENT, layout=LAYOUT)


def test_an_answer_and_its_option_are_told_alike() -> None:
    answers = {key: Answer(option=option, raw="whatever it wrote") for key, option in FIRST.items()}
    texts = {
        prompt_text(ACTION, OURS, method=Method.CHAIN, layout=LAYOUT, earlier=earlier)
        for earlier in (FIRST, answers)
    }
    assert len(texts) == 1


def test_a_person_at_the_beginning_is_written_large_and_other_braces_stay() -> None:
    texts = {**OURS.texts, ACTION.kind.key: "{PERSON} {0} or {PERSON} %s {scene}"}
    wording = replace(OURS, texts=texts)
    text = prompt_text(ACTION, wording, method=Method.INDEPENDENT, layout=LAYOUT)
    assert "\nPerson 11 {0} or person 11 %s {scene}\n" in text


def test_choices_are_listed_in_the_order_of_the_question() -> None:
    kind = replace(ACTION.kind, choices=tuple(reversed(ACTION.kind.choices)))
    text = prompt_text(replace(ACTION, kind=kind), OURS, method=Method.INDEPENDENT, layout=LAYOUT)
    assert 'Possible answers: "yielding to", "following"' in text


def test_with_peoples_answers_only_social_questions_are_put() -> None:
    assert asked(ALL, Method.CHAIN) == ALL
    social = asked(ALL, Method.CHAIN_HUMAN)
    assert len(social) == 7 * 3
    assert {each.kind.category for each in social} == {"social"}


def test_several_questions_share_one_prompt() -> None:
    both = [question("s", "q_robot_moving_direction"), ACTION]
    text = prompt_text_for_many(both, OURS, method=Method.CHAIN, layout=LAYOUT, earlier=FIRST)
    assert text.count(OURS.introduction) == 1
    assert text.index(OURS.guidance["movement"]) < text.index(OURS.guidance["action"])
    assert '\nPossible answers, as a list of all that apply: "moving ahead"' in text
    assert "\nq_person_action_p11: What is person 11" in text
    assert text.count("have been answered") == 1
    assert '{"answers": {"<name>"' in text.splitlines()[-1]
    same = prompt_text_for_many(both, OURS, method=Method.REASON, layout=LAYOUT, earlier=FIRST)
    assert "have been answered" not in same
    assert "write down" in same
