"""Tracks as short text: packed numbers for the player, paths for pictures."""

import base64
from collections.abc import Sequence

import numpy as np
import shapely

from paseo.world.arrays import FloatArray, IntArray

PER_UNIT = 100  # metres become centimetres, radians hundredths of a radian
SHIFTS = np.arange(0, 63, 7)  # of the groups of seven bits in a number


def packed(parts: Sequence[IntArray]) -> str:
    """Numbers one after the other as base64; small ones, of either sign, take one byte each.

    The sign goes to the lowest bit, then seven bits to a byte, lowest first; the highest bit of
    a byte says that another follows.
    """
    values = np.concatenate([np.empty(0, np.int64), *parts])
    unsigned = (values << 1) ^ (values >> 63)
    groups = (unsigned[:, None] >> SHIFTS) & 0x7F  # (values, groups)
    beyond = (unsigned[:, None] >> SHIFTS[1:]) > 0  # whether anything is left after a group
    more = np.pad(beyond, ((0, 0), (0, 1)))
    kept = np.pad(beyond, ((0, 0), (1, 0)), constant_values=True)
    content = (groups | (more << 7)).astype(np.uint8)[kept]
    return base64.b64encode(content.tobytes()).decode()


def curve(values: FloatArray) -> IntArray:
    """A smooth sequence in hundredths: the first, the first step, then how the steps change."""
    hundredths = np.round(values * PER_UNIT).astype(np.int64)
    bent: IntArray = np.diff(hundredths, n=2, prepend=np.zeros(2, np.int64))
    return bent


def way_path(points: FloatArray, *, roughly: float) -> str:
    """The way through points (points, 2), which may differ by so many metres; none of one point."""
    if len(points) < 2:
        return ""
    simple = shapely.simplify(shapely.linestrings(points), roughly)
    return path(shapely.get_coordinates(simple))


def path(points: FloatArray) -> str:
    """A line through points (points, 2) in whole centimetres, each from the one before."""
    whole = np.round(points * 100).astype(np.int64)
    first, steps = whole[0], np.diff(whole, axis=0)
    return f"M{_pair(*first.tolist())}l" + " ".join(_pair(*step) for step in steps.tolist())


def _pair(x: int, y: int) -> str:
    return f"{x} {y}" if y >= 0 else f"{x}{y}"
