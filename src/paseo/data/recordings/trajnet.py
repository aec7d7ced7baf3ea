"""TrajNet++ recordings: ndjson, every line a scene or one sighting of a person.

Kothari et al., Human trajectory forecasting in crowds, IEEE T-ITS 2022.
"""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import msgspec
import numpy as np

from paseo.data.recordings.sightings import Sightings, usual_step
from paseo.data.textfile import bad_line

EXPECTED = '{"scene": {...}} or {"track": {"f": frame, "p": person, "x": metres, "y": metres}}'


class _Scene(msgspec.Struct):
    fps: Annotated[float, msgspec.Meta(gt=0)] | None = None


class _Track(msgspec.Struct):
    f: float
    p: float
    x: float
    y: float
    prediction_number: int | None = None


class _Line(msgspec.Struct):
    scene: _Scene | None = None
    track: _Track | None = None


class TrajNet:
    """TrajNet++ ndjson."""

    def sign(self, name: str, lines: Sequence[str]) -> str:
        """Why a file seems to be one; empty if it does not."""
        if name.endswith(".ndjson"):
            return "its name ends in .ndjson"
        return "line 1 is a JSON object" if lines[0].lstrip().startswith("{") else ""

    def sightings(self, lines: list[str], path: Path) -> Sightings:
        """The sightings of a TrajNet++ file, with its frame rate if a scene tells one.

        The fps of a scene counts *rows* per second, while frame numbers are those of the original
        video: with every tenth frame kept and 2.5 rows a second there were 25 frames a second.
        """
        rows = [_row(line, number, path) for number, line in enumerate(lines, 1)]
        seen = [number for number, row in enumerate(rows, 1) if row.track]
        if not seen:
            raise bad_line(
                path, f"line {len(rows)}", "is the last and no line is a track", EXPECTED
            )
        table = np.array([(t.f, t.p, t.x, t.y) for t in (row.track for row in rows) if t])
        sightings = Sightings(
            path=path,
            where=lambda sighting, _field: f"line {seen[sighting]}",
            frames=table[:, 0],
            ids=table[:, 1],
            positions=table[:, 2:],
        )
        step, rate = usual_step(sightings), _rows_per_second(rows, path)
        return replace(sightings, fps=step * rate) if step and rate else sightings


def _row(line: str, number: int, path: Path) -> _Line:
    try:
        row = _decoder.decode(line)
    except (msgspec.DecodeError, RecursionError) as error:
        raise bad_line(path, f"line {number}", f"is wrong ({error})", EXPECTED) from error
    if not (row.scene or row.track):
        raise bad_line(path, f"line {number}", "is neither a scene nor a track", EXPECTED)
    if row.track and row.track.prediction_number is not None:
        raise bad_line(path, f"line {number}", "is a model's prediction", "recorded people only")
    return row


def _rows_per_second(rows: list[_Line], path: Path) -> float | None:
    said: float | None = None
    for number, row in enumerate(rows, 1):
        fps = row.scene.fps if row.scene else None
        if fps and said and fps != said:
            raise bad_line(path, f"line {number}", f"says fps {fps:g}", f"{said:g} as before")
        said = said or fps
    return said


_decoder = msgspec.json.Decoder(_Line)
