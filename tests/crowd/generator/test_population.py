import math
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from paseo.crowd.generator.itineraries import Deed
from paseo.crowd.generator.population import Party, doorways, parties, targets
from paseo.world.recipes import Arrivals, Flow, Gate, Groups, Habit, Manners, Recipe, Speeds, Stay
from worlds import ROOM

WEST = Gate(name="west", x=1.0, y=5.0, width=2.0)
EAST = Gate(name="east", x=9.0, y=5.0, width=2.0)
FLOW = Flow(origin="west", destination="east", rate=0.5)


def drawn(duration: float = 2000.0, seed: int = 1, **changes: Any) -> list[Party]:
    parts: dict[str, Any] = {"name": "test", "gates": (WEST, EAST), "flows": (FLOW,)}
    recipe = Recipe(**{**parts, **changes})
    return parties(recipe, ROOM, start=0.0, end=duration, seed=seed)


def test_people_come_at_the_rate_of_the_flow_and_in_groups_of_the_given_sizes() -> None:
    found = drawn(groups=Groups(sizes=(0.5, 0.25, 0.25)))
    sizes = np.array([len(party.speeds) for party in found])
    assert sizes.sum() == pytest.approx(1000, rel=0.1)
    shares = np.bincount(sizes, minlength=4)[1:] / len(found)
    assert shares == pytest.approx([0.5, 0.25, 0.25], abs=0.06)
    assert all(a.time <= b.time for a, b in pairwise(found))


def test_another_flow_does_not_change_the_people_of_the_first() -> None:
    back = Flow(origin="east", destination="west", rate=0.5)
    alone, both = drawn(60.0), drawn(60.0, flows=(FLOW, back))
    times = {party.time: party for party in both}
    for party in alone:
        twin = times[party.time]
        assert np.array_equal(party.entries, twin.entries)
        assert np.array_equal(party.speeds, twin.speeds)


def test_desired_speeds_follow_the_quantiles_and_mates_are_alike() -> None:
    speeds = Speeds(shares=(0.0, 0.5, 1.0), values=(1.0, 1.2, 2.0))
    found = drawn(speeds=speeds, groups=Groups(sizes=(0.5, 0.5)))
    liked = np.array([party.speeds[0] for party in found])
    assert np.median(liked) == pytest.approx(1.2, abs=0.05)
    assert liked.min() >= 1.0 and liked.max() <= 2.0
    assert max(np.ptp(party.speeds) for party in found) < 0.4


def test_mates_enter_within_the_stagger() -> None:
    found = drawn(groups=Groups(sizes=(0.0, 0.0, 1.0)), arrivals=Arrivals(stagger=0.4))
    delays = np.array([party.delays for party in found])
    assert (delays[:, 0] == 0).all() and 0.3 < delays.max() <= 0.4


def test_some_parties_stop_on_the_way() -> None:
    found = drawn(manners=Manners(stop_share=0.3, stop_duration=4.0))
    stops = [party.legs[1].duration for party in found if len(party.legs) == 3]
    assert len(stops) / len(found) == pytest.approx(0.3, abs=0.06)
    assert np.mean(stops) == pytest.approx(4.0, rel=0.25)


def test_a_long_stay_has_people_from_the_beginning_as_many_as_later() -> None:
    wait = Stay(habit=Habit.WAIT, x=5.0, y=5.0, rate=0.1, duration=100.0)
    at_first = [
        sum(party.is_resident for party in drawn(1.0, seed=seed, flows=(), stays=(wait,)))
        for seed in range(60)
    ]
    assert np.mean(at_first) == pytest.approx(10.0, rel=0.15)  # rate times duration


def test_visitors_stay_and_then_leave_by_a_gate_of_theirs() -> None:
    talk = Stay(habit=Habit.TALK, x=5, y=5, rate=0.1, sizes=(0.0, 1.0), gates=("east",))
    for party in drawn(200.0, flows=(), stays=(talk,)):
        stay, leaving = party.legs
        assert stay.deed is Deed.STAND and leaving.leaves
        assert leaving.target == 1 and stay.target == 2
        assert np.hypot(*(stay.points[1] - stay.points[0])) == pytest.approx(0.8)


def test_gates_face_the_middle_unless_told_otherwise() -> None:
    turned = Gate(name="south", x=5.0, y=1.0, facing=1.0)
    recipe = Recipe(name="test", gates=(WEST, EAST, turned), flows=(FLOW,))
    found = doorways(recipe)
    assert abs(found["west"].facing) < math.pi / 2 < abs(found["east"].facing)
    assert found["south"].facing == 1.0
    assert targets(recipe).tolist() == [[1.0, 5.0], [9.0, 5.0], [5.0, 1.0]]
