import math

import numpy as np
import pytest

from paseo.crowd.steering.wall_loops import (
    cell_at,
    directed_pieces,
    in_single_precision,
    seen_distance,
    wall_loops,
)
from paseo.data.maps.floorplans import shipped_floorplan, shipped_maps
from paseo.world.arrays import FloatArray
from paseo.world.space.floorplan import traced_walls
from paseo.world.space.geometry import is_inside, segment_distance
from worlds import box


def rows(segments: FloatArray) -> dict[tuple[float, ...], FloatArray]:
    """The linked walls by where they start and end."""
    walls = wall_loops(segments, 1.0).walls
    return {tuple(np.round(wall[:4], 6).tolist()): wall for wall in walls}


def test_a_room_goes_round_clockwise_and_no_corner_sticks_out() -> None:
    walls = rows(box(0, 0, 4, 3))
    assert set(walls) == {(0, 0, 0, 3), (0, 3, 4, 3), (4, 3, 4, 0), (4, 0, 0, 0)}
    left = walls[0, 0, 0, 3]
    assert left[4:10].tolist() == [0, 1, -1, 0, 1, 0]  # up, from the floor, to the ceiling
    assert all(wall[10:].tolist() == [0, 0] for wall in walls.values())


def test_a_pillar_goes_round_the_other_way_and_all_its_corners_stick_out() -> None:
    walls = rows(np.concatenate([box(0, 0, 9, 9), box(4, 4, 5, 6)]))
    pillar = [wall for ends, wall in walls.items() if ends[0] in (4, 5)]
    assert (4, 4, 5, 4) in walls and len(pillar) == 4
    assert all(wall[10:].tolist() == [1, 1] for wall in pillar)


@pytest.mark.parametrize("seed", range(3))
def test_order_and_direction_of_the_segments_do_not_matter(seed: int) -> None:
    rng = np.random.default_rng(seed)
    segments = shipped_floorplan("DoubleHotel").walls
    shuffled = rng.permutation(segments)
    turned = rng.random(len(shuffled)) < 0.5
    shuffled[turned] = shuffled[turned][:, ::-1]
    expected, found = rows(segments), rows(shuffled)
    assert expected.keys() == found.keys()
    assert all(np.allclose(expected[ends], found[ends]) for ends in expected)


@pytest.mark.parametrize("name", shipped_maps())
def test_shipped_walls_have_free_space_on_their_right_and_a_wall_at_each_end(name: str) -> None:
    segments = shipped_floorplan(name).walls
    walls = wall_loops(segments, 1.0).walls
    assert len(walls) == len(segments)
    for ax, ay, bx, by, ux, uy, *_ in walls:
        x, y = (ax + bx) / 2, (ay + by) / 2
        assert is_inside(x + 1e-3 * uy, y - 1e-3 * ux, segments)
        assert not is_inside(x - 1e-3 * uy, y + 1e-3 * ux, segments)
    ends = {tuple(wall[2:4]): tuple(wall[8:10]) for wall in walls}
    for wall in walls:
        assert ends[tuple(wall[0:2])] == tuple(wall[4:6])  # what is after the one before it


def test_free_cells_that_touch_at_a_corner_are_two_rooms() -> None:
    walls = rows(traced_walls(np.array([[True, False], [False, True]]), 1.0, (0.0, 0.0)))
    assert len(walls) == 8  # the long walls through the middle are cut there
    assert all(wall[10:].tolist() == [0, 0] for wall in walls.values())
    assert walls[1, 1, 1, 0][6:8].tolist() == [1, 0]  # along the lower room's ceiling


def test_walls_that_cross_are_cut_where_they_do() -> None:
    bars = np.concatenate([box(0, 0, 9, 9), box(3, 4, 6, 5), box(4, 3, 5, 6)])
    walls = rows(bars)
    assert (4, 3, 5, 3) in walls  # an end of the bars
    assert (4, 4, 4, 3) in walls or (4, 3, 4, 4) in walls


def test_a_wall_between_two_free_sides_is_seen_from_both() -> None:
    thin = np.array([[[2.0, 2.0], [2.0, 6.0]]])
    walls = rows(np.concatenate([box(0, 0, 9, 9), thin, thin]))  # twice: it divides nothing
    there, back = walls[2, 2, 2, 6], walls[2, 6, 2, 2]
    assert there[4:10].tolist() == [0, 1, 0, -1, 0, -1]
    assert back[4:10].tolist() == [0, -1, 0, 1, 0, 1]
    assert there[10:].tolist() == back[10:].tolist() == [1, 1]


def test_loose_ends_and_walls_of_no_length_do_no_harm() -> None:
    loose = np.array([[[4.0, 4.0], [6.0, 4.0]], [[5.0, 5.0], [5.0, 5.0]]])
    walls = wall_loops(np.concatenate([box(0, 0, 9, 9), loose]), 1.0).walls
    assert np.isfinite(walls).all()
    assert len(directed_pieces(np.empty((0, 2, 2)))) == 0


def test_lists_hold_every_wall_in_sight_within_reach() -> None:
    loops = wall_loops(shipped_floorplan("DoubleHotel").walls, 4.0)
    rng = np.random.default_rng(1)
    for x, y in rng.uniform(-8, 32, (400, 2)).tolist():
        cell = cell_at(x, y, loops.grid)
        listed = set(loops.listed[loops.starts[cell] : loops.starts[cell + 1]].tolist())
        distances = [seen_distance(x, y, loops.walls, k)[0] for k in range(len(loops.walls))]
        assert {k for k, distance in enumerate(distances) if distance < 16.0} <= listed
    everything = loops.listed[loops.starts[-2] : loops.starts[-1]].tolist()
    assert everything == list(range(len(loops.walls)))


def test_distances_are_those_of_the_segment_and_only_from_its_free_side() -> None:
    wall = np.array([[1.0, 1.0, 4.0, 1.0, 1.0, 0.0, 0, 0, 0, 0, 1, 1]])
    for x, y in np.random.default_rng(2).uniform(-2, 6, (50, 2)).tolist():
        distance, aside = seen_distance(x, y, wall, 0)
        if y < 1.0:
            assert math.sqrt(distance) == pytest.approx(
                segment_distance(x, y, wall[0, :4].reshape(2, 2))
            )
            assert math.sqrt(aside) == pytest.approx(1.0 - y)
        else:
            assert distance == aside == math.inf


def test_in_single_precision_walls_are_the_same_but_for_rounding() -> None:
    loops = wall_loops(shipped_floorplan("DoubleHotel").walls, 4.0)
    single = in_single_precision(loops)
    assert np.array_equal(single.walls, loops.walls.astype(np.float32))
    assert single.corner.tolist() == [0, 0] and np.array_equal(single.grid, loops.grid)
    assert len(in_single_precision(wall_loops(np.empty((0, 2, 2)), 1.0)).walls) == 0


def test_in_single_precision_far_walls_are_counted_from_nearby() -> None:
    walls = shipped_floorplan("DoubleHotel").walls
    away = np.array([4e5, -7e6])
    near, far = (in_single_precision(wall_loops(w, 4.0)) for w in (walls, walls + away))
    shift = np.tile(far.corner - away, 2)
    assert far.walls[:, :4] + shift == pytest.approx(near.walls[:, :4], abs=2e-5)
    assert far.walls[:, 4:] == pytest.approx(near.walls[:, 4:], abs=1e-6)
    spot = walls.mean(axis=(0, 1))
    there = spot + away - far.corner
    assert cell_at(*there, far.grid) == cell_at(*spot, near.grid)
