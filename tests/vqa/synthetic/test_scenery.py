"""Where scenes take place: room for everybody, and nobody behind a wall."""

import math

import pytest

from paseo.data.maps.floorplans import shipped_maps
from paseo.data.scenes.socialnavsub import TIMING
from paseo.vqa.synthetic.scenery import plans_for, scenery_for
from paseo.vqa.synthetic.stagings import stagings


@pytest.mark.parametrize("plan", shipped_maps())
def test_people_and_robot_have_room_and_whoever_is_seen_is_behind_no_wall(plan: str) -> None:
    for staging in stagings(0):
        scenery = scenery_for(staging, plan)
        for frame in range(TIMING.frames):
            time = frame * TIMING.period
            robot = scenery.pose(*staging.drive.pose(time))
            assert scenery.plan.clearance(robot.x, robot.y) > 0.3
            for walker in staging.walkers:
                place = scenery.pose(*walker.walk.position(time), 0.0)
                assert scenery.plan.clearance(place.x, place.y) > 0.25, (staging.name, walker)
                if frame in staging.seen(walker):
                    assert scenery.plan.sees(robot, place), (staging.name, walker.track, frame)


def test_a_scene_is_laid_on_its_plan_without_being_stretched() -> None:
    staging = stagings(1)[0]
    scenery = scenery_for(staging, "Zara")
    start, goal = scenery.pose(0.0, 0.0, 0.0), scenery.pose(*staging.goal, 0.4)
    assert start == scenery.start
    apart = math.dist((start.x, start.y), (goal.x, goal.y))
    assert apart == pytest.approx(math.hypot(*staging.goal))
    assert goal.heading - start.heading == pytest.approx(0.4)


def test_every_plan_is_used_and_another_comes_first_with_another_seed() -> None:
    assert set(plans_for(0, 13)) == set(shipped_maps())
    assert plans_for(0, 13)[0] != plans_for(1, 13)[0]
    assert len(set(plans_for(2, 13, 1))) == 1


def test_the_same_scene_has_the_same_place_again() -> None:
    one, other = (scenery_for(stagings(4)[2], "Univ").start for _ in range(2))
    assert one == other
