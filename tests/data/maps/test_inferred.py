"""Floor plans inferred from tracks: walks laid out by hand, and the five recordings."""

import math
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from paseo.data.maps.floorplans import shipped_floorplan
from paseo.data.maps.inferred import inferred_floorplan, scanned_floorplan
from paseo.data.maps.writing import free_space
from paseo.data.store.catalog import known_recordings
from paseo.data.store.locations import DataFolder
from paseo.errors import BadValue
from paseo.world.arrays import FloatArray
from paseo.world.space.floorplan import InferredFrom, PlaceKind
from paseo.world.tracks import Track

NAN = (math.nan, math.nan)


def walk(*points: tuple[float, float], id: int = 1) -> Track:
    return Track(id, np.arange(len(points), dtype=float), np.array(points, float))


def samples(tracks: Sequence[Track]) -> FloatArray:
    positions = np.concatenate([track.positions for track in tracks])
    return positions[~np.isnan(positions[:, 0])]


def test_two_crossing_corridors_have_the_area_of_the_formula() -> None:
    plan = inferred_floorplan("crossing", [walk((-9, 0), (9, 0)), walk((0, -7), (0, 7))])
    corridors = 18 * 1.2 + 14 * 1.2 - 1.2**2 + 2 * math.pi * 0.6**2  # four half discs at the ends
    corners = 4 * (1 - math.pi / 4) * 0.3**2  # rounded off by half the width grown
    assert free_space(plan).area == pytest.approx(corridors + corners, rel=0.01)
    assert plan.clearance(4, 0) == pytest.approx(0.6, abs=0.06)
    assert plan.clearance(4, 4) < 0


def test_it_says_that_it_is_inferred_and_from_what() -> None:
    two = inferred_floorplan("yard", [walk((0, 0)), walk((1, 0))], grown=0.75)
    assert two.name == "yard"
    assert two.source == (
        "Inferred from 2 tracks: where people walked, grown by 0.75 m. Not measured."
    )
    assert inferred_floorplan("yard", [walk((0, 0))]).source.startswith("Inferred from 1 track: ")


def test_one_sample_and_standing_still_are_discs() -> None:
    for track in (walk((3, 2)), walk((3, 2), (3, 2), (3, 2))):
        plan = inferred_floorplan("spot", [track])
        assert math.pi * 0.55**2 < free_space(plan).area < math.pi * 0.6**2
        assert plan.clearance(3, 2) == pytest.approx(0.6, abs=0.05)


def test_absence_breaks_the_path_and_areas_apart_stay_apart() -> None:
    plan = inferred_floorplan("yard", [walk((0, 0), (2, 0), NAN, (6, 0), NAN, NAN, (9, 0))])
    assert all(plan.clearance(x, 0) > 0.5 for x in (0, 1, 2, 6, 9))
    assert all(plan.clearance(x, 0) < 0 for x in (4, 7.5))
    assert not plan.reachable_from(1, 0, 0.1)[plan.cell(6, 0)]


def test_areas_a_few_centimetres_apart_stay_apart() -> None:
    plan = inferred_floorplan("yard", [walk((0, 0), (4, 0)), walk((0, 1.4), (4, 1.4))])
    assert plan.clearance(2, 0.7) < 0


def round_walk(side: float) -> Track:
    return walk((0, 0), (side, 0), (side, side), (0, side), (0, 0))


def test_a_hole_of_a_square_metre_is_an_obstacle_and_a_smaller_one_is_not() -> None:
    assert inferred_floorplan("large", [round_walk(2.4)]).clearance(1.2, 1.2) < -0.5
    assert inferred_floorplan("small", [round_walk(2.0)]).clearance(1, 1) > 0.9


def test_moving_the_tracks_moves_the_map() -> None:
    paths = [np.array([(0.0, y), (8.0, 2 * y)]) for y in (-0.3, 0.0, 0.3, 0.6)]
    here = inferred_floorplan("a", [walk(*path) for path in paths])
    there = inferred_floorplan("a", [walk(*(path + [100, -50])) for path in paths])
    assert there.area == pytest.approx(here.area, rel=0.01)
    assert len(here.places) == len(there.places) == 2
    for one, other in zip(here.places, there.places, strict=True):
        assert (other.x - 100, other.y + 50) == pytest.approx((one.x, one.y), abs=0.02)


points = st.tuples(st.floats(0, 12), st.floats(0, 12))


@given(
    st.lists(st.lists(points, min_size=1, max_size=6), min_size=1, max_size=6),
    st.sampled_from([0.1, 0.3, 0.6, 2.0]),
)
def test_every_sample_is_free_and_nearly_as_far_from_walls_as_grown(
    paths: list[list[tuple[float, float]]], grown: float
) -> None:
    tracks = [walk(*path) for path in paths]
    plan = inferred_floorplan("any", tracks, grown=grown)
    for x, y in samples(tracks):
        assert plan.clearance(x, y) >= 0.75 * grown


def bundle(start: tuple[float, float], goal: tuple[float, float], people: int) -> list[Track]:
    shifts = np.linspace(-0.5, 0.5, people)
    return [walk((start[0], start[1] + s), (goal[0], goal[1] + s)) for s in shifts]


def test_where_many_tracks_end_is_a_place_those_with_most_ends_first() -> None:
    tracks = bundle((0, 0), (10, 0), 9) + bundle((0, 0), (10, 6), 4) + [walk((5, 0), (5, -4))]
    places = inferred_floorplan("fork", tracks).places
    assert [(place.name, place.kind) for place in places] == [
        (f"end {k}", PlaceKind.PATH_END) for k in (1, 2, 3)
    ]
    spots = [(place.x, place.y) for place in places]
    for spot, expected in zip(spots, [(0, 0), (10, 0), (10, 6)], strict=True):
        assert spot == pytest.approx(expected, abs=0.05)


def test_ends_in_the_middle_of_the_area_are_no_places() -> None:
    crowd = [walk((x, -5), (x, 5)) for x in np.arange(-5, 5.1, 0.5)]
    fainted = [walk((0, 0), (0.1 * k, 0)) for k in range(5)]
    assert all(
        math.hypot(place.x, place.y) > 3
        for place in inferred_floorplan("square", crowd + fainted).places
    )


def test_places_have_room_around_them_where_there_is_room() -> None:
    for grown, least in ((0.6, 0.4), (0.2, 0.16)):
        plan = inferred_floorplan("pass", bundle((0, 0), (10, 0), 3), grown=grown)
        assert len(plan.places) == 2
        assert all(plan.clearance(place.x, place.y) >= least for place in plan.places)


@pytest.mark.parametrize(
    ("tracks", "grown", "problem"),
    [
        ([], 0.6, "there are no tracks, expected at least one"),
        ([walk((0, 0))], 0.0, "grown by 0 m, expected 0.1 to 10 m"),
        ([walk((0, 0))], math.nan, "grown by nan m, expected"),
        ([walk((0, 0))], 1e6, "expected 0.1 to 10 m"),
        ([walk((0, 0), (1, 1e300), id=7)], 0.6, r"track 7 is at \(1, 1e\+300\), expected metres"),
        ([walk((0, 0), NAN, (9e6, 9e6))], 0.6, "'x' would need .* are its coordinates in metres"),
    ],
)
def test_what_cannot_be_inferred_is_named(tracks: list[Track], grown: float, problem: str) -> None:
    with pytest.raises(BadValue, match=problem):
        inferred_floorplan("x", tracks, grown=grown)


@pytest.mark.recordings
@pytest.mark.parametrize(
    ("name", "share"),  # of the measured map's area
    [("eth", 1.11), ("hotel", 0.58), ("univ", 0.86), ("zara01", 0.62), ("zara02", 0.74)],
)
def test_a_recording_gives_one_area_with_all_its_people_and_path_ends(
    name: str, share: float, data_dir: Path
) -> None:
    tracks = DataFolder(data_dir).recording(name).tracks
    plan = inferred_floorplan(name, tracks)
    spots = samples(tracks)
    assert plan.area / shipped_floorplan(known_recordings()[name].map).area == pytest.approx(
        share, abs=0.02
    )
    edge = shapely.boundary(free_space(plan))
    assert shapely.distance(edge, shapely.points(spots)).min() >= 0.5
    rows, columns = np.floor((spots - plan.origin) / plan.cell_size).astype(int).T[::-1]
    assert plan.free[rows, columns].all()
    first = plan.places[0]
    reached = plan.reachable_from(first.x, first.y, 0.24)
    assert reached[rows, columns].all()
    assert 2 <= len(plan.places) <= 8
    for place in plan.places:
        assert plan.clearance(place.x, place.y) >= 0.4
        assert reached[plan.cell(place.x, place.y)], place


@pytest.mark.recordings
def test_the_largest_recording_takes_less_than_two_seconds(data_dir: Path) -> None:
    tracks = DataFolder(data_dir).recording("univ").tracks
    begin = time.process_time()
    plan = inferred_floorplan("univ", tracks)
    assert time.process_time() - begin < 2
    assert plan.source.startswith("Inferred from 434 tracks: ")


WAY = walk((0, 0), (10, 0), id=-1)


def line(start: tuple[float, float], end: tuple[float, float], hits: int = 3) -> FloatArray:
    """What a laser meets of a straight wall, some times over."""
    count = int(math.dist(start, end) / 0.03)
    return np.repeat(np.linspace(start, end, count), hits, axis=0)


def test_a_laser_makes_walls_of_what_it_meets() -> None:
    points = np.concatenate([line((-4, 2), (14, 2)), line((-4, -2), (14, -2))])
    plan = scanned_floorplan("hall", [], WAY, points)
    assert plan.clearance(5, 0) == pytest.approx(1.95, abs=0.15)
    assert plan.clearance(5, 2.5) < 0 and plan.clearance(5, -2.5) < 0
    assert plan.inferred is InferredFrom.TRACKS
    assert plan.source.startswith("Inferred from 0 tracks, the robot's way and 3600 points")


def test_without_a_wall_ground_ends_where_nobody_came_near() -> None:
    plan = scanned_floorplan("field", [], WAY, np.array([[50.0, 50.0]]))
    assert free_space(plan).area == pytest.approx(10 * 6 + math.pi * 9, rel=0.01)


def test_a_pillar_stands_in_the_open_and_a_point_alone_does_not() -> None:
    pillar = np.repeat([[4.02, 1.52], [4.12, 1.52]], 5, axis=0)
    plan = scanned_floorplan("hall", [], WAY, np.concatenate([pillar, [[7.0, 1.5]]]))
    assert plan.clearance(4.1, 1.55) < 0
    assert plan.clearance(7.0, 1.5) > 0


def test_where_somebody_went_there_is_no_wall() -> None:
    passer = walk((5, -2.5), (5, 2.5))
    met = np.repeat([[5.0, 1.5], [5.1, 1.6]], 9, axis=0)  # the laser met the passer
    wall = line((-4, 2), (14, 2))  # and a wall with a door that they went through
    plan = scanned_floorplan("door", [passer], WAY, np.concatenate([met, wall]))
    for x, y in passer.positions:
        assert plan.clearance(x, y) > 0
    assert plan.clearance(5, 1.5) == pytest.approx(0.6, abs=0.25)
    assert plan.clearance(8, 2.0) < 0
    assert plan.clearance(5, 2.0) > 0.3


def test_what_lies_behind_a_wall_is_no_ground() -> None:
    plan = scanned_floorplan("wall", [], WAY, line((-9, 1), (19, 1)))
    assert plan.clearance(5, 1.5) < 0 and plan.clearance(5, 2.5) < 0
