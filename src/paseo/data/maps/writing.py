"""Floor plans written in Paseo's vector format."""

import json
from collections.abc import Sequence
from typing import Any

import numpy as np
import shapely

from paseo.data.maps.vector import FORMAT, VERSION, vector_floorplan
from paseo.errors import BadValue
from paseo.world.arrays import FloatArray
from paseo.world.space.floorplan import FloorPlan
from paseo.world.space.geometry import is_inside

NEGLIGIBLE_AREA = 1e-7  # square metres that rounding may add or take away in all
MOST_WALLS = 50_000  # more take minutes, and are noise
DECIMALS = (4, 6, 8, 10, 12)  # of metres: as few as the negligible area allows


def floorplan_text(plan: FloorPlan) -> str:
    """The plan in the vector format, the same bytes each time; `vector_floorplan` reads it.

    Free space keeps its shape to 1e-6 square metres. `BadValue` if the walls are no closed loops,
    or for what the format refuses, such as two places of one name.
    """
    if len(plan.walls) > MOST_WALLS:
        raise BadValue(
            f"floor plan '{plan.name}' has {len(plan.walls)} walls, expected at most {MOST_WALLS}; "
            "use coarser pixels or remove the noise"
        )
    rooms = [_corners(room) for room in shapely.get_parts(_rounded(free_space(plan)))]
    if len(rooms) == 1:
        outline, *obstacles = rooms[0]
        area = [f'"outline": {_polygon(outline)}', f'"obstacles": {_listed(obstacles)}']
    else:
        area = [f'"loops": {_listed([loop for room in rooms for loop in room])}']
    places = [
        {"name": place.name, "kind": place.kind, "x_m": place.x, "y_m": place.y}
        for place in plan.places
    ]
    lines = [
        f'"format": "{FORMAT}"',
        f'"version": {VERSION}',
        f'"name": {_json(plan.name)}',
        f'"source": {_json(plan.source)}',
        *([f'"inferred": "{plan.inferred}"'] if plan.inferred else []),
        *area,
        f'"places": {_lines([_json(place) for place in places])}',
    ]
    text = "{\n  " + ",\n  ".join(lines) + "\n}\n"
    vector_floorplan(text)  # what could not be read again is better refused now
    return text


def free_space(plan: FloorPlan) -> Any:
    """The area that the walls surround by the even-odd rule, as a shapely (multi)polygon."""
    # Ends that should be one may differ in their last digit, once a map has been turned. If they
    # fall on two sides of a rounding step, those of the next coarser one are far away.
    for decimals in (9, 8):
        pieces = shapely.union_all(shapely.linestrings(np.round(plan.walls, decimals)))
        faces, cuts, dangles, broken = shapely.polygonize_full([pieces])
        if not any(len(each.geoms) for each in (cuts, dangles, broken)):
            break
    else:
        raise BadValue(
            f"floor plan '{plan.name}': its walls have loose ends, expected closed loops; "
            "close them"
        )
    spots = shapely.get_coordinates(shapely.point_on_surface(shapely.get_parts(faces)))
    inside = [bool(is_inside(x, y, plan.walls)) for x, y in spots.tolist()]
    return shapely.coverage_union_all(shapely.get_parts(faces)[inside])


def _rounded(free: Any) -> Any:
    for decimals in DECIMALS:
        rounded = shapely.set_precision(free, 10.0**-decimals)  # keeps polygons valid
        if shapely.symmetric_difference(free, rounded).area <= NEGLIGIBLE_AREA:
            return shapely.normalize(rounded)
    return shapely.normalize(free)


def _corners(room: Any) -> list[FloatArray]:
    """The outline of a room and those of its holes, each (corners, 2), none repeated."""
    rings = [room.exterior, *room.interiors]
    return [shapely.get_coordinates(ring)[:-1] + 0.0 for ring in rings]  # 0, never -0


def _polygon(corners: FloatArray) -> str:
    return json.dumps(corners.tolist())


def _listed(polygons: Sequence[FloatArray]) -> str:
    return _lines([_polygon(corners) for corners in polygons])


def _lines(items: Sequence[str]) -> str:
    return "[\n    " + ",\n    ".join(items) + "\n  ]" if items else "[]"


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
