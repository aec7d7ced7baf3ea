"""What stands before the camera: a place in daylight, and people in their poses."""

import math
from dataclasses import dataclass, field

from paseo.camera.meshes import Float32Array, Material, Mesh
from paseo.errors import BadValue


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


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Place:
    """Everything that does not move, and its light."""

    name: str
    mesh: Mesh
    materials: tuple[Material, ...]
    sun: Sun = field(default_factory=Sun)
    clouds: float = 0.45  # share of the sky

    def __post_init__(self) -> None:
        used = self.mesh.material
        if not used.size:
            raise BadValue(f"place '{self.name}' has no triangles; give it a floor at least")
        if not 0 <= used.min() <= used.max() < len(self.materials):
            raise BadValue(
                f"place '{self.name}' uses materials outside its {len(self.materials)}; add them"
            )


@dataclass(frozen=True, slots=True, eq=False)
class Figure:
    """Somebody in a pose."""

    person: int  # id
    body: str  # the name of a body
    pose: Float32Array  # (bones, 3, 4), from rest to the world
