"""Bodies in the pose they rest in: a figure, a face by its seed, a height, curled fingers."""

from dataclasses import dataclass

import numpy as np

from basis import Basis, Figure, Floats, figure_points

SKIN = slice(0, 13380)  # the base mesh's own points; helpers come after them
SOLE = 0.018  # metres under every foot
ARMS_IN, LEGS_IN = np.radians(17), np.radians(5.5)
FINGERS = ("index", "middle", "ring", "pinky")
CURL = {"index": 14.0, "middle": 19.0, "ring": 23.0, "pinky": 26.0}  # degrees a joint
# Degrees that fingers come nearer to each other.
CLOSE = {"thumb": 16.0, "index": 13.0, "middle": 4.0, "ring": -5.0, "pinky": -14.0}
# Pairs of targets that pull a face apart, and how strongly (one sigma).
PAIRS = {
    "nose/nose-scale-vert-{decr|incr}": 0.45,
    "nose/nose-scale-horiz-{decr|incr}": 0.4,
    "nose/nose-scale-depth-{decr|incr}": 0.4,
    "nose/nose-hump-{decr|incr}": 0.4,
    "nose/nose-point-{down|up}": 0.45,
    "nose/nose-point-width-{decr|incr}": 0.4,
    "nose/nose-volume-{decr|incr}": 0.3,
    "nose/nose-width1-{decr|incr}": 0.35,
    "nose/nose-width3-{decr|incr}": 0.35,
    "nose/nose-greek-{decr|incr}": 0.3,
    "nose/nose-curve-{concave|convex}": 0.3,
    "chin/chin-width-{decr|incr}": 0.45,
    "chin/chin-height-{decr|incr}": 0.4,
    "chin/chin-prominent-{decr|incr}": 0.4,
    "chin/chin-bones-{decr|incr}": 0.45,
    "chin/chin-jaw-drop-{decr|incr}": 0.35,
    "chin/chin-cleft-{decr|incr}": 0.3,
    "mouth/mouth-scale-horiz-{decr|incr}": 0.4,
    "mouth/mouth-scale-vert-{decr|incr}": 0.3,
    "mouth/mouth-trans-{down|up}": 0.3,
    "mouth/mouth-angles-{down|up}": 0.2,
    "mouth/mouth-lowerlip-volume-{decr|incr}": 0.4,
    "mouth/mouth-upperlip-volume-{decr|incr}": 0.4,
    "forehead/forehead-scale-vert-{decr|incr}": 0.4,
    "forehead/forehead-trans-{backward|forward}": 0.35,
    "forehead/forehead-temple-{decr|incr}": 0.4,
    "eyebrows/eyebrows-trans-{down|up}": 0.4,
    "eyebrows/eyebrows-angle-{down|up}": 0.4,
    "eyebrows/eyebrows-trans-{backward|forward}": 0.3,
    "head/head-scale-horiz-{decr|incr}": 0.35,
    "head/head-scale-vert-{decr|incr}": 0.35,
    "head/head-scale-depth-{decr|incr}": 0.35,
    "head/head-fat-{decr|incr}": 0.3,
    "cheek/?-cheek-bones-{decr|incr}": 0.5,
    "cheek/?-cheek-volume-{decr|incr}": 0.4,
    "cheek/?-cheek-inner-{decr|incr}": 0.3,
    "eyes/?-eye-scale-{decr|incr}": 0.35,
    "eyes/?-eye-trans-{in|out}": 0.3,
    "eyes/?-eye-trans-{down|up}": 0.25,
    "eyes/?-eye-height2-{decr|incr}": 0.3,
    "eyes/?-eye-corner1-{down|up}": 0.35,
    "eyes/?-eye-corner2-{down|up}": 0.35,
    "eyes/?-eye-eyefold-{down|up}": 0.3,
    "eyes/?-eye-bag-{decr|incr}": 0.3,
    "ears/?-ear-scale-{decr|incr}": 0.35,
    "ears/?-ear-wing-{decr|incr}": 0.4,
    "ears/?-ear-lobe-{decr|incr}": 0.4,
    "neck/neck-scale-horiz-{decr|incr}": 0.25,
}
SHAPES = ("oval", "round", "rectangular", "square", "triangular", "diamond", "invertedtriangular")


@dataclass(frozen=True, slots=True, eq=False)
class Shape:
    """A body at rest: all points of the base mesh, and where its bones begin and end."""

    points: Floats  # (base points, 3) metres, soles of the feet at `SOLE`
    joints: Floats  # (bones, 3)
    tails: Floats  # (bones, 3)


def face_moves(basis: Basis, seed: int, strength: float) -> Floats:
    """How a face of this seed differs from the figure's, (base points, 3)."""
    rng = np.random.default_rng([seed, 17])
    moves = np.zeros_like(basis.points)
    for pattern, sigma in PAIRS.items():
        value = float(np.clip(rng.normal(0.0, sigma * strength), -1, 1))
        begin, _, ends = pattern.partition("{")
        down, up = ends.removesuffix("}").split("|")
        name = begin + (up if value > 0 else down)
        for side in ("l", "r") if "?" in name else ("",):
            moves += abs(value) * basis.target(name.replace("?", side))
    moves += 0.25 * basis.target("mouth/mouth-angles-up")
    first, second = rng.choice(len(SHAPES), 2, replace=False)
    moves += 0.3 * strength * basis.target(f"head/head-{SHAPES[first]}")
    moves += 0.15 * strength * basis.target(f"head/head-{SHAPES[second]}")
    return moves


def turned(axis: Floats, angle: float) -> Floats:
    """The rotation by an angle about an axis, (3, 3)."""
    x, y, z = axis / np.linalg.norm(axis)
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    turn: Floats = np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross
    return turn


def posed(basis: Basis, points: Floats, turns: dict[str, Floats]) -> Floats:
    """The points after bones were turned about where they begin."""
    names, parents = basis.bones
    joints = basis.joints(points)
    spins = np.zeros((len(names), 3, 3))
    shifts = np.zeros((len(names), 3))
    for bone, name in enumerate(names):
        turn = turns.get(name, np.eye(3))
        shift = joints[bone] - turn @ joints[bone]
        if bone:
            above = parents[bone]
            spins[bone] = spins[above] @ turn
            shifts[bone] = spins[above] @ shift + shifts[above]
        else:
            spins[bone], shifts[bone] = turn, shift
    moved = np.zeros_like(points)
    for bone in range(len(names)):
        weight = basis.weights[:, bone : bone + 1]
        used = weight[:, 0] > 0
        moved[used] += weight[used] * (points[used] @ spins[bone].T + shifts[bone])
    return moved


def rest_turns(basis: Basis, points: Floats) -> dict[str, Floats]:
    """Arms a little nearer to the body, legs nearly upright, fingers curled."""
    at = dict(zip(basis.bones[0], basis.joints(points), strict=True))
    turns = {}
    for side, sign in (("l", 1.0), ("r", -1.0)):
        forward = np.array([1.0, 0.0, 0.0])
        turns[f"upperarm_{side}"] = turned(forward, -sign * ARMS_IN)
        turns[f"thigh_{side}"] = turned(forward, -sign * LEGS_IN)
        turns[f"foot_{side}"] = turned(forward, sign * LEGS_IN)
        across = at[f"pinky_01_{side}"] - at[f"index_01_{side}"]
        along = at[f"middle_02_{side}"] - at[f"middle_01_{side}"]
        if np.cross(across, along) @ np.array([0.0, -sign, -1.0]) < 0:
            across = -across
        palm = np.cross(across, along)
        for finger in FINGERS:
            for joint in (1, 2, 3):
                name = f"{finger}_0{joint}_{side}"
                turns[name] = turned(across, np.radians(CURL[finger] * (0.7, 1.2, 0.9)[joint - 1]))
        for finger, degrees in CLOSE.items():
            first = f"{finger}_01_{side}"
            near = turned(palm, -sign * np.radians(degrees))
            turns[first] = near @ turns.get(first, np.eye(3))
    return turns


def shape(basis: Basis, figure: Figure, height: float, *, seed: int, face: float) -> Shape:
    """The body of a figure at rest, as tall as asked without its shoes."""
    points = figure_points(basis, figure) + face_moves(basis, seed, face)
    points = posed(basis, points, rest_turns(basis, points))
    skin = points[SKIN]
    scale = height / (skin[:, 2].max() - skin[:, 2].min())
    points = points * scale
    ankles = basis.joints(points)[[basis.bones[0].index(f"foot_{side}") for side in "lr"]]
    points -= np.array([ankles[:, 0].mean() + 0.03 * height, 0.0, points[SKIN, 2].min() - SOLE])
    return Shape(points, basis.joints(points), basis.joints(points, "tail"))
