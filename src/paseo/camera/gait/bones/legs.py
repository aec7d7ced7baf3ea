"""The height of the pelvis, and thighs and shanks that bring each foot where it belongs."""

from dataclasses import dataclass

import numpy as np

from paseo.camera.gait.bones.clips import Clip, at_phases
from paseo.camera.gait.bones.feet import Feet
from paseo.camera.gait.bones.idling import Idling
from paseo.camera.gait.bones.rig import Legs
from paseo.camera.gait.bones.turns import cross, frame, from_rest, unit
from paseo.camera.gait.steps.walks import Walks
from paseo.world.arrays import FloatArray

STRAIGHT = np.radians(4.0)  # knees bend at least so far
EASY = np.radians(7.0)  # and standing so far
RAISES = np.radians(12.0)  # where one behind would be straighter, its heel rises more
MOST_RAISED = np.radians(75.0)  # of a sole against the floor
# Sideways motion of the pelvis, to each side: Orendurff et al. 2004, J. Rehabil. Res. Dev. 41(6),
# as in `data.recordings.gait`; leftmost in the middle of the left foot's stance.
SWAY_SPEEDS, SWAY, MIDSTANCE = (0.7, 1.6), (0.035, 0.019), 0.31
YIELD_SPEEDS, YIELD = (0.4, 1.3), (0.4, 1.0)  # m/s, and how much of the curves' knees in stance
SHIFT = 0.03  # of a leg: how far a standing person's pelvis goes with the weight
SOFT = 0.005  # metres within which the pelvis gives way before a leg is stretched


@dataclass(frozen=True, slots=True, eq=False)
class Carried:
    """The pelvis where its legs would like it, and how far they let it rise."""

    place: FloatArray  # (people, 2) on the floor plan
    hips: FloatArray  # (people, 2, 3) from the pelvis
    wanted: FloatArray  # (people,) height
    highest: FloatArray  # (people,) height


def carried(
    walks: Walks, hips: FloatArray, legs: Legs, feet: Feet, clip: Clip, idling: Idling
) -> Carried:
    """Above its place, as high as standing legs carry it with knees as the curves have them."""
    aside = sideways(walks, legs, idling)
    left = np.stack([-np.sin(walks.facings), np.cos(walks.facings)], axis=-1)
    place = walks.positions + aside[:, None] * left
    apart = ((place[:, None] + hips[..., :2] - feet.ankles[..., :2]) ** 2).sum(axis=-1)
    bent = np.maximum(at_phases(clip.knee, feet.phases), STRAIGHT)
    much = (walks.paces * np.interp(walks.speeds, YIELD_SPEEDS, YIELD))[:, None]
    wanted = above(feet, legs, much * bent + (1.0 - much) * EASY, apart) - hips[..., 2]
    highest = above(feet, legs, np.full_like(bent, STRAIGHT), apart) - hips[..., 2]
    return Carried(place, hips, (feet.loads * wanted).sum(axis=1), highest.min(axis=1))


def pelvis_of(carried: Carried) -> FloatArray:
    """Where the pelvis joint is, (people, 3)."""
    over = (carried.wanted - carried.highest) / SOFT
    z = carried.highest + SOFT * (over - np.logaddexp(0.0, over))
    return np.concatenate([carried.place, z[:, None]], axis=1)


def raised_heels(carried: Carried, legs: Legs, feet: Feet) -> FloatArray:
    """By how much more, in radians, hind heels must rise for legs to reach them, (people, 2)."""
    flat = np.concatenate([carried.place, carried.wanted[:, None]], axis=1)
    reach = flat[:, None] + carried.hips - feet.planted
    far = np.sqrt((reach**2).sum(axis=-1))
    short = far - np.sqrt(leg_square(legs, np.array(RAISES)))
    behind = reach[..., 0] * np.cos(feet.headings) + reach[..., 1] * np.sin(feet.headings)
    arm = np.hypot(legs.fore, legs.height)
    much = np.maximum(short, 0.0) / (0.75 * arm) * np.clip(behind / (0.1 * far), 0.0, 1.0)
    most = np.maximum(MOST_RAISED + np.minimum(feet.pitches, 0.0), 0.0) + 1e-9
    return np.asarray(most * np.tanh(much / most))


def sideways(walks: Walks, legs: Legs, idling: Idling) -> FloatArray:
    """How far to the left of its place the pelvis is, (people,)."""
    size = legs.hip[:, 0, 2] / 0.9
    sway = size * walks.paces * np.interp(walks.speeds, SWAY_SPEEDS, SWAY)
    walking = sway * np.cos(2.0 * np.pi * (walks.phases - MIDSTANCE))
    return np.asarray(walking + SHIFT * legs.hip[:, 0, 2] * idling.shift)


def above(feet: Feet, legs: Legs, knees: FloatArray, apart: FloatArray) -> FloatArray:
    """The height of hips over ankles with knees so bent, that far apart (squared), (people, 2)."""
    square = leg_square(legs, knees)
    return np.asarray(feet.ankles[..., 2] + np.sqrt(np.maximum(square - apart, 0.25 * square)))


def leg_square(legs: Legs, knees: FloatArray) -> FloatArray:
    """The squared distance from hip to ankle with knees so bent, (people, 2)."""
    return np.asarray(legs.thigh**2 + legs.shank**2 + 2.0 * legs.thigh * legs.shank * np.cos(knees))


def leg_turns(
    walks: Walks, hips: FloatArray, legs: Legs, feet: Feet
) -> tuple[FloatArray, FloatArray]:
    """Rotations of thighs and shanks, each (people, 2, 3, 3), that bring ankles to the feet's.

    Knees point between where the body faces and where the foot does.
    """
    reach = feet.ankles - hips
    far = np.sqrt((reach**2).sum(axis=-1))
    longest = np.sqrt(leg_square(legs, np.array(STRAIGHT / 2.0)))
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
