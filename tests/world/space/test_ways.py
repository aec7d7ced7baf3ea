"""Ways: as long as the shortest path around corners, and downhill all the way."""

import math

import numpy as np
import pytest

from paseo.data.maps.floorplans import shipped_floorplan
from paseo.data.suites.suite_file import shipped_episodes
from paseo.metrics.record.shortest import shortest_path_length
from paseo.world.motion import Pose
from paseo.world.space.floorplan import floor_plan
from paseo.world.space.ways import ways_to
from worlds import DIVIDED, ROOM

EPISODES = [name for name in shipped_episodes() if name.startswith("t_")]


def test_in_the_open_a_way_is_the_straight_line():
    ways = ways_to(ROOM, Pose(8.0, 5.0), room=0.24)
    for x, y in [(1.0, 1.0), (2.0, 5.0), (5.0, 9.0)]:
        assert ways.metres_from(x, y) == pytest.approx(math.hypot(8 - x, 5 - y), rel=0.03)


@pytest.mark.parametrize("name", EPISODES[::5])
def test_ways_are_as_long_as_the_exact_shortest_path_and_no_shorter(name):
    entry = shipped_episodes()[name]
    plan, start, goal = shipped_floorplan(entry.map), entry.start.pose(), entry.goal.pose()
    found = ways_to(plan, goal, room=0.0).metres_from(start.x, start.y)
    exact = shortest_path_length(plan, start, goal)
    assert exact * 0.999 < found < exact * 1.03 + 0.1


def test_a_way_leads_around_a_thin_wall():
    ways = ways_to(DIVIDED, Pose(8.0, 8.0), room=0.24)
    assert ways.metres_from(2.0, 8.0) > 14.0


def test_who_walks_downhill_arrives():
    ways = ways_to(DIVIDED, Pose(8.0, 8.0), room=0.24, easy=0.3)
    x, y = 2.0, 8.0
    for _ in range(400):
        dx, dy = ways.slope(x, y)
        x, y = x + 0.05 * dx, y + 0.05 * dy
        assert DIVIDED.clearance(x, y) > 0.1
    assert math.hypot(x - 8.0, y - 8.0) < 0.2


def test_ways_keep_off_walls_where_they_can():
    near, far = (
        ways_to(DIVIDED, Pose(8.0, 8.0), room=0.24, easy=easy).metres_from(2.0, 8.0)
        for easy in (0.0, 0.5)
    )
    assert far > near


def test_off_the_map_there_is_no_way():
    ways = ways_to(ROOM, Pose(8.0, 5.0), room=0.24)
    assert ways.metres_from(-5.0, 5.0) == math.inf
    assert ways.slope(-5.0, 5.0) == (0.0, 0.0)


@pytest.mark.parametrize("x, y", [(0.02, 5.0), (9.98, 5.0), (5.0, 0.02), (5.0, 9.98)])
def test_at_the_edge_of_the_map_the_way_leads_inwards(x, y):
    dx, dy = ways_to(ROOM, Pose(5.0, 5.0), room=0.24).slope(x, y)
    assert dx * (5.0 - x) + dy * (5.0 - y) > 0.9 * math.hypot(5.0 - x, 5.0 - y)


def test_where_no_way_leads_it_is_longer_than_any_way():
    walls = np.concatenate([ROOM.walls, ROOM.walls * 0.2 + (4.0, 4.0)])
    ways = ways_to(floor_plan("pillar", walls), Pose(8.0, 8.0), room=0.2)
    assert ways.metres_from(5.0, 5.0) > ways.metres_from(1.0, 1.0)


def test_the_map_may_lie_anywhere():
    moved = floor_plan("moved", DIVIDED.walls + (1000.0, -500.0))
    here = ways_to(DIVIDED, Pose(8.0, 8.0), room=0.24).metres_from(2.0, 8.0)
    there = ways_to(moved, Pose(1008.0, -492.0), room=0.24).metres_from(1002.0, -492.0)
    assert there == pytest.approx(here, abs=1e-6)
