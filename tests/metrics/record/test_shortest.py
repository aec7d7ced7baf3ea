import math
from heapq import heappop, heappush
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from shapely import LineString, box, union_all

from paseo.errors import NotAvailable
from paseo.metrics.record.shortest import MAX_WALLS, shortest_path_length
from paseo.world.motion import Pose
from paseo.world.space.floorplan import FloorPlan, floor_plan
from worlds import DIVIDED, ROOM, plan

Box = tuple[float, float, float, float]


def test_the_way_in_sight_is_straight() -> None:
    assert shortest_path_length(ROOM, Pose(2, 5), Pose(8, 5)) == 6.0


def test_the_way_around_a_corner_bends_at_the_corner() -> None:
    # An L whose arms are 4 m wide; the inner corner is at (4, 4).
    walls = [(0, 0), (10, 0), (10, 4), (4, 4), (4, 10), (0, 10)]
    loop = np.array([walls, walls[1:] + walls[:1]], float).transpose(1, 0, 2)
    way = shortest_path_length(floor_plan("L", loop), Pose(1, 8), Pose(8, 1))
    assert way == pytest.approx(5 + 5, abs=1e-5)


def test_the_way_around_a_thin_wall_bends_at_both_its_corners() -> None:
    expected = 5.0 + 0.02 + math.hypot(2.98, 4.0)
    way = shortest_path_length(DIVIDED, Pose(2, 5), Pose(8, 5))
    assert way == pytest.approx(expected, abs=1e-5)


def test_without_a_way_there_is_no_length() -> None:
    closed = plan("two rooms", (0, 0, 4, 10), (6, 0, 10, 10))
    with pytest.raises(NotAvailable, match="no way leads from the start to the goal"):
        shortest_path_length(closed, Pose(2, 5), Pose(8, 5))


def test_a_floor_plan_of_too_many_walls_is_refused_in_words() -> None:
    pillars = [(x / 2, 3.0, x / 2 + 0.2, 3.2) for x in range(MAX_WALLS // 4 + 1)]
    crowded = plan("forest", (-1, 0, 100, 10), *pillars)
    assert len(crowded.walls) > MAX_WALLS
    with pytest.raises(NotAvailable, match=f"at most {MAX_WALLS} walls"):
        shortest_path_length(crowded, Pose(0.1, 1), Pose(0.1, 9))


def pillars(seed: int) -> list[Box]:
    """Boxes of random size, each in a cell of its own, so that none overlap."""
    rng = np.random.default_rng(seed)
    cells = [(x, y) for x in (2, 4, 6) for y in (1, 3, 5, 7) if rng.random() < 0.6]
    return [
        (x + low[0], y + low[1], x + low[0] + size[0], y + low[1] + size[1])
        for (x, y), low, size in zip(
            cells,
            rng.uniform(0.05, 0.5, (len(cells), 2)),
            rng.uniform(0.2, 1.4, (len(cells), 2)),
            strict=True,
        )
    ]


def by_visibility(boxes: list[Box], start: tuple[float, float], goal: tuple[float, float]) -> float:
    """A plain Dijkstra over the lines that do not cut into any box."""
    solid = union_all([box(*each) for each in boxes]).buffer(-1e-9)
    corners = [(x, y) for x0, y0, x1, y1 in boxes for x in (x0, x1) for y in (y0, y1)]
    spots = [start, goal, *corners]
    ways: dict[int, list[tuple[int, float]]] = {k: [] for k in range(len(spots))}
    for i, j in combinations(range(len(spots)), 2):
        if not LineString([spots[i], spots[j]]).intersects(solid):
            length = math.dist(spots[i], spots[j])
            ways[i].append((j, length))
            ways[j].append((i, length))
    queue, done = [(0.0, 0)], set()
    while queue:
        distance, here = heappop(queue)
        if here == 1:
            return distance
        if here not in done:
            done.add(here)
            for there, length in ways[here]:
                heappush(queue, (distance + length, there))
    return math.inf


def hall(boxes: list[Box]) -> FloorPlan:
    return plan("hall", (0, 0, 10, 10), *boxes)


@given(st.integers(0, 2**32 - 1), st.floats(0.5, 9.5), st.floats(0.5, 9.5))
def test_the_way_among_pillars_is_the_one_over_lines_of_sight(
    seed: int, start_y: float, goal_y: float
) -> None:
    boxes = pillars(seed)
    expected = by_visibility(boxes, (1.0, start_y), (9.5, goal_y)) if boxes else None
    way = shortest_path_length(hall(boxes), Pose(1.0, start_y), Pose(9.5, goal_y))
    straight = math.hypot(8.5, goal_y - start_y)
    assert way == pytest.approx(expected or straight, abs=1e-4)
    assert way >= straight - 1e-9


@given(st.integers(0, 2**32 - 1))
def test_the_way_back_is_as_long_and_one_pillar_more_never_shortens_it(seed: int) -> None:
    boxes = pillars(seed)
    start, goal = Pose(1.0, 4.1), Pose(9.5, 5.2)
    way = shortest_path_length(hall(boxes), start, goal)
    assert shortest_path_length(hall(boxes), goal, start) == pytest.approx(way, abs=1e-4)
    if boxes:
        assert shortest_path_length(hall(boxes[:-1]), start, goal) <= way + 1e-4
