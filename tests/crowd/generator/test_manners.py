import math
from typing import Any

import numpy as np
import pytest

from paseo.crowd.generator.manners import (
    ALONE,
    HURRY,
    STANDING,
    TOGETHER,
    People,
    Ways,
    wave,
    wishes,
)
from paseo.crowd.generator.routes import routes_to
from paseo.world.arrays import FloatArray
from worlds import ROOM

ROUTES = routes_to(ROOM, np.array([[9.0, 5.0]]))


def wanted(*people: dict[str, Any], caution: float = 0.0) -> FloatArray:
    """What people want who walk to (9, 5), each a mapping of what differs from the usual."""
    usual: dict[str, Any] = {
        "about": TOGETHER, "party": 0, "at": (2.0, 5.0), "velocity": (0.0, 0.0), "to": (9.0, 5.0),
        "traits": (1.2, 0.0, 0.0, 0.0, 0.0),
    }  # fmt: skip
    rows = [{**usual, **each} for each in people]
    count = len(rows)
    people = People(
        np.array([row["about"] for row in rows]),
        np.array([row["party"] for row in rows]),
        np.array([row["at"] for row in rows], float),
        np.array([row["velocity"] for row in rows], float),
        np.array([row["to"] for row in rows], float),
        np.zeros(count, np.int64),
        np.array([row["traits"] for row in rows], float),
        np.zeros((count, 3, 4)),
    )
    ways = Ways(ROUTES.fields, *ROUTES.origin, ROUTES.walls)
    return wishes(np.arange(count), people, ways, 0.0, caution, 0.6)


def test_one_alone_walks_to_the_goal_at_the_speed_they_like() -> None:
    assert wanted({})[0] == pytest.approx((1.2, 0.0))


def test_a_group_walks_at_the_speed_of_the_slowest() -> None:
    left, right = (1.5, 0.0, 0.0, 0.0, 0.35), (0.9, 0.0, 0.0, 0.0, -0.35)
    both = wanted({"at": (2.0, 5.35), "traits": left}, {"at": (2.0, 4.65), "traits": right})
    assert both[:, 0] == pytest.approx([0.9, 0.9])
    assert both[:, 1] == pytest.approx([0.0, 0.0])


def test_who_has_fallen_behind_hurries_a_little_and_the_mate_waits() -> None:
    ahead, behind = wanted({"at": (6.0, 5.0)}, {"at": (2.0, 5.0)})
    assert ahead[0] == pytest.approx(1.2 - HURRY)
    assert behind[0] == pytest.approx(1.2 + HURRY)


def test_who_is_close_to_the_own_place_slows_down_and_who_stands_wants_nothing() -> None:
    near, stands = wanted(
        {"about": ALONE, "at": (8.9, 5.0)}, {"about": STANDING, "party": 1, "at": (3.0, 3.0)}
    )
    assert 0.0 < near[0] < 0.2
    assert stands.tolist() == [0.0, 0.0]


def test_the_cautious_slow_down_behind_a_stranger_but_not_beside_one() -> None:
    behind = {"party": 1, "at": (2.8, 5.0)}
    beside = {"party": 1, "at": (2.8, 6.0)}
    assert wanted({}, behind, caution=1.0)[0, 0] == pytest.approx(0.2)
    assert wanted({}, behind, caution=0.5)[0, 0] == pytest.approx(0.7)
    assert wanted({}, beside, caution=1.0)[0, 0] == pytest.approx(1.2)


def test_a_wave_has_a_standard_deviation_of_one_and_is_smooth() -> None:
    rates, phases = 2 * math.pi / np.array([1.6, 2.9, 4.7, 9.7]), np.array([0.1, 2.0, 4.0, 5.5])
    values = np.array([wave(rates, phases, time) for time in np.arange(0, 2000, 0.1)])
    assert values.std() == pytest.approx(1.0, rel=0.05)
    assert np.abs(np.diff(values)).max() < 0.6
