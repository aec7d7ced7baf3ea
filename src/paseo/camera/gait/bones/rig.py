"""The bones that a walk moves, of many bodies at once."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from paseo.camera.gait.bones.turns import cross, frame, unit
from paseo.camera.meshes import Skeleton
from paseo.errors import BadValue
from paseo.world.arrays import FloatArray, IntArray

SIDES = ("l", "r")
SPINE = ("spine_01", "spine_02", "spine_03")
NEEDED = ("pelvis", *SPINE, "neck_01", "head") + tuple(
    f"{bone}_{side}"
    for bone in ("thigh", "calf", "foot", "ball", "clavicle", "upperarm", "lowerarm", "hand")
    for side in SIDES
)
TOES, HEEL = 0.6, 0.42  # how far toes reach beyond the ball, heels behind the ankle: of ankle-ball


@dataclass(frozen=True, slots=True, eq=False)
class Rig:
    """Rest joints of several bodies that have the same bones."""

    names: tuple[str, ...]
    parents: IntArray  # (bones,)
    joints: FloatArray  # (people, bones, 3)

    def at(self, bone: str) -> FloatArray:
        """Where a bone begins, (people, 3)."""
        return np.asarray(self.joints[:, self.names.index(bone)])

    def pair(self, bone: str) -> FloatArray:
        """Where the left and the right one begin, (people, 2, 3)."""
        return np.asarray(self.joints[:, places(self.names, bone)])


@dataclass(frozen=True, slots=True, eq=False)
class Legs:
    """What legs are at rest; everything is (people, 2) or (people, 2, ...), left and right."""

    hip: FloatArray
    knee: FloatArray
    ankle: FloatArray
    ball: FloatArray
    thigh: FloatArray  # length
    shank: FloatArray  # length
    thigh_frame: FloatArray
    shank_frame: FloatArray
    before: FloatArray  # from the pelvis forward to the hip
    fore: FloatArray  # from the ankle forward to the ball
    height: FloatArray  # of the ankle above the sole
    pad: FloatArray  # of the ball's joint above the sole

    @property
    def toes(self) -> FloatArray:
        """From the ball forward to the tip."""
        return np.asarray(TOES * self.fore)

    @property
    def heel(self) -> FloatArray:
        """From the ankle back to where the heel touches the floor."""
        return np.asarray(HEEL * self.fore)


@cache
def places(names: tuple[str, ...], bone: str) -> list[int]:
    """The rows of a left and a right bone."""
    return [names.index(f"{bone}_{side}") for side in SIDES]


def rig_of(skeletons: Sequence[Skeleton]) -> Rig:
    """The bones of several bodies; they must be called the same, in the same order."""
    names = skeletons[0].names
    if any(each.names is not names and each.names != names for each in skeletons):
        raise BadValue("bodies with different bones were given together; pose them one by one")
    missing = [bone for bone in NEEDED if bone not in names]
    if missing:
        raise BadValue(
            f"a skeleton has no bone '{missing[0]}', which walking needs; rename its own"
        )
    joints = np.stack([each.joints for each in skeletons]).astype(np.float64)
    return Rig(names, skeletons[0].parents.astype(np.int64), joints)


def legs_of(rig: Rig) -> Legs:
    """The legs at rest."""
    hip, knee, ankle, ball = (rig.pair(bone) for bone in ("thigh", "calf", "foot", "ball"))
    left = np.broadcast_to(np.array([0.0, 1.0, 0.0]), hip.shape)
    return Legs(
        hip=hip,
        knee=knee,
        ankle=ankle,
        ball=ball,
        thigh=np.linalg.norm(knee - hip, axis=-1),
        shank=np.linalg.norm(ankle - knee, axis=-1),
        thigh_frame=frame(unit(knee - hip), left),
        shank_frame=frame(unit(ankle - knee), left),
        before=hip[..., 0] - rig.at("pelvis")[:, None, 0],
        fore=ball[..., 0] - ankle[..., 0],
        height=ankle[..., 2],
        pad=ball[..., 2],
    )


def arm_frames(rig: Rig) -> tuple[FloatArray, FloatArray]:
    """Axes of upper and lower arms at rest, each (people, 2, 3, 3); they bend about the second."""
    shoulder, elbow, wrist = (rig.pair(bone) for bone in ("upperarm", "lowerarm", "hand"))
    upper, lower = unit(elbow - shoulder), unit(wrist - elbow)
    hinge = cross(upper, lower)
    straight = np.linalg.norm(hinge, axis=-1, keepdims=True) < 0.05
    hinge = np.where(straight, cross(upper, np.array([1.0, 0.0, 0.0])), hinge)
    return frame(upper, hinge), frame(lower, hinge)
