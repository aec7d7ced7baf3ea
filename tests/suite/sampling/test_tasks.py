import math
from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from shapely import Point, box
from shapely.geometry.base import BaseGeometry

from paseo.errors import BadValue
from paseo.suite.sampling.tasks import (
    JITTER,
    MANY_WALLS,
    Ground,
    Needs,
    Task,
    faced,
    ground_of,
    task_anywhere,
    task_between_places,
    way_length,
)
from paseo.world.motion import Pose
from paseo.world.space.floorplan import FloorPlan, Place, PlaceKind
from worlds import DIVIDED, ROOM, plan

WEST = Place("west", PlaceKind.EXIT, 1.0, 6.0)
EAST = Place("east", PlaceKind.EXIT, 23.0, 6.0)
MIDDLE = Place("middle", PlaceKind.PATH_END, 11.0, 3.0)
PILLAR = (10.0, 5.0, 12.0, 7.0)
HALL = replace(plan("hall", (0, 0, 24, 12), PILLAR), places=(WEST, MIDDLE, EAST))
FREE: BaseGeometry = box(0, 0, 24, 12) - box(*PILLAR)
NEEDS = Needs(clearance=0.44, least_distance=8.0, most_distance=72.0)
Draw = Callable[[Ground, np.random.Generator], Task | None]
either_way = pytest.mark.parametrize("draw", [task_between_places, task_anywhere])


def tasks(draw: Draw, ground: Ground, count: int = 200, seed: int = 0) -> list[Task]:
    rng = np.random.default_rng(seed)
    drawn = [draw(ground, rng) for _ in range(count)]
    return [task for task in drawn if task is not None]


@either_way
def test_starts_and_goals_keep_their_clearance_and_distance(draw: Draw) -> None:
    drawn = tasks(draw, ground_of(HALL, NEEDS))
    assert len(drawn) == 200
    for task in drawn:
        for spot in (Point(task.start.x, task.start.y), Point(task.goal.x, task.goal.y)):
            assert FREE.contains(spot)
            assert FREE.boundary.distance(spot) >= 0.44 - 1e-9
        assert math.dist((task.start.x, task.start.y), (task.goal.x, task.goal.y)) >= 8.0


@either_way
def test_spots_are_whole_millimetres_and_no_two_tasks_are_alike(draw: Draw) -> None:
    drawn = tasks(draw, ground_of(HALL, NEEDS))
    for task in drawn:
        for value in (task.start.x, task.start.y, task.goal.x, task.goal.y):
            assert value == round(value, 3)
    assert len({(task.start, task.goal) for task in drawn}) == len(drawn)


def test_places_are_joined_both_ways_if_they_are_far_enough_apart() -> None:
    drawn = tasks(task_between_places, ground_of(HALL, NEEDS))
    ways = Counter((task.start_name, task.goal_name) for task in drawn)
    names = ["west", "middle", "east"]
    assert set(ways) == {(a, b) for a in names for b in names if a != b}
    far = ground_of(HALL, replace(NEEDS, least_distance=15.0))
    assert {task.start_name for task in tasks(task_between_places, far)} == {"west", "east"}


def test_a_spot_at_a_place_is_near_it() -> None:
    by_name = {place.name: place for place in HALL.places}
    for task in tasks(task_between_places, ground_of(HALL, NEEDS)):
        for name, spot in ((task.start_name, task.start), (task.goal_name, task.goal)):
            place = by_name[name]
            assert math.dist((place.x, place.y), (spot.x, spot.y)) <= JITTER + 1e-3


def test_a_spot_at_a_place_is_on_its_side_of_a_thin_wall() -> None:
    beside = Place("beside the wall", PlaceKind.DOOR, 4.9, 5.0)
    corner = Place("corner", PlaceKind.EXIT, 9.0, 1.5)
    ground = ground_of(
        replace(DIVIDED, places=(beside, corner)), replace(NEEDS, least_distance=4.0)
    )
    drawn = tasks(task_between_places, ground)
    assert drawn
    assert all(task.start.x < 5 for task in drawn if task.start_name == beside.name)


def test_a_place_within_a_wall_still_has_spots_around_it() -> None:
    door = Place("door", PlaceKind.DOOR, 24.1, 6.0)
    ground = ground_of(replace(HALL, places=(WEST, door)), NEEDS)
    assert {task.goal_name for task in tasks(task_between_places, ground)} == {"west", "door"}


def test_places_that_nobody_can_stand_at_give_no_task() -> None:
    outside = Place("outside", PlaceKind.EXIT, 60.0, 6.0)
    assert tasks(task_between_places, ground_of(replace(HALL, places=(WEST, outside)), NEEDS)) == []
    assert tasks(task_between_places, ground_of(replace(HALL, places=()), NEEDS)) == []


def test_free_space_is_used_everywhere() -> None:
    drawn = tasks(task_anywhere, ground_of(HALL, NEEDS), count=1000)
    corners = Counter((task.start.x > 12, task.start.y > 6) for task in drawn)
    assert len(corners) == 4
    assert min(corners.values()) > 150
    assert all(task.start_name == task.goal_name == "" for task in drawn)


def test_a_goal_is_not_further_than_allowed() -> None:
    near = replace(NEEDS, most_distance=9.0)
    assert all(
        8.0 <= task.start.distance_to(task.goal) <= 9.0
        for task in tasks(task_anywhere, ground_of(HALL, near))
    )


def test_a_floor_plan_smaller_than_the_distance_is_refused_with_its_size() -> None:
    with pytest.raises(BadValue, match=r"'room' .* more than 12.9 m apart.* 15 m are wished for"):
        ground_of(ROOM, replace(NEEDS, least_distance=15.0))


def test_a_floor_plan_too_narrow_for_the_robot_is_refused() -> None:
    with pytest.raises(BadValue, match="nowhere on the floor plan 'alley' is a wall 0.44 m away"):
        ground_of(plan("alley", (0, 0, 30, 0.8)), NEEDS)


def test_the_start_faces_the_goal_if_it_sees_it() -> None:
    start = faced(ROOM, Task(Pose(2, 2), Pose(8, 8)))
    assert (start.x, start.y, start.heading) == (2, 2, round(math.pi / 4, 3))


def test_the_start_faces_the_first_corner_on_the_shortest_way() -> None:
    # The wall at x = 5 is open below y = 1.
    start = faced(DIVIDED, Task(Pose(2, 5), Pose(8, 5)))
    assert start.heading == pytest.approx(math.atan2(1 - 5, 5 - 2), abs=1e-3)


@pytest.mark.parametrize("goal_y", [4.0, 6.0])
def test_the_shorter_way_around_a_pillar_is_faced(goal_y: float) -> None:
    start = faced(HALL, Task(Pose(5, 6), Pose(17, goal_y)))
    side = 5 if goal_y < 6 else 7
    assert abs(start.heading) == pytest.approx(math.atan2(abs(side - 6), 5), abs=1e-3)
    assert goal_y == 6.0 or start.heading < 0


def many_pillars() -> FloorPlan:
    rows = range(9)
    boxes = [(4 * i + 1, 4 * j + 1, 4 * i + 3, 4 * j + 3) for i in rows for j in rows]
    return plan("pillars", (0, 0, 36, 36), *boxes)


def test_among_very_many_walls_the_start_faces_the_goal() -> None:
    crowded, task = many_pillars(), Task(Pose(0.5, 2.0), Pose(35.5, 2.0))
    assert len(crowded.walls) > MANY_WALLS
    assert faced(crowded, task).heading == 0.0
    assert way_length(crowded, task) == 35.0


def test_the_way_is_as_long_as_the_shortest_around_walls() -> None:
    expected = 5.0 + 0.02 + math.hypot(2.98, 4.0)
    assert way_length(DIVIDED, Task(Pose(2, 5), Pose(8, 5))) == pytest.approx(expected, abs=1e-4)
