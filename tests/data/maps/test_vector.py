"""The vector format: what it means and how each mistake is named."""

import json

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from paseo.data.maps.vector import Ring, vector_floorplan, walls_around
from paseo.errors import BadValue
from paseo.world.space.floorplan import Place, PlaceKind

SQUARE = [[0, 0], [4, 0], [4, 4], [0, 4]]
PLAN = {"format": "paseo-floorplan", "version": 1, "name": "hall", "outline": SQUARE}
DOOR = {"name": "door", "kind": "door", "x_m": 1, "y_m": 1}


def plan_with(**keys):
    return vector_floorplan(json.dumps(PLAN | keys))


def test_a_square_hall_has_its_area_walls_name_and_source():
    plan = plan_with(source="drawn by hand")
    assert (plan.name, plan.source, len(plan.walls)) == ("hall", "drawn by hand", 4)
    assert plan.area == pytest.approx(16)
    assert plan.clearance(1, 2) == 1


def test_places_keep_their_name_kind_and_spot():
    assert plan_with(places=[DOOR]).places == (Place("door", PlaceKind.DOOR, 1, 1),)


def test_obstacles_may_overlap_each_other_and_the_outline():
    pillar, overlapping = [[1, 1], [2, 1], [2, 2], [1, 2]], [[1.5, 1], [5, 1], [5, 2], [1.5, 2]]
    plan = plan_with(obstacles=[pillar, overlapping])
    assert plan.area == pytest.approx(16 - 3)
    assert plan.clearance(3.8, 1.5) < 0
    assert plan.clearance(1.5, 0.5) == pytest.approx(0.5)


def test_an_obstacle_that_cuts_the_hall_leaves_both_rooms():
    plan = plan_with(obstacles=[[[1, -1], [2, -1], [2, 5], [1, 5]]])
    assert plan.clearance(0.5, 2) == pytest.approx(0.5)
    assert plan.clearance(3, 2) == pytest.approx(1)
    assert not plan.reachable_from(0.5, 2, 0.1)[plan.cell(3, 2)]


def test_repeating_the_first_corner_changes_nothing():
    closed = plan_with(outline=SQUARE + SQUARE[:1])
    assert closed.walls.tolist() == plan_with().walls.tolist()


def box(x, y, width, height):
    return [[x, y], [x + width, y], [x + width, y + height], [x, y + height]]


def plan_of_loops(*loops, **keys):
    head = {key: value for key, value in PLAN.items() if key != "outline"}
    return vector_floorplan(json.dumps(head | {"loops": loops} | keys))


def test_free_is_what_lies_inside_an_odd_number_of_loops():
    plan = plan_of_loops(SQUARE, box(1, 1, 2, 2), box(1.5, 1.5, 1, 1), box(6, 0, 1, 1))
    assert plan.area == pytest.approx(16 - 4 + 1 + 1)
    assert plan.clearance(2, 2) == pytest.approx(0.5)
    assert plan.clearance(1.2, 2) == pytest.approx(-0.2)
    assert plan.clearance(6.5, 0.5) == pytest.approx(0.5)
    assert plan.clearance(5, 0.5) == pytest.approx(-1)


def test_one_loop_is_an_outline():
    walls = [
        sorted(map(sorted, plan.walls.tolist())) for plan in (plan_of_loops(SQUARE), plan_with())
    ]
    assert walls[0] == walls[1]


def test_loops_that_overlap_leave_out_what_both_cover():
    plan = plan_of_loops(box(0, 0, 2, 1), box(1, 0, 2, 1))
    assert plan.area == pytest.approx(2)
    assert plan.clearance(1.5, 0.5) == pytest.approx(-0.5)


def test_loops_that_share_an_edge_are_one_room():
    plan = plan_of_loops(box(0, 0, 1, 1), box(1, 0, 1, 1), box(2, 0, 1, 1))
    assert plan.clearance(1.5, 0.5) == pytest.approx(0.5)
    assert plan.reachable_from(0.5, 0.5, 0.3)[plan.cell(2.5, 0.5)]


@pytest.mark.parametrize(
    ("keys", "problem"),
    [
        ({}, "top level: neither outline nor loops is there, expected one of them; add"),
        ({"obstacles": [SQUARE]}, "neither outline nor loops is there"),
        ({"loops": [SQUARE], "outline": SQUARE}, "loops is there beside outline or obstacles"),
        ({"loops": [SQUARE], "obstacles": []}, "expected either loops or an outline with"),
        ({"loops": []}, "loops enclose no free space, expected some"),
        ({"loops": [SQUARE, SQUARE]}, "loops enclose no free space"),
        ({"loops": [SQUARE, [[0, 0], [1, 0]]]}, r"loops\[1\] has 2 different points"),
        ({"loops": [[[0, 0], [1, 1], [1, 0], [0, 1]]]}, r"loops\[0\] crosses or touches itself"),
        ({"loops": [[[0, 0], [1e99, 0], [0, 1]]]}, r"loops\[0\] has the point \(1e\+99, 0\)"),
        ({"loops": SQUARE}, r"loops\[0\]\[0\]: it is an integer, expected a list of polygons"),
        ({"loops": None}, "loops: it is empty, expected a list of polygons"),
    ],
)
def test_a_map_has_either_an_outline_or_loops(keys, problem):
    head = {key: value for key, value in PLAN.items() if key != "outline"}
    with pytest.raises(BadValue, match=problem):
        vector_floorplan(json.dumps(head | keys))


coordinates = st.integers(-20, 60).map(lambda n: n / 10)


@given(st.lists(st.tuples(coordinates, coordinates, coordinates, coordinates), max_size=5))
def test_walls_are_the_boundary_of_outline_minus_obstacles(boxes):
    solid = [shapely.box(x, y, x + abs(w) + 0.1, y + abs(h) + 0.1) for x, y, w, h in boxes]
    rings = [Ring("box", list(box.exterior.coords)) for box in solid]
    free = shapely.difference(shapely.Polygon(SQUARE), shapely.union_all(solid))
    if free.is_empty:
        with pytest.raises(BadValue, match="covered by obstacles"):
            walls_around(Ring("outline", SQUARE), rings)
        return
    walls = walls_around(Ring("outline", SQUARE), rings)
    lengths = np.linalg.norm(walls[:, 1] - walls[:, 0], axis=1)
    assert lengths.sum() == pytest.approx(free.boundary.length)


@pytest.mark.parametrize(
    ("keys", "problem"),
    [
        ({"outline": [[0, 0], [1, 0]]}, "outline has 2 different points, expected .* at least 3"),
        ({"outline": []}, "outline has 0 different points"),
        ({"outline": [[0, 0], [1, 0], [2, 0]]}, "outline has no area"),
        ({"outline": [[0, 0], [1, 1], [1, 0], [0, 1]]}, r"outline crosses .* at \(0.5, 0.5\)"),
        ({"outline": [[0, 0], [1e99, 0], [0, 1]]}, r"point \(1e\+99, 0\), expected metres"),
        ({"outline": [[0, 0], [9e6, 0], [0, 9e6]]}, "are its coordinates in metres"),
        ({"outline": [[0, 0], [0.01, 0], [0, 0.01]]}, "no free space"),
        ({"outline": [[0, 0], [1, "0"], [0, 1]]}, r"outline\[1\]\[1\]: it is a text, expected"),
        ({"outline": [[0, 0], [1], [0, 1]]}, r"outline\[1\]: it has not 2 numbers"),
        ({"outline": None}, "outline: it is empty, expected a list of points"),
        ({"obstacles": [SQUARE, [[0, 0], [1, 1], [1, 0], [0, 1]]]}, r"obstacles\[1\] crosses"),
        ({"obstacles": [SQUARE]}, "outline is covered by obstacles, expected free space"),
        ({"obstacle": []}, "unknown field `obstacle`, expected format, version"),
        ({"places": [DOOR | {"kind": "dor"}]}, r"places\[0\].kind: .*'dor', expected .*door, exit"),
        ({"places": [{"name": "door"}]}, r"places\[0\]: .*missing required field `kind`"),
        ({"places": [DOOR | {"x_m": 9}]}, r"'door' at \(9, 1\) is in a wall or outside"),
        ({"places": [DOOR, DOOR]}, r"places\[1\]: the name 'door' is taken"),
        ({"version": 2, "rooms": []}, "version 2, expected 'paseo-floorplan', version 1"),
        ({"format": "geo"}, "format 'geo', version 1, expected"),
    ],
)
def test_each_mistake_is_named_with_its_key_and_what_was_expected(keys, problem):
    with pytest.raises(BadValue, match=problem):
        plan_with(**keys)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "not JSON"),
        ("[]", "top level: it is a list, expected format"),
        ("{}", "missing required field `format`"),
        ('{"format":\n "x",, }', "line 2, column 6: .*expected JSON"),
        (json.dumps(PLAN)[:-1], "not JSON, input data was truncated"),
        (json.dumps(PLAN | {"outline": [[0, float("nan")]]}), "line 1, column .*finite numbers"),
        ('{"a":' + "[" * 100_000, "not JSON"),
    ],
)
def test_text_that_is_no_such_json_is_named_with_its_line(text, problem):
    with pytest.raises(BadValue, match=problem):
        vector_floorplan(text)
