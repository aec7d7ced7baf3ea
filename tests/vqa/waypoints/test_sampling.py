"""Candidates: where the robot went among where it might have gone."""

import numpy as np
import pytest

from paseo.errors import BadValue
from paseo.vqa.waypoints.candidates import LETTERS, Candidates, arc_ends, nearest_to_line
from paseo.vqa.waypoints.sampling import APART, FROM_PEOPLE, TOP_SPEED, choice_of
from waypoint_scenes import going

WENT = np.array([3.0, 1.0])


def test_one_is_where_the_robot_went_and_all_are_apart_and_reachable() -> None:
    for id in (f"s{k}" for k in range(40)):
        scene = going(id)
        choice = choice_of(scene, WENT, 2.5, count=5)
        places = choice.candidates.places
        np.testing.assert_array_equal(places[choice.true], WENT)
        gaps = np.linalg.norm(places[:, None] - places, axis=2) + np.eye(5) * 9
        assert gaps.min() >= APART
        assert (np.hypot(*(places - scene.robot[-1, :2]).T) <= TOP_SPEED * 2.5 + 1e-9).all()
        others = np.delete(places, choice.true, axis=0)
        assert (np.hypot(*(others - [4.0, 0.0]).T) >= FROM_PEOPLE).all()


def test_the_same_scene_has_the_same_candidates_and_no_letter_is_right_more_often() -> None:
    first, again = (choice_of(going("s1"), WENT, 2.5, count=5) for _ in range(2))
    np.testing.assert_array_equal(first.candidates.places, again.candidates.places)
    right = [choice_of(going(f"s{k}"), WENT, 2.5, count=5).true for k in range(200)]
    assert np.bincount(right, minlength=5).min() > 20


def test_a_robot_that_stands_leaves_room_for_others() -> None:
    choice = choice_of(going("s1"), np.array([1.0, 0.0]), 1.0, count=10)
    assert len(np.unique(choice.candidates.places.round(6), axis=0)) == 10


def test_moved_to_another_frame_nothing_else_changes_for_the_straight_line() -> None:
    places = np.array([[2.0, 0.5], [1.0, -0.1], [-3.0, 0.0], [5.0, 3.0]])
    start, goal = np.zeros(2), np.array([9.0, 0.0])
    assert nearest_to_line(places, start, goal) == 1
    turn = np.array([[0.6, -0.8], [0.8, 0.6]])
    moved = [each @ turn.T + [7.0, -2.0] for each in (places, start, goal)]
    assert nearest_to_line(*moved) == 1
    assert nearest_to_line(places, start, start) == 1  # no line: the nearest to the start
    staying = np.array([[0.0, 0.0], [2.0, 0.5], [-1.0, 0.0]])
    assert nearest_to_line(staying, start, goal) == 1  # who stays drives no line


def test_arcs_end_where_a_unicycle_does() -> None:
    pose = np.array([1.0, 2.0, np.pi / 2])
    ends = arc_ends(pose, np.array([1.0, np.pi / 2]), np.array([0.0, np.pi / 2]), 1.0)
    np.testing.assert_allclose(ends, [[1.0, 3.0], [0.0, 3.0]], atol=1e-12)


@pytest.mark.parametrize("count", [1, 11])
def test_too_few_and_too_many_are_refused(count: int) -> None:
    with pytest.raises(BadValue, match="expected 2 to 10 waypoints"):
        choice_of(going("s1"), WENT, 2.5, count=count)


def test_no_waypoint_is_called_like_the_robot_or_the_goal() -> None:
    assert not set("GRIO") & set(LETTERS)
    with pytest.raises(BadValue, match="must be finite"):
        Candidates(places=np.array([[np.nan, 0.0], [1.0, 1.0]]), horizon=1.0)
