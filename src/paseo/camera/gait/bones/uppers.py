"""Pelvis, trunk, head and arms."""

from dataclasses import dataclass

import numpy as np

from paseo.camera.gait.bones.clips import Clip, at_phases
from paseo.camera.gait.bones.idling import Idling
from paseo.camera.gait.bones.rig import Rig, arm_frames
from paseo.camera.gait.bones.turns import (
    cross,
    frame,
    from_rest,
    pitched,
    rolled,
    rotated,
    unit,
    yawed,
)
from paseo.camera.gait.steps.walks import Walks
from paseo.world.arrays import FloatArray

LEAN = 0.035  # radians forward per m/s
LOADED = np.radians(3.0)  # by which a standing person's hip is higher over the leg that carries
SWING_SPEEDS, SWING = (0.4, 1.3, 1.9), (0.4, 1.0, 1.25)  # m/s, and how much of the arms' swing


@dataclass(frozen=True, slots=True, eq=False)
class Trunk:
    """Turned, not yet placed: all (people, 3, 3)."""

    pelvis: FloatArray
    spine: tuple[FloatArray, FloatArray, FloatArray]  # from below
    neck: FloatArray
    head: FloatArray


def trunk_of(walks: Walks, clip: Clip, idling: Idling) -> Trunk:
    """The shoulders turn against the pelvis, and the head looks ahead."""
    pace = walks.paces
    nods = clip.tilt - clip.tilt.mean(axis=-1, keepdims=True)
    tilt, obliquity, rotation, trunk = (
        pace * at_phases(curve, walks.phases)
        for curve in (nods, clip.obliquity, clip.rotation, clip.trunk)
    )
    obliquity = obliquity + LOADED * idling.shift
    lean = LEAN * walks.speeds * pace
    turns = []
    for share in (0.0, 1.0 / 3.0, 2.0 / 3.0, 1.0):
        yaw = walks.facings - (1.0 - share) * rotation - share * trunk
        pitch = (1.0 - share) * (tilt + 0.3 * lean) + share * (lean - idling.chest)
        turns.append(yawed(yaw) @ pitched(pitch) @ rolled((1.0 - 1.2 * share) * obliquity))
    pelvis, low, middle, high = turns
    neck = yawed(walks.facings - 0.4 * trunk + 0.4 * idling.glance) @ pitched(0.5 * lean)
    head = yawed(walks.facings + idling.glance)
    return Trunk(pelvis, (low, middle, high), neck, head)


def arm_turns(
    walks: Walks, rig: Rig, chest: FloatArray, clip: Clip, idling: Idling
) -> tuple[FloatArray, FloatArray]:
    """Rotations of upper and lower arms, each (people, 2, 3, 3)."""
    phases = walks.phases[:, None] - np.array([0.0, 0.5])
    much = (walks.paces * np.interp(walks.speeds, SWING_SPEEDS, SWING))[:, None]
    pace = walks.paces[:, None]
    shoulder = idling.hanging + much * (at_phases(clip.shoulder, phases) - idling.hanging)
    elbow, out, inward = (
        rest + pace * (at_phases(curve, phases) - rest)
        for rest, curve in (
            (idling.elbows, clip.elbow), (idling.out, clip.out), (idling.inward, clip.inward)
        )
    )  # fmt: skip
    side = np.broadcast_to(np.array([1.0, -1.0]), shoulder.shape)
    flat = np.cos(out)
    upper = np.stack(
        [flat * np.sin(shoulder), side * np.sin(out), -flat * np.cos(shoulder)], axis=-1
    )
    ahead = np.stack([np.ones_like(side), -inward * side, np.zeros_like(side)], axis=-1)
    ahead = unit(ahead - (ahead * upper).sum(axis=-1, keepdims=True) * upper)
    lower = np.cos(elbow)[..., None] * upper + np.sin(elbow)[..., None] * ahead
    hinge = cross(upper, ahead)
    rest_upper, rest_lower = arm_frames(rig)
    turned = chest[:, None]
    hinge = rotated(turned, hinge)
    return (
        from_rest(frame(rotated(turned, upper), hinge), rest_upper),
        from_rest(frame(rotated(turned, lower), hinge), rest_lower),
    )
