"""Paseo's own floor plan format: an outline and obstacles, or loops, and places, as JSON."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import msgspec
import numpy as np
import shapely

from paseo.errors import BadValue
from paseo.world.arrays import FloatArray
from paseo.world.ranges import FARTHEST
from paseo.world.space.floorplan import (
    FloorPlan,
    InferredFrom,
    Place,
    PlaceKind,
    floor_plan,
    told_inferred,
)

FORMAT, VERSION = "paseo-floorplan", 1
MAX_COORDINATE = FARTHEST
EXPECTED = {
    "": "format, version, name, outline (or loops) and maybe obstacles, places, source, inferred",
    "format": f"'{FORMAT}'",
    "version": f"{VERSION}",
    "name": "a text",
    "source": "a text",
    "inferred": f"null or from what ({', '.join(InferredFrom)})",
    "outline": "a list of points [x_m, y_m] in numbers",
    "obstacles": "a list of polygons, each a list of points [x_m, y_m]",
    "loops": "a list of polygons, each a list of points [x_m, y_m]",
    "places": f"objects with name, kind ({', '.join(PlaceKind)}), x_m and y_m",
}
KINDS = {
    "array": "a list",
    "bool": "true or false",
    "float": "a number",
    "int": "an integer",
    "null": "empty",
    "object": "an object",
    "str": "a text",
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
    outline: Points | msgspec.UnsetType = msgspec.UNSET  # with obstacles, or else loops
    obstacles: list[Points] | msgspec.UnsetType = msgspec.UNSET
    loops: list[Points] | msgspec.UnsetType = msgspec.UNSET
    places: list[PlaceEntry] = []
    source: str = ""
    inferred: InferredFrom | msgspec.UnsetType | None = msgspec.UNSET  # left out in older files


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
    inferred = plan.inferred
    if isinstance(inferred, msgspec.UnsetType):
        inferred = told_inferred(plan.source)
    result = floor_plan(
        plan.name,
        _walls(plan),
        places=tuple(Place(p.name, p.kind, p.x_m, p.y_m) for p in plan.places),
        source=plan.source,
        inferred=inferred,
    )
    _check_places(result)
    return result


def _walls(plan: PlanFile) -> FloatArray:
    outline, obstacles, loops = plan.outline, plan.obstacles, plan.loops
    if isinstance(loops, msgspec.UnsetType):
        if isinstance(outline, msgspec.UnsetType):
            raise BadValue(
                "top level: neither outline nor loops is there, expected one of them; "
                "add the outline"
            )
        return walls_around(Ring("outline", outline), _rings("obstacles", obstacles or []))
    if outline is not msgspec.UNSET or obstacles is not msgspec.UNSET:
        raise BadValue(
            "top level: loops is there beside outline or obstacles, expected either loops or an "
            "outline with its obstacles; remove the one or the other"
        )
    return loop_walls(_rings("loops", loops))


def _rings(key: str, polygons: Sequence[Points]) -> list[Ring]:
    return [Ring(f"{key}[{k}]", points) for k, points in enumerate(polygons)]


def walls_around(outline: Ring, obstacles: Sequence[Ring]) -> FloatArray:
    """Walls of the outline minus the obstacles, (segments, 2, 2); all rooms that remain."""
    solid = shapely.union_all([_polygon(ring) for ring in obstacles])
    free = shapely.difference(_polygon(outline), solid)
    if free.is_empty:
        raise BadValue(
            f"{outline.label} is covered by obstacles, expected free space; "
            "remove or shrink an obstacle"
        )
    return boundary_walls(free)


def loop_walls(loops: Sequence[Ring]) -> FloatArray:
    """Walls of what lies inside an odd number of the loops, (segments, 2, 2); all rooms."""
    areas = np.array([_polygon(loop) for loop in loops])
    while len(areas) > 1:  # in pairs: one after the other takes far longer
        half = len(areas) // 2
        pairs = shapely.symmetric_difference(areas[:half], areas[half : 2 * half])
        areas = np.append(pairs, areas[2 * half :])
    if not len(areas) or areas[0].is_empty:
        raise BadValue(
            "loops enclose no free space, expected some inside an odd number of them; "
            "add a loop around it, and give no loop twice"
        )
    return boundary_walls(areas[0])


def boundary_walls(free: Any) -> FloatArray:
    """Walls around an area (a shapely polygon or several), (segments, 2, 2)."""
    rooms = shapely.get_parts(free)
    rings = [ring for room in rooms for ring in (room.exterior, *room.interiors)]
    corners = [shapely.get_coordinates(ring) for ring in rings]  # first corner repeated
    return np.concatenate([np.stack([c[:-1], c[1:]], axis=1) for c in corners])


def _polygon(ring: Ring) -> Any:
    points = np.array(ring.points, float).reshape(-1, 2)
    _check_points(ring.label, points)
    polygon = shapely.Polygon(points)
    if polygon.convex_hull.area == 0:
        raise BadValue(
            f"{ring.label} has no area, all its points are on one line, expected a polygon; "
            "give a wall its thickness"
        )
    if not polygon.is_valid:
        reason, _, where = shapely.is_valid_reason(polygon).rstrip("]").partition("[")
        raise BadValue(
            f"{ring.label} crosses or touches itself at ({where.replace(' ', ', ')}) "
            f"({reason.lower()}), expected a simple polygon; put its corners in order"
        )
    return polygon


def _check_points(label: str, points: FloatArray) -> None:
    near = (np.abs(points) <= MAX_COORDINATE).all(axis=1)  # also false where not a number
    if not near.all():
        x, y = points[~near][0]
        raise BadValue(
            f"{label} has the point ({x:g}, {y:g}), expected metres within "
            f"{MAX_COORDINATE:.0f} of the origin; move or scale the map"
        )
    different = len(np.unique(points, axis=0))
    if different < 3:
        raise BadValue(
            f"{label} has {different} different points, expected a polygon of at least 3; "
            "add the missing corners"
        )


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
        raise wrong_value(error, EXPECTED) from error
    except (msgspec.DecodeError, RecursionError, UnicodeEncodeError) as error:
        raise BadValue(
            f"{_syntax_sentence(str(error), text)}, expected JSON, finite numbers; mend it there"
        ) from error


def wrong_value(error: msgspec.ValidationError, expectations: Mapping[str, str]) -> BadValue:
    """The error for a wrong value; `expectations` are by top-level key, "" for all others."""
    where, problem = place_and_problem(error)
    expected = expectations.get(re.split(r"[.\[]", where)[0], expectations[""])
    place = where or "top level"
    return BadValue(f"{place}: {problem}, expected {expected}; correct the key or its value")


def place_and_problem(error: msgspec.ValidationError) -> tuple[str, str]:
    """Where in a file a value is wrong, '' for the top level, and what is wrong with it."""
    problem, _, where = str(error).partition(" - at `$")
    wrong_kind = re.fullmatch(r"Expected `.*`, got `(.*)`", problem)
    wrong_length = re.match(r"Expected `array` of length (\d+)", problem)
    if wrong_kind:
        problem = f"it is {KINDS.get(wrong_kind[1], wrong_kind[1])}"
    elif wrong_length:
        problem = f"it has not {wrong_length[1]} numbers"
    return where.strip("`."), f"{problem[0].lower()}{problem[1:]}"


def _syntax_sentence(message: str, text: str) -> str:
    found = re.search(r"\(byte (\d+)\)", message)
    if not found:
        return f"not JSON, {message[0].lower()}{message[1:]}"
    before = text.encode()[: int(found[1])]
    line, column = before.count(b"\n") + 1, len(before) - before.rfind(b"\n")
    return f"line {line}, column {column}: {message[: found.start()].strip()}"
