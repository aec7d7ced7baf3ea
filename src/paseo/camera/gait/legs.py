"""The height of the pelvis, and thighs and shanks that bring each foot where it belongs."""

import numpy as np

from paseo.camera.gait.clips import Clip, at_phases
from paseo.camera.gait.feet import Feet
from paseo.camera.gait.idling import Idling
from paseo.camera.gait.rig import Legs
from paseo.camera.gait.turns import cross, frame, from_rest, rotated, unit
from paseo.camera.gait.walks import Walks
from paseo.world.arrays import FloatArray

STRAIGHT = np.radians(4.0)  # knees bend at least so far
EASY = np.radians(7.0)  # and standing so far
# Sideways motion of the pelvis, to each side: Orendurff et al. 2004, J. Rehabil. Res. Dev. 41(6),
# as in `data.recordings.gait`; leftmost in the middle of the left foot's stance.
SWAY_SPEEDS, SWAY, MIDSTANCE = (0.7, 1.6), (0.035, 0.019), 0.31
YIELD_SPEEDS, YIELD = (0.4, 1.3), (0.4, 1.0)  # m/s, and how much of the curves' knees in stance
SHIFT = 0.03  # of a leg: how far a standing person's pelvis goes with the weight
SOFT = 0.005  # metres within which the pelvis gives way before a leg is stretched


def pelvis_of(
    walks: Walks, at_rest: FloatArray, turn: FloatArray, legs: Legs, feet: Feet, clip: Clip, idling: Idling
) -> FloatArray:
    """Where the pelvis joint is, (people, 3): above its place, as high as the legs carry it."""
    aside = sideways(walks, legs, idling)
    cosine, sine = np.cos(walks.facings), np.sin(walks.facings)
    x = walks.positions[:, 0] - sine * aside
    y = walks.positions[:, 1] + cosine * aside
    hips = rotated(turn[:, None], legs.hip - at_rest[:, None])  # from the pelvis, (people, 2, 3)
    across = np.stack([x, y], axis=-1)[:, None] + hips[..., :2] - feet.ankles[..., :2]
    apart = (across**2).sum(axis=-1)
    bent = np.maximum(at_phases(clip.knee, feet.phases), STRAIGHT)
    much = (walks.paces * np.interp(walks.speeds, YIELD_SPEEDS, YIELD))[:, None]
    carried = above(feet, legs, much * bent + (1.0 - much) * EASY, apart) - hips[..., 2]
    highest = above(feet, legs, np.full_like(bent, STRAIGHT), apart) - hips[..., 2]
    wanted = (feet.loads * carried).sum(axis=1)
    limit = highest.min(axis=1)
    over = (wanted - limit) / SOFT
    z = limit + SOFT * (over - np.logaddexp(0.0, over))
    return np.stack([x, y, z], axis=-1)


def sideways(walks: Walks, legs: Legs, idling: Idling) -> FloatArray:
    """How far to the left of its place the pelvis is, (people,)."""
    size = legs.hip[:, 0, 2] / 0.9
    sway = size * walks.paces * np.interp(walks.speeds, SWAY_SPEEDS, SWAY)
    walking = sway * np.cos(2.0 * np.pi * (walks.phases - MIDSTANCE))
    return np.asarray(walking + SHIFT * legs.hip[:, 0, 2] * idling.shift)


def above(feet: Feet, legs: Legs, knees: FloatArray, apart: FloatArray) -> FloatArray:
    """The height of hips over ankles with knees so bent, that far apart (squared), (people, 2)."""
    square = legs.thigh**2 + legs.shank**2 + 2.0 * legs.thigh * legs.shank * np.cos(knees)
    return np.asarray(feet.ankles[..., 2] + np.sqrt(np.maximum(square - apart, 0.25 * square)))


def leg_turns(
    walks: Walks, hips: FloatArray, legs: Legs, feet: Feet
) -> tuple[FloatArray, FloatArray]:
    """Rotations of thighs and shanks, each (people, 2, 3, 3), that bring ankles to the feet's.

    Knees point between where the body faces and where the foot does.
    """
    reach = feet.ankles - hips
    far = np.sqrt((reach**2).sum(axis=-1))
    longest = np.sqrt(
        legs.thigh**2 + legs.shank**2 + 2.0 * legs.thigh * legs.shank * np.cos(STRAIGHT / 2.0)
    )
    length = np.clip(far, np.abs(legs.thigh - legs.shank) + 0.05, longest)
    at_hip = angle_between(legs.thigh, length, legs.shank)
    at_ankle = angle_between(legs.shank, length, legs.thigh)
    twist = feet.headings - walks.facings[:, None]
    twist -= 2.0 * np.pi * np.round(twist / (2.0 * np.pi))
    yaw = walks.facings[:, None] + 0.5 * twist
    left = np.stack([-np.sin(yaw), np.cos(yaw), np.zeros_like(yaw)], axis=-1)
    down = unit(reach)
    axes = frame(down, left)
    hinge = axes[..., 1]
    forward = cross(down, hinge)
    thigh = np.cos(at_hip)[..., None] * down + np.sin(at_hip)[..., None] * forward
    shank = np.cos(at_ankle)[..., None] * down - np.sin(at_ankle)[..., None] * forward
    return (
        from_rest(frame(thigh, hinge), legs.thigh_frame),
        from_rest(frame(shank, hinge), legs.shank_frame),
    )


def angle_between(one: FloatArray, other: FloatArray, opposite: FloatArray) -> FloatArray:
    """The angle of a triangle between two of its sides."""
    cosine = (one**2 + other**2 - opposite**2) / (2.0 * one * other)
    return np.asarray(np.arccos(np.clip(cosine, -1.0, 1.0)))
