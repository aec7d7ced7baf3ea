"""What stands before the camera: a place in daylight, and people in their poses."""

import math
from dataclasses import dataclass, field, replace

import numpy as np

from paseo.camera.meshes import Float32Array, Material, Mesh
from paseo.errors import BadValue
from paseo.world.arrays import FloatArray

YIELDED = 2e-4  # metres; seen from 1 m above, the floor 10 m away is 2 mm farther


@dataclass(frozen=True, slots=True)
class Sun:
    """Where the sun stands, in radians: the way to it, anticlockwise from +x, and how high."""

    azimuth: float = math.radians(-60)
    elevation: float = math.radians(50)

    def __post_init__(self) -> None:
        if not (math.isfinite(self.azimuth) and 0 < self.elevation <= math.pi / 2):
            raise BadValue(
                f"the sun stands {math.degrees(self.elevation):g} degrees high, expected over 0 "
                "and up to 90"
            )


@dataclass(frozen=True, slots=True, eq=False)
class Lamp:
    """What gives light at dusk: a lamp, or a shop's window, which shines to its front alone."""

    at: FloatArray  # (3,) metres
    strength: float  # of its light 1 m away
    front: FloatArray | None = None  # (3,), unit length; None: it shines all around


@dataclass(frozen=True, slots=True, eq=False)
class Openness:
    """How much of the sky's light level ground gets between houses, on a grid."""

    corner: tuple[float, float]  # x and y of the first share
    cell: float  # metres
    shares: FloatArray  # (rows, columns), 0 to 1: from y and x


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Place:
    """Everything that does not move, and its light."""

    name: str
    mesh: Mesh
    materials: tuple[Material, ...]
    sun: Sun = field(default_factory=Sun)
    clouds: float = 0.45  # share of the sky
    lamps: tuple[Lamp, ...] = ()
    openness: Openness | None = None  # None: nothing stands between ground and sky
    # Where shadows and hollows are drawn: x and y from, x and y to; None: everywhere.
    shaded: tuple[float, float, float, float] | None = None

    def __post_init__(self) -> None:
        if not 0 <= self.clouds <= 1:
            raise BadValue(f"clouds cover {self.clouds:g} of the sky, expected 0 to 1")
        used = self.mesh.material
        if not used.size:
            raise BadValue(f"place '{self.name}' has no triangles; give it a floor at least")
        if not 0 <= used.min() <= used.max() < len(self.materials):
            raise BadValue(
                f"place '{self.name}' uses materials outside its {len(self.materials)}; add them"
            )


def joined(place: Place, other: Place) -> Place:
    """A place with all that stands at another, in the light of the first.

    What of the first lies at z = 0 is lowered by `YIELDED`, so that a floor of the other is seen.
    """
    shift = len(place.mesh.points)
    pairs = {
        name: np.concatenate([getattr(place.mesh, name), getattr(other.mesh, name)])
        for name in ("points", "uv", "normals")
    }
    lying = pairs["points"][:shift, 2]  # a view
    lying[np.abs(lying) < YIELDED] = -YIELDED
    triangles = np.concatenate([place.mesh.triangles, other.mesh.triangles + shift])
    used = np.concatenate([place.mesh.material, other.mesh.material + len(place.materials)])
    mesh = Mesh(triangles=triangles.astype(np.int32), material=used.astype(np.int16), **pairs)
    return replace(place, mesh=mesh, materials=place.materials + other.materials)


@dataclass(frozen=True, slots=True, eq=False)
class Figure:
    """Somebody in a pose."""

    person: int  # id
    body: str  # the name of a body
    pose: Float32Array  # (bones, 3, 4), from rest to the world
