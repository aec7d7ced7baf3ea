"""Prediction: straight on, less and less surely, with companions; where newcomers come from."""

import numpy as np
import pytest

from paseo.planners.mppi.entrances import BURST, FADE, FIRST_STEPS, MOST, Entrances
from paseo.planners.mppi.prediction import KNOWN, MOST_SPREAD, SPREAD, companions, forecast
from paseo.world.people import Crowd
from paseo.world.space.floorplan import Place, PlaceKind, floor_plan
from worlds import ROOM

TIMES = np.array([0.5, 1.0, 2.0, 4.0])


def people(*rows):
    """A crowd from rows of x, y, vx, vy."""
    table = np.array(rows, float).reshape(-1, 4)
    return Crowd(
        np.arange(len(table)), table[:, :2].copy(), table[:, 2:].copy(), np.full(len(table), 0.2)
    )


def seen(*rows, x=5.0, y=5.0):
    return forecast(people(*rows), x, y, times=TIMES, top_speed=1.2)


def test_who_walks_alone_walks_straight_on():
    found = seen((4.0, 5.0, 0.0, 1.5))
    np.testing.assert_allclose(found.positions[0, :, 0], 4.0)
    np.testing.assert_allclose(found.positions[0, :, 1], 5.0 + 1.5 * TIMES)


def test_less_is_known_with_time_and_less_of_walkers_than_of_who_stands():
    walking, standing = seen((4.0, 5.0, 1.0, 0.0), (4.0, 2.0, 0.0, 0.0)).deviations
    grown = np.minimum(SPREAD * TIMES**1.5, MOST_SPREAD)
    np.testing.assert_allclose(walking, KNOWN + grown)
    np.testing.assert_allclose(standing, KNOWN + 0.5 * grown)


def test_companions_are_near_and_go_the_same_way():
    table = np.array(
        [(0, 0, 1, 0), (0, 1, 1.2, 0), (0, 3, 1, 0), (1, 1, -1, 0), (9, 9, 0, 0), (9.5, 9, 0, 0)],
        float,
    )
    assert companions(table[:, :2], table[:, 2:]).tolist() == [[0, 1], [4, 5]]


def test_companions_keep_together_after_a_second():
    found = seen((4.0, 5.0, 1.2, 0.0), (4.0, 6.0, 1.0, 0.0), (2.0, 2.0, 0.0, 0.0))
    assert found.pairs.tolist() == [[0, 1]]
    # The first walks 0.05 m/s slower after a second: half way to the common 1.1 m/s.
    np.testing.assert_allclose(found.positions[0, :, 0] - 4.0, [0.6, 1.2, 2.35, 4.65])
    np.testing.assert_allclose(found.positions[1, :, 0] - 4.0, [0.5, 1.0, 2.05, 4.15])
    np.testing.assert_allclose(found.positions[2], [[2.0, 2.0]] * 4)


def test_only_who_can_be_met_matters():
    found = seen((5.0, 9.0, 0.0, 0.0), (5.0, 99.0, 0.0, -1.0), (5.0, 13.0, 0.0, -1.0))
    assert found.positions[:, 0, 1].tolist() == [9.0, 12.5]
    assert found.radii.tolist() == [0.2, 0.2]


def test_nobody_is_no_problem():
    found = seen()
    assert found.positions.shape == (0, 4, 2)
    assert found.pairs.shape == (0, 2)


@pytest.mark.parametrize("shift", [(0.0, 0.0), (31.0, -17.0)])
def test_the_maps_origin_does_not_matter(shift):
    rows = np.array([(4.0, 5.0, 1.2, 0.0), (4.0, 6.0, 1.0, 0.0), (6.0, 2.0, -1.0, 1.0)])
    moved = rows + (*shift, 0.0, 0.0)
    found = seen(*moved, x=5.0 + shift[0], y=5.0 + shift[1])
    np.testing.assert_allclose(found.positions - shift, seen(*rows).positions)


def test_who_is_new_marks_an_entrance_and_who_was_there_does_not():
    entrances = Entrances(ROOM)
    entrances.watch(people((1.0, 1.0, 1.0, 0.0)), 0.0)
    assert len(entrances.near(5.0, 5.0, 10.0, TIMES)[0]) == 0
    entrances.watch(people((1.1, 1.0, 1.0, 0.0), (9.0, 5.0, -1.0, 0.5)), 0.1)
    spots, busy = entrances.near(5.0, 5.0, 10.0, 0.1 + TIMES)
    np.testing.assert_allclose(spots, [(9.0, 5.0, -FIRST_STEPS, 0.5 * FIRST_STEPS)])
    np.testing.assert_allclose(busy, [1.0 + BURST * np.exp(-TIMES / FADE)])
    assert len(entrances.near(0.0, 5.0, 3.0, TIMES)[0]) == 0


def test_the_places_of_a_map_are_entrances_that_are_always_as_busy():
    room = floor_plan("doors", ROOM.walls, places=(Place("door", PlaceKind.DOOR, 1.0, 2.0),))
    spots, busy = Entrances(room).near(5.0, 5.0, 10.0, TIMES)
    assert spots.tolist() == [[1.0, 2.0, 0.0, 0.0]]
    assert busy.tolist() == [[1.0] * 4]


def test_only_the_latest_newcomers_are_kept_in_mind():
    entrances = Entrances(ROOM)
    entrances.watch(people(), 0.0)
    rows = [(5.0, 0.1 * k, 0.0, 0.0) for k in range(MOST + 8)]
    entrances.watch(people(*rows), 1.0)
    spots, _ = entrances.near(5.0, 5.0, 10.0, TIMES)
    assert len(spots) == MOST
    assert spots[-1, 1] == pytest.approx(rows[-1][1])
