"""Who stands with whom: people who stand together face each other."""

import numpy as np

from paseo.camera.gait.steps.paths import Span
from paseo.camera.gait.steps.stepping import STOP, TICK
from paseo.world.arrays import BoolArray, FloatArray

NEAR = 1.8  # metres within which people who stand are together
EVERY = 8  # ticks between two looks around


def gazes_of(spans: list[Span]) -> list[FloatArray]:
    """Where each would face at each tick if they stand, in radians; NaN with nobody near."""
    gazes = [np.full(len(span.path), np.nan) for span in spans]
    last = max((span.first + len(span.path) for span in spans), default=0)
    first = min((span.first for span in spans), default=0)
    standing = [standing_ticks(span.path) for span in spans]
    for tick in range(first, last, EVERY):
        here = [
            index
            for index, span in enumerate(spans)
            if 0 <= tick - span.first < len(span.path) and standing[index][tick - span.first]
        ]
        if len(here) > 1:
            places = np.array([spans[k].path[tick - spans[k].first] for k in here])
            for index, gaze in zip(here, gazes_at(places), strict=True):
                start = tick - spans[index].first
                gazes[index][start : start + EVERY] = gaze
    return gazes


def standing_ticks(path: FloatArray) -> BoolArray:
    """Whether a person stands, at each tick."""
    speeds = np.hypot(*np.gradient(path, TICK, axis=0).T)
    return np.asarray(speeds < STOP)


def gazes_at(places: FloatArray) -> FloatArray:
    """Where each of those who stand at these places, (people, 2), would face, (people,)."""
    offs = places[None] - places[:, None]  # (people, people, 2)
    apart = np.hypot(offs[..., 0], offs[..., 1])
    together = (apart < NEAR) & (apart > 1e-6)
    middle = (offs * together[..., None]).sum(axis=1)
    gazes = np.arctan2(middle[:, 1], middle[:, 0])
    clear = np.hypot(middle[:, 0], middle[:, 1]) > 0.05
    return np.where(together.any(axis=1) & clear, gazes, np.nan)
