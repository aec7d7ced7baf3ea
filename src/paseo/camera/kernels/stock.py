"""What stays from frame to frame: templates at rest, and all materials."""

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paseo.camera.kernels import wp
from paseo.camera.kernels.layout import Geometry, MaterialRow, Paint, Texture
from paseo.camera.kernels.shrinking import halve
from paseo.camera.kernels.skinning import Rest
from paseo.camera.meshes import Body, ByteArray, Float32Array, Level, Material, Mesh, Surface
from paseo.camera.scene import Place

SURFACES = {surface: place for place, surface in enumerate(Surface)}
SMALLEST_BALL = 0.03  # metres; fingers keep no light away


@dataclass(frozen=True, slots=True)
class Template:
    """Where a mesh at rest is among all."""

    point_start: int
    points: int
    triangle_start: int
    triangles: int


@dataclass(frozen=True, slots=True, eq=False)
class Balls:
    """A body at rest as balls, each on a bone."""

    bones: NDArray[np.int64]  # (balls,)
    middles: Float32Array  # (balls, 3)
    radii: Float32Array  # (balls,)

    def posed(self, pose: Float32Array) -> Float32Array:
        """The middles in a pose, (balls, 3)."""
        bones = pose[self.bones]
        moved: Float32Array = np.einsum("bij,bj->bi", bones[:, :, :3], self.middles)
        return moved + bones[:, :, 3]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Stock:
    """All templates; that of the place is the first."""

    place: Template
    levels: Mapping[str, tuple[Template, ...]]  # of bodies by name, finest first
    bodies: Mapping[str, Body]
    shades: Mapping[str, Balls]  # what of bodies keeps light away
    hulls: Mapping[str, Balls]  # around all that their bones carry
    rest: Any
    geometry: Any  # what of it stays
    paint: Any


def stock_of(place: Place, bodies: Sequence[Body], device: str) -> Stock:
    """The tables of a place and of everybody who may come."""
    meshes, materials = [place.mesh], list(place.materials)
    shifts = [0]
    for body in bodies:
        meshes += [level.mesh for level in body.levels]
        shifts += [len(materials)] * len(body.levels)
        materials += body.materials
    templates = _templates(meshes)
    by_name, taken = {}, 1
    for body in bodies:
        by_name[body.name] = tuple(templates[taken : taken + len(body.levels)])
        taken += len(body.levels)
    levels = [level for body in bodies for level in body.levels]
    with ThreadPoolExecutor(1) as beside:  # copying leaves Python to others
        paint = beside.submit(paint_of, materials, device)
        rest, geometry = _rest(place.mesh, levels, device), _geometry(meshes, shifts, device)
    return Stock(
        place=templates[0],
        levels=by_name,
        bodies={body.name: body for body in bodies},
        shades={body.name: _shades(body.levels[-1]) for body in bodies},
        hulls={body.name: _hull(body) for body in bodies},
        rest=rest,
        geometry=geometry,
        paint=paint.result(),
    )


def _templates(meshes: Sequence[Mesh]) -> list[Template]:
    found, points, triangles = [], 0, 0
    for mesh in meshes:
        found.append(Template(points, len(mesh.points), triangles, len(mesh.triangles)))
        points += len(mesh.points)
        triangles += len(mesh.triangles)
    return found


def _rest(place: Mesh, levels: Sequence[Level], device: str) -> Any:
    table: Any = Rest()
    still = len(place.points)
    meshes = [place, *(level.mesh for level in levels)]
    bones = [np.zeros((still, 4), np.uint8), *(level.bone_indices for level in levels)]
    weights = [np.zeros((still, 4), np.float32), *(level.bone_weights for level in levels)]
    points = np.concatenate([mesh.points for mesh in meshes])
    normals = np.concatenate([mesh.normals for mesh in meshes])
    table.points = uploaded(points, wp.vec3, device)
    table.normals = uploaded(normals, wp.vec3, device)
    table.bones = uploaded(np.concatenate(bones), wp.vec4ub, device)
    table.weights = uploaded(np.concatenate(weights), wp.vec4, device)
    return table


def _geometry(meshes: Sequence[Mesh], shifts: Sequence[int], device: str) -> Any:
    table: Any = Geometry()
    triangles = np.concatenate([mesh.triangles for mesh in meshes])
    uv = np.concatenate([mesh.uv for mesh in meshes])
    used = [
        mesh.material.astype(np.int32) + shift for mesh, shift in zip(meshes, shifts, strict=True)
    ]
    table.triangles = uploaded(triangles, wp.vec3i, device)
    table.uv = uploaded(uv, wp.vec2, device)
    table.materials = uploaded(np.concatenate(used), int, device)
    return table


def _hull(body: Body) -> Balls:
    """For each bone a ball around all points that it has a part in.

    A point is where its bones would take it, on average, so it never leaves the hull of the balls.
    """
    points = np.concatenate([level.mesh.points for level in body.levels])
    bones = np.concatenate([level.bone_indices for level in body.levels])
    weights = np.concatenate([level.bone_weights for level in body.levels])
    point, slot = np.nonzero(weights > 0)
    carrier = bones[point, slot]
    order = np.argsort(carrier, kind="stable")
    carried, starts = np.unique(carrier[order], return_index=True)
    parts = points[point[order]]
    low, high = np.minimum.reduceat(parts, starts), np.maximum.reduceat(parts, starts)
    middles: Float32Array = ((low + high) / 2).astype(np.float32)
    radii = np.linalg.norm(high - low, axis=1) / 2
    return Balls(carried.astype(np.int64), middles, radii.astype(np.float32))


def _shades(level: Level) -> Balls:
    """For each bone that carries much, a ball about as large as what it carries."""
    carrier = level.bone_indices[np.arange(len(level.bone_indices)), level.bone_weights.argmax(1)]
    count = np.bincount(carrier, minlength=256)
    share = np.maximum(count, 1)[:, None]
    points = level.mesh.points
    middles = np.stack([np.bincount(carrier, p, 256) for p in points.T], axis=1) / share
    away = ((points - middles[carrier]) ** 2).sum(axis=1)
    radii = 0.8 * np.sqrt(np.bincount(carrier, away, 256) / share[:, 0])
    bones = np.flatnonzero((count > 0) & (radii > SMALLEST_BALL))
    return Balls(bones, middles[bones].astype(np.float32), radii[bones].astype(np.float32))


def paint_of(materials: Sequence[Material], device: str) -> Any:
    """All materials, with their textures in all sizes."""
    shelf = _Shelf()
    rows = np.zeros(len(materials), row_type(MaterialRow))
    for row, material in zip(rows, materials, strict=True):
        row["colour"] = material.colour
        row["dyed"] = material.dyes is not None
        if material.dyes:
            row["first"], row["second"] = 255 * np.array(material.dyes)
        row["surface"] = SURFACES[material.surface]
        row["texture"] = shelf.place_of(material.texture)
        row["bump"] = shelf.place_of(material.bump)
        row["bump_tiles"] = material.bump_tiles
        row["bump_height"] = material.bump_m / (material.tile_m * material.bump_tiles)
        row["roughness"] = material.roughness
        row["alpha_tested"] = material.alpha_tested
    table: Any = Paint()
    table.materials = wp.array(rows, dtype=MaterialRow, device=device)
    table.textures, table.texels = shelf.tables(device)
    shades = np.linspace(0, 1, 1024)
    linear = np.where(shades <= 0.04045, shades / 12.92, ((shades + 0.055) / 1.055) ** 2.4)
    light = np.linspace(0, 1, 4096) ** 2
    encoded = np.where(light <= 0.0031308, light * 12.92, 1.055 * light ** (1 / 2.4) - 0.055)
    table.linear = wp.array(linear.astype(np.float32), dtype=float, device=device)
    encoded_bytes = np.round(encoded * 255).astype(np.uint8)
    table.encoded = wp.array(encoded_bytes, dtype=wp.uint8, device=device)
    return table


class _Shelf:
    """Textures in a row, each once and in all its sizes."""

    def __init__(self) -> None:
        self._places: dict[int, int] = {}
        self._textures: list[ByteArray] = []
        self._levels: list[tuple[int, int, int, int]] = []  # start, width, height, smaller ones
        self._end = 0

    def place_of(self, texture: ByteArray | None) -> int:
        """Where the texture's first level is among all; -1 for none."""
        if texture is None:
            return -1
        if id(texture) not in self._places:
            self._places[id(texture)] = len(self._levels)
            self._textures.append(texture)
            height, width = texture.shape[:2]
            smaller = min(height, width).bit_length() - 1
            for level in reversed(range(smaller + 1)):
                self._levels.append((self._end, width, height, level))
                self._end += width * height
                width, height = width // 2, height // 2
        return self._places[id(texture)]

    def tables(self, device: str) -> tuple[Any, Any]:
        """All levels and all texels."""
        rows = np.zeros(max(len(self._levels), 1), row_type(Texture))
        for name, values in zip(
            rows.dtype.names or (), zip(*self._levels, strict=True), strict=False
        ):
            rows[name][: len(self._levels)] = values
        texels = np.empty((max(self._end, 1), 4), np.uint8)
        for texture, place in zip(self._textures, self._places.values(), strict=True):
            start, width, height, _ = self._levels[place]
            whole = texture if texture.ndim == 3 else texture[..., None]  # bumps are grey
            texels[start : start + width * height].reshape(height, width, 4)[:] = whole
        stored = uploaded(texels, wp.vec4ub, device)
        for (width, height), pairs in self._halvings().items():
            starts = wp.array(np.array(pairs, np.int32), dtype=wp.vec2i, device=device)
            half = (len(pairs), (width // 2) * (height // 2))
            wp.launch(halve, dim=half, inputs=[starts, width, stored], device=device)
        return wp.array(rows, dtype=Texture, device=device), stored

    def _halvings(self) -> dict[tuple[int, int], list[tuple[int, int]]]:
        """By the size of a level, largest first: where it begins and where the next one does."""
        found: dict[tuple[int, int], list[tuple[int, int]]] = {}
        for large, small in pairwise(self._levels):
            if large[3]:
                found.setdefault(large[1:3], []).append((large[0], small[0]))
        return dict(sorted(found.items(), reverse=True))


def uploaded(values: NDArray[Any], kind: Any, device: str) -> Any:
    """An array on a device; a processor takes it as it is, so nobody else may change it."""
    return wp.array(values, dtype=kind, device=device, copy=device != "cpu")


def row_type(table: Any) -> np.dtype[np.void]:
    """A kernel's struct as numpy has it."""
    kind: np.dtype[np.void] = np.dtype(table.numpy_dtype())
    return kind
