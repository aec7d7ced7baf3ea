"""Probabilities of options out of log-probabilities of tokens, by hand."""

import math

import pytest

from paseo.vlm.models import Token
from paseo.vqa.questions.likelihoods import option_chances
from paseo.vqa.questions.questions import kinds

SIDES = kinds()["q_goal_position_begin"]  # ahead, to the left, to the right
DOINGS = kinds()["q_robot_moving_direction"]  # several may be chosen
BEFORE = Token(text='{"answer": "', chances=(('{"answer": "', 0.0),))
AFTER = Token(text='"}', chances=(('"}', 0.0),))


def token(text: str, **chances: float) -> Token:
    """A token among others, with probabilities; an underscore stands for a space."""
    listed = {name.replace("_", " "): chance for name, chance in chances.items()}
    return Token(text=text, chances=tuple((t, math.log(p)) for t, p in listed.items()))


def test_the_first_token_tells_options_apart_and_spellings_add_up() -> None:
    said = token("ahead", ahead=0.5, ah=0.2, to=0.05, To=0.15, sideways=0.1)
    found = option_chances([BEFORE, said, AFTER], SIDES, ("ahead",))
    assert found is not None
    assert found["ahead",] == pytest.approx(1.0), "what fits no option is left out"


def test_options_that_share_their_first_token_part_at_the_next() -> None:
    first = token("to the", to_the=0.8, ahead=0.2)
    second = token(" left", _left=0.75, _right=0.25)
    found = option_chances([BEFORE, first, second, AFTER], SIDES, ("to the left",))
    assert found == pytest.approx({("ahead",): 0.2, ("to the left",): 0.6, ("to the right",): 0.2})


def test_a_way_that_was_not_gone_is_unclear() -> None:
    said = token("ahead", ahead=0.6, to=0.4)
    assert option_chances([BEFORE, said, AFTER], SIDES, ("ahead",)) is None
    hardly = token("ahead", ahead=0.95, to=0.05)
    assert option_chances([BEFORE, hardly, AFTER], SIDES, ("ahead",)) is not None


def test_what_is_not_listed_is_unclear() -> None:
    said = token("ahead", ahead=0.5)
    assert option_chances([BEFORE, said, AFTER], SIDES, ("ahead",)) is None


@pytest.mark.parametrize(
    ("whole", "others"),
    [(' "ahead"}', [' "to the left"}', ' "to the right"}']), ("ahead", ["to the l", "to the r"])],
)
def test_tokens_may_hold_quotes_braces_and_parts_of_words(whole: str, others: list[str]) -> None:
    lead = '{"answer":' if whole.startswith(" ") else '{"answer": "'
    chances = ((whole, math.log(0.5)), *((each, math.log(0.25)) for each in others))
    tokens = [Token(text=lead, chances=()), Token(text=whole, chances=chances), AFTER]
    found = option_chances(tokens, SIDES, ("ahead",))
    assert found is not None
    assert sorted(found.values()) == pytest.approx([0.25, 0.25, 0.5])


def test_reasoning_may_come_first_and_may_be_cut_off() -> None:
    said = token("ahead", ahead=1.0)
    thought = Token(text='ing", "x": {"answer": "to the left"}} then ', chances=())
    found = option_chances([thought, BEFORE, said, AFTER], SIDES, ("ahead",))
    assert found is not None
    assert found["ahead",] == 1.0


def test_nothing_is_told_without_an_answer_in_json_or_for_several_choices() -> None:
    said = token("ahead", ahead=1.0)
    assert option_chances([said], SIDES, ("ahead",)) is None
    assert option_chances([BEFORE, said, AFTER], SIDES, ("to the left",)) is None
    assert option_chances([BEFORE, said, AFTER], SIDES, None) is None
    assert option_chances([], SIDES, ("ahead",)) is None
    moving = [BEFORE, token("moving ahead", moving_ahead=1.0), AFTER]
    assert option_chances(moving, DOINGS, ("moving ahead",)) is None
