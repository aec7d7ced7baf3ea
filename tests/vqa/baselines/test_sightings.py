import numpy as np
import pytest

from original_birdseye import staged
from paseo.vqa.baselines.sightings import headings_of_motion, sighting_from_scene

TIMES = np.arange(10) * 0.25


def on_an_arc(turn: float) -> np.ndarray:
    """Positions of a robot at 1 m/s that starts along x and turns by so much per second."""
    angle = turn * TIMES
    return np.stack([np.sin(angle), 1 - np.cos(angle)], axis=1) / turn


def test_a_sighting_from_a_scene_is_what_its_tracks_say() -> None:
    scene = staged({1: (3.0, 1.0), 4: (5.0, -1.0)}, goal=(7.0, 2.0))
    sighting = sighting_from_scene(scene)
    assert sighting.people[4].tolist() == [[5.0, -1.0]] * 10
    assert sighting.goal.tolist() == [7.0, 2.0]
    assert sighting.robot is scene.robot and not sighting.problem


@pytest.mark.parametrize("turn", [-0.5, 0.01, 0.4])
def test_a_robot_on_an_arc_looks_along_the_arc(turn: float) -> None:
    assert headings_of_motion(on_an_arc(turn), 0.25) == pytest.approx(turn * TIMES, abs=0.04)


def test_an_error_of_a_pixel_hardly_turns_the_robot() -> None:
    shaken = on_an_arc(0.4) + np.random.default_rng(1).normal(0, 0.01, (10, 2))
    assert headings_of_motion(shaken, 0.25)[-1] == pytest.approx(0.4 * TIMES[-1], abs=0.12)


def test_a_robot_that_stands_looks_ahead() -> None:
    assert not headings_of_motion(np.zeros((10, 2)), 0.25).any()


def test_a_robot_that_stops_keeps_its_heading_and_is_not_taken_to_walk_backwards() -> None:
    stopping = np.stack([np.minimum(TIMES * 1.2, 0.9), np.minimum(TIMES * 1.2, 0.9)], axis=1)
    assert headings_of_motion(stopping, 0.25)[3:] == pytest.approx(np.pi / 4, abs=0.05)
    creeping = np.array([0, 0.6, 0.9, 1.0, 1.04, 1.08, 1.12])
    assert not headings_of_motion(np.stack([creeping, 0 * creeping], axis=1), 0.25).any()


def test_frames_without_the_robot_are_bridged() -> None:
    gaps = on_an_arc(0.4)
    gaps[[2, 5, 9]] = np.nan
    assert headings_of_motion(gaps, 0.25)[:9] == pytest.approx(0.4 * TIMES[:9], abs=0.05)


def test_two_positions_are_too_few_to_tell_a_heading() -> None:
    seen_twice = np.full((10, 2), np.nan)
    seen_twice[[0, 9]] = [[0, 0], [0, 2]]
    assert not headings_of_motion(seen_twice, 0.25).any()
