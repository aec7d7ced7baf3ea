"""Whole numbers as short text: what a web page needs to know of tracks."""

import base64
from collections.abc import Sequence

import numpy as np

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
