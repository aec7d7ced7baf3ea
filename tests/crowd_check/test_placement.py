import numpy as np
import pytest
import shapely

from paseo.crowd_check.findings import Doubt, Severity
from paseo.crowd_check.placement import DEPTH, in_walls, placement
from paseo.crowd_check.samples import TrackSamples, moments
from paseo.world.space.floorplan import FloorPlan, floor_plan
from paseo.world.tracks import transformed
from walkers import corridor_crowd, corridor_plan, transform_in

# An L: 20 m by 6 m, and a room of 4 m by 10 m above its left end.
L_SHAPE = [(0, 0), (20, 0), (20, 6), (4, 6), (4, 16), (0, 16)]


def plan_of(corners: list[tuple[float, float]]) -> FloorPlan:
    loop = [(*a, *b) for a, b in zip(corners, [*corners[1:], corners[0]], strict=True)]
    return floor_plan("plan", np.array(loop, float).reshape(-1, 2, 2))


def crowd(matrix: object = ((1, 0, 0), (0, 1, 0)), *, upstairs: bool = True) -> TrackSamples:
    """People of the corridor, some of whom walk in the room above instead."""
    tracks = list(corridor_crowd(80).tracks)
    if upstairs:
        up = np.array([[0, 0.5, 0.5], [0.7, 0, 1.0]])  # x, y -> (0.5 + y / 2, 1 + 0.7 x)
        tracks[::4] = [transformed(track, up) for track in tracks[::4]]
    return moments([transformed(track, np.array(matrix, float)) for track in tracks])


def test_who_walks_on_the_floor_is_not_in_walls() -> None:
    found = placement(crowd(), plan_of(L_SHAPE))
    assert found.finding is None
    assert "mirrored in x" not in found.alike


@pytest.mark.parametrize(
    ("matrix", "doubt"),
    [
        (((-1, 0, 0), (0, 1, 0)), Doubt.MIRRORED),
        (((-1, 0, 20), (0, 1, 0)), Doubt.MIRRORED),  # about the middle of the corridor
        (((1, 0, 0), (0, -1, 6)), Doubt.MIRRORED),
        (((0, 1, 0), (1, 0, 0)), Doubt.SWAPPED),
        (((-1, 0, 0), (0, -1, 0)), Doubt.TURNED),
        (((1, 0, 9), (0, 1, 4)), Doubt.SHIFTED),
    ],
)
def test_axes_that_are_laid_wrongly_are_named_and_mended(matrix: object, doubt: Doubt) -> None:
    plan = plan_of(L_SHAPE)
    at = crowd(matrix)
    finding = placement(at, plan).finding
    assert finding is not None
    assert (finding.doubt, finding.severity) == (doubt, Severity.WRONG)
    numbers = transform_in(finding)
    mended = at.positions @ numbers[:, :2].T + numbers[:, 2]
    assert in_walls(mended, plan).mean() < 0.02


def test_people_on_a_map_of_another_place_walk_through_walls() -> None:
    elsewhere = plan_of([(0, 0), (5, 0), (5, 5), (0, 5)])
    finding = placement(crowd(), elsewhere).finding
    assert finding is not None
    assert (finding.doubt, finding.severity) == (Doubt.WALLS, Severity.WRONG)


def test_a_few_moments_beyond_the_edge_are_unusual() -> None:
    plan = plan_of([(0, 0), (19.2, 0), (19.2, 6), (4, 6), (4, 16), (0, 16)])
    finding = placement(crowd(), plan).finding
    assert finding is not None
    assert (finding.doubt, finding.severity) == (Doubt.WALLS, Severity.UNUSUAL)


def test_a_plain_corridor_cannot_tell_its_mirror_images() -> None:
    found = placement(crowd(upstairs=False), corridor_plan())
    assert found.finding is None
    assert set(found.alike) == {"mirrored in x", "mirrored in y", "turned by half a circle"}


def test_in_walls_agrees_with_another_library() -> None:
    plan, polygon = plan_of(L_SHAPE), shapely.Polygon(L_SHAPE)
    points = np.random.default_rng(5).uniform(-2, 22, (4000, 2))
    depths = shapely.distance(polygon, shapely.points(points))
    sure = np.abs(depths - DEPTH) > plan.cell_size  # nearer, the grid may round either way
    np.testing.assert_array_equal(in_walls(points, plan)[sure], depths[sure] > DEPTH)


def test_coordinates_too_large_for_a_search_are_still_judged() -> None:
    finding = placement(crowd(((1e6, 0, 0), (0, 1e6, 0))), plan_of(L_SHAPE)).finding
    assert finding is not None
    assert finding.severity is Severity.WRONG
