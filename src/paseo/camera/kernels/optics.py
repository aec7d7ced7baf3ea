"""A camera as kernels need it."""

from typing import Any

import numpy as np

from paseo.camera.kernels import wp
from paseo.camera.kernels.layout import Optics
from paseo.camera.lens.projection import pixel_rays
from paseo.world.arrays import FloatArray, IntArray
from paseo.world.cameras import Camera, View

BINS = 8  # of a look-up table, for each pixel
SLACK = 1e-6  # what rounding to single precision may move a ray


def optics_of(camera: Camera, device: str) -> Any:
    """The rays of a camera that stands nowhere yet."""
    rays = pixel_rays(camera)
    table: Any = Optics()
    table.width, table.height = camera.width_px, camera.height_px
    table.near, table.far = camera.near, camera.far
    table.pixel = wp.vec2(1 / camera.fx, 1 / camera.fy)
    table.straight = int(not any(camera.distortion))
    table.rays = wp.array(rays.reshape(-1, 2).astype(np.float32), dtype=wp.vec2, device=device)
    first_column, last_column, columns = _reach(rays[:, :, 0].T)
    first_row, last_row, rows = _reach(rays[:, :, 1])
    for name, places in {
        "first_column": first_column,
        "last_column": last_column,
        "first_row": first_row,
        "last_row": last_row,
    }.items():
        setattr(table, name, wp.array(places.astype(np.int32), dtype=int, device=device))
    (low_x, high_x, bins_x), (low_y, high_y, bins_y) = columns, rows
    table.low, table.high = wp.vec2(low_x, low_y), wp.vec2(high_x, high_y)
    table.bins = wp.vec2(bins_x, bins_y)
    return table


def standing(lens: Any, view: View) -> Any:
    """The same camera somewhere; another table, as others may look through the same lens."""
    kind: Any = Optics
    table = kind()
    for name in kind.vars:
        setattr(table, name, getattr(lens, name))
    table.position = wp.vec3(*view.position)
    table.rotation = wp.mat33(*view.rotation.ravel())
    return table


def _reach(
    rays: FloatArray,
) -> tuple[IntArray, IntArray, tuple[float, float, float]]:
    """The first and last of the lines of pixels that may meet what begins or ends in each bin.

    Takes one coordinate of all rays, (lines, pixels). Also returns the least and the greatest
    value, and how many bins there are for each unit between them.
    """
    with np.errstate(all="ignore"):
        least = np.where(np.isnan(rays), np.inf, rays).min(axis=1) - SLACK
        greatest = np.where(np.isnan(rays), -np.inf, rays).max(axis=1) + SLACK
    low, high = float(least.min()), float(greatest.max())
    count = len(rays) * BINS
    scale = count / (high - low) * (1 - 1e-6)  # the highest value is still in the last bin
    edges = low + np.arange(count + 2) / scale
    begun = np.maximum.accumulate(greatest)
    ended = np.minimum.accumulate(least[::-1])[::-1]
    first = np.searchsorted(begun, edges[:-1] - SLACK, side="left")
    last = np.searchsorted(ended, edges[1:] + SLACK, side="right") - 1
    return first, last, (low, high, scale)
