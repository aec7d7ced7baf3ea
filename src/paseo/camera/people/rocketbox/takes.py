"""Clips of the pack as recorded motions: where every joint was, frame by frame."""

import re
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from paseo.camera.meshes import Take
from paseo.camera.people.rocketbox.fbx import Node, read_fbx
from paseo.errors import BadFile, BadValue

Floats = NDArray[np.float64]
CENTIMETRE = 0.01
TICKS = 46_186_158_000  # of FBX in a second
FPS = 30.0
UPRIGHT = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]])  # files have Y up
LONGEST = 120.0  # seconds
FINGERS = ("thumb", "index", "middle", "ring", "pinky")
# Bones of the pack's rig by the names of ours; sides and fingers are added below.
MIDDLE = {"Pelvis": "pelvis", "Spine": "spine_01", "Spine1": "spine_02", "Spine2": "spine_03",
          "Neck": "neck_01", "Head": "head"}  # fmt: skip
LIMBS = {"Clavicle": "clavicle", "UpperArm": "upperarm", "Forearm": "lowerarm", "Hand": "hand",
         "Thigh": "thigh", "Calf": "calf", "Foot": "foot", "Toe0": "ball"}  # fmt: skip

NEEDED = {*MIDDLE.values(), *(f"{limb}_{side}" for limb in LIMBS.values() for side in "lr")}


def our_bone(name: str) -> str | None:
    """The bone of ours that a bone of the pack stands for; None if its parent must do."""
    rest = re.sub(r"^Bip\d+ ", "", name)
    if rest in MIDDLE:
        return MIDDLE[rest]
    side, _, limb = rest.partition(" ")
    if side not in ("L", "R"):
        return None
    if limb in LIMBS:
        return f"{LIMBS[limb]}_{side.lower()}"
    if digits := re.fullmatch(r"Finger([0-4])([12]?)", limb):
        return f"{FINGERS[int(digits[1])]}_0{int(digits[2] or 0) + 1}_{side.lower()}"
    return None


@lru_cache(maxsize=64)
def read_take(file: Path) -> Take:
    """The motion in a clip's file, at 30 frames a second."""
    root = read_fbx(file)
    objects, links = root.first("Objects"), root.first("Connections")
    if objects is None or links is None:
        raise BadFile(f"{file}: holds no motion; fetch it again")
    try:
        models = {each.values[0]: each for each in objects.all("Model")}
        curves = _curves(objects, links, models)
        above = {
            each.values[1]: each.values[2]
            for each in links.all("C")
            if each.values[1] in models and each.values[2] in models
        }
        frames = _frames(curves)
        local = {key: _local(model, curves.get(key, {}), frames) for key, model in models.items()}
        placed = _placed(models, above, local)
        name = file.name.split(".")[0]
        if missing := NEEDED.difference(placed):
            raise ValueError(f"no bone {min(missing)}")
        bones, whole = tuple(placed), np.stack(list(placed.values()), axis=1)
        joints, turns = UPRIGHT @ whole[..., :3, 3:] * CENTIMETRE, UPRIGHT @ whole[..., :3, :3]
        return Take(name=name, times=frames, bones=bones, joints=joints[..., 0], turns=turns)
    except (ValueError, IndexError, TypeError, AttributeError, BadValue) as error:
        raise BadFile(f"{file}: its motion cannot be followed; fetch it again") from error


Curves = dict[tuple[str, int], tuple[Floats, Floats]]  # by property and axis: times and values


def _curves(objects: Node, links: Node, models: dict[int, Node]) -> dict[int, Curves]:
    """What moves each model."""
    keys = {each.values[0]: each for each in objects.all("AnimationCurve")}
    linked = [each.values[1:4] for each in links.all("C") if each.values[0] == "OP"]
    parts = {child: (owner, axis) for child, owner, axis in linked if child in keys}
    owners = {child: (owner, what) for child, owner, what in linked if owner in models}
    found: dict[int, Curves] = {}
    for curve, (group, axis) in parts.items():
        if group not in owners or not re.fullmatch(r"d\|[XYZ]", axis):
            continue
        model, what = owners[group]
        times = np.asarray(keys[curve].value("KeyTime"), np.float64) / TICKS
        values = np.asarray(keys[curve].value("KeyValueFloat"), np.float64)
        whole = len(times) == len(values) > 0 and np.isfinite(values).all()
        if not whole or (np.diff(times) < 0).any():
            raise ValueError("keys without values or out of order")
        found.setdefault(model, {})[what, "XYZ".index(axis[2])] = (times, values)
    return found


def _frames(curves: dict[int, Curves]) -> Floats:
    """The times at which the motion is sampled, from 0."""
    ends = [times[-1] for each in curves.values() for times, _ in each.values()]
    if not ends or not 2 / FPS < max(ends) < LONGEST:
        raise ValueError("no motion, or one without end")
    return np.arange(int(max(ends) * FPS + 1e-3) + 1) / FPS


def _local(model: Node, curves: Curves, frames: Floats) -> Floats:
    """Matrices from a model to its parent, (frames, 4, 4)."""
    settings = model.first("Properties70")
    given = {each.values[0]: each.values[4:7] for each in settings.all("P")} if settings else {}

    def at(what: str) -> Floats:
        rest = given.get(what, (0.0, 0.0, 0.0))
        columns = [
            np.interp(frames, *curves[what, axis])
            if (what, axis) in curves
            else np.full(len(frames), float(rest[axis]))
            for axis in range(3)
        ]
        return np.stack(columns, axis=1)

    result = np.zeros((len(frames), 4, 4))
    result[:, 3, 3] = 1.0
    result[:, :3, 3] = at("Lcl Translation")
    turn = _turn(np.array([given.get("PreRotation", (0.0, 0.0, 0.0))], np.float64))
    result[:, :3, :3] = turn @ _turn(at("Lcl Rotation"))
    return result


def _turn(degrees: Floats) -> Floats:
    """Rotations about x, then y, then z, from (frames, 3) to (frames, 3, 3)."""
    (a, b, c), (u, v, w) = np.cos(np.radians(degrees)).T, np.sin(np.radians(degrees)).T
    rows = [
        [c * b, c * v * u - w * a, c * v * a + w * u],
        [w * b, w * v * u + c * a, w * v * a - c * u],
        [-v, b * u, b * a],
    ]
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


def _placed(
    models: dict[int, Node], above: dict[int, int], local: dict[int, Floats]
) -> dict[str, Floats]:
    """Matrices of our bones to the file's world, (frames, 4, 4)."""
    places = {}
    for key, model in models.items():
        bone = our_bone(str(model.values[1]))
        if bone is None:
            continue
        whole, here, seen = local[key], key, {key}
        while here in above and above[here] not in seen:
            here = above[here]
            seen.add(here)
            whole = local[here] @ whole
        places[bone] = whole
    return places
