"""Plain CSV recordings: `frame,ped_id,x_m,y_m`, one row per person and frame."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from paseo.data.recordings.number_table import number_table
from paseo.data.recordings.sightings import Sightings, by_line
from paseo.data.textfile import bad_line, quoted
from paseo.world.tracks import Recording

HEADER = "frame,ped_id,x_m,y_m"


class Csv:
    """Plain CSV with a header."""

    def sign(self, name: str, lines: Sequence[str]) -> str:
        """Why a file seems to be one; empty if it does not."""
        if name.endswith(".csv"):
            return "its name ends in .csv"
        return "line 1 has commas" if "," in lines[0] else ""

    def sightings(self, lines: list[str], path: Path) -> Sightings:
        """The sightings of a CSV file with the header `frame,ped_id,x_m,y_m`, rows in any order."""
        if [cell.strip() for cell in lines[0].split(",")] != HEADER.split(","):
            raise bad_line(path, "line 1", f"is {quoted(lines[0])}", f"the header {HEADER}")
        if len(lines) == 1:
            raise bad_line(path, "line 2", "is missing", f"numbers for {HEADER}")
        table = number_table(
            lines[1:], path, columns=4, expected=HEADER, separator=",", first_line=2
        )
        return Sightings(
            path=path, where=by_line(2), frames=table[:, 0], ids=table[:, 1], positions=table[:, 2:]
        )


def csv_bytes(recording: Recording) -> bytes:
    """The samples as CSV, in order of frame and person; positions to a tenth of a millimetre."""
    counts = [len(track.times) for track in recording.tracks]
    ids = np.repeat([track.id for track in recording.tracks], counts)
    times = np.concatenate([track.times for track in recording.tracks])
    frames = np.rint(times * recording.fps).astype(np.int64)
    positions = np.concatenate([track.positions for track in recording.tracks])
    seen = ~np.isnan(positions[:, 0])  # a gap is known again by its length
    order = np.lexsort((ids[seen], frames[seen]))
    columns = (frames[seen][order], ids[seen][order], *positions[seen][order].T)
    rows = (
        f"{frame},{person},{x:.4f},{y:.4f}\n"
        for frame, person, x, y in zip(*(column.tolist() for column in columns), strict=True)
    )
    return f"{HEADER}\n{''.join(rows)}".encode()
