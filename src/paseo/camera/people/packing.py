"""The file of the library: templates that people share, and where each person's points are."""

import io
from collections.abc import Mapping
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from paseo.camera.meshes import Age, ByteArray, Float32Array, Int32Array, Sex
from paseo.camera.people.looks import Fabric, Look

UNITS = 25_000  # to the metre
BEFORE = np.array([1.3, 1.3, 0.1])  # metres that the box of all people begins behind the origin
LEVELS = 4


class Piece(msgspec.Struct, frozen=True):
    """A part of a person: which template, and the fabric of each of its slots that has one."""

    template: str
    fabrics: dict[str, Fabric] = {}


class Person(msgspec.Struct, frozen=True, kw_only=True):
    """All of a person but points."""

    name: str
    sex: Sex
    age: Age
    height: float
    leg_length: float
    look: Look
    pieces: tuple[Piece, ...]
    joints: tuple[tuple[float, float, float], ...]


class Contents(msgspec.Struct, frozen=True, kw_only=True):
    """What the file lists."""

    licence: str
    bones: tuple[str, ...]
    parents: tuple[int, ...]
    slots: dict[str, tuple[str, ...]]  # by template
    people: tuple[Person, ...]


class Template(msgspec.Struct, frozen=True):
    """What everybody who has a part shares."""

    uv: NDArray[np.float16]  # (points, 2)
    weld: Int32Array  # (points,), the first point at the same place
    bones: ByteArray  # (points, 4)
    shares: ByteArray  # (points, 4), how much each bone carries, of about 255 in all
    triangles: tuple[Int32Array, ...]  # (triangles, 3) for each level
    slots: tuple[ByteArray, ...]  # (triangles,) for each level
    names: tuple[str, ...]

    @property
    def weights(self) -> Float32Array:
        """How much each bone carries, (points, 4); each row sums to 1."""
        return weights_of(self.shares)


def weights_of(shares: ByteArray) -> Float32Array:
    """Shares of about 255 as weights that sum to 1, (points, 4)."""
    whole = shares.sum(axis=1, keepdims=True, dtype=np.float32)
    weights: Float32Array = shares / whole
    return weights


def packed_points(points: NDArray[np.float64]) -> ByteArray:
    """Points as differences of 1/25 mm, their low bytes before their high ones, (2, points, 3)."""
    steps = np.round((points + BEFORE) * UNITS).astype(np.int64)
    jumps = np.diff(steps, axis=0, prepend=0) % 65536
    return np.stack([jumps % 256, jumps // 256]).astype(np.uint8)


def unpacked_steps(packed: ByteArray) -> NDArray[np.uint16]:
    """The points of `packed_points` in steps of 1/25 mm, (points, 3)."""
    jumps = packed[0].astype(np.uint16) + (packed[1].astype(np.uint16) << 8)
    return np.cumsum(jumps, axis=0, dtype=np.uint16)


def points_of(steps: NDArray[np.uint16]) -> Float32Array:
    """Steps as metres."""
    points: Float32Array = steps * np.float32(1 / UNITS) - BEFORE.astype(np.float32)
    return points


def unpacked_points(packed: ByteArray) -> Float32Array:
    """The points of `packed_points`, (points, 3) metres."""
    return points_of(unpacked_steps(packed))


def packed_indices(indices: NDArray[np.int64]) -> ByteArray:
    """Places under 65536 as differences, their low bytes before their high ones."""
    jumps = np.diff(indices.ravel(), prepend=0) % 65536
    return np.stack([jumps % 256, jumps // 256]).astype(np.uint8)


def unpacked_indices(packed: ByteArray) -> Int32Array:
    """The places of `packed_indices`, in one row."""
    jumps = packed[0].astype(np.uint16) + (packed[1].astype(np.uint16) << 8)
    return np.cumsum(jumps, dtype=np.uint16).astype(np.int32)


class Archive:
    """An open library: what it lists, its templates, and points by person and part."""

    def __init__(self, content: bytes) -> None:
        self._arrays: Mapping[str, NDArray[Any]] = np.load(io.BytesIO(content), allow_pickle=False)
        self.contents = msgspec.json.decode(self._arrays["contents"].tobytes(), type=Contents)
        self._templates: dict[str, Template] = {}

    def template(self, name: str) -> Template:
        """A template by its name."""
        if name not in self._templates:
            self._templates[name] = self._read_template(name)
        return self._templates[name]

    def _read_template(self, name: str) -> Template:
        arrays = self._arrays
        levels = range(LEVELS)
        return Template(
            uv=arrays[f"{name}/uv"],
            weld=unpacked_indices(arrays[f"{name}/weld"]),
            bones=arrays[f"{name}/bones"],
            shares=arrays[f"{name}/weights"],
            triangles=tuple(
                unpacked_indices(arrays[f"{name}/triangles{k}"]).reshape(-1, 3) for k in levels
            ),
            slots=tuple(arrays[f"{name}/slots{k}"] for k in levels),
            names=self.contents.slots[name],
        )

    def steps(self, person: Person, template: str) -> NDArray[np.uint16]:
        """Where a person's part is, (points, 3) in steps of 1/25 mm."""
        return unpacked_steps(self._arrays[f"{person.name}/{template}"])

    def points(self, person: Person, template: str) -> Float32Array:
        """The same, (points, 3) metres."""
        return points_of(self.steps(person, template))

    def hidden(self, person: Person, template: str) -> NDArray[np.bool_]:
        """Which points of a part lie under others of the same person, (points,)."""
        count = len(self.template(template).uv)
        bits = self._arrays.get(f"{person.name}/{template}/hidden")
        if bits is None:
            return np.zeros(count, dtype=bool)
        return np.unpackbits(bits, count=count).astype(bool)

    def face(self) -> tuple[Float32Array, Float32Array]:
        """The map faces are painted by: places and masks, (rows, columns, 3) each."""
        masks = self._arrays["face/masks"].astype(np.float32) / np.float32(255)
        return self._arrays["face/places"].astype(np.float32), masks
