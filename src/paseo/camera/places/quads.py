"""Rectangles put together to a mesh."""

from dataclasses import dataclass, field

import numpy as np

from paseo.camera.meshes import Material, Mesh
from paseo.world.arrays import FloatArray


@dataclass(slots=True)
class Quads:
    """A heap of rectangles; each is told by a corner and two edges, anticlockwise."""

    materials: list[Material]
    points: list[FloatArray] = field(default_factory=list)
    normals: list[FloatArray] = field(default_factory=list)
    uv: list[FloatArray] = field(default_factory=list)
    used: list[int] = field(default_factory=list)

    def add(
        self,
        corner: FloatArray,
        right: FloatArray,
        up: FloatArray,
        material: int,
        start: tuple[float, float] = (0.0, 0.0),
    ) -> None:
        """Add one; its texture begins `start` metres along its edges."""
        width, height = float(np.linalg.norm(right)), float(np.linalg.norm(up))
        if width < 1e-4 or height < 1e-4:
            return
        normal = np.cross(right, up) / (width * height)
        u, v = start
        spread = [[u, v], [u + width, v], [u + width, v + height], [u, v + height]]
        self.points += [corner, corner + right, corner + right + up, corner + up]
        self.normals += [normal] * 4
        self.uv.append(np.array(spread) / self.materials[material].tile_m)
        self.used += [material, material]

    def box(self, corner: FloatArray, edges: FloatArray, material: int) -> None:
        """Add a box by its corner and its three edges, (3, 3), right-handed."""
        a, b, c = edges
        for right, up, from_ in ((a, c, corner), (b, c, corner + a), (a, b, corner + c)):
            self.add(from_, right, up, material)
        self.add(corner + a + b, -a, c, material)
        self.add(corner + b, -b, c, material)
        self.add(corner + b, a, -b, material)

    def mesh(self) -> Mesh:
        """All of them."""
        first = 4 * np.arange(len(self.points) // 4)[:, None]
        triangles = np.concatenate([first + [0, 1, 2], first + [0, 2, 3]], axis=1).reshape(-1, 3)
        return Mesh(
            points=np.array(self.points, np.float32),
            triangles=triangles.astype(np.int32),
            uv=np.concatenate(self.uv).astype(np.float32),
            normals=np.array(self.normals, np.float32),
            material=np.array(self.used, np.int16),
        )
