"""People made of capsules and a walled yard, by hand: bodies, poses and places for tests."""

import math
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from paseo.camera.meshes import (
    Age,
    Body,
    Float32Array,
    Level,
    Material,
    Mesh,
    Sex,
    Skeleton,
    Surface,
)
from paseo.camera.scene import Figure, Place, Sun

# Bones: where they begin and end at rest, how thick they are, and what covers them.
BONES = {
    "root": ((0, 0, 0.95), (0, 0, 1.10), 0.15, 1),
    "spine": ((0, 0, 1.10), (0, 0, 1.42), 0.16, 1),
    "head": ((0, 0, 1.58), (0, 0, 1.66), 0.11, 0),
    "left arm": ((0, 0.22, 1.40), (0, 0.26, 0.85), 0.05, 1),
    "right arm": ((0, -0.22, 1.40), (0, -0.26, 0.85), 0.05, 1),
    "left leg": ((0, 0.10, 0.92), (0, 0.10, 0.08), 0.08, 2),
    "right leg": ((0, -0.10, 0.92), (0, -0.10, 0.08), 0.08, 2),
}
PARENTS = (0, 0, 1, 1, 1, 0, 0)


def capsule(
    start: tuple[float, ...], end: tuple[float, ...], radius: float, rings: int
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.int64], NDArray[np.float64]]:
    """Points, normals, triangles and uv of a capsule between two points."""
    a, b = np.array(start, float), np.array(end, float)
    axis = (b - a) / np.linalg.norm(b - a)
    side = np.cross(axis, [1.0, 0.3, 0.2])
    side /= np.linalg.norm(side)
    other = np.cross(axis, side)
    around = 2 * rings
    rise = np.linspace(-math.pi / 2, math.pi / 2, 2 * rings)
    turn = np.linspace(0, 2 * math.pi, around + 1)
    normals = (
        np.sin(rise)[:, None, None] * axis
        + np.cos(rise)[:, None, None] * np.cos(turn)[None, :, None] * side
        + np.cos(rise)[:, None, None] * np.sin(turn)[None, :, None] * other
    )
    middle = np.where((rise < 0)[:, None, None], a, b)
    u, v = np.meshgrid(turn / (2 * math.pi), (rise + math.pi / 2) / math.pi)
    row, column = np.meshgrid(np.arange(2 * rings - 1), np.arange(around), indexing="ij")
    corner = (row * (around + 1) + column).ravel()
    below = corner + around + 1
    triangles = np.concatenate(
        [np.stack([corner, corner + 1, below], 1), np.stack([corner + 1, below + 1, below], 1)]
    )
    points = (middle + radius * normals).reshape(-1, 3)
    uv = np.stack([u.ravel() * 3, v.ravel() * 3], axis=1)
    return points, normals.reshape(-1, 3), triangles, uv


def puppet_level(rings: int, *, height: float = 1.75) -> Level:
    """All capsules of a body, each on its own bone."""
    pieces, shift = [], 0
    for bone, (start, end, radius, material) in enumerate(BONES.values()):
        points, normals, triangles, uv = capsule(start, end, radius, rings)
        pieces.append((points, normals, triangles + shift, uv, bone, material))
        shift += len(points)
    points = np.concatenate([each[0] for each in pieces]) * height / 1.77
    bones = np.zeros((len(points), 4), np.uint8)
    bones[:, 0] = np.repeat([each[4] for each in pieces], [len(each[0]) for each in pieces])
    # Every body bends at the waist: what is low on the spine hangs on the root as well.
    weights = np.zeros((len(points), 4), np.float32)
    low = np.clip((1.3 - points[:, 2] * 1.77 / height) / 0.3, 0, 0.8) * (bones[:, 0] == 1)
    weights[:, 0], weights[:, 1] = 1 - low, low
    used = [np.full(len(each[2]), each[5], np.int16) for each in pieces]
    mesh = Mesh(
        points=points.astype(np.float32),
        triangles=np.concatenate([each[2] for each in pieces]).astype(np.int32),
        uv=np.concatenate([each[3] for each in pieces]).astype(np.float32),
        normals=np.concatenate([each[1] for each in pieces]).astype(np.float32),
        material=np.concatenate(used),
    )
    return Level(mesh=mesh, bone_indices=bones, bone_weights=weights)


def holes(size: int = 64) -> NDArray[np.uint8]:
    """A texture with round holes in it."""
    y, x = np.mgrid[:size, :size] / size * 4 % 1 - 0.5
    texture = np.full((size, size, 4), 200, np.uint8)
    texture[..., 3] = np.where(np.hypot(x, y) < 0.3, 0, 255)
    return texture


def checks(size: int = 64, seed: int = 0) -> NDArray[np.uint8]:
    """A texture of squares and some noise."""
    y, x = np.mgrid[:size, :size] * 8 // size
    noise = np.random.default_rng(seed).integers(0, 40, (size, size, 4))
    texture = (np.where((x + y) % 2, 120, 200)[..., None] + noise).astype(np.uint8)
    texture[..., 3] = 255
    return texture


def puppet(
    name: str, *, rings: tuple[int, ...] = (8,), seed: int = 0, hair_with_holes: bool = False
) -> Body:
    """A person of capsules, each level of so many rings; the head may be full of holes."""
    rng = np.random.default_rng(seed)
    skin = Material(
        name="skin",
        surface=Surface.SKIN,
        colour=(0.55, 0.35, 0.27),
        texture=holes() if hair_with_holes else None,
        alpha_tested=hair_with_holes,
    )
    shirt, trousers = (
        Material(
            name=part,
            surface=Surface.CLOTH,
            colour=tuple(rng.uniform(0.05, 0.9, 3)),
            texture=checks(seed=seed),
            bump=checks(seed=seed)[..., 0],
        )
        for part in ("shirt", "trousers")
    )
    height = float(rng.uniform(1.55, 1.9))
    joints = np.array([start for start, *_ in BONES.values()]) * height / 1.77
    return Body(
        name=name,
        sex=Sex.FEMALE,
        age=Age.ADULT,
        height=height,
        leg_length=0.92 * height / 1.77,
        skeleton=Skeleton(
            names=tuple(BONES),
            parents=np.array(PARENTS, np.int16),
            joints=joints.astype(np.float32),
        ),
        levels=tuple(puppet_level(each, height=height) for each in rings),
        materials=(skin, shirt, trousers),
        licence="MIT",
    )


def puppet_pose(body: Body, x: float, y: float, heading: float, *, swing: float) -> Float32Array:
    """A stride: arms and legs swing by so many radians."""
    c, s = math.cos(heading), math.sin(heading)
    world = np.array([[c, -s, 0, x], [s, c, 0, y], [0, 0, 1, 0], [0, 0, 0, 1]])
    swings = {
        "spine": 0.3 * swing,
        "left arm": -swing,
        "right arm": swing,
        "left leg": swing,
        "right leg": -swing,
    }
    pose = []
    for name, joint in zip(body.skeleton.names, body.skeleton.joints, strict=True):
        a = swings.get(name, 0.0)
        turn = np.array([[math.cos(a), 0, math.sin(a)], [0, 1, 0], [-math.sin(a), 0, math.cos(a)]])
        local = np.eye(4)
        local[:3, :3] = turn
        local[:3, 3] = joint - turn @ joint
        pose.append((world @ local)[:3])
    return np.array(pose, np.float32)


def figure(person: int, body: Body, x: float, y: float, *, rng: np.random.Generator) -> Figure:
    """Somebody at a place, striding anywhere."""
    heading, swing = rng.uniform(-math.pi, math.pi), rng.uniform(-0.5, 0.5)
    return Figure(person, body.name, puppet_pose(body, x, y, heading, swing=swing))


def boxes(
    corners: NDArray[np.float64], sizes: NDArray[np.float64], materials: NDArray[np.int64]
) -> Mesh:
    """Axis-aligned boxes by their lowest corners and sizes, (boxes, 3) each."""
    faces = [(axis, side) for axis in range(3) for side in (0, 1)]
    points, normals, uv = [], [], []
    for low, size in zip(corners, sizes, strict=True):
        for axis, side in faces:
            one, two = (k for k in range(3) if k != axis)
            for p, q in ((0, 0), (1, 0), (1, 1), (0, 1)):
                at = low.copy()
                at[axis] += side * size[axis]
                at[one] += p * size[one]
                at[two] += q * size[two]
                points.append(at)
                normals.append(np.eye(3)[axis] * (2 * side - 1))
                uv.append((p * size[one], q * size[two]))
    first = 4 * np.arange(len(points) // 4)
    triangles = np.concatenate([first[:, None] + [0, 1, 2], first[:, None] + [0, 2, 3]])
    return Mesh(
        points=np.array(points, np.float32),
        triangles=triangles.astype(np.int32),
        uv=np.array(uv, np.float32),
        normals=np.array(normals, np.float32),
        material=np.tile(np.repeat(materials, 6), 2).astype(np.int16),
    )


def yard(seed: int = 0, *, size: float = 30.0, blocks: int = 12) -> Place:
    """A paved yard with walls around it and blocks in it; one of them is full of holes."""
    rng = np.random.default_rng(seed)
    half = size / 2
    corners = [[-half, -half, -0.2], [-half, -half, 0], [-half, half, 0], [half, -half, 0]]
    sizes = [[size, size, 0.2], [size, 0.3, 5], [size, 0.3, 7], [0.3, size, 4]]
    materials = [0, 1, 1, 1]
    for _ in range(blocks):
        x, y = rng.uniform(-half + 2, half - 4, 2)
        corners.append([x, y, 0])
        sizes.append(rng.uniform(0.3, 2.0, 3))
        materials.append(int(rng.integers(1, 4)))
    mesh = boxes(np.array(corners, float), np.array(sizes, float), np.array(materials))
    stone = Material(
        name="stone",
        surface=Surface.FLOOR,
        colour=(0.6, 0.58, 0.55),
        texture=checks(256),
        bump=checks(256)[..., 0],
    )
    brick = replace(stone, name="brick", surface=Surface.WALL, colour=(0.7, 0.35, 0.25))
    fence = Material(name="fence", surface=Surface.LEAF, texture=holes(), alpha_tested=True)
    glass = Material(name="glass", surface=Surface.GLASS, colour=(0.02, 0.03, 0.04))
    return Place(name="yard", mesh=mesh, materials=(stone, brick, fence, glass), sun=Sun())
