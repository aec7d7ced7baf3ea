"""Floor plans written and read again: the same free space, whatever they were made from."""

import json
import math
import time
from dataclasses import replace

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from paseo.data.maps.floorplans import shipped_floorplan, shipped_maps
from paseo.data.maps.inferred import inferred_floorplan
from paseo.data.maps.vector import boundary_walls, vector_floorplan
from paseo.data.maps.writing import floorplan_text
from paseo.errors import BadValue
from paseo.world.arrays import BoolArray
from paseo.world.space.floorplan import (
    FloorPlan,
    InferredFrom,
    Place,
    PlaceKind,
    floor_plan,
    traced_walls,
)
from paseo.world.tracks import Track

ROOM = shapely.box(0, 0, 4, 4)
DOOR = Place("door", PlaceKind.DOOR, 0.1 + 0.2, 1 / 3)


def plan_of(area: shapely.Geometry) -> FloorPlan:
    return floor_plan("hall", boundary_walls(area), places=(DOOR,), source="drawn by hand")


def raster(free: BoolArray, cell: float, origin: tuple[float, float]) -> FloorPlan:
    walls = traced_walls(free, cell, origin)
    return FloorPlan(name="grid", walls=walls, free=free, cell_size=cell, origin=origin)


def pixels_area(free: BoolArray, cell: float, origin: tuple[float, float]) -> shapely.Geometry:
    rows, columns = np.nonzero(free)
    x, y = origin[0] + columns * cell, origin[1] + rows * cell
    return shapely.union_all(shapely.box(x, y, x + cell, y + cell))


def written_area(text: str) -> shapely.Geometry:
    """The free space a file describes, worked out anew."""
    content = json.loads(text)
    if "outline" in content:
        solid = shapely.union_all([shapely.Polygon(each) for each in content["obstacles"]])
        return shapely.difference(shapely.Polygon(content["outline"]), solid)
    loops = shapely.MultiPolygon([shapely.Polygon(each) for each in content["loops"]])
    return shapely.make_valid(loops)  # by the even-odd rule


def difference(one: shapely.Geometry, other: shapely.Geometry) -> float:
    return shapely.symmetric_difference(one, other).area


def test_one_room_is_an_outline_with_its_obstacles_and_keeps_name_places_and_source() -> None:
    area = shapely.difference(ROOM, shapely.box(1, 1, 2, 3))
    text = floorplan_text(plan_of(area))
    assert json.loads(text)["outline"] == [[0, 0], [0, 4], [4, 4], [4, 0]]
    assert json.loads(text)["obstacles"] == [[[1, 1], [2, 1], [2, 3], [1, 3]]]
    again = vector_floorplan(text)
    assert (again.name, again.places, again.source) == ("hall", (DOOR,), "drawn by hand")
    assert again.area == pytest.approx(14)


def test_a_room_within_the_hole_of_another_is_written_as_loops() -> None:
    ring = shapely.difference(ROOM, shapely.box(1, 1, 3, 3))
    area = shapely.union_all([ring, shapely.box(1.5, 1.5, 2.5, 2.5), shapely.box(7, 0, 8, 1)])
    text = floorplan_text(plan_of(area))
    assert len(json.loads(text)["loops"]) == 4
    assert difference(area, written_area(text)) == 0
    again = vector_floorplan(text)
    assert again.clearance(2, 2) == pytest.approx(0.5)
    assert again.clearance(1.25, 2) == pytest.approx(-0.25)
    assert again.clearance(7.5, 0.5) == pytest.approx(0.5)


def test_rooms_that_touch_at_a_corner_stay_two_rooms() -> None:
    free = np.array([[True, False], [False, True]])
    text = floorplan_text(raster(free, 1.0, (0.0, 0.0)))
    loops = [[[1, 1], [1, 2], [2, 2], [2, 1]], [[0, 0], [0, 1], [1, 1], [1, 0]]]
    assert json.loads(text)["loops"] == loops


@pytest.mark.parametrize("name", shipped_maps())
def test_a_shipped_map_is_the_same_after_writing(name: str) -> None:
    plan = shipped_floorplan(name)
    again = vector_floorplan(floorplan_text(plan))
    assert (again.name, again.places, again.source) == (plan.name, plan.places, plan.source)
    assert (again.free == plan.free).all()
    edges = [shapely.union_all(shapely.linestrings(each.walls)) for each in (plan, again)]
    assert edges[0].equals(edges[1])


@given(st.integers(1, 12), st.integers(1, 12), st.randoms(use_true_random=False))
def test_pixels_of_any_shape_keep_their_area(rows: int, columns: int, random) -> None:
    free = np.array([[random.random() < 0.6 for _ in range(columns)] for _ in range(rows)])
    free[0, 0] = True
    for cell, origin in ((0.05, (-10.0, -5.0)), (1 / 15, (math.pi, -math.e))):
        text = floorplan_text(raster(free, cell, origin))
        assert difference(pixels_area(free, cell, origin), written_area(text)) < 1e-6


@pytest.mark.slow
def test_five_thousand_turned_stair_steps_are_written_within_two_seconds() -> None:
    free = np.random.default_rng(0).random((100, 100)) < 0.6
    flat = raster(free, 0.05, (0.0, 0.0))
    turn = np.array([[math.cos(0.7), math.sin(0.7)], [-math.sin(0.7), math.cos(0.7)]])
    plan = floor_plan("turned", flat.walls @ turn + [3, 4])
    floorplan_text(plan_of(ROOM))  # compiles
    begin = time.process_time()
    text = floorplan_text(plan)
    assert len(plan.walls) > 5000
    assert time.process_time() - begin < 2
    turned = shapely.transform(pixels_area(free, 0.05, (0, 0)), lambda xy: xy @ turn + [3, 4])
    assert difference(turned, written_area(text)) < 1e-6


def test_an_inferred_map_says_so_after_writing() -> None:
    walk = np.array([[0.0, 0.0], [6.0, 0.0]])
    plan = inferred_floorplan("yard", [Track(1, np.array([0.0, 5.0]), walk)])
    text = floorplan_text(plan)
    again = vector_floorplan(text)
    assert again.inferred is InferredFrom.TRACKS
    assert again.source == plan.source
    assert again.walls.shape == plan.walls.shape
    older = text.replace('  "inferred": "tracks",\n', "")
    assert older != text
    assert vector_floorplan(older).inferred is InferredFrom.TRACKS, (
        "files from before there was a key say it in words"
    )
    assert not vector_floorplan(text.replace('"tracks"', "null")).inferred


def test_the_order_of_walls_does_not_change_the_bytes() -> None:
    free = np.random.default_rng(1).random((20, 20)) < 0.5
    plan = raster(free, 0.05, (-10.0, -5.0))
    mixed = np.random.default_rng(2).permutation(plan.walls)[:, ::-1]
    assert floorplan_text(replace(plan, walls=mixed)) == floorplan_text(plan)


def test_coordinates_have_no_more_digits_than_free_space_needs() -> None:
    free = np.ones((3, 3), bool)
    text = floorplan_text(raster(free, 0.05, (0.1, -0.15)))  # 0.15000000000000002 and -0.0
    assert '"outline": [[0.1, -0.15], [0.1, 0.0], [0.25, 0.0], [0.25, -0.15]]' in text
    third = floorplan_text(plan_of(shapely.box(0, 0, 10 / 3, 1)))
    assert "3.33333333, " in third


def test_names_in_any_letters_are_kept() -> None:
    plan = replace(plan_of(ROOM), name='Zürich "Süd"\n', source="測定")
    text = floorplan_text(plan)
    assert "Zürich" in text
    assert (vector_floorplan(text).name, vector_floorplan(text).source) == (plan.name, plan.source)


def test_walls_with_loose_ends_are_refused() -> None:
    walls = np.concatenate([plan_of(ROOM).walls, [[[1.0, 1.0], [2.0, 2.0]]]])
    with pytest.raises(BadValue, match="'hall': its walls have loose ends, expected closed loops"):
        floorplan_text(floor_plan("hall", walls))


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"places": (DOOR, DOOR)}, "the name 'door' is taken"),
        ({"places": (replace(DOOR, x=9.0),)}, "in a wall or outside"),
        ({"places": (replace(DOOR, x=math.nan),)}, "a wall, a place or the grid is"),
        ({"name": "half a letter \udcff"}, "expected JSON"),
    ],
)
def test_what_could_not_be_read_again_is_not_written(changes: dict, problem: str) -> None:
    with pytest.raises(BadValue, match=problem):
        floorplan_text(replace(plan_of(ROOM), **changes))
