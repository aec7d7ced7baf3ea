"""What the camera looks at, as values: materials, meshes, skeletons and bodies."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import overload

import numpy as np
from numpy.typing import NDArray

from paseo.camera.balls import Balls
from paseo.errors import BadValue

Float32Array = NDArray[np.float32]
Int32Array = NDArray[np.int32]
Int16Array = NDArray[np.int16]
ByteArray = NDArray[np.uint8]
Colour = tuple[float, float, float]
BRIGHTEST = 1.5


class Surface(StrEnum):
    """What a material is made of; each is lit in its own way."""

    SKIN = "skin"
    HAIR = "hair"
    CLOTH = "cloth"
    LEATHER = "leather"
    EYE = "eye"
    WALL = "wall"
    GLASS = "glass"
    FLOOR = "floor"
    GRASS = "grass"
    LEAF = "leaf"
    WOOD = "wood"
    METAL = "metal"


class Sex(StrEnum):
    """As the body library and the gait tables tell them apart."""

    FEMALE = "female"
    MALE = "male"


class Age(StrEnum):
    """Groups of age that differ in build and gait."""

    CHILD = "child"
    ADULT = "adult"
    ELDERLY = "elderly"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Material:
    """How a surface looks; a texture multiplies the colour and repeats every `tile_m` of uv.

    Textures are sRGB; their first row is v = 1, as in OBJ. A uv runs from 0 to 1 over one tile.
    With dyes, many materials share a texture: its red is the share of the second dye, its green
    the brightness, `BRIGHTEST` at 255.
    """

    name: str
    surface: Surface
    colour: Colour = (1.0, 1.0, 1.0)  # linear
    texture: ByteArray | None = None  # (height, width, 4), alpha is how much of it there is
    dyes: tuple[Colour, Colour] | None = None  # sRGB; the texture then holds shares, see below
    bump: ByteArray | None = None  # (height, width), 255 is highest
    bump_m: float = 0.002  # metres from lowest to highest
    bump_tiles: float = 1.0  # tiles of the texture that the bumps take to repeat
    tile_m: float = 1.0  # metres that one tile covers; only bumps need it
    roughness: float = 0.8
    glow: Colour = (0.0, 0.0, 0.0)  # linear; what it gives off when lamps are lit
    alpha_tested: bool = False  # where alpha is under one half there is nothing
    plain: bool = False  # it should have a picture, which is not there

    def __post_init__(self) -> None:
        _check_texture(self)
        if self.alpha_tested and self.texture is None:
            raise BadValue(f"material '{self.name}' is alpha-tested but has no texture; give one")
        if not self.tile_m > 0:
            raise BadValue(f"material '{self.name}': tile_m is {self.tile_m}, expected over 0")


def _check_texture(material: Material) -> None:
    for what, array, shape in (
        ("texture", material.texture, "(height, width, 4)"),
        ("bump", material.bump, "(height, width)"),
    ):
        if array is None:
            continue
        good = array.dtype == np.uint8 and array.size > 0
        if not good or array.ndim != shape.count(",") + 1 or array.shape[2:] not in ((), (4,)):
            raise BadValue(
                f"material '{material.name}': the {what} is {array.dtype} {array.shape}, "
                f"expected uint8 {shape}"
            )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Mesh:
    """Triangles in metres, Z up; a triangle's front is where its corners run anticlockwise."""

    points: Float32Array  # (points, 3)
    triangles: Int32Array  # (triangles, 3), rows of `points`
    uv: Float32Array  # (points, 2), in tiles of the material
    normals: Float32Array  # (points, 3), unit length
    material: Int16Array  # (triangles,), places in the materials that go with the mesh

    def __post_init__(self) -> None:
        _check_array("points", self.points, np.float32, (None, 3))
        count = len(self.points)
        _check_array("triangles", self.triangles, np.int32, (None, 3))
        _check_array("uv", self.uv, np.float32, (count, 2))
        _check_array("normals", self.normals, np.float32, (count, 3))
        _check_array("material", self.material, np.int16, (len(self.triangles),))
        if not np.isfinite(self.points).all():
            raise BadValue("a mesh has points that are not finite; repair it")
        if len(self.triangles) and not 0 <= self.triangles.min() <= self.triangles.max() < count:
            raise BadValue(
                f"a mesh has triangles with corners outside its {count} points; repair it"
            )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Skeleton:
    """Bones at rest: standing, facing +X, Z up, feet on z = 0, the origin between the feet."""

    names: tuple[str, ...]
    parents: Int16Array  # (bones,), the root's is itself; parents come before children
    joints: Float32Array  # (bones, 3) metres

    def __post_init__(self) -> None:
        bones = len(self.names)
        _check_array("parents", self.parents, np.int16, (bones,))
        _check_array("joints", self.joints, np.float32, (bones, 3))
        if (self.parents > np.arange(bones)).any() or (self.parents < 0).any():
            raise BadValue("a skeleton's bones come before their parents; sort them root first")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Level:
    """One level of detail of a body: a mesh at rest, and which bones carry its points."""

    mesh: Mesh
    bone_indices: ByteArray  # (points, 4)
    bone_weights: Float32Array  # (points, 4), each row sums to 1

    def __post_init__(self) -> None:
        count = len(self.mesh.points)
        _check_array("bone_indices", self.bone_indices, np.uint8, (count, 4))
        _check_array("bone_weights", self.bone_weights, np.float32, (count, 4))


class LevelsOnDemand(Sequence[Level]):
    """Levels of detail that are made when first asked for: most people are seen from afar."""

    def __init__(self, count: int, make: Callable[[int], Level]) -> None:
        self._made: list[Level | None] = [None] * count
        self._make = make

    def __len__(self) -> int:
        return len(self._made)

    @overload
    def __getitem__(self, place: int) -> Level: ...

    @overload
    def __getitem__(self, place: slice) -> tuple[Level, ...]: ...

    def __getitem__(self, place: int | slice) -> Level | tuple[Level, ...]:
        if isinstance(place, slice):
            return tuple(self[k] for k in range(len(self))[place])
        level = self._made[place]
        if level is None:
            level = self._made[place] = self._make(range(len(self))[place])
        return level


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Take:
    """A motion as it was recorded: where the joints of somebody were, Z up, in metres.

    Turns are those of a bone in the world; what it is at rest depends on the rig.
    """

    name: str
    times: NDArray[np.float64]  # (frames,) seconds from 0, evenly spaced
    bones: tuple[str, ...]
    joints: NDArray[np.float64]  # (frames, bones, 3)
    turns: NDArray[np.float64]  # (frames, bones, 3, 3)

    def __post_init__(self) -> None:
        shape = (len(self.times), len(self.bones), 3)
        good = self.joints.shape == shape and self.turns.shape == (*shape, 3)
        if not good or not np.isfinite(self.joints).all() or not np.isfinite(self.turns).all():
            raise BadValue(
                f"take '{self.name}': its joints need the shape {shape} and turns (..., 3, 3), "
                "all finite"
            )

    def at(self, bone: str) -> NDArray[np.float64]:
        """Where a bone began, (frames, 3)."""
        if bone not in self.bones:
            raise BadValue(f"take '{self.name}' has no bone '{bone}'; take another")
        return np.asarray(self.joints[:, self.bones.index(bone)])


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Body:
    """A person, or the robot, to be posed.

    A pose is float32 (bones, 3, 4): matrices that take a point at rest to the world. A point
    lands at the mean of what its bones make of it, by their weights.
    """

    name: str
    sex: Sex | None  # None: of a robot
    age: Age | None
    height: float
    leg_length: float  # from the hip joint to the ground
    skeleton: Skeleton
    levels: Sequence[Level]  # finest first
    materials: tuple[Material, ...]
    licence: str
    takes: tuple[Take, ...] = ()  # how it may move; empty: as the curves that ship have it
    hull: Balls | None = None  # around all that its bones carry; None: it is found when needed

    def __post_init__(self) -> None:
        if not self.levels:
            raise BadValue(f"body '{self.name}' has no mesh; give it a level of detail")
        if not isinstance(self.levels, LevelsOnDemand):
            for level in self.levels:
                self.check(level)

    def check(self, level: Level) -> None:
        """Raise for a level whose points or triangles want what this body does not have."""
        bones, materials = len(self.skeleton.names), len(self.materials)
        if level.bone_indices.size and level.bone_indices.max() >= bones:
            raise BadValue(f"body '{self.name}' hangs on bones outside its {bones}")
        used = level.mesh.material
        if used.size and not 0 <= used.min() <= used.max() < materials:
            raise BadValue(f"body '{self.name}' uses materials outside its {materials}")


def _check_array(
    name: str, array: NDArray[np.generic], kind: type[np.generic], shape: tuple[int | None, ...]
) -> None:
    fits = len(shape) == array.ndim and all(
        want in (None, have) for want, have in zip(shape, array.shape, strict=True)
    )
    if array.dtype != kind or not fits:
        wanted = ", ".join("any" if each is None else str(each) for each in shape)
        raise BadValue(
            f"{name} is {array.dtype} {array.shape}, expected {kind.__name__} ({wanted})"
        )
