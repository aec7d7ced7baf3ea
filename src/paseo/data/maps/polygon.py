"""Plain polygon files: blocks of `x_m y_m` lines, the outline first, then obstacles."""

import math
import re

from paseo.data.maps.vector import Ring, walls_around
from paseo.errors import BadValue
from paseo.world.space.floorplan import FloorPlan, floor_plan


def polygon_floorplan(text: str, name: str) -> FloorPlan:
    """The floor plan that a polygon file's text describes; `BadValue` if it describes none."""
    rings = _rings(text)
    if not rings:
        raise BadValue(
            "no points in it, expected lines of x_m y_m, the outline first; write the outline"
        )
    return floor_plan(name, walls_around(rings[0], rings[1:]), source="polygon file")


def _rings(text: str) -> list[Ring]:
    blocks: list[tuple[int, list[tuple[float, float]]]] = []  # first line, points
    in_block = False
    for number, line in enumerate(text.splitlines(), 1):
        content = line.partition("#")[0].strip()
        if content and not in_block:
            blocks.append((number, []))
        if content:
            blocks[-1][1].append(_point(content, number))
        # A line with only a comment does not end a block.
        in_block = bool(content) or (in_block and "#" in line)
    what = ["the outline"] + [f"obstacle {k}" for k in range(1, len(blocks))]
    return [
        Ring(f"line {first}: {label}", points)
        for label, (first, points) in zip(what, blocks, strict=False)
    ]


def _point(content: str, number: int) -> tuple[float, float]:
    fields = re.split(r"\s*,\s*|\s+", content)
    try:
        x, y = map(float, fields)
    except ValueError as error:
        raise BadValue(
            f"line {number} is '{content[:60]}', expected two numbers x_m y_m; correct the line"
        ) from error
    if not (math.isfinite(x) and math.isfinite(y)):
        raise BadValue(f"line {number} is '{content[:60]}', expected finite numbers; correct it")
    return x, y
