"""Hands at ease: fingers that avatars stretch at rest are curled."""

import math

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
FINGERS = ("index", "middle", "ring", "pinky")
CURLS = tuple(math.radians(angle) for angle in (14.0, 26.0, 16.0))  # joint by joint
MORE = math.radians(4.0)  # each finger than the one before
THUMB = math.radians(16.0)  # towards the fingers


def relaxed(
    points: Floats, weights: Floats, joints: Floats, bones: tuple[str, ...]
) -> tuple[Floats, Floats, Floats]:
    """Points, (points, 3), and joints, (bones, 3), with curled fingers; weights are by bone.

    And how each point was turned, (points, 3, 3).
    """
    turns = np.broadcast_to(np.eye(3, 4), (len(bones), 3, 4)).copy()
    moved = joints.copy()
    for side, sign in (("l", 1.0), ("r", -1.0)):
        at = {name: bones.index(f"{name}_{side}") for name in _names()}
        along = _unit(joints[at["middle_03"]] - joints[at["middle_01"]])
        across = joints[at["index_01"]] - joints[at["pinky_01"]]
        palm = _unit(sign * np.cross(along, across))
        curl = np.cross(along, palm)
        for place, finger in enumerate(FINGERS):
            chain = [at[f"{finger}_0{joint}"] for joint in (1, 2, 3)]
            angles = [angle + place * MORE for angle in CURLS]
            _bend(chain, curl, angles, joints, turns, moved)
        chain = [at[f"thumb_0{joint}"] for joint in (1, 2, 3)]
        away = _unit(joints[chain[2]] - joints[chain[0]])
        _bend(chain, _unit(np.cross(away, along)), [THUMB, THUMB, 0.0], joints, turns, moved)
    homogeneous = np.concatenate([points, np.ones((len(points), 1))], axis=1)
    share = weights / weights.sum(axis=1, keepdims=True)
    blended = np.einsum("pb,bij->pij", share, turns)
    return np.einsum("pij,pj->pi", blended, homogeneous), moved, blended[..., :3]


def _names() -> list[str]:
    return [f"{finger}_0{joint}" for finger in ("thumb", *FINGERS) for joint in (1, 2, 3)]


def _bend(
    chain: list[int],
    axis: Floats,
    angles: list[float],
    joints: Floats,
    turns: Floats,
    moved: Floats,
) -> None:
    """Turn each bone of a chain, and what follows, about an axis; into `turns` and `moved`."""
    whole = np.eye(3, 4)
    for bone, angle in zip(chain, angles, strict=True):
        pivot = whole[:, :3] @ joints[bone] + whole[:, 3]
        turn = _about(axis, angle)
        whole = np.column_stack([turn @ whole[:, :3], turn @ (whole[:, 3] - pivot) + pivot])
        turns[bone], moved[bone] = whole, pivot


def _about(axis: Floats, angle: float) -> Floats:
    """Rodrigues' rotation."""
    x, y, z = axis
    skew = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return np.asarray(np.eye(3) + math.sin(angle) * skew + (1.0 - math.cos(angle)) * (skew @ skew))


def _unit(vector: Floats) -> Floats:
    length = float(np.linalg.norm(vector))
    if not length > 1e-9:
        raise ValueError("fingers without length")
    return np.asarray(vector / length)
