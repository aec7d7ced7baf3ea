"""Sightings: where robot, goal and people of a scene are, whichever way that was found out."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from paseo.world.arrays import FloatArray
from paseo.world.scenes import Scene

# A parabola through this many frames smooths a reading error of a pixel or two, and still bends
# with a robot that turns.
SMOOTHED_FRAMES = 7
# Slower than this, metres per second, the direction of motion is mostly noise.
STANDING = 0.15


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Sighting:
    """Metres in the robot's first frame, x forward, y left; NaN where something was not seen."""

    robot: FloatArray  # (frames, 3), x, y, heading
    goal: FloatArray  # (2,)
    people: Mapping[int, FloatArray] = field(default_factory=dict)  # by number, (frames, 2) each
    problem: str = ""  # what could not be found, in words; empty where nothing is missing


def sighting_from_scene(scene: Scene) -> Sighting:
    """What the scene's own tracks say."""
    return Sighting(
        robot=scene.robot,
        goal=np.array(scene.goal),
        people={person.number: person.positions for person in scene.people},
    )


def headings_of_motion(positions: FloatArray, period: float) -> FloatArray:
    """Headings (frames,) of a robot known by its positions (frames, 2) alone, NaN where unseen.

    In its first frame a robot looks along x by definition. From there on it looks where it goes;
    while it stands it looks where it went last, so a turn on the spot stays unseen.
    """
    frames = np.arange(len(positions))
    seen = frames[~np.isnan(positions[:, 0])]
    headings = np.zeros(len(positions))
    for frame in frames[1:]:
        headings[frame] = headings[frame - 1]
        near = seen[np.argsort(np.abs(seen - frame), kind="stable")[:SMOOTHED_FRAMES]]
        if len(near) < 3:
            continue
        velocity = np.polyfit((near - frame) * period, positions[near], 2)[1]
        # A parabola through a stop runs backwards: what was last walked decides whether it counts.
        step = _last_step(positions, seen[seen <= frame], period)
        if np.hypot(*step) >= STANDING and step @ velocity > 0:
            headings[frame] = np.arctan2(velocity[1], velocity[0])
    return headings


def _last_step(positions: FloatArray, seen: NDArray[np.intp], period: float) -> FloatArray:
    """The velocity between the last two frames seen; none with fewer."""
    if len(seen) < 2:
        return np.zeros(2)
    before, now = seen[-2:]
    return np.asarray((positions[now] - positions[before]) / ((now - before) * period))
