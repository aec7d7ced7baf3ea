"""Plain CSV recordings: `frame,ped_id,x_m,y_m`, one row per person and frame."""

from pathlib import Path

from paseo.data.number_table import number_table
from paseo.data.sightings import Sightings, by_line
from paseo.data.textfile import bad_line, quoted

HEADER = "frame,ped_id,x_m,y_m"


def csv_sightings(lines: list[str], path: Path) -> Sightings:
    """The sightings of a CSV file with the header `frame,ped_id,x_m,y_m`, rows in any order."""
    if [cell.strip() for cell in lines[0].split(",")] != HEADER.split(","):
        raise bad_line(path, "line 1", f"is {quoted(lines[0])}", f"the header {HEADER}")
    if len(lines) == 1:
        raise bad_line(path, "line 2", "is missing", f"numbers for {HEADER}")
    table = number_table(lines[1:], path, columns=4, expected=HEADER, separator=",", first_line=2)
    return Sightings(
        path=path, where=by_line(2), frames=table[:, 0], ids=table[:, 1], positions=table[:, 2:]
    )
