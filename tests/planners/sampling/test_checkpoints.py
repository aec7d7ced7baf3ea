"""Checkpoints: some metres ahead, in sight, and in the end the goal."""

import math

import numpy as np
import pytest

from paseo.data.maps.floorplans import shipped_floorplan
from paseo.data.suites.suite_file import shipped_episodes
from paseo.errors import BadValue
from paseo.metrics.record.shortest import shortest_path_length
from paseo.planners.sampling.checkpoints import Checkpoints
from paseo.sim.episode import briefing
from paseo.world.motion import Control, Pose, Robot
from paseo.world.space.floorplan import floor_plan
from worlds import DIVIDED, plan, scenario

TASKS = [name for name in shipped_episodes() if not name.startswith("scripted")]
HALL = plan("hall", (0, 0, 30, 10))
TIGHT = plan("tight", (0, 0, 12, 10), (1, 1, 11, 4.7), (1, 5.3, 11, 9))  # corridors 0.6 m wide
LONG = {"floorplan": HALL, "start": Pose(2.0, 5.0), "goal": Pose(28.0, 5.0)}
AROUND = {"floorplan": DIVIDED, "start": Pose(2.0, 8.0), "goal": Pose(8.0, 8.0)}


def begun(task, **parameters):
    checkpoints = Checkpoints(**parameters)
    checkpoints.begin(briefing(task, Control.POSITION))
    return checkpoints


def followed(task):
    """Go straight at one checkpoint after the other: the positions, and each new checkpoint."""
    checkpoints, pose, step = begun(task), task.start, 0.06
    places, targets = [(pose.x, pose.y)], []
    while pose.distance_to(task.goal) > 0.3:
        assert len(places) < 2000
        target = checkpoints.target(pose)
        if not targets or target is not targets[-1][1]:
            targets.append((pose, target))
        away = math.atan2(target.y - pose.y, target.x - pose.x)
        pose = Pose(pose.x + step * math.cos(away), pose.y + step * math.sin(away))
        places.append((pose.x, pose.y))
    return np.array(places), targets


def test_in_the_open_a_checkpoint_is_6_s_ahead():
    checkpoints = begun(scenario(**LONG))
    first = checkpoints.target(Pose(2.0, 5.0))
    # At 1.2 m/s in 6 s along a cubic that ends at rest: two thirds of 7.2 m.
    assert (first.x, first.y) == pytest.approx((2.0 + 4.8, 5.0), abs=0.05)
    assert first.heading == pytest.approx(0.0, abs=0.01)
    shorter = begun(scenario(**LONG), horizon=4.0).target(Pose(2.0, 5.0))
    assert shorter.x == pytest.approx(2.0 + 3.2, abs=0.05)


def test_it_is_kept_until_the_robot_is_within_1_m_of_it():
    checkpoints = begun(scenario(**LONG))
    first = checkpoints.target(Pose(2.0, 5.0))
    assert checkpoints.target(Pose(first.x - 1.05, first.y)) is first
    second = checkpoints.target(Pose(first.x - 0.95, first.y))
    assert second.x == pytest.approx(first.x + 3.85, abs=0.1)


def test_at_last_it_is_the_goal_itself():
    task = scenario(**LONG)
    checkpoints = begun(task)
    assert checkpoints.target(Pose(21.0, 5.0)) == task.goal
    assert checkpoints.target(Pose(27.8, 5.0)) == task.goal


def test_a_goal_behind_a_wall_is_no_checkpoint_however_near():
    task = scenario(floorplan=DIVIDED, start=Pose(4.5, 5.0), goal=Pose(5.5, 5.0))
    assert begun(task).target(task.start) != task.goal


@pytest.mark.parametrize(
    "task",
    [
        AROUND,
        {"floorplan": TIGHT, "start": Pose(0.5, 0.5), "goal": Pose(6.0, 5.0)},
        {"floorplan": TIGHT, "start": Pose(0.5, 9.5), "goal": Pose(11.5, 0.5)},
    ],
)
def test_who_goes_straight_at_checkpoints_arrives_and_meets_no_wall(task):
    task = scenario(**task)
    places, targets = followed(task)
    assert min(task.floorplan.clearance(x, y) for x, y in places) >= 0.24
    for pose, target in targets:
        assert task.floorplan.leaves_room(pose, target, 0.24)


@pytest.mark.parametrize("name", TASKS[::4])
def test_on_shipped_maps_they_lead_along_the_shortest_path(name):
    entry = shipped_episodes()[name]
    plan, start, goal = shipped_floorplan(entry.map), entry.start.pose(), entry.goal.pose()
    places, targets = followed(scenario(floorplan=plan, start=start, goal=goal))
    assert min(plan.clearance(x, y) for x, y in places) >= 0.24
    walked = np.hypot(*np.diff(places, axis=0).T).sum() + 0.3
    assert walked < 1.05 * shortest_path_length(plan, start, goal) + 0.3
    away = [pose.distance_to(target) for pose, target in targets if target is not goal]
    assert max(away, default=4.8) <= 4.9
    assert min(away, default=1.5) >= 1.0


def test_who_is_pushed_out_of_sight_gets_a_new_one():
    checkpoints = begun(scenario(**AROUND))
    before = checkpoints.target(Pose(6.0, 0.7))
    pushed = Pose(4.0, 3.0)
    after = checkpoints.target(pushed)
    assert after is not before
    assert DIVIDED.leaves_room(pushed, after, 0.24)


def test_who_stands_against_a_wall_is_led_away_from_it():
    checkpoints = begun(scenario(**AROUND))
    target = checkpoints.target(Pose(4.9, 5.0))
    assert target.x < 4.9
    assert target.y < 5.0


def test_where_no_way_leads_there_is_still_a_checkpoint():
    closed = plan("closed", (0, 0, 10, 10), (5, 0.001, 5.5, 9.999))
    task = scenario(floorplan=closed)
    for place in (Pose(2.0, 5.0), Pose(5.2, 5.0), Pose(-3.0, 5.0)):
        target = begun(task).target(place)
        assert math.isfinite(target.x + target.y)


def test_for_a_robot_whose_centre_alone_meets_walls_they_still_leave_room_for_its_disc():
    task = scenario(**AROUND, robot=Robot(radius=0.3, wall_radius=0.0))
    places, _ = followed(task)
    assert min(DIVIDED.clearance(x, y) for x, y in places) >= 0.3


def test_where_the_map_lies_makes_no_difference():
    moved = floor_plan("moved", DIVIDED.walls + (1000.0, -500.0))
    task = {"floorplan": moved, "start": Pose(1002.0, -492.0), "goal": Pose(1008.0, -492.0)}
    here, there = followed(scenario(**AROUND))[0], followed(scenario(**task))[0]
    np.testing.assert_allclose(there - (1000.0, -500.0), here, atol=1e-6)


def test_a_new_episode_is_begun_afresh():
    checkpoints = begun(scenario(**LONG))
    first = checkpoints.target(Pose(2.0, 5.0))
    checkpoints.target(Pose(9.0, 5.0))
    checkpoints.begin(briefing(scenario(**LONG), Control.POSITION))
    assert checkpoints.target(Pose(2.0, 5.0)) == first


@pytest.mark.parametrize("wrong", [{"horizon": 0.0}, {"renewed_within": math.nan}])
def test_parameters_that_make_no_sense_are_refused(wrong):
    with pytest.raises(BadValue, match="checkpoints: .* expected more than 0"):
        Checkpoints(**wrong)
