"""Places of floor plans, kept in the user's cache from one run to the next."""

import hashlib
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import shapely
from numpy.typing import NDArray

from paseo.camera import meshes, scene
from paseo.camera.keeping import Arrays, Keeping
from paseo.camera.meshes import ByteArray, Colour, Material, Mesh, Surface
from paseo.camera.places.places import place_of
from paseo.camera.scene import Lamp, Openness, Place, Sun
from paseo.world.arrays import FloatArray
from paseo.world.space import floorplan, geometry
from paseo.world.space.floorplan import FloorPlan

MOST_BYTES = 256_000_000  # some ten places
PLACES = Keeping(
    name="places",
    sources=(
        Path(__file__).parent,
        *(Path(str(each.__file__)) for each in (meshes, scene, floorplan, geometry)),
    ),
    most_bytes=MOST_BYTES,
)
MESH = ("points", "triangles", "uv", "normals", "material")


class _MaterialRow(msgspec.Struct, frozen=True, kw_only=True):
    """A material whose pictures are arrays of the same file, by their numbers."""

    name: str
    surface: Surface
    colour: Colour
    texture: int | None
    dyes: tuple[Colour, Colour] | None
    bump: int | None
    bump_m: float
    bump_tiles: float
    tile_m: float
    roughness: float
    glow: Colour
    alpha_tested: bool
    plain: bool


class _LampRow(msgspec.Struct, frozen=True):
    """A lamp."""

    at: tuple[float, float, float]
    strength: float
    front: tuple[float, float, float] | None


class _Facts(msgspec.Struct, frozen=True, kw_only=True):
    """What of a place is no array; by day and under a sky as they usually are."""

    name: str
    clouds: float
    shaded: tuple[float, float, float, float] | None
    materials: tuple[_MaterialRow, ...]
    lamps: tuple[_LampRow, ...]
    grid: tuple[tuple[float, float], float] | None  # corner and cell of its openness


def kept_place(plan: FloorPlan, *, sun: Sun | None = None) -> Place:
    """What `place_of` makes of a plan, built only where that was not done before."""
    place = _unpacked(PLACES.kept(key_of(plan), lambda: _packed(place_of(plan))))
    return replace(place, sun=sun or Sun())


def key_of(plan: FloorPlan) -> str:
    """All of a plan that decides how it looks."""
    digest = hashlib.blake2b(digest_size=16)
    for array in (plan.walls, plan.free):
        digest.update(repr(array.shape).encode() + array.tobytes())
    places = [(place.kind.value, place.x, place.y) for place in plan.places]
    digest.update(repr((plan.cell_size, plan.origin, places, shapely.__version__)).encode())
    return f"{plan.name} {digest.hexdigest()}"


def _packed(place: Place) -> Arrays:
    pictures: dict[int, tuple[int, ByteArray]] = {}
    rows = tuple(map(partial(_row, pictures), place.materials))
    sky = place.openness
    facts = _Facts(
        name=place.name,
        clouds=place.clouds,
        shaded=place.shaded,
        materials=rows,
        lamps=tuple(map(_lamp_row, place.lamps)),
        grid=None if sky is None else (sky.corner, sky.cell),
    )
    arrays: dict[str, NDArray[Any]] = {name: getattr(place.mesh, name) for name in MESH}
    if sky is not None:
        arrays["openness"] = sky.shares
    arrays["facts"] = np.frombuffer(msgspec.json.encode(facts), np.uint8)
    return arrays | {f"picture{number}": picture for number, picture in pictures.values()}


def _lamp_row(lamp: Lamp) -> _LampRow:
    front = None if lamp.front is None else _three(lamp.front)
    return _LampRow(_three(lamp.at), lamp.strength, front)


def _three(values: FloatArray) -> tuple[float, float, float]:
    x, y, z = values.tolist()
    return x, y, z


def _lamp(row: _LampRow) -> Lamp:
    front = None if row.front is None else np.array(row.front)
    return Lamp(np.array(row.at), row.strength, front)


def _row(pictures: dict[int, tuple[int, ByteArray]], material: Material) -> _MaterialRow:
    """A material without its pictures, which are noted, each once."""
    numbers = [
        None if each is None else pictures.setdefault(id(each), (len(pictures), each))[0]
        for each in (material.texture, material.bump)
    ]
    return _MaterialRow(
        name=material.name,
        surface=material.surface,
        colour=material.colour,
        texture=numbers[0],
        dyes=material.dyes,
        bump=numbers[1],
        bump_m=material.bump_m,
        bump_tiles=material.bump_tiles,
        tile_m=material.tile_m,
        roughness=material.roughness,
        glow=material.glow,
        alpha_tested=material.alpha_tested,
        plain=material.plain,
    )


def _unpacked(arrays: Arrays) -> Place:
    facts = msgspec.json.decode(arrays["facts"].tobytes(), type=_Facts)
    materials = []
    for row in facts.materials:
        found = msgspec.structs.asdict(row)
        for name in ("texture", "bump"):
            number = found[name]
            found[name] = None if number is None else arrays[f"picture{number}"]
        materials.append(Material(**found))
    return Place(
        name=facts.name,
        mesh=Mesh(**{name: arrays[name] for name in MESH}),
        materials=tuple(materials),
        clouds=facts.clouds,
        shaded=facts.shaded,
        lamps=tuple(map(_lamp, facts.lamps)),
        openness=None if facts.grid is None else Openness(*facts.grid, arrays["openness"]),
    )
