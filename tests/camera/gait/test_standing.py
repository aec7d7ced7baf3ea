"""People stand, stop, start, turn and step aside."""

import math

import numpy as np
import pytest

from paseo.camera.gait.quality import angular_speeds, slips
from strolls import STICK, feet_along, seen, straight

TIMES = np.arange(0.0, 12.0, 0.05)


def stood(x: float, y: float) -> np.ndarray:
    return np.tile([x, y], (len(TIMES), 1)).astype(np.float64)


def test_who_stands_keeps_both_feet_down_and_breathes() -> None:
    motion = seen(feet_along(TIMES, stood(0.0, 0.0)), 0.0, 10.0, 0.1)
    assert not motion.lifted.any()
    assert np.ptp(motion.soles, axis=0).max() < 0.001
    chest = STICK.names.index("spine_03")
    assert 0.005 < np.ptp(motion.turns[:, 0, chest, 0, 2]) < 0.1
    assert 0.005 < np.ptp(motion.pelvis[:, 0, :2], axis=0).max() < 0.1, "the weight shifts"


def test_people_who_stand_together_face_each_other() -> None:
    walks = feet_along(TIMES, stood(0.0, 0.0), stood(1.0, 0.0), stood(9.0, 9.0)).at(8.0)
    assert math.cos(walks.facings[0]) > 0.99
    assert math.cos(walks.facings[1]) < -0.99


def test_three_who_talk_face_their_middle() -> None:
    places = [(0.0, 0.0), (1.2, 0.0), (0.6, 1.0)]
    walks = feet_along(TIMES, *(stood(*place) for place in places)).at(8.0)
    for place, facing in zip(places, walks.facings, strict=True):
        middle = np.array([0.6, 1.0 / 3.0]) - place
        assert math.cos(facing - math.atan2(middle[1], middle[0])) > 0.98


def test_who_stops_puts_the_feet_side_by_side_and_stays() -> None:
    places = np.column_stack([1.3 * np.minimum(TIMES, 5.0), np.zeros_like(TIMES)])
    footwork = feet_along(TIMES, places)
    walks = footwork.at(8.0)
    assert not walks.lifted.any()
    assert walks.paces[0] < 0.01
    assert abs(walks.prints[0, 0, 0] - walks.prints[0, 1, 0]) < 0.2
    assert walks.prints[0, 0, 1] > 0.05 > -0.05 > walks.prints[0, 1, 1]
    found = slips(seen(footwork, 0.5, 11.0))
    assert len(found) > 5
    assert found.max() < 0.002


@pytest.mark.parametrize("turn", [0.5, 1.5, 2.5, math.pi])
def test_a_sudden_turn_neither_slides_nor_jerks(turn: float) -> None:
    after = np.maximum(TIMES - 5.0, 0.0)
    before = np.minimum(TIMES, 5.0)
    places = 1.3 * np.column_stack([before + after * math.cos(turn), after * math.sin(turn)])
    motion = seen(feet_along(TIMES, places), 1.0, 10.0)
    assert np.percentile(slips(motion), 95) < 0.01
    assert angular_speeds(motion).max() < 30.0
    assert motion.pelvis[..., 2].min() > 0.75


def test_who_steps_aside_slowly_does_not_turn_but_steps() -> None:
    start = np.column_stack([np.minimum(TIMES, 3.0), np.zeros_like(TIMES)])
    aside = start + np.column_stack([np.zeros_like(TIMES), 0.15 * np.clip(TIMES - 6.0, 0.0, 4.0)])
    footwork = feet_along(TIMES, aside)
    motion = seen(footwork, 6.0, 11.0)
    assert abs(footwork.at(11.0).facings[0]) < 0.2, "they still face where they came to"
    assert motion.lifted.any(axis=0).all(), "both feet stepped"
    assert not motion.lifted.all(axis=2).any(), "one after the other"
    assert slips(motion).max() < 0.002


def test_who_drifts_backwards_slowly_steps_backwards() -> None:
    backwards = np.column_stack(
        [np.minimum(TIMES, 3.0) - 0.15 * np.clip(TIMES - 6.0, 0.0, 4.0), np.zeros_like(TIMES)]
    )
    footwork = feet_along(TIMES, backwards)
    assert abs(footwork.at(11.0).facings[0]) < 0.2
    assert slips(seen(footwork, 6.0, 11.0)).max() < 0.002


def test_speeding_up_and_slowing_down_does_not_slide() -> None:
    times, _ = straight(1.0)
    x = np.cumsum(1.1 + 0.7 * np.sin(1.5 * times)) * 0.05
    motion = seen(feet_along(times, np.column_stack([x, np.zeros_like(x)])), 1.0, 11.0)
    assert slips(motion).max() < 0.002
    assert motion.knees.min() > 0.0
    assert angular_speeds(motion).max() < 20.0
