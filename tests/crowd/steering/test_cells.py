import numpy as np
import pytest

from paseo.crowd.steering.cells import MOST_CELLS, cells_of


def neighbours(positions: np.ndarray, reach: float) -> list[set[int]]:
    """Who is within reach of whom, by looking into nine cells each."""
    order, starts, columns, rows, x0, y0, side = cells_of(positions, reach)
    found = []
    for person, (x, y) in enumerate(positions):
        column, row = int((x - x0) / side), int((y - y0) / side)
        near: set[int] = set()
        for r in range(max(row - 1, 0), min(row + 2, rows)):
            for c in range(max(column - 1, 0), min(column + 2, columns)):
                near.update(order[starts[r * columns + c] : starts[r * columns + c + 1]].tolist())
        distances = np.hypot(*(positions[sorted(near)] - (x, y)).T)
        found.append({k for k, d in zip(sorted(near), distances, strict=True) if d <= reach})
        assert person in found[-1]
    return found


@pytest.mark.parametrize("reach", [0.3, 1.0, 7.0, 1000.0])
@pytest.mark.parametrize("scale", [1.0, 30.0, 1e7])
def test_nine_cells_hold_everybody_within_reach(reach: float, scale: float) -> None:
    positions = np.random.default_rng(4).uniform(-scale, scale, (150, 2))
    positions[0] = positions[1]  # in the same spot
    distances = np.hypot(*(positions[:, None] - positions[None]).transpose(2, 0, 1))
    expected = [set(np.nonzero(row <= reach)[0].tolist()) for row in distances]
    assert neighbours(positions, reach) == expected


def test_everybody_is_in_exactly_one_cell() -> None:
    positions = np.random.default_rng(5).normal(0, 9, (500, 2))
    order, starts, columns, rows, *_ = cells_of(positions, 2.0)
    assert sorted(order.tolist()) == list(range(500))
    assert len(starts) == columns * rows + 1
    assert (starts[0], starts[-1]) == (0, 500)


def test_nobody_and_people_at_the_ends_of_the_world_need_few_cells() -> None:
    assert cells_of(np.empty((0, 2)), 1.0)[2:4] == (1, 1)
    _, starts, *_ = cells_of(np.array([[-1e9, -1e9], [1e9, 1e9]]), 0.1)
    assert len(starts) <= MOST_CELLS + 1
