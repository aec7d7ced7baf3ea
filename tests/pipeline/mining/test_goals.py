"""Where the robot was going, on ways with known answers."""

import numpy as np
import pytest

from paseo.errors import BadValue
from paseo.pipeline.mining.goals import GoalRule, goal_on_way

TIMES = 50.0 + np.arange(81) * 0.25  # 20 s
LAST = 9  # frame of a clip


def test_the_goal_is_where_the_robot_was_so_much_later() -> None:
    way = np.column_stack([0.5 * (TIMES - 50), np.zeros(81)])
    goal = goal_on_way(TIMES, way, LAST, GoalRule(after=10.0, farthest=10.0))
    assert (goal.x, goal.y, goal.time) == pytest.approx((5.0, 0.0, 60.0))


def test_the_goal_is_no_further_than_wished_along_the_way() -> None:
    angle = (TIMES - 50) * 0.5  # a circle of radius 4 at 2 m/s
    way = 4 * np.column_stack([np.sin(angle), 1 - np.cos(angle)])
    goal = goal_on_way(TIMES, way, LAST, GoalRule(after=10.0, farthest=10.0))
    assert goal.time == pytest.approx(55.0, abs=0.05)
    assert (goal.x, goal.y) == pytest.approx((4 * np.sin(2.5), 4 - 4 * np.cos(2.5)), abs=0.05)


def test_the_goal_is_never_before_the_end_of_the_clip() -> None:
    way = np.column_stack([8.0 * (TIMES - 50), np.zeros(81)])  # 10 m are gone in 1.25 s
    assert goal_on_way(TIMES, way, LAST, GoalRule()).time == TIMES[LAST]


def test_a_drive_that_ends_sooner_ends_at_the_goal() -> None:
    way = np.column_stack([0.5 * (TIMES - 50), np.zeros(81)])
    goal = goal_on_way(TIMES[:12], way[:12], LAST, GoalRule())
    assert (goal.x, goal.time) == (way[11, 0], TIMES[11])


def test_a_robot_that_stands_is_at_its_goal() -> None:
    goal = goal_on_way(TIMES, np.ones((81, 2)), LAST, GoalRule())
    assert (goal.x, goal.y, goal.time) == (1.0, 1.0, 60.0)


@pytest.mark.parametrize("bad", [{"after": 0.0}, {"farthest": -1.0}, {"after": float("inf")}])
def test_a_rule_without_sense_is_refused(bad: dict[str, float]) -> None:
    with pytest.raises(BadValue, match="must be more than 0"):
        GoalRule(**bad)
