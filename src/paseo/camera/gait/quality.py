"""How well a walk keeps its promises: feet that slip, knees, the floor, and sudden motions."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from paseo.camera.gait.bones.clips import Clip, free_walk
from paseo.camera.gait.bones.poses import rig_poses
from paseo.camera.gait.bones.rig import Legs, Rig, legs_of, places, rig_of
from paseo.camera.gait.bones.turns import rotated
from paseo.camera.gait.steps.walks import Walks, together
from paseo.camera.meshes import Skeleton
from paseo.world.arrays import BoolArray, FloatArray, IntArray

TOUCHES = 0.01  # metres above the floor within which a part of a planted foot touches it


@dataclass(frozen=True, slots=True, eq=False)
class Motion:
    """What became of everybody's bones, frame by frame; NaN while absent."""

    times: FloatArray  # (frames,)
    ids: IntArray  # (people,)
    soles: FloatArray  # (frames, people, 2 feet, 3, 3): below heel, ball and tip of the toes
    knees: FloatArray  # (frames, people, 2) flexion
    hips: FloatArray  # (frames, people, 2) thigh forward of upright
    feet: FloatArray  # (frames, people, 2) toes up
    turns: FloatArray  # (frames, people, bones, 3, 3)
    pelvis: FloatArray  # (frames, people, 3)
    lifted: BoolArray  # (frames, people, 2)


def motion_of(
    walks_at: Callable[[float], Walks],
    times: FloatArray,
    ids: IntArray,
    skeletons: Sequence[Skeleton],
    clip: Clip | None = None,
) -> Motion:
    """Pose everybody at each time, each with the skeleton in the place of their id."""
    moments = [walks_at(float(time)) for time in times]
    walks = together(moments)
    frame = np.repeat(np.arange(len(times)), [len(each) for each in moments])
    here = np.searchsorted(ids, walks.ids)
    rig = rig_of(skeletons)
    poses = np.full((len(times), len(ids), len(rig.names), 3, 4), np.nan)
    lifted = np.zeros((len(times), len(ids), 2), np.bool_)
    poses[frame, here] = rig_poses(
        replace(rig, joints=rig.joints[here]), walks, clip or free_walk()
    )
    lifted[frame, here] = walks.lifted
    turns, knees, hips, feet = _angles(poses, rig)
    pelvis = _moved(poses, rig.names.index("pelvis"), rig.at("pelvis"))
    return Motion(times, ids, _soles(poses, rig), knees, hips, feet, turns, pelvis, lifted)


def _moved(matrices: FloatArray, bone: int, point: FloatArray) -> FloatArray:
    """Where a bone takes a point at rest, (frames, people, 3)."""
    return np.asarray(rotated(matrices[:, :, bone, :, :3], point) + matrices[:, :, bone, :, 3])


def _soles(matrices: FloatArray, rig: Rig) -> FloatArray:
    legs: Legs = legs_of(rig)
    feet, balls = places(rig.names, "foot"), places(rig.names, "ball")
    points = []
    for side in range(2):
        ankle, fore = legs.ankle[:, side], legs.fore[:, side]
        flat = ankle * np.array([1.0, 1.0, 0.0])
        forward = fore[:, None] * np.array([1.0, 0.0, 0.0])
        heel = flat - legs.heel[:, side, None] * np.array([1.0, 0.0, 0.0])
        tip = flat + forward + legs.toes[:, side, None] * np.array([1.0, 0.0, 0.0])
        parts = ((feet[side], heel), (balls[side], flat + forward), (balls[side], tip))
        points.append(np.stack([_moved(matrices, *part) for part in parts], axis=2))
    return np.stack(points, axis=2)


def _angles(
    matrices: FloatArray, rig: Rig
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """All turns, the flexion of knees and hips, and the pitch of feet, the latter (..., 2)."""
    turns = matrices[..., :3]
    legs = legs_of(rig)
    thigh, shank = (
        np.einsum("fpsij,psj->fpsi", turns[:, :, places(rig.names, bone)], rest)
        for bone, rest in (("thigh", legs.knee - legs.hip), ("calf", legs.ankle - legs.knee))
    )
    pelvis = turns[:, :, [rig.names.index("pelvis")]]
    ahead, left = pelvis[..., 0], pelvis[..., 1]
    angles = []
    for bone in (thigh, shank):
        forward = (bone * ahead).sum(axis=-1)
        across = (bone * left).sum(axis=-1)
        down = np.sqrt(np.maximum((bone**2).sum(axis=-1) - forward**2 - across**2, 0.0))
        angles.append(np.arctan2(forward, down))
    feet = np.arcsin(np.clip(turns[:, :, places(rig.names, "foot")][..., 2, 0], -1.0, 1.0))
    return turns, angles[0] - angles[1], angles[0], feet


def slips(motion: Motion) -> FloatArray:
    """How far a planted foot slid on the floor, for each stance seen from its first to last frame.

    The farther of heel and ball, over the frames in which each is within `TOUCHES` of the floor.
    """
    found = []
    for person in range(len(motion.ids)):
        for foot in range(2):
            planted = ~motion.lifted[:, person, foot] & ~np.isnan(motion.knees[:, person, foot])
            edges = np.flatnonzero(np.diff(planted.astype(np.int64), prepend=0, append=0))
            for start, stop in edges.reshape(-1, 2):
                if start > 0 and stop < len(planted):
                    found.append(_slip(motion.soles[start:stop, person, foot, :2]))
    return np.array(found)


def _slip(soles: FloatArray) -> float:
    """The farthest that heel or ball, (frames, 2, 3), came from where it first touched."""
    far = 0.0
    for point in range(2):
        touching = soles[soles[:, point, 2] < TOUCHES, point, :2]
        if len(touching):
            far = max(far, float(np.hypot(*(touching - touching[0]).T).max()))
    return far


def angular_speeds(motion: Motion) -> FloatArray:
    """How fast each bone turned from frame to frame, rad/s, (frames - 1, people, bones)."""
    before, after = motion.turns[:-1], motion.turns[1:]
    trace = np.einsum("fpbij,fpbij->fpb", before, after)
    angle = np.arccos(np.clip((trace - 1.0) / 2.0, -1.0, 1.0))
    return np.asarray(angle / np.diff(motion.times)[:, None, None])
