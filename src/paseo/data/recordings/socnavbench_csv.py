"""SocNavBench recordings: a CSV lying on its side, without a header."""

from collections.abc import Sequence
from pathlib import Path

from paseo.data.recordings.number_table import number_table
from paseo.data.recordings.sightings import Sightings
from paseo.data.textfile import bad_line

ROWS = "four lines: frame, person id, y, x"
LINE_OF_FIELD = (1, 2, 4, 3)  # frame, id, x, y: y stands above x


class SocNavBench:
    """The CSV of SocNavBench, which lies on its side."""

    def sign(self, name: str, lines: Sequence[str]) -> str:
        """Why a file seems to be one; empty if it does not."""
        is_like_it = len(lines) == 4 and "," in lines[0] and "frame" not in lines[0]
        return "it has four lines with commas and no header" if is_like_it else ""

    def sightings(self, lines: list[str], path: Path) -> Sightings:
        """The sightings: four lines are frame, id, y and x, a column per sighting."""
        if len(lines) != 4:
            where = f"line {min(len(lines), 4) + 1}"
            problem = "is missing" if len(lines) < 4 else "is one too many"
            raise bad_line(path, where, problem, ROWS)
        columns = lines[0].count(",") + 1
        expected = f"{columns} numbers, as many as line 1 has"
        table = number_table(lines, path, columns=columns, expected=expected, separator=",")
        return Sightings(
            path=path,
            where=lambda column, field: f"line {LINE_OF_FIELD[field]}, column {column + 1}",
            frames=table[0],
            ids=table[1],
            positions=table[[3, 2]].T,
        )
