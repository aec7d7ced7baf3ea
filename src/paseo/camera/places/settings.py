"""A place at an hour, under a sky, with a mesh of the user's own."""

import math
from dataclasses import dataclass, replace
from pathlib import Path

from paseo.camera.places.keeping import kept_place
from paseo.camera.places.meshfile import place_from_file
from paseo.camera.places.places import open_ground
from paseo.camera.scene import Place, joined
from paseo.camera.solar import Spot, sun_by_hour
from paseo.errors import BadValue
from paseo.world.space.floorplan import FloorPlan

ZURICH, NICOSIA = math.radians(47.38), math.radians(35.17)
LATITUDES = {
    "ETH": ZURICH,
    "DoubleHotel": ZURICH,
    "HotelSmall": ZURICH,
    "Univ": NICOSIA,
    "Zara": NICOSIA,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """What a place looks like beyond its floor plan."""

    hour: float | None = None  # by the sundial; None: the usual forenoon
    clouds: float | None = None  # share of the sky; None: the usual
    mesh: Path | None = None  # of the user's own (.glb, .gltf, .obj), Y up, metres
    mesh_only: bool = False  # without what the floor plan makes

    def __post_init__(self) -> None:
        if self.mesh_only and self.mesh is None:
            raise BadValue("a mesh alone is wanted, but none is given; name its file")


def set_place(plan: FloorPlan | None, setting: Setting, *, near: tuple[float, float]) -> Place:
    """The place of a plan, or open ground near a point, as the setting has it."""
    own = None if setting.mesh is None else place_from_file(setting.mesh)
    if own is not None and setting.mesh_only:
        place = own
    else:
        place = open_ground(*near) if plan is None else kept_place(plan)
        place = place if own is None else joined(place, own)
    if setting.hour is not None:
        latitude = LATITUDES.get(plan.name if plan else "", ZURICH)
        place = replace(place, sun=sun_by_hour(setting.hour, Spot(latitude=latitude)))
    if setting.clouds is not None:
        place = replace(place, clouds=setting.clouds)
    return place
