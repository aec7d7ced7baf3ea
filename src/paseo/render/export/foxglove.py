"""Foxglove's messages for scenes and frames as JSON, and schemas that describe them."""

import math
from collections.abc import Sequence
from typing import Any

from paseo.render.raster.palette import Rgb

Message = dict[str, Any]
MAP = "map"  # the frame that everything is in
LINE_STRIP, LINE_LOOP, LINE_LIST = 0, 1, 2  # Foxglove's numbers
PRIMITIVES = ("arrows", "cubes", "spheres", "cylinders", "lines", "triangles", "texts", "models")
NOTHING: Message = {"sec": 0, "nsec": 0}


def moment(time: float) -> Message:
    """A time stamp, or a duration."""
    sec, nsec = divmod(round(time * 1e9), 1_000_000_000)
    return {"sec": sec, "nsec": nsec}


def point(x: float, y: float, z: float = 0.0) -> Message:
    """A point or a vector."""
    return {"x": float(x), "y": float(y), "z": float(z)}


def turned(heading: float) -> Message:
    """A turn around the vertical as a quaternion."""
    return {"x": 0.0, "y": 0.0, "z": math.sin(heading / 2), "w": math.cos(heading / 2)}


def colour(rgb: Rgb, opacity: float = 1.0) -> Message:
    """A colour of parts from 0 to 1."""
    red, green, blue = (part / 255 for part in rgb)
    return {"r": red, "g": green, "b": blue, "a": opacity}


def pose(x: float, y: float, z: float = 0.0, heading: float = 0.0) -> Message:
    """A place and an orientation."""
    return {"position": point(x, y, z), "orientation": turned(heading)}


def cylinder(x: float, y: float, radius: float, height: float, rgb: Rgb) -> Message:
    """An upright cylinder that stands on the floor."""
    return {
        "pose": pose(x, y, height / 2),
        "size": point(2 * radius, 2 * radius, height),
        "bottom_scale": 1.0,
        "top_scale": 1.0,
        "color": colour(rgb),
    }


def arrow(x: float, y: float, z: float, heading: float, length: float, rgb: Rgb) -> Message:
    """A level arrow that begins at a place."""
    return {
        "pose": pose(x, y, z, heading),
        "shaft_length": 0.6 * length,
        "shaft_diameter": 0.08,
        "head_length": 0.4 * length,
        "head_diameter": 0.18,
        "color": colour(rgb),
    }


def line(
    kind: int, points: Sequence[Sequence[float]], thickness: float, rgb: Rgb, z: float = 0.0
) -> Message:
    """A line on the floor through points (x, y)."""
    return {
        "type": kind,
        "pose": pose(0.0, 0.0),
        "thickness": thickness,
        "scale_invariant": False,
        "points": [point(x, y, z) for x, y in points],
        "color": colour(rgb),
        "colors": [],
        "indices": [],
    }


def entity(time: float, name: str, **primitives: list[Message]) -> Message:
    """Something in the scene; it replaces what had the same name."""
    return {
        "timestamp": moment(time),
        "frame_id": MAP,
        "id": name,
        "lifetime": dict(NOTHING),
        "frame_locked": False,
        "metadata": [],
        **{kind: primitives.get(kind, []) for kind in PRIMITIVES},
    }


def scene(*entities: Message) -> Message:
    """An update of the scene."""
    return {"deletions": [], "entities": list(entities)}


def transform(time: float, child: str, x: float, y: float, heading: float) -> Message:
    """Where a frame is on the map."""
    return {
        "timestamp": moment(time),
        "parent_frame_id": MAP,
        "child_frame_id": child,
        "translation": point(x, y),
        "rotation": turned(heading),
    }


def schema_of(example: Any, title: str) -> Message:
    """A JSON schema that describes messages like the example."""
    return {"title": title, **_described(example)}


def _described(value: Any) -> Message:
    if isinstance(value, dict):
        return {
            "type": "object",
            "properties": {key: _described(each) for key, each in value.items()},
        }
    if isinstance(value, list):
        return {"type": "array", "items": _described(value[0]) if value else {"type": "object"}}
    names = {bool: "boolean", int: "integer", float: "number", str: "string"}
    return {"type": names[type(value)]}
