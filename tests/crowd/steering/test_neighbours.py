import math

import numpy as np
import pytest

from paseo.compiled import compiled_like_numpy
from paseo.crowd.steering.half_planes import DX, DY, OTHER_VX, OTHER_VY, REACH
from paseo.crowd.steering.neighbours import (
    AT_A_TIME,
    RADIUS,
    VY,
    WANTED_X,
    X,
    Y,
    cells_around,
    counted_from,
    in_order,
    nearest_others,
)

NUMBERS = (np.float32, np.float64)
NO_WALLS = {number: np.empty((0, 12), number) for number in NUMBERS}


@compiled_like_numpy
def nearest(slot, people, order, starts, box, most, sight, seek, scratch, near, ranks, others):
    return nearest_others(
        slot, people, order, starts, box, most, sight, seek, near, ranks, scratch, others
    )


def flat(positions: np.ndarray) -> np.ndarray:
    """People as they are handed to kernels; whatever else there is about them can be told apart."""
    rest = np.arange(6 * len(positions), dtype=np.float64) / 10
    return np.concatenate([positions.ravel(), rest])


@pytest.mark.parametrize("number", NUMBERS)
@pytest.mark.parametrize("seek", [0.0, 0.5, 6.0])
@pytest.mark.parametrize("most", [1, 7, 200])
def test_the_nearest_are_those_that_are_found_by_asking_everybody(
    most: int, seek: float, number: type
) -> None:
    positions = np.random.default_rng(3).uniform(0, 20, (120, 2)).astype(number)
    sight = number(6.0)
    numbers = counted_from(np.zeros(2), flat(positions), NO_WALLS[number])
    order, starts, box = cells_around(numbers, sight)
    people = in_order(numbers, np.array([0.5]), order)
    near, ranks = np.empty((2, 120 + AT_A_TIME), np.int64)
    others, scratch = np.empty((6, most), number), np.empty(120 + AT_A_TIME, number)
    for slot in range(0, 120, 7):
        found, further = nearest(
            slot,
            people,
            order,
            starts,
            box,
            most,
            sight,
            number(seek),
            scratch,
            near,
            ranks,
            others,
        )
        offsets = positions - positions[order[slot]]
        distances = np.hypot(*offsets.T)
        distances[order[slot]] = math.inf
        expected = [k for k in np.argsort(distances) if distances[k] < sight][:most]
        assert found == len(expected) and further <= sight
        assert np.array_equal(others[[DX, DY], :found].T, offsets[expected])
        velocities = numbers[240:480].reshape(-1, 2)[expected]
        assert np.array_equal(others[[OTHER_VX, OTHER_VY], :found].T, velocities)
        radii = numbers[720:840]
        assert np.array_equal(others[REACH, :found], radii[order[slot]] + radii[expected])


def test_people_keep_what_is_about_them_in_any_order() -> None:
    order = np.array([2, 0, 1])
    people = in_order(flat(np.array([[1.0, 2], [3, 4], [5, 6]])), np.array([0.1, 0.2, 0.3]), order)
    assert people[[X, Y], 0].tolist() == [5, 6]
    assert people[VY].tolist() == pytest.approx([0.5, 0.1, 0.3])
    assert people[[WANTED_X, RADIUS, -1], 1].tolist() == pytest.approx([0.6, 1.2, 0.1])


@pytest.mark.parametrize("number", NUMBERS)
def test_only_far_from_the_origin_people_are_counted_from_elsewhere(number: type) -> None:
    here = np.random.default_rng(4).uniform(-200, 200, (30, 2))
    numbers = counted_from(np.zeros(2), flat(here), NO_WALLS[number])
    assert np.array_equal(numbers, flat(here).astype(number))
    away = counted_from(np.zeros(2), flat(here + (0.0, 5e5)), NO_WALLS[number])
    offsets = away[:60].reshape(-1, 2) - here
    assert offsets[:, 0] == pytest.approx(0.0, abs=1e-5)
    assert offsets[:, 1] == pytest.approx(np.round(offsets[0, 1]), abs=2e-5)
    assert np.abs(away[:60]).max() < 256


def test_people_among_walls_are_counted_from_where_the_walls_are() -> None:
    numbers = counted_from(np.array([7e5, -2e5]), flat(np.array([[7e5 + 3, -2e5 + 4.25]])),
                           np.ones((1, 12), np.float32))  # fmt: skip
    assert numbers[:2].tolist() == [3.0, 4.25]
