"""The floor plan as pixels: free space bright, walls and what lies behind them filled."""

import numpy as np

from paseo.render.raster.palette import Theme
from paseo.render.raster.strokes import Frame, lines, paint
from paseo.render.raster.viewport import Viewport
from paseo.world.space.floorplan import FloorPlan
from paseo.world.space.geometry import inside_grid

FINER = 4  # samples along each side of a pixel


def ground(plan: FloorPlan | None, view: Viewport, theme: Theme, width: float) -> Frame:
    """The map from above, walls `width` pixels wide; all floor where no map is known."""
    if plan is None:
        return np.full((view.height, view.width, 3), theme.floor, np.uint8)
    cell = 1.0 / view.scale / FINER
    rows, columns = view.height * FINER, view.width * FINER
    walls = plan.walls.astype(np.float64)
    free = inside_grid(walls, view.box.x0, view.box.y0, cell, rows, columns)[::-1]
    blocks = free.reshape(view.height, FINER, view.width, FINER)
    share = blocks.mean(axis=(1, 3), dtype=np.float32)[:, :, None]
    solid, floor = np.array(theme.solid, np.float32), np.array(theme.floor, np.float32)
    frame: Frame = (solid + (floor - solid) * share + 0.5).astype(np.uint8)
    ends = view.pixels(walls)
    paint(frame, lines(ends[:, 0], ends[:, 1], width, theme.edge))
    return frame
