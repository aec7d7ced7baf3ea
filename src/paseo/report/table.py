"""Plain text tables."""

from collections.abc import Sequence

from paseo.text import LONGEST_WORD, in_short

Cell = str | int | float | None


def text_table(header: Sequence[str], rows: Sequence[Sequence[Cell]]) -> str:
    """Columns side by side; numbers to the right, words to the left, None as a dash."""
    header = [_text(cell) for cell in header]
    texts = [[_text(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(header, *texts, strict=True)]
    numeric = [
        all(not isinstance(row[k], str) for row in rows) and bool(rows) for k in range(len(header))
    ]
    lines = [list(header), ["-" * width for width in widths], *texts]
    return "\n".join(
        "  ".join(
            cell.rjust(width) if right else cell.ljust(width)
            for cell, width, right in zip(line, widths, numeric, strict=True)
        ).rstrip()
        for line in lines
    )


def _text(cell: Cell) -> str:
    if cell is None:
        return "-"
    if not isinstance(cell, float):
        return in_short(str(cell), LONGEST_WORD)
    return f"{cell:.2g}" if 0 < abs(cell) < 0.005 else f"{cell:.2f}"
