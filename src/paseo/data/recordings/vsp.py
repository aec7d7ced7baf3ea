"""UCY recordings: the `.vsp` file, one spline of pixel control points per person.

Lerner et al., Crowds by example, Computer Graphics Forum 26(3), 2007. The first numbers of a line
count; the words after them, and the obstacles after the last spline, do not.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

import numpy as np

from paseo.data.recordings.number_table import is_number
from paseo.data.recordings.sightings import Sightings
from paseo.data.textfile import bad_line, quoted

POINT = "x and y in pixels and a frame number"


class Vsp:
    """Splines of the UCY recordings."""

    in_pixels: ClassVar[bool] = True
    # Control points are set where a path bends, up to 111 s apart in zara02.
    bridges_gaps: ClassVar[bool] = True

    def sign(self, name: str, lines: Sequence[str]) -> str:
        """Why a file seems to be one; empty if it does not."""
        if name.endswith(".vsp"):
            return "its name ends in .vsp"
        is_like_it = "number of splines" in lines[0]
        return "line 1 tells a number of splines" if is_like_it else ""

    def sightings(self, lines: list[str], path: Path) -> Sightings:
        """The control points in pixels; people are numbered from 1 in the order of the file.

        Of several control points of one person in the same frame the last one counts: it is the one
        drawn last.
        """
        points: dict[tuple[int, float], tuple[float, float, int]] = {}
        at = 1
        for person in range(1, _count(lines, 0, path, "the number of splines") + 1):
            end = at + 1 + _count(lines, at, path, "the number of control points")
            for row in range(at + 1, end):
                x, y, frame = _numbers(lines, row, path, POINT, wanted=3)
                points[person, frame] = (x, y, row + 1)
            at = end
        if not points:
            raise bad_line(
                path, "line 1", "begins a file without control points", "somebody to walk"
            )
        table = np.array([(*key, *value) for key, value in points.items()])
        line_numbers = table[:, 4].astype(int)
        return Sightings(
            path=path,
            where=lambda point, _field: f"line {line_numbers[point]}",
            frames=table[:, 1],
            ids=table[:, 0],
            positions=table[:, 2:4],
        )


def _count(lines: list[str], row: int, path: Path, expected: str) -> int:
    (value,) = _numbers(lines, row, path, expected, wanted=1)
    if not (value >= 0 and value.is_integer()):
        raise bad_line(path, f"line {row + 1}", f"begins with {value!r}", expected)
    return int(value)


def _numbers(lines: list[str], row: int, path: Path, expected: str, *, wanted: int) -> list[float]:
    if row >= len(lines):
        raise bad_line(path, f"line {row + 1}", "is missing", expected)
    cells = lines[row].split(maxsplit=wanted)[:wanted]
    if len(cells) < wanted or not all(map(is_number, cells)):
        raise bad_line(path, f"line {row + 1}", f"is {quoted(lines[row])}", expected)
    return [float(cell) for cell in cells]
