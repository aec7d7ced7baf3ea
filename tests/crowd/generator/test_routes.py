import math

import numpy as np
import pytest

from paseo.crowd.generator.routes import CELL, UNREACHED, Routes, heading_to, reaches, routes_to
from paseo.errors import BadValue
from paseo.world.space.floorplan import FloorPlan
from worlds import DIVIDED, ROOM, plan


def way(place: FloorPlan, start: tuple[float, float], goal: tuple[float, float]) -> np.ndarray:
    """The path of somebody who follows the headings in steps of 5 cm."""
    routes = routes_to(place, np.array([goal]))
    x, y = start
    path = [start]
    for _ in range(1000):
        if math.hypot(goal[0] - x, goal[1] - y) < 0.1:
            break
        hx, hy = heading(routes, x, y)
        x, y = x + 0.05 * hx, y + 0.05 * hy
        path.append((x, y))
    return np.array(path)


def heading(routes: Routes, x: float, y: float) -> tuple[float, float]:
    (tx, ty), (x0, y0) = routes.targets[0], routes.origin
    return heading_to(x, y, tx, ty, routes.fields[0], x0, y0, routes.walls)


def test_the_way_is_straight_where_nothing_is_in_it() -> None:
    path = way(ROOM, (1.0, 1.0), (9.0, 7.0))
    length = np.hypot(*np.diff(path, axis=0).T).sum()
    assert length == pytest.approx(10.0, abs=0.15)


def test_the_way_leads_around_a_wall_with_room_and_little_detour() -> None:
    path = way(DIVIDED, (3.0, 5.0), (7.0, 5.0))
    assert np.hypot(*(path[-1] - (7.0, 5.0))) < 0.15
    assert min(DIVIDED.clearance(x, y) for x, y in path) > 0.15
    length = np.hypot(*np.diff(path, axis=0).T).sum()
    assert 2 * math.hypot(2.0, 4.0) <= length < 11.0


def test_the_field_is_the_distance_where_walls_are_far() -> None:
    hall = plan("hall", (0, 0, 40, 40))
    routes = routes_to(hall, np.array([[20.0, 20.0]]))
    row, column = int(30 / CELL), int(10 / CELL)
    x, y = (column + 0.5) * CELL, (row + 0.5) * CELL
    exact = math.hypot(x - 20.0, y - 20.0)
    assert routes.fields[0, row, column] == pytest.approx(exact, rel=0.06)  # first order scheme


def test_headings_do_not_depend_on_where_the_origin_is() -> None:
    moved = plan("moved", (100, 50, 110, 60), (105, 51, 105.02, 59.99))
    here, there = way(DIVIDED, (3.0, 5.0), (7.0, 5.0)), way(moved, (103.0, 55.0), (107.0, 55.0))
    assert np.allclose(here[:50] + (100.0, 50.0), there[:50], atol=1e-3)


def test_what_is_cut_off_cannot_be_reached() -> None:
    parted = plan("parted", (0, 0, 10, 10), (14, 0, 24, 10))
    routes = routes_to(parted, np.array([[5.0, 5.0]]))
    assert reaches(routes, 0, 2.0, 2.0)
    assert not reaches(routes, 0, 18.0, 5.0)
    assert routes.fields.max() == UNREACHED


def test_a_target_in_a_wall_is_refused() -> None:
    with pytest.raises(BadValue, match=r"\(20, 5\) is in a wall or outside"):
        routes_to(ROOM, np.array([[20.0, 5.0]]))
