"""Rectangles and other parts put together to a mesh."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from paseo.camera.meshes import Float32Array, Material, Mesh
from paseo.camera.scene import Lamp
from paseo.world.arrays import FloatArray

SMALLEST = 1e-4  # metres; what is thinner is left out
Spread = tuple[float, float, float, float]  # of a texture: left, bottom, right, top


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """Triangles of one material."""

    points: FloatArray  # (points, 3)
    triangles: NDArray[np.int64]  # (triangles, 3)
    uv: FloatArray  # (points, 2)
    normals: FloatArray  # (points, 3)
    material: Material

    def moved(self, at: FloatArray, *, turn: float = 0.0, scale: float = 1.0) -> "Part":
        """The same elsewhere, turned about the upright."""
        cos, sin = np.cos(turn), np.sin(turn)
        round_up = np.array([[cos, -sin, 0.0], [sin, cos, 0.0], [0.0, 0.0, 1.0]])
        points = scale * self.points @ round_up.T + at
        return Part(points, self.triangles, self.uv, self.normals @ round_up.T, self.material)


@dataclass(slots=True)
class Quads:
    """A heap of rectangles, each told by a corner and two edges, anticlockwise; and of parts."""

    materials: list[Material] = field(default_factory=list)
    lamps: list[Lamp] = field(default_factory=list)
    _corners: list[FloatArray] = field(default_factory=list)
    _edges: list[tuple[FloatArray, FloatArray]] = field(default_factory=list)
    _spread: list[Spread] = field(default_factory=list)
    _used: list[int] = field(default_factory=list)
    _parts: list[Part] = field(default_factory=list)

    def add(
        self,
        corner: FloatArray,
        right: FloatArray,
        up: FloatArray,
        material: Material,
        start: tuple[float, float] = (0.0, 0.0),
    ) -> None:
        """Add one; its texture begins `start` metres along its edges."""
        tile = material.tile_m
        u, v = start[0] / tile, start[1] / tile
        width, height = _length(right) / tile, _length(up) / tile
        self.show(corner, right, up, material, (u, v, u + width, v + height))

    def show(
        self,
        corner: FloatArray,
        right: FloatArray,
        up: FloatArray,
        material: Material,
        spread: Spread = (0.0, 0.0, 1.0, 1.0),
    ) -> None:
        """Add one that shows that piece of its texture."""
        if _length(right) < SMALLEST or _length(up) < SMALLEST:
            return
        self._corners.append(corner)
        self._edges.append((right, up))
        self._spread.append(spread)
        self._used.append(self._place_of(material))

    def box(self, corner: FloatArray, edges: FloatArray, material: Material) -> None:
        """Add a box by its corner and its three edges, (3, 3), right-handed; it has no bottom."""
        a, b, c = edges
        for right, up, from_ in ((a, c, corner), (b, c, corner + a), (a, b, corner + c)):
            self.add(from_, right, up, material)
        self.add(corner + a + b, -a, c, material)
        self.add(corner + b, -b, c, material)

    def closed_box(self, corner: FloatArray, edges: FloatArray, material: Material) -> None:
        """Add a box with its bottom, for what hangs above eyes."""
        self.box(corner, edges, material)
        self.add(corner + edges[1], edges[0], -edges[1], material)

    def put(self, part: Part) -> None:
        """Add a part."""
        self._parts.append(part)

    def mesh(self) -> Mesh:
        """All of them."""
        parts = [self._rectangles(), *self._parts] if self._corners else self._parts
        starts = np.cumsum([0, *(len(part.points) for part in parts)])
        used = [np.array(self._used).repeat(2)] if self._corners else []
        used += [np.full(len(p.triangles), self._place_of(p.material)) for p in self._parts]
        shifted = [part.triangles + start for part, start in zip(parts, starts, strict=False)]
        return Mesh(
            points=_joined([part.points for part in parts]),
            triangles=np.concatenate(shifted).astype(np.int32),
            uv=_joined([part.uv for part in parts]),
            normals=_joined([part.normals for part in parts]),
            material=np.concatenate(used).astype(np.int16),
        )

    def _place_of(self, material: Material) -> int:
        for place, known in enumerate(self.materials):
            if known is material:
                return place
        self.materials.append(material)
        return len(self.materials) - 1

    def _rectangles(self) -> Part:
        corner = np.array(self._corners, float)
        right, up = np.array(self._edges, float).transpose(1, 0, 2)
        points = np.stack([corner, corner + right, corner + right + up, corner + up], axis=1)
        normal = np.cross(right, up)
        normal /= np.linalg.norm(normal, axis=1, keepdims=True)
        u0, v0, u1, v1 = np.array(self._spread).T
        uv = np.stack([u0, v0, u1, v0, u1, v1, u0, v1], axis=1)
        first = 4 * np.arange(len(corner))[:, None]
        triangles = np.concatenate([first + [0, 1, 2], first + [0, 2, 3]], axis=1).reshape(-1, 3)
        return Part(
            points.reshape(-1, 3),
            triangles,
            uv.reshape(-1, 2),
            np.repeat(normal, 4, axis=0),
            self.materials[0],
        )


def _length(edge: FloatArray) -> float:
    x, y, z = edge.tolist()
    return float((x * x + y * y + z * z) ** 0.5)


def _joined(arrays: list[FloatArray]) -> Float32Array:
    return np.concatenate(arrays).astype(np.float32)
