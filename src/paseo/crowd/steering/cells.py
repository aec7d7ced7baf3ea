"""People sorted into square cells, so that neighbours are found without asking everybody."""

import math

import numpy as np

from paseo.compiled import RealArray, compiled
from paseo.world.arrays import IntArray

MOST_CELLS = 1 << 16  # of very scattered people the cells are made larger instead


@compiled
def cells_of(
    positions: RealArray, reach: float
) -> tuple[IntArray, IntArray, int, int, float, float, float]:
    """People in order of their cell, and where each cell begins in that order.

    Everybody within `reach` of a person is in that person's cell or one of the eight around it.
    Cell `row * columns + column` holds order[starts[cell]:starts[cell + 1]]; then follow columns,
    rows, the lower left corner and the side of a cell.
    """
    people = positions.shape[0]
    x0 = y0 = math.inf
    x1 = y1 = -math.inf
    for person in range(people):
        x0, x1 = min(x0, positions[person, 0]), max(x1, positions[person, 0])
        y0, y1 = min(y0, positions[person, 1]), max(y1, positions[person, 1])
    if people == 0:
        x0 = x1 = y0 = y1 = 0.0
    side = max(reach, 1e-6)
    while ((x1 - x0) / side + 1.0) * ((y1 - y0) / side + 1.0) > MOST_CELLS:
        side *= 2.0
    columns, rows = int((x1 - x0) / side) + 1, int((y1 - y0) / side) + 1
    starts = np.zeros(columns * rows + 1, np.int64)
    cells = np.empty(people, np.int64)
    for person in range(people):
        column = int((positions[person, 0] - x0) / side)
        row = int((positions[person, 1] - y0) / side)
        cells[person] = row * columns + column
        starts[cells[person] + 1] += 1
    for cell in range(columns * rows):
        starts[cell + 1] += starts[cell]
    filled = starts[:-1].copy()
    order = np.empty(people, np.int64)
    for person in range(people):
        order[filled[cells[person]]] = person
        filled[cells[person]] += 1
    return order, starts, columns, rows, x0, y0, side
