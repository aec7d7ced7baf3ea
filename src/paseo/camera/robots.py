"""The robot as others see it: round, as wide as its disc, with a dark window where it faces."""

import math
from functools import cache
from itertools import pairwise

import numpy as np

from paseo.camera.meshes import Body, Float32Array, Level, Material, Mesh, Skeleton, Surface
from paseo.world.arrays import FloatArray
from paseo.world.motion import RobotState

AROUND = 48  # corners of a ring
# Rings from the ground up: share of the radius, metres high, material of the band above.
RINGS = (
    (0.80, 0.02, 0), (1.0, 0.05, 0), (1.0, 0.20, 1), (0.97, 0.24, 1), (0.86, 0.66, 2),
    (0.80, 0.84, 1), (0.72, 0.90, 1), (0.45, 0.95, 1), (0.01, 0.97, 1),
)  # fmt: skip
SHELL, WINDOW = 1, 2
FACE = math.radians(60)  # to each side that the window reaches
MATERIALS = (
    Material(name="base", surface=Surface.METAL, colour=(0.02, 0.02, 0.022), roughness=0.6),
    Material(name="shell", surface=Surface.METAL, colour=(0.75, 0.76, 0.78), roughness=0.35),
    Material(name="window", surface=Surface.GLASS, colour=(0.015, 0.02, 0.025), roughness=0.1),
)


@cache
def robot_body(radius: float) -> Body:
    """A robot of this radius, about a metre high, on a single bone."""
    mesh = _turned(radius)
    count = len(mesh.points)
    bones, weights = np.zeros((count, 4), np.uint8), np.zeros((count, 4), np.float32)
    weights[:, 0] = 1.0
    return Body(
        name=f"robot of {radius!r} m",
        sex=None,
        age=None,
        height=RINGS[-1][1],
        leg_length=0.0,
        skeleton=Skeleton(
            names=("robot",), parents=np.zeros(1, np.int16), joints=np.zeros((1, 3), np.float32)
        ),
        levels=(Level(mesh=mesh, bone_indices=bones, bone_weights=weights),),
        materials=MATERIALS,
        licence="as Paseo's own",
    )


def robot_pose(robot: RobotState) -> Float32Array:
    """Where its bone is, (1, 3, 4)."""
    x, y, heading = robot.pose.x, robot.pose.y, robot.pose.heading
    ahead, aside = math.cos(heading), math.sin(heading)
    rows = [[ahead, -aside, 0.0, x], [aside, ahead, 0.0, y], [0.0, 0.0, 1.0, 0.0]]
    return np.array([rows], np.float32)


def _turned(radius: float) -> Mesh:
    """The rings joined by bands."""
    turn = np.linspace(-math.pi, math.pi, AROUND + 1)
    way = np.stack([np.cos(turn), np.sin(turn)], axis=1)
    corner = np.arange(AROUND)[:, None]
    band = np.concatenate([corner + [0, 1, AROUND + 2], corner + [0, AROUND + 2, AROUND + 1]], 1)
    before = np.abs((turn[1:] + turn[:-1]) / 2) < FACE
    points, normals, triangles, used = [], [], [], []
    for place, ((low, z, kind), (high, top, _)) in enumerate(pairwise(RINGS)):
        slope = np.array([top - z, (low - high) * radius])
        outward, upward = slope / np.linalg.norm(slope)
        points += [_ring(way * low * radius, z), _ring(way * high * radius, top)]
        normals += [_ring(way * outward, upward)] * 2
        triangles.append(band.reshape(-1, 3) + place * 2 * (AROUND + 1))
        used.append(np.repeat(np.where(before | (kind != WINDOW), kind, SHELL), 2))
    at = np.concatenate(points).astype(np.float32)
    return Mesh(
        points=at,
        triangles=np.concatenate(triangles).astype(np.int32),
        uv=np.ascontiguousarray(at[:, :2]),
        normals=np.concatenate(normals).astype(np.float32),
        material=np.concatenate(used).astype(np.int16),
    )


def _ring(flat: FloatArray, z: float) -> FloatArray:
    return np.column_stack([flat, np.full(len(flat), z)])
