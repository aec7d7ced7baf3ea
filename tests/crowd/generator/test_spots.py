import math

import numpy as np
import pytest

from paseo.crowd.generator.spots import (
    ROOM as WALL_ROOM,
)
from paseo.crowd.generator.spots import (
    Doorway,
    inside,
    placed_abreast,
    placed_in_circle,
    walking_places,
)
from worlds import DIVIDED, ROOM

RNG = np.random.default_rng


def test_people_in_a_circle_are_as_far_from_their_neighbours_as_wanted() -> None:
    for size in (2, 3, 4):
        places = placed_in_circle(5.0, 5.0, size, 0.8, RNG(1))
        around = np.hypot(*(places - np.roll(places, 1, axis=0)).T)
        assert around == pytest.approx(0.8)
        assert places.mean(axis=0) == pytest.approx((5.0, 5.0))
    assert placed_in_circle(5.0, 5.0, 1, 0.8, RNG(1)).tolist() == [[5.0, 5.0]]


def test_people_abreast_stand_in_a_line_along_its_direction() -> None:
    places = placed_abreast(5.0, 5.0, 3, 0.7, math.pi / 2)
    assert places == pytest.approx(np.array([[5.0, 4.3], [5.0, 5.0], [5.0, 5.7]]))


def test_walking_places_are_around_the_middle_abreast_or_in_a_v() -> None:
    behind = []
    for seed in range(40):
        places = walking_places(3, 0.7, True, RNG(seed))
        assert places.mean(axis=0) == pytest.approx((0.0, 0.0), abs=1e-9)
        assert np.diff(np.sort(places[:, 1])) == pytest.approx([0.7, 0.7])
        behind.append(places[1, 0])
    assert np.mean(behind) < -0.15
    assert walking_places(1, 0.7, True, RNG(1)).tolist() == [[0.0, 0.0]]


def test_more_than_three_walk_in_rows() -> None:
    places = walking_places(6, 0.7, False, RNG(2))
    assert np.ptp(places[:, 1]) == pytest.approx(1.4)
    assert np.ptp(places[:, 0]) > 0.4


def test_a_doorway_is_a_line_across_its_facing_and_is_passed_outwards() -> None:
    door = Doorway(0, 1.0, 5.0, 2.0, 0.0)
    spots = np.array([door.spot(RNG(seed)) for seed in range(50)])
    assert spots[:, 0] == pytest.approx(1.0)
    assert 4.0 <= spots[:, 1].min() < 4.3 and 5.7 < spots[:, 1].max() <= 6.0
    assert door.passed(0.8, 5.5)
    assert not door.passed(1.5, 5.5) and not door.passed(0.8, 8.0)


def test_points_without_room_move_towards_home_and_never_through_a_wall() -> None:
    home = (4.0, 5.0)
    moved = inside(DIVIDED, np.array([[4.0, 6.0], [6.0, 5.0], [-2.0, 5.0]]), home)
    assert moved[0].tolist() == [4.0, 6.0]
    assert moved[1, 0] < 5.0 and moved[2, 0] > 0.0
    assert all(DIVIDED.clearance(x, y) >= WALL_ROOM for x, y in moved)
    assert inside(ROOM, np.array([[6.0, 5.0]]), home).tolist() == [[6.0, 5.0]]
