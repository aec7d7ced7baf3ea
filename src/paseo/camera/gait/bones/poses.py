"""Walks to poses: matrices that take every bone from rest to the world."""

from collections.abc import Sequence

import numpy as np

from paseo.camera.gait.bones.clips import Clip, free_walk
from paseo.camera.gait.bones.feet import feet_of
from paseo.camera.gait.bones.idling import Idling, idling_of
from paseo.camera.gait.bones.legs import carried, leg_turns, pelvis_of, raised_heels
from paseo.camera.gait.bones.recorded import clips_for, idling_for
from paseo.camera.gait.bones.rig import SPINE, Rig, legs_of, rig_of
from paseo.camera.gait.bones.turns import pitched, rolled, rotated, yawed
from paseo.camera.gait.bones.uppers import arm_turns, trunk_of
from paseo.camera.gait.steps.walks import Walks
from paseo.camera.meshes import Body, Float32Array
from paseo.errors import BadValue
from paseo.world.arrays import FloatArray


def poses(bodies: Sequence[Body], walks: Walks, clip: Clip | None = None) -> Float32Array:
    """The pose of each body, (people, bones, 3, 4), as the person in the same place walks.

    Bodies with takes walk and stand as those show it, all others by the curves that ship.
    """
    if len(bodies) != len(walks):
        raise BadValue(f"{len(walks)} people walk, but {len(bodies)} bodies were given")
    if not bodies:
        return np.zeros((0, 0, 3, 4), np.float32)
    rig = rig_of([body.skeleton for body in bodies])
    if clip is not None or not any(body.takes for body in bodies):
        return rig_poses(rig, walks, clip or free_walk())
    takes = [body.takes for body in bodies]
    return rig_poses(rig, walks, clips_for(takes, walks), idling_for(takes, walks))


def rig_poses(rig: Rig, walks: Walks, clip: Clip, idling: Idling | None = None) -> Float32Array:
    """The same for bones without a body; people idle as `idling_of` has it unless told."""
    legs, idling = legs_of(rig), idling or idling_of(walks)
    trunk = trunk_of(walks, clip, idling)
    hips = rotated(trunk.pelvis[:, None], legs.hip - rig.at("pelvis")[:, None])
    feet = feet_of(walks, legs, clip)
    load = carried(walks, hips, legs, feet, clip, idling)
    feet = feet_of(walks, legs, clip, raised_heels(load, legs, feet))
    pelvis = pelvis_of(carried(walks, hips, legs, feet, clip, idling))
    thighs, shanks = leg_turns(walks, pelvis[:, None] + hips, legs, feet)
    chest = trunk.spine[-1]
    upper, lower = arm_turns(walks, rig, chest, clip, idling)
    lifts = idling.shoulders[:, None] * np.array([1.0, -1.0])
    yaw = yawed(feet.headings)
    turns = dict(zip(SPINE, trunk.spine, strict=True))
    turns |= {"pelvis": trunk.pelvis, "neck_01": trunk.neck, "head": trunk.head}
    pairs = {"thigh": thighs, "calf": shanks, "upperarm": upper, "lowerarm": lower}
    pairs |= {"foot": yaw @ pitched(-feet.pitches), "ball": yaw @ pitched(-feet.toes)}
    pairs["clavicle"] = chest[:, None] @ rolled(lifts)
    for bone, both in pairs.items():
        turns |= {f"{bone}_{side}": both[:, k] for k, side in enumerate("lr")}
    return placed(rig, {rig.names.index(bone): turn for bone, turn in turns.items()}, pelvis)


def placed(rig: Rig, turns: dict[int, FloatArray], pelvis: FloatArray) -> Float32Array:
    """Matrices of all bones; those without a turn of their own go with their parent.

    What is above the pelvis in the skeleton goes with the pelvis.
    """
    root = rig.names.index("pelvis")
    people, bones = rig.joints.shape[:2]
    result = np.empty((people, bones, 3, 4))
    for bone in [root, *range(bones)]:
        parent = int(rig.parents[bone])
        turn = turns.get(bone, result[:, parent, :, :3] if bone > root else turns[root])
        rest = rig.joints[:, bone]
        if bone <= root:
            joint, rest = pelvis, rig.joints[:, root]
        else:
            joint = rotated(result[:, parent, :, :3], rest) + result[:, parent, :, 3]
        result[:, bone, :, :3] = turn
        result[:, bone, :, 3] = joint - rotated(turn, rest)
    return result.astype(np.float32)
