"""ETH recordings: the EWAP `obsmat.txt`, eight columns of numbers.

Pellegrini et al., You'll never walk alone, ICCV 2009. The ground plane is x and y; z is 0.
"""

from collections.abc import Sequence
from pathlib import Path

from paseo.data.recordings.number_table import number_table
from paseo.data.recordings.sightings import Sightings, by_line

COLUMNS = "frame id pos_x pos_z pos_y v_x v_z v_y"


class Obsmat:
    """The obsmat.txt of the ETH recordings."""

    def sign(self, name: str, lines: Sequence[str]) -> str:
        """Why a file seems to be one; empty if it does not."""
        if "obsmat" in name:
            return "its name contains obsmat"
        is_like_it = "," not in lines[0] and len(lines[0].split()) == 8
        return "line 1 has eight words and no comma" if is_like_it else ""

    def sightings(self, lines: list[str], path: Path) -> Sightings:
        """The sightings of an obsmat file; its velocities are not used."""
        table = number_table(lines, path, columns=8, expected=COLUMNS)
        return Sightings(
            path=path,
            where=by_line(1),
            frames=table[:, 0],
            ids=table[:, 1],
            positions=table[:, [2, 4]],
        )
