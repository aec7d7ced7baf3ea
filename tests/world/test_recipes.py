import math
from dataclasses import replace
from typing import Any

import pytest

from paseo.errors import BadValue, UnknownName
from paseo.world.recipes import Arrivals, Flow, Gate, Groups, Habit, Manners, Recipe, Speeds, Stay

GATES = (Gate(name="west", x=1.0, y=5.0), Gate(name="east", x=9.0, y=5.0))
FLOW = Flow(origin="west", destination="east", rate=0.1)


def stay(**changes: Any) -> Stay:
    return Stay(**{"habit": Habit.WAIT, "x": 5.0, "y": 5.0, "rate": 0.1, **changes})


def test_a_recipe_of_gates_and_a_flow_has_defaults_for_all_else() -> None:
    recipe = Recipe(name="test", gates=GATES, flows=(FLOW,))
    assert recipe.groups.sizes[0] > 0.5
    assert recipe.radius == 0.2


@pytest.mark.parametrize(
    ("make", "sentence"),
    [
        (lambda: Gate(name="g", x=0, y=0, width=-1.0), "gate 'g': a width of -1 m is negative"),
        (lambda: Gate(name="g", x=math.nan, y=0), "gate 'g': x must be finite"),
        (lambda: Flow(origin="a", destination="b", rate=-1.0), "expected 0 to 100 people/s"),
        (lambda: Flow(origin="a", destination="a", rate=1.0), "flow from 'a' to 'a': nobody walks"),
        (lambda: stay(rate=-0.1), "stay to wait at .5, 5.: expected 0 to 10 visits/s"),
        (lambda: stay(duration=0.0), "expected a duration above 0 s"),
        (lambda: stay(spacing=0.1), "0.1 m apart is under 0.4 m"),
        (lambda: stay(spread=-1.0), "a spread of -1 m is negative"),
        (lambda: stay(length=0.0), "expected a length above 0 m"),
        (lambda: stay(sizes=(0.5, 0.4)), "group sizes that add up to 1"),
        (lambda: stay(habit=Habit.QUEUE, sizes=(0.5, 0.5)), "people queue one by one"),
        (lambda: Arrivals(burst_length=0.0), "arrivals: spells of 0 s"),
        (lambda: Arrivals(burst_spread=-1.0), "arrivals: a spread of -1 is negative"),
        (lambda: Arrivals(stagger=-1.0), "arrivals: a stagger of -1 s is negative"),
        (lambda: Speeds(shares=(0.0,), values=(1.0, 2.0)), "1 shares and 2 values"),
        (lambda: Speeds(shares=(1.0, 0.0), values=(1.0, 2.0)), "shares from 0 to 1 in rising"),
        (lambda: Speeds(shares=(0.0, 1.0), values=(1.0, 3.0)), "values from 0.1 to 2.2 m/s"),
        (lambda: Groups(sizes=()), "group sizes that add up to 1"),
        (lambda: Groups(spacing=9.0), "expected 0.3 to 1.5 m between neighbours"),
        (lambda: Groups(v_share=2.0), "a share of 2 in a V"),
        (lambda: Groups(spacing_spread=-1.0), "the spread of the spacing is negative"),
        (lambda: Manners(wander=2.0), "expected 0 to 1 of wander"),
        (lambda: Manners(space=0.1), "expected 0.4 to 2 m of space"),
        (lambda: Manners(stop_duration=0.0), "expected stops longer than 0 s"),
        (lambda: Recipe(name="r", gates=()), "there is no gate"),
        (lambda: Recipe(name="r", gates=GATES), "there is no flow or stay"),
        (lambda: Recipe(name="r", gates=GATES + GATES, flows=(FLOW,)), "two gates have one name"),
        (lambda: Recipe(name="r", gates=GATES, flows=(FLOW,), radius=1.0), "0.1 to 0.4 m"),
    ],
)
def test_a_bad_part_is_refused_in_one_sentence(make: Any, sentence: str) -> None:
    with pytest.raises(BadValue, match=sentence) as caught:
        make()
    assert "\n" not in str(caught.value) and str(caught.value).endswith("in the recipe")


def hall(*, flows: tuple[Flow, ...] = (), stays: tuple[Stay, ...] = ()) -> Recipe:
    """Two gates of 1 m; with 0.7 m between strangers each takes 1.7 people/s."""
    return Recipe(name="hall", gates=GATES, flows=flows, stays=stays)


def test_more_people_than_a_gate_can_take_are_refused() -> None:
    there = Flow(origin="west", destination="east", rate=1.0)
    back = Flow(origin="east", destination="west", rate=0.7)
    assert hall(flows=(there, back)).flows == (there, back)
    more = "gate 'west': 108 people a minute come and go, expected at most 102 where it is 1 m wide"
    with pytest.raises(BadValue, match=more):
        hall(flows=(there, replace(back, rate=0.8)))


@pytest.mark.parametrize(
    ("visits", "people"),
    [
        (stay(rate=2.0), "gate 'west': 120 people"),  # 2/s in and 2/s out by two gates
        (stay(rate=1.0, sizes=(0.0, 1.0)), "gate 'west': 120 people"),
        (stay(rate=1.0, gates=("east",)), "gate 'east': 120 people"),
    ],
)
def test_visitors_come_and_leave_by_their_gates(visits: Stay, people: str) -> None:
    assert hall(stays=(replace(visits, rate=visits.rate / 2),)).stays
    with pytest.raises(BadValue, match=people):
        hall(stays=(visits,))


def test_a_gate_that_does_not_exist_is_named_with_the_nearest_one() -> None:
    lost = Flow(origin="wset", destination="east", rate=0.1)
    with pytest.raises(UnknownName, match="no gate is called 'wset'. Did you mean 'west'?"):
        Recipe(name="test", gates=GATES, flows=(lost,))
