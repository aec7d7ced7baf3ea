"""Lines of numbers, read fast; a wrong line is searched for only once reading has failed."""

from pathlib import Path

import numpy as np

from paseo.data.textfile import bad_line, quoted
from paseo.errors import BadFile
from paseo.world.arrays import FloatArray


def number_table(
    lines: list[str],
    path: Path,
    *,
    columns: int,
    expected: str,
    separator: str | None = None,
    first_line: int = 1,
) -> FloatArray:
    """The numbers, (lines, columns); separated by blanks unless a separator is given.

    `first_line` is the place of `lines[0]` in the file, `expected` what every line should hold.
    """
    try:
        table = np.loadtxt(lines, delimiter=separator, comments=None, ndmin=2)
    except ValueError:
        table = np.empty((0, columns))
    if table.shape == (len(lines), columns):
        return table
    for number, line in enumerate(lines, first_line):
        problem = _problem(line.split(separator), columns)
        if problem:
            raise bad_line(path, f"line {number}", problem, expected)
    raise BadFile(
        f"{path}: cannot be read as numbers, expected {expected} on each line; correct it"
    )


def is_number(cell: str) -> bool:
    """Whether the text is a number as tables write them: ASCII, no underscores, blanks around."""
    try:
        float(cell)
    except ValueError:
        return False
    return cell.isascii() and "_" not in cell


def _problem(cells: list[str], columns: int) -> str | None:
    if not any(cell.strip() for cell in cells):
        return "is empty"
    if len(cells) != columns:
        return f"has {len(cells)} column{'s' * (len(cells) != 1)}"
    wrong = [number for number, cell in enumerate(cells) if not is_number(cell)]
    return f"has {quoted(cells[wrong[0]])} in column {wrong[0] + 1}" if wrong else None
