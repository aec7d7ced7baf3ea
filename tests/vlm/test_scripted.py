"""Scripted models take the choices from what a prompt asks, and answer by their script."""

import json

import pytest

from exams import PRESENTATION
from paseo.data.scenes.socialnavsub import TIMING
from paseo.errors import BadValue, UnknownName
from paseo.vlm.failures import ModelError, ModelRefusesKey, SlowDown, TryAgain
from paseo.vlm.models import ModelSettings, Picture, Prompt, PromptQuestion
from paseo.vlm.scripted import SCRIPTS, Scripted
from paseo.vqa.questions.answers import Answer, read_answer, read_answers
from paseo.vqa.questions.methods import Method
from paseo.vqa.questions.questions import Question, questions

ALL = questions("s", [1, 2])


def prompt(*questions: Question, images: tuple[Picture, ...] = ()) -> Prompt:
    text = PRESENTATION.text(questions, timing=TIMING, method=Method.INDEPENDENT)
    return PRESENTATION.prompt(questions, text, images, timing=TIMING)


def answers(script: str) -> list[Answer]:
    model = Scripted(script)
    return [read_answer(model.ask(prompt(each)).text, each) for each in ALL]


@pytest.mark.parametrize("script", ["first", "fenced", "nested", "inflected", "prose", "reasoned"])
def test_the_first_choice_is_understood_however_it_is_written(script: str) -> None:
    read = answers(script)
    assert [each.option for each in read] == [each.kind.options[0] for each in ALL]
    assert {each.tolerant for each in read} == {script != "first"}


@pytest.mark.parametrize("script", ["empty", "refusing", "cut"])
def test_what_says_nothing_is_invalid(script: str) -> None:
    assert all(each.invalid for each in answers(script))


def test_reversed_lists_and_usual_answers() -> None:
    assert answers("reversed")[0].option == ALL[0].kind.choices
    usual = {each.kind.key: got.option for each, got in zip(ALL, answers("constant"), strict=True)}
    assert usual["q_robot_action"] == ("not considering",)
    assert usual["q_goal_position_end"] == ("ahead",)
    assert answers("last")[1].option == ("behind",)


def test_chance_is_the_same_for_the_same_prompt_and_differs_between_prompts() -> None:
    assert answers("random") == answers("random")
    many = {each.option for each in answers("random") if each.option is not None}
    assert len(many) > 4
    pictures = [(Picture(bytes([shade])),) for shade in range(20)]
    model = Scripted("random")
    assert len({model.ask(prompt(ALL[1], images=each)).text for each in pictures}) == 4


def test_several_questions_in_one_request_are_all_answered() -> None:
    reply = Scripted("first").ask(prompt(*ALL))
    read = read_answers(reply.text, ALL)
    assert [read[each.key].option for each in ALL] == [each.kind.options[0] for each in ALL]
    assert not any(each.tolerant for each in read.values())


@pytest.mark.parametrize(
    ("script", "kind"), [("busy", SlowDown), ("late", TryAgain), ("locked", ModelRefusesKey)]
)
def test_some_scripts_fail_as_providers_do(script: str, kind: type[ModelError]) -> None:
    with pytest.raises(kind, match="ask another model"):
        Scripted(script).ask(prompt(ALL[0]))


def test_any_prompt_gets_a_reply_from_scripts_that_answer() -> None:
    for script in SCRIPTS.keys() - {"busy", "late", "locked"}:
        for text in ("", "Hello", "é\n🤖"):
            assert isinstance(Scripted(script).ask(Prompt(text=text)).text, str)


def test_the_words_of_a_prompt_decide_nothing() -> None:
    asked = (PromptQuestion(key="q", choices=("left", "right")),)
    told = Prompt(text='Possible answers: "up", "down"', questions=asked)
    assert json.loads(Scripted("first").ask(told).text) == {"answer": "left"}


def test_a_script_of_your_own_a_delay_and_mistakes() -> None:
    assert Scripted("mine", script=lambda prompt: prompt.text).ask(Prompt(text="x")).text == "x"
    slow = Scripted("first", ModelSettings(extra={"delay_s": 0.01}))
    assert slow.ask(prompt(ALL[0])).latency_s == 0.01
    assert json.loads(slow.ask(prompt(ALL[0])).text) == {"answer": ["moving ahead"]}
    with pytest.raises(BadValue, match="expected 0 to 600"):
        Scripted("first", ModelSettings(extra={"delay_s": "soon"}))
    with pytest.raises(UnknownName, match="Did you mean 'first'"):
        Scripted("frist")


def test_a_rule_takes_what_was_computed_for_it_and_else_the_first_choice() -> None:
    one = PromptQuestion(key="one", choices=("a", "b", "c"), rules=(("truth", "b"),))
    many = PromptQuestion(
        key="many", choices=("a", "b", "c"), several=True, rules=(("truth", "a"), ("truth", "c"))
    )
    prompt = Prompt(text="?", questions=(one, many))
    said = json.loads(Scripted("truth").ask(prompt).text)["answers"]
    assert said == {"one": "b", "many": ["a", "c"]}
    assert json.loads(Scripted("nearest").ask(prompt).text)["answers"]["one"] == "a"
