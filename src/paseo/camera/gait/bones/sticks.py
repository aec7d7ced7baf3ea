"""Skeletons without bodies: average proportions, to measure and draw walks with.

Hips, ankles and shoulders are as high, in shares of stature, as Drillis & Contini 1966 have them
(0.530, 0.039 and 0.818; in Winter 2009, Biomechanics and Motor Control of Human Movement, fig.
4.1); knees halve thigh and shank, whose lengths are 0.242 and 0.249 by de Leva 1996, J. Biomech.
29: 1223-1230. All else was set by eye. Bones are those of MakeHuman's rig `game_engine`.
"""

import numpy as np

from paseo.camera.meshes import Skeleton

# Forward, to the left, and up, in shares of stature.
MIDDLE = {
    "Root": ("Root", (0.0, 0.0, 0.0)),
    "pelvis": ("Root", (-0.04, 0.0, 0.535)),
    "spine_01": ("pelvis", (-0.055, 0.0, 0.58)),
    "spine_02": ("spine_01", (-0.05, 0.0, 0.63)),
    "spine_03": ("spine_02", (-0.05, 0.0, 0.69)),
    "neck_01": ("spine_03", (-0.045, 0.0, 0.85)),
    "head": ("neck_01", (-0.025, 0.0, 0.9)),
}
LEFT = {
    "thigh": ("pelvis", (-0.04, 0.055, 0.53)),
    "calf": ("thigh", (-0.03, 0.06, 0.285)),
    "foot": ("calf", (-0.035, 0.065, 0.039)),
    "ball": ("foot", (0.035, 0.07, 0.008)),
    "clavicle": ("spine_03", (-0.03, 0.015, 0.818)),
    "upperarm": ("clavicle", (-0.045, 0.105, 0.818)),
    "lowerarm": ("upperarm", (-0.05, 0.175, 0.645)),
    "hand": ("lowerarm", (0.01, 0.215, 0.515)),
}
FINGERS = {"thumb": 0.024, "index": 0.017, "middle": 0.006, "ring": -0.004, "pinky": -0.013}
KNUCKLES = (0.045, 0.068, 0.084)  # below the wrist


def stick_skeleton(height: float = 1.75) -> Skeleton:
    """The bones of somebody of that height in metres, standing."""
    bones = {name: (parent, np.array(place)) for name, (parent, place) in MIDDLE.items()}
    for suffix, side in (("l", 1.0), ("r", -1.0)):
        mirror = np.array([1.0, side, 1.0])
        for name, (parent, place) in LEFT.items():
            above = parent if parent in MIDDLE else f"{parent}_{suffix}"
            bones[f"{name}_{suffix}"] = (above, mirror * place)
        wrist = bones[f"hand_{suffix}"][1]
        for finger, forward in FINGERS.items():
            above = f"hand_{suffix}"
            for number, down in enumerate(KNUCKLES, 1):
                name = f"{finger}_0{number}_{suffix}"
                bones[name] = (above, wrist + mirror * np.array([forward, 0.0, -down]))
                above = name
    names = tuple(bones)
    return Skeleton(
        names=names,
        parents=np.array([names.index(parent) for parent, _ in bones.values()], np.int16),
        joints=np.array([height * place for _, place in bones.values()], np.float32),
    )
