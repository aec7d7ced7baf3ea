"""What stays from frame to frame: meshes at rest, each added when a picture first needs it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from threading import RLock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paseo.camera.balls import Balls, bulk_of, hull_of
from paseo.camera.kernels import wp
from paseo.camera.kernels.layout import Geometry
from paseo.camera.kernels.shelves import Paints, Rows
from paseo.camera.kernels.skinning import Rest
from paseo.camera.meshes import Body, Level
from paseo.camera.scene import Place
from paseo.errors import UnknownName

KINDS = {
    "points": wp.vec3,
    "normals": wp.vec3,
    "uv": wp.vec2,
    "bones": wp.vec4ub,
    "weights": wp.vec4,
    "triangles": wp.vec3i,
    "materials": int,
}


@dataclass(frozen=True, slots=True)
class Template:
    """Where a mesh at rest is among all."""

    point_start: int
    points: int
    triangle_start: int
    triangles: int


@dataclass(frozen=True, slots=True, eq=False)
class Balled:
    """A body as balls."""

    body: Body
    hull: Balls  # around all that its bones carry
    bulk: Balls  # what of it keeps light away


class Stock:
    """A place and those bodies as kernels need them.

    Of a body only the levels of detail are here that were asked for so far. Several threads may
    ask; who holds a table keeps what it had.
    """

    def __init__(self, place: Place, device: str) -> None:
        self._lock = RLock()
        self._bodies: dict[str, Body] = {}
        self._balled: dict[str, Balled] = {}
        self._found: dict[tuple[str, int], Template] = {}
        self._materials: dict[str, int] = {}  # of bodies by name, the place of the first
        self._paints = Paints(device)
        self._rows = {name: Rows(kind, device) for name, kind in KINDS.items()}
        self._points, self._triangles = len(place.mesh.points), len(place.mesh.triangles)
        none = np.zeros((self._points, 4), np.uint8), np.zeros((self._points, 4), np.float32)
        still = Level(mesh=place.mesh, bone_indices=none[0], bone_weights=none[1])
        self._upload([(still, self._paints.add(place.materials))])
        self.place = Template(0, self._points, 0, self._triangles)

    def welcome(self, bodies: Sequence[Body]) -> None:
        """Have these bodies from now on too."""
        self._bodies |= {body.name: body for body in bodies}

    def balled(self, name: str) -> Balled:
        """A body by its name, as balls."""
        with self._lock:
            if name not in self._balled:
                if name not in self._bodies:
                    raise UnknownName("body", name, self._bodies)
                body = self._bodies[name]
                coarse = body.levels[-1]
                bulk = bulk_of(coarse.mesh.points, coarse.bone_indices, coarse.bone_weights)
                self._balled[name] = Balled(body, body.hull or _hull(body.levels), bulk)
            return self._balled[name]

    def templates(self, wanted: Sequence[tuple[str, int]]) -> list[Template]:
        """Levels of detail of bodies by their names; what is not here yet is added, all at once."""
        with self._lock:
            self._add_materials(name for name, _ in wanted)
            self._add_levels([each for each in dict.fromkeys(wanted) if each not in self._found])
            return [self._found[each] for each in wanted]

    def _add_materials(self, names: Iterable[str]) -> None:
        new = [self._bodies[name] for name in dict.fromkeys(names) if name not in self._materials]
        start = self._paints.add([each for body in new for each in body.materials])
        for body in new:
            self._materials[body.name] = start
            start += len(body.materials)

    def _add_levels(self, new: Sequence[tuple[str, int]]) -> None:
        levels = []
        for name, place in new:
            body = self._bodies[name]
            level, points, triangles = body.levels[place], self._points, self._triangles
            body.check(level)
            levels.append((level, self._materials[name]))
            self._points += len(level.mesh.points)
            self._triangles += len(level.mesh.triangles)
            counts = self._points - points, self._triangles - triangles
            self._found[name, place] = Template(points, counts[0], triangles, counts[1])
        if levels:
            self._upload(levels)

    def _upload(self, levels: Sequence[tuple[Level, int]]) -> None:
        """Meshes on bones, each with the place of its first material."""
        meshes = [level.mesh for level, _ in levels]
        rows: dict[str, list[NDArray[Any]]] = {
            "points": [mesh.points for mesh in meshes],
            "normals": [mesh.normals for mesh in meshes],
            "uv": [mesh.uv for mesh in meshes],
            "bones": [level.bone_indices for level, _ in levels],
            "weights": [level.bone_weights for level, _ in levels],
            "triangles": [mesh.triangles for mesh in meshes],
            "materials": [
                level.mesh.material.astype(np.int32) + np.int32(start) for level, start in levels
            ],
        }
        for name, parts in rows.items():
            self._rows[name].add(np.concatenate(parts))

    def rest(self) -> Any:
        """All points at rest, for kernels."""
        table: Any = Rest()
        for name in ("points", "normals", "bones", "weights"):
            setattr(table, name, self._rows[name].array)
        return table

    def geometry(self) -> Any:
        """What of a frame's geometry stays."""
        table: Any = Geometry()
        for name in ("triangles", "materials", "uv"):
            setattr(table, name, self._rows[name].array)
        return table

    def paint(self) -> Any:
        """All materials so far."""
        return self._paints.table()


def _hull(levels: Sequence[Level]) -> Balls:
    """Balls around all that bones carry at any level."""
    return hull_of(
        np.concatenate([level.mesh.points for level in levels]),
        np.concatenate([level.bone_indices for level in levels]),
        np.concatenate([level.bone_weights for level in levels]),
    )
