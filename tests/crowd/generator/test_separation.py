import numpy as np
import pytest

from paseo.crowd.generator.separation import NEAREST, WALL_ROOM, kept_apart
from paseo.world.arrays import FloatArray
from worlds import ROOM


def placed(
    before: FloatArray, after: FloatArray, standing: tuple[int, ...] = (), furthest: float = 0.25
) -> FloatArray:
    stands = np.isin(np.arange(len(before)), standing)
    return kept_apart(
        before, after, stands, furthest, ROOM.distance, *ROOM.origin, ROOM.cell_size
    )  # fmt: skip


def test_people_with_room_end_where_they_wanted() -> None:
    before = np.array([[2.0, 2.0], [4.0, 4.0]])
    after = before + 0.1
    assert np.array_equal(placed(before, after), after)


def test_two_who_meet_make_room_equally() -> None:
    before = np.array([[4.7, 5.0], [5.3, 5.0]])
    after = np.array([[4.9, 5.0], [5.1, 5.0]])
    ended = placed(before, after)
    assert ended[1, 0] - ended[0, 0] == pytest.approx(NEAREST, abs=1e-3)
    assert ended.mean() == pytest.approx(5.0)


def test_who_stands_makes_no_room_for_a_walker() -> None:
    before = np.array([[4.7, 5.0], [5.1, 5.0]])
    after = np.array([[4.9, 5.0], [5.1, 5.0]])
    ended = placed(before, after, standing=(1,))
    assert ended[1].tolist() == [5.1, 5.0]
    assert ended[0, 0] == pytest.approx(5.1 - NEAREST, abs=1e-3)


def test_nobody_ends_in_a_wall_or_too_far() -> None:
    before = np.array([[0.2, 5.0], [9.0, 9.0]])
    after = np.array([[-0.1, 5.0], [9.0, 11.0]])
    ended = placed(before, after)
    assert ended[0, 0] >= WALL_ROOM - 0.01
    assert np.hypot(*(ended - before).T).max() <= 0.25 + 1e-9


def test_people_in_the_same_spot_part() -> None:
    spot = np.full((2, 2), 5.0)
    ended = placed(spot, spot.copy())
    assert np.hypot(*(ended[1] - ended[0])) == pytest.approx(NEAREST, abs=1e-3)


def test_a_dense_crowd_is_parted_everywhere() -> None:
    rng = np.random.default_rng(3)
    grid = np.stack(np.meshgrid(np.arange(8), np.arange(8)), axis=-1).reshape(-1, 2) * 0.45 + 3.0
    ended = placed(grid, grid + rng.uniform(-0.1, 0.1, grid.shape))
    gaps = np.hypot(*(ended[:, None] - ended[None]).transpose(2, 0, 1))
    np.fill_diagonal(gaps, np.inf)
    assert gaps.min() > NEAREST - 0.01
