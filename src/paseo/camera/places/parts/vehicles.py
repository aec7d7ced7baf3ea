"""Parked cars."""

import numpy as np

from paseo.camera.meshes import Material, Surface
from paseo.camera.places.paint.stones import plain
from paseo.camera.places.parts.lines import UP, Wall
from paseo.camera.places.parts.quads import Part, Quads
from paseo.camera.places.parts.trees import limb

LENGTH, WIDTH = 4.25, 1.76
# Outlines from the side, metres along and up, from the hind bumper on: the body, the roof.
BODY = np.array(
    [[0.0, 0.30], [0.02, 0.62], [0.10, 0.86], [0.55, 0.93], [1.0, 0.94], [3.0, 0.93], [3.85, 0.80],
     [4.18, 0.68], [4.25, 0.42], [4.20, 0.22], [0.06, 0.22]]
)  # fmt: skip
CABIN = np.array(
    [[0.22, 0.92], [0.62, 1.40], [0.95, 1.46], [2.0, 1.47], [2.35, 1.42], [3.12, 0.92]]
)
BEND = 1.1  # how far the normals of its sides lean, to the metre
SEAMS = (0.60, 1.60, 2.78)  # metres along, between the doors
PILLAR = 0.07  # metres left beside the windows
WHEELS, WHEEL = (0.82, 3.42), 0.31
COLOURS = (
    (0.45, 0.46, 0.47), (0.045, 0.05, 0.06), (0.62, 0.62, 0.60), (0.10, 0.13, 0.22),
    (0.28, 0.03, 0.03), (0.16, 0.19, 0.17), (0.30, 0.31, 0.33),
)  # fmt: skip
GLASS = plain("car window", Surface.GLASS, (0.05, 0.06, 0.065), roughness=0.1)
TYRE = plain("tyre", Surface.WALL, (0.02, 0.02, 0.022))
RIM = plain("rim", Surface.METAL, (0.4, 0.4, 0.42))
LIGHT = plain("light", Surface.GLASS, (0.6, 0.6, 0.58), roughness=0.2)
REAR = plain("rear light", Surface.GLASS, (0.35, 0.02, 0.02), roughness=0.2)
PLATE = plain("plate", Surface.WOOD, (0.7, 0.7, 0.66))
# Under clear lacquer, which mirrors as glass does.
PAINTS = tuple(plain("car", Surface.GLASS, colour, roughness=0.3) for colour in COLOURS)


def car(quads: Quads, at: Wall, number: int) -> None:
    """A car along a line that its hind right corner is at the start of, its right to the front."""
    paint = PAINTS[number % len(PAINTS)]
    _loft(quads, at, BODY, (0.0, WIDTH), paint, closed=True)
    _loft(quads, at, CABIN, (0.12, WIDTH - 0.12), paint, closed=False)
    _windows(quads, at)
    for along in WHEELS:
        for depth, out in ((0.0, -0.012), (WIDTH, 0.012)):
            hub = at.at(along, WHEEL, depth + out)
            inner = at.at(along, WHEEL, depth + (0.2 if depth == 0 else -0.2))
            quads.put(limb(inner, hub, WHEEL, WHEEL, 16, TYRE))
            quads.put(_cap(hub, at, WHEEL, TYRE, front=depth == 0))
            nudge = at.front * (0.006 if depth == 0 else -0.006)
            quads.put(_cap(hub + nudge, at, 0.62 * WHEEL, RIM, front=depth == 0))
    _fittings(quads, at)


def _fittings(quads: Quads, at: Wall) -> None:
    for depth in (0.12, WIDTH - 0.5):
        quads.closed_box(at.at(4.16, 0.56, depth), at.edges(0.08, 0.38, 0.12), LIGHT)
        quads.closed_box(at.at(-0.015, 0.64, depth), at.edges(0.06, 0.38, 0.15), REAR)
    for depth, out in ((0.0, -0.004), (WIDTH, 0.004)):
        way = at.along if depth == 0 else -at.along
        for x in SEAMS:
            seam = at.at(x, 0.31, depth + out)
            quads.add(seam if depth == 0 else seam + at.along * 0.012, way * 0.012, UP * 0.6, TYRE)
        sill = at.at(1.20 if depth == 0 else 3.05, 0.23, depth + out)
        quads.add(sill, way * 1.85, UP * 0.07, TYRE)
        for x in (1.42, 2.58):
            handle = at.at(x, 0.80, depth - (0.025 if depth == 0 else 0.0))
            quads.closed_box(handle, at.edges(0.15, 0.025, 0.03), RIM)
        mirror = at.at(2.74, 0.93, depth - (0.16 if depth == 0 else 0.0))
        quads.closed_box(mirror, at.edges(0.10, 0.16, 0.12), TYRE)
    quads.closed_box(at.at(4.23, 0.38, WIDTH / 2 - 0.26), at.edges(0.03, 0.52, 0.11), PLATE)
    quads.closed_box(at.at(-0.02, 0.45, WIDTH / 2 - 0.26), at.edges(0.03, 0.52, 0.11), PLATE)


def _loft(
    quads: Quads,
    at: Wall,
    outline: np.ndarray,
    depths: tuple[float, float],
    paint: Material,
    *,
    closed: bool,
) -> None:
    """An outline drawn out across the car, with its two sides."""
    rows = np.concatenate([outline, outline[:1]]) if closed else outline
    sides = [np.array([at.at(x, z, depth) for x, z in rows]) for depth in depths]
    for k in range(len(rows) - 1):
        corner, up = sides[0][k], sides[0][k + 1] - sides[0][k]
        quads.show(corner, sides[1][k] - corner, up, paint)
    middle = outline.mean(axis=0)
    for side, depth in zip(sides, depths, strict=True):
        hub = at.at(float(middle[0]), float(middle[1]), depth)
        points = np.concatenate([[hub], side])
        count = len(side)
        fan = np.array([[0, k, k + 1] for k in range(1, count)])
        normal = at.front if depth == depths[0] else -at.front
        turned = np.cross(points[2] - hub, points[3] - hub) @ normal
        # Its sheets are bent: above their middle they look up, below it down.
        bent = normal + np.outer(BEND * (points[:, 2] - hub[2]), UP)
        bent /= np.linalg.norm(bent, axis=1, keepdims=True)
        quads.put(Part(points, fan if turned > 0 else fan[:, ::-1], np.zeros((count + 1, 2)),
                       bent, paint))  # fmt: skip


def _windows(quads: Quads, at: Wall) -> None:
    """Glass over the slopes before and behind, and at the sides."""
    inset, rim = 0.12, PILLAR
    for low, high in ((CABIN[0], CABIN[1]), (CABIN[5], CABIN[4])):
        a, b = low + 0.08 * (high - low), low + 0.92 * (high - low)
        out = np.array([high[1] - low[1], low[0] - high[0]])
        out = out / np.linalg.norm(out) * (0.012 if low[0] > high[0] else -0.012)
        start = at.at(float(a[0] + out[0]), float(a[1] + abs(out[1])), inset + rim)
        top = at.at(float(b[0] + out[0]), float(b[1] + abs(out[1])), inset + rim)
        across = -at.front * (WIDTH - 2 * inset - 2 * rim)
        if low[0] > high[0]:
            quads.show(start, across, top - start, GLASS)
        else:
            quads.show(start + across, -across, top - start, GLASS)
    for left, right in ((0.62, 1.55), (1.65, 2.72)):
        shape = np.array([[left, 0.97], [right, 0.97], [right, 1.37], [left, 1.37]])
        shape[3, 0] += 0.22 if left < 1 else 0.0
        shape[2, 0] -= 0.40 if right > 2 else 0.0
        for depth in (inset - 0.012, WIDTH - inset + 0.012):
            points = np.array([at.at(x, z, depth) for x, z in shape])
            normal = at.front if depth < 1 else -at.front
            fan = np.array([[0, 1, 2], [0, 2, 3]])
            turned = np.cross(points[1] - points[0], points[2] - points[0]) @ normal
            quads.put(Part(points, fan if turned > 0 else fan[:, ::-1], np.zeros((4, 2)),
                           np.tile(normal, (4, 1)), GLASS))  # fmt: skip


def _cap(hub: np.ndarray, at: Wall, radius: float, material: Material, *, front: bool) -> Part:
    angles = np.linspace(0, 2 * np.pi, 17)[:-1]
    rim = hub + radius * (np.cos(angles)[:, None] * at.along + np.sin(angles)[:, None] * UP)
    fan = np.array([[0, k, k + 1] for k in range(1, 15)])
    normal = at.front if front else -at.front
    turned = np.cross(rim[1] - rim[0], rim[2] - rim[0]) @ normal
    return Part(rim, fan if turned > 0 else fan[:, ::-1], np.zeros((16, 2)),
                np.tile(normal, (16, 1)), material)  # fmt: skip
