"""Made-up crowds whose pace is known: corridors of people who walk as textbooks say they do."""

import re

import numpy as np
import pytest

from paseo.crowd_check.findings import Finding
from paseo.world.arrays import FloatArray
from paseo.world.space.floorplan import FloorPlan, floor_plan
from paseo.world.tracks import Recording, Track

FREE_SPEED, SPREAD = 1.34, 0.26  # m/s; Weidmann 1993, Transporttechnik der Fussgaenger
TRANSFORM = re.compile(r"transform=([-\d.,e]*\d)")
ABREAST = 0.65  # metres between two who walk together


def corridor_crowd(people: int = 60, *, seed: int = 1, fps: float = 10.0) -> Recording:
    """Pairs who walk 20 m along x, both ways, on a floor of 20 m by 6 m with its corner at 0."""
    rng = np.random.default_rng(seed)
    tracks = []
    for pair in range(people // 2):
        speed = float(np.clip(rng.normal(FREE_SPEED, SPREAD), 0.5, 2.1))
        first = round(pair * 3.0 * fps)
        frames = np.arange(first, first + int(19.0 / speed * fps))
        along = 0.5 + (frames - first) / fps * speed
        x = along if pair % 2 else 20.0 - along
        y = rng.uniform(0.5, 4.8)
        for k in (0, 1):
            positions = np.stack([x, np.full_like(x, y + k * ABREAST)], axis=1)
            tracks.append(Track(2 * pair + k + 1, frames / fps, positions))
    return Recording(name="corridor", fps=fps, tracks=tuple(tracks))


def transform_in(finding: Finding) -> FloatArray:
    """The affine that a finding says to apply, (2, 3); its words say the same."""
    (remedy,) = finding.remedies
    assert remedy.parameter == "transform"
    (numbers,) = TRANSFORM.findall(finding.fix)
    told = np.array(numbers.split(","), float).reshape(2, 3)
    assert told == pytest.approx(np.array(remedy.values[0]), abs=1e-9)
    return told


def corridor_plan() -> FloorPlan:
    """The floor of that crowd."""
    corners = [(0, 0), (20, 0), (20, 6), (0, 6)]
    loop = [(*a, *b) for a, b in zip(corners, [*corners[1:], corners[0]], strict=True)]
    return floor_plan("corridor", np.array(loop, float).reshape(-1, 2, 2))
