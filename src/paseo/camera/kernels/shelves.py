"""Tables on a device that grow: rows of one kind, and textures in all their sizes."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paseo.camera.kernels import wp
from paseo.camera.kernels.layout import MaterialRow, Paint, Texture
from paseo.camera.kernels.shrinking import halve, halve_heights
from paseo.camera.meshes import ByteArray, Material, Surface

SURFACES = {surface: place for place, surface in enumerate(Surface)}
ROOM = 1024  # rows, to begin with


class Rows:
    """Rows on a device to which others are added; who holds `array` keeps what it had."""

    def __init__(self, kind: Any, device: str) -> None:
        self._kind, self._device = kind, device
        self.array = wp.empty(ROOM, dtype=kind, device=device)
        self.count = 0

    def add(self, rows: NDArray[Any]) -> int:
        """Where the first of these rows is from now on."""
        start = self.make_room(len(rows))
        if len(rows):
            # The processor's memory as it is: it is copied once.
            given = wp.array(rows, dtype=self._kind, device="cpu", copy=False)
            wp.copy(self.array, given, dest_offset=start)
        return start

    def make_room(self, count: int) -> int:
        """The first of so many rows that anything may be written to."""
        start, self.count = self.count, self.count + count
        if self.count > len(self.array):
            room = max(self.count, 2 * len(self.array))
            larger = wp.empty(room, dtype=self._kind, device=self._device)
            if start:
                wp.copy(larger, self.array, count=start)
            self.array = larger
        return start


class Paints:
    """All materials so far, with their textures."""

    def __init__(self, device: str) -> None:
        self._device = device
        self._materials = Rows(MaterialRow, device)
        self._textures = Rows(Texture, device)
        self._texels, self._heights = Rows(wp.vec4ub, device), Rows(wp.uint8, device)
        self._places: dict[int, tuple[int, ByteArray]] = {}  # whose ids they are, too
        shades = np.linspace(0, 1, 1024)
        linear = np.where(shades <= 0.04045, shades / 12.92, ((shades + 0.055) / 1.055) ** 2.4)
        light = np.linspace(0, 1, 4096) ** 2
        encoded = np.where(light <= 0.0031308, light * 12.92, 1.055 * light ** (1 / 2.4) - 0.055)
        self._linear = wp.array(linear.astype(np.float32), dtype=float, device=device)
        encoded_bytes = np.round(encoded * 255).astype(np.uint8)
        self._encoded = wp.array(encoded_bytes, dtype=wp.uint8, device=device)

    def add(self, materials: Sequence[Material]) -> int:
        """Where the first of these materials is from now on."""
        self._add_textures([each.texture for each in materials], self._texels, halve)
        self._add_textures([each.bump for each in materials], self._heights, halve_heights)
        rows = np.zeros(len(materials), row_type(MaterialRow))
        for row, material in zip(rows, materials, strict=True):
            row["colour"] = material.colour
            row["dyed"] = material.dyes is not None
            if material.dyes:
                row["first"], row["second"] = 255 * np.array(material.dyes)
            row["surface"] = SURFACES[material.surface]
            row["texture"] = self._place_of(material.texture)
            row["bump"] = self._place_of(material.bump)
            row["bump_tiles"] = material.bump_tiles
            row["bump_height"] = material.bump_m / (material.tile_m * material.bump_tiles)
            row["roughness"] = material.roughness
            row["glow"] = material.glow
            row["alpha_tested"] = material.alpha_tested
        return self._materials.add(rows)

    def table(self) -> Any:
        """All of it as kernels read it."""
        paint: Any = Paint()
        paint.materials, paint.textures = self._materials.array, self._textures.array
        paint.texels, paint.heights = self._texels.array, self._heights.array
        paint.linear, paint.encoded = self._linear, self._encoded
        return paint

    def _place_of(self, texture: ByteArray | None) -> int:
        """Where a texture's first level is among all; -1 for none."""
        return -1 if texture is None else self._places[id(texture)][0]

    def _add_textures(
        self, textures: Sequence[ByteArray | None], stored: Rows, shrink: Any
    ) -> None:
        """Textures that are not here yet, each in all its sizes."""
        new = {id(each): each for each in textures if each is not None}
        halvings: dict[tuple[int, int], list[tuple[int, int]]] = {}
        rows: list[tuple[int, int, int, int]] = []
        for key, texture in new.items():
            if key in self._places:
                continue
            height, width = texture.shape[:2]
            levels = _levels(width, height, stored.add(texture.reshape(-1, *texture.shape[2:])))
            stored.make_room(levels[-1][0] + levels[-1][1] * levels[-1][2] - stored.count)
            self._places[key] = self._textures.count + len(rows), texture
            rows += levels
            for large, small in pairwise(levels):
                halvings.setdefault(large[1:3], []).append((large[0], small[0]))
        self._textures.add(np.array(rows, np.int32).reshape(-1, 4).view(row_type(Texture))[:, 0])
        for (width, height), pairs in sorted(halvings.items(), reverse=True):
            starts = wp.array(np.array(pairs, np.int32), dtype=wp.vec2i, device=self._device)
            half = (len(pairs), (width // 2) * (height // 2))
            inputs = [starts, width, stored.array]
            wp.launch(shrink, dim=half, inputs=inputs, device=self._device)


def _levels(width: int, height: int, start: int) -> list[tuple[int, int, int, int]]:
    """All sizes of a texture: where each begins, its width and height, how many are smaller."""
    levels = []
    for smaller in reversed(range(min(height, width).bit_length())):
        levels.append((start, width, height, smaller))
        start += width * height
        width, height = width // 2, height // 2
    return levels


def row_type(table: Any) -> np.dtype[np.void]:
    """A kernel's struct as numpy has it."""
    kind: np.dtype[np.void] = np.dtype(table.numpy_dtype())
    return kind
