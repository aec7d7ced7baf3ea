"""How tall each person is, from when both feet and head were seen; else as people are."""

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from paseo.pipeline.locating.doubts import Doubts
from paseo.pipeline.locating.sightings import Sightings
from paseo.world.arrays import BoolArray, FloatArray, IntArray

FLATTEST = 0.02  # radians below the horizon; feet above that say little
ODD = 3.0  # deviations by which a height may differ from the person's median
SHORTEST, TALLEST = 0.8, 2.6  # metres; what seems to be neither is no body
# What heights are learnt with: the camera's pitch, focal length and height, and the person's steps.
LEARNT = ("pitch", "focal", "camera_height", "gait")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Bodies:
    """How tall somebody is taken to be in each row."""

    heights: FloatArray  # (rows,)
    variances: FloatArray  # (rows,), beside what these errors do
    slopes: FloatArray  # (rows, 4), how heights change with each of `LEARNT`


class Angles(Protocol):
    """Directions of feet and head, and how they change."""

    @property
    def foot(self) -> FloatArray:
        """Below the horizon and to the left, (rows, 2)."""

    @property
    def head(self) -> FloatArray:
        """Likewise."""

    @property
    def foot_slopes(self) -> FloatArray:
        """With u, v, pitch and focal length, (rows, 2, 4)."""

    @property
    def head_slopes(self) -> FloatArray:
        """Likewise."""


def body_heights(rows: Sightings, eye: FloatArray, angles: Angles, doubts: Doubts) -> Bodies:
    """Heights, each learnt from the person's other rows and from how tall people are.

    A camera that looks too low makes people who are far too tall: what its errors do to a height
    is told apart (`slopes`), for they do the same to the distance by feet; so do long steps.
    """
    heights, noise, slopes = apparent_heights(rows, eye, angles, doubts)
    shared = np.square([getattr(doubts, name) for name in LEARNT])
    _, person = np.unique(rows.people, return_inverse=True)
    total = noise + np.square(slopes) @ shared + doubts.posture**2
    whole = _agreeing(heights, total, person)
    trust = np.where(whole, 1 / np.where(whole, total, 1.0), 0.0)

    def others(values: FloatArray) -> FloatArray:
        """The sum over all other rows of the same person."""
        own = np.where(whole, values, 0.0)
        sums: FloatArray = np.bincount(person, own).astype(float)
        return sums[person] - own

    count = others(trust)
    known = count > 1e-9
    scale = np.where(known, count, 1.0)
    learnt = others(trust * np.nan_to_num(heights)) / scale
    mean_slopes = np.column_stack(
        [others(trust * np.nan_to_num(each)) / scale for each in slopes.T]
    )
    spread = others(trust**2 * np.nan_to_num(noise)) / scale**2 + doubts.posture**2
    prior = doubts.body_height_sd**2
    share = np.where(known, prior / (prior + spread + np.square(mean_slopes) @ shared), 0.0)
    return Bodies(
        heights=np.where(known, share * learnt, 0.0) + (1 - share) * doubts.body_height,
        variances=share**2 * spread + (1 - share) ** 2 * prior,
        slopes=share[:, None] * mean_slopes,
    )


def _agreeing(heights: FloatArray, variances: FloatArray, person: IntArray) -> BoolArray:
    """Which heights are near the median of their person's: in others a head or feet are hidden.

    Nothing tells of a wall before somebody's feet, and one such height, from near, would outweigh
    all others.
    """
    told = np.isfinite(heights)
    rows = np.flatnonzero(told)
    if not len(rows):
        return told
    rows = rows[np.lexsort((heights[rows], person[rows]))]
    counts = np.bincount(person[rows], minlength=int(person.max()) + 1)
    ends = np.cumsum(counts)
    low, high = (np.clip(ends - counts + (counts - k) // 2, 0, len(rows) - 1) for k in (1, 0))
    middle = (heights[rows[low]] + heights[rows[high]]) / 2  # by person
    with np.errstate(invalid="ignore"):
        found: BoolArray = told & (np.square(heights - middle[person]) < ODD**2 * variances)
    return found


def apparent_heights(
    rows: Sightings, eye: FloatArray, angles: Angles, doubts: Doubts
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """How tall people seem by feet and head, the variance of that, and its slopes, (rows, 4).

    NaN where feet or head are not seen. Slopes are with each of `LEARNT`; the
    variance is what boxes, steps and a rocking robot do.
    """
    low, high = angles.foot[:, 0], angles.head[:, 0]
    usable = rows.feet & rows.head & (low > FLATTEST)
    low, high = np.where(usable, low, 1.0), np.where(usable, high, 0.0)
    away = eye / np.tan(low) + doubts.step
    up = np.tan(-high)
    heights = eye + away * up
    usable &= (heights > SHORTEST) & (heights < TALLEST)
    per_low, per_high = -up * eye / np.sin(low) ** 2, -away / np.cos(high) ** 2
    feet, head = angles.foot_slopes[:, 0], angles.head_slopes[:, 0]
    box_px = doubts.box_px * np.sqrt(rows.alike(doubts.slipping))
    by_pitch = per_low * feet[:, 2] + per_high * head[:, 2]
    noise = (
        np.square(per_low * feet[:, 1] * box_px)
        + np.square(per_high * head[:, 1] * box_px)
        + np.square(by_pitch * doubts.rocking)
        + np.square(up * doubts.step_sd)
        + np.square(doubts.bending)
    )
    by_focal = per_low * feet[:, 3] + per_high * head[:, 3]
    slopes = np.column_stack([by_pitch, by_focal, 1 + up / np.tan(low), up])
    return (
        np.where(usable, heights, np.nan),
        np.where(usable, noise, np.nan),
        np.where(usable[:, None], slopes, np.nan),
    )
