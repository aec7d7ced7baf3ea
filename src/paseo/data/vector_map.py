"""Paseo's own floor plan format: an outline, obstacles and named places, as JSON."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import msgspec
import numpy as np
import shapely

from paseo.errors import BadValue
from paseo.world.floorplan import FloorPlan, Place, PlaceKind, floor_plan
from paseo.world.people import FloatArray

FORMAT, VERSION = "paseo-floorplan", 1
MAX_COORDINATE = 1e7  # further from the origin, floats no longer tell cells apart well
EXPECTED = {
    "": "format, version, name, outline and maybe obstacles, places, source",
    "format": f"'{FORMAT}'",
    "version": f"{VERSION}",
    "name": "a text",
    "source": "a text",
    "outline": "a list of points [x_m, y_m]",
    "obstacles": "a list of polygons, each a list of points [x_m, y_m]",
    "places": f"objects with name, kind ({', '.join(PlaceKind)}), x_m and y_m",
}

Points = list[tuple[float, float]]
Decoded = TypeVar("Decoded")


class FileHeader(msgspec.Struct):
    """What every version of the format begins with."""

    format: str
    version: int


class PlaceEntry(msgspec.Struct, forbid_unknown_fields=True):
    """One named place in the file."""

    name: str
    kind: PlaceKind
    x_m: float
    y_m: float


class PlanFile(msgspec.Struct, forbid_unknown_fields=True, kw_only=True):
    """The whole file, version 1."""

    format: str
    version: int
    name: str
    outline: Points
    obstacles: list[Points] = []
    places: list[PlaceEntry] = []
    source: str = ""


@dataclass(frozen=True, slots=True)
class Ring:
    """A closed polygon and what to call it in an error; the first point may be repeated."""

    label: str
    points: Sequence[tuple[float, float]]


def vector_floorplan(text: str) -> FloorPlan:
    """The floor plan that a vector file's text describes; `BadValue` if it describes none."""
    header = _decoded(text, FileHeader)
    if (header.format, header.version) != (FORMAT, VERSION):
        raise BadValue(
            f"this is format '{header.format}', version {header.version}, expected "
            f"'{FORMAT}', version {VERSION}; convert the file or update Paseo"
        )
    plan = _decoded(text, PlanFile)
    obstacles = [Ring(f"obstacles[{k}]", points) for k, points in enumerate(plan.obstacles)]
    result = floor_plan(
        plan.name,
        walls_around(Ring("outline", plan.outline), obstacles),
        places=tuple(Place(p.name, p.kind, p.x_m, p.y_m) for p in plan.places),
        source=plan.source,
    )
    _check_places(result)
    return result


def walls_around(outline: Ring, obstacles: Sequence[Ring]) -> FloatArray:
    """Walls of the outline minus the obstacles, (segments, 2, 2); all rooms that remain."""
    solid = shapely.union_all([_polygon(ring) for ring in obstacles])
    rooms = shapely.get_parts(shapely.difference(_polygon(outline), solid))
    rings = [ring for room in rooms for ring in (room.exterior, *room.interiors)]
    if not rings:
        raise BadValue(
            f"{outline.label} is covered by obstacles, expected free space; "
            "remove or shrink an obstacle"
        )
    corners = [shapely.get_coordinates(ring) for ring in rings]  # first corner repeated
    return np.concatenate([np.stack([c[:-1], c[1:]], axis=1) for c in corners])


def _polygon(ring: Ring) -> Any:
    points = np.array(ring.points, float).reshape(-1, 2)
    if not (np.abs(points) <= MAX_COORDINATE).all():  # also where not a number
        far = points[~(np.abs(points) <= MAX_COORDINATE).all(axis=1)][0]
        raise BadValue(
            f"{ring.label} has the point ({far[0]:g}, {far[1]:g}), expected metres within "
            f"{MAX_COORDINATE:.0f} of the origin; move or scale the map"
        )
    if len(np.unique(points, axis=0)) < 3:
        raise BadValue(
            f"{ring.label} has {len(np.unique(points, axis=0))} different points, "
            "expected a polygon of at least 3; add the missing corners"
        )
    polygon = shapely.Polygon(points)
    if polygon.convex_hull.area == 0:
        raise BadValue(
            f"{ring.label} has no area, all its points are on one line, expected a polygon; "
            "give a wall its thickness"
        )
    if not polygon.is_valid:
        reason, where = re.fullmatch(r"(.*)\[(.*)]", shapely.is_valid_reason(polygon)).groups()  # type: ignore[union-attr]
        raise BadValue(
            f"{ring.label} crosses or touches itself at ({where.replace(' ', ', ')}) "
            f"({reason.lower()}), expected a simple polygon; put its corners in order"
        )
    return polygon


def _check_places(plan: FloorPlan) -> None:
    names = [place.name for place in plan.places]
    for k, place in enumerate(plan.places):
        if place.name in names[:k]:
            raise BadValue(
                f"places[{k}]: the name '{place.name}' is taken, expected each name once; rename it"
            )
        if plan.clearance(place.x, place.y) <= 0:
            raise BadValue(
                f"places[{k}]: '{place.name}' at ({place.x:g}, {place.y:g}) is in a wall or "
                "outside, expected a spot in free space; move it"
            )


def _decoded(text: str, kind: type[Decoded]) -> Decoded:
    try:
        return msgspec.json.decode(text, type=kind)
    except msgspec.ValidationError as error:
        raise BadValue(_validation_sentence(str(error))) from error
    except (msgspec.DecodeError, RecursionError) as error:
        raise BadValue(
            f"{_syntax_sentence(str(error), text)}, expected JSON; mend it there"
        ) from error


def _validation_sentence(message: str) -> str:
    what, _, where = message.partition(" - at `$")
    where = where.strip("`.")
    key = re.split(r"[.\[]", where)[0]
    expected = EXPECTED.get(key, EXPECTED[""])
    return (
        f"{where + ': ' if where else ''}{what[0].lower()}{what[1:]}, expected {expected}; "
        "correct the key or its value"
    )


def _syntax_sentence(message: str, text: str) -> str:
    found = re.search(r"\(byte (\d+)\)", message)
    if not found:
        return f"not JSON, {message[0].lower()}{message[1:]}"
    before = text.encode()[: int(found[1])]
    line, column = before.count(b"\n") + 1, len(before) - before.rfind(b"\n")
    return f"line {line}, column {column}: {message[: found.start()].strip()}"
