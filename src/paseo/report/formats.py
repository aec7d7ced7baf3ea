"""Tables as Markdown, CSV and LaTeX."""

import io
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from paseo.text import LONGEST_CELL, in_a_line, in_short, latex_cell, markdown_cell, write_csv

# A caption with a number, where LaTeX gives the table one of its own.
NUMBERED = re.compile(r"(?s)\A(Table (?:[IVX]+|\d+))[.:] (.*)\Z")
NUMBER, NOTHING = re.compile(r"[-+<]?\.?\d"), "-"  # how a cell with numbers begins; an empty one


@dataclass(frozen=True, slots=True)
class Table:
    """What any kind of table is made of: words."""

    caption: str
    header: list[str]
    rows: list[list[str]]  # as many cells in each as in the header


def markdown(all_tables: Sequence[Table]) -> str:
    """Tables for a README or an issue."""
    parts = []
    for each in all_tables:
        lines = [each.header, ["---"] * len(each.header), *each.rows]
        text = "\n".join(f"| {' | '.join(map(markdown_cell, line))} |" for line in lines)
        parts.append(f"{markdown_cell(each.caption)}\n\n{text}")
    return "\n\n".join(parts)


def csv_text(all_tables: Sequence[Table]) -> str:
    """One table after the other, each under its caption."""
    text = io.StringIO()
    for each in all_tables:
        write_csv(text, [[f"# {each.caption}"], each.header, *each.rows, []])
    return text.getvalue()


def latex(all_tables: Sequence[Table]) -> str:
    """Tables for a paper, needing no package."""
    parts = []
    for each in all_tables:
        body = "".join(_latex_row(line) for line in each.rows)
        caption = NUMBERED.sub(r"\2 (As \1 of the paper.)", each.caption)
        parts.append(
            "\\begin{table}\n\\centering\n"
            f"\\begin{{tabular}}{{{_alignment(each)}}}\n\\hline\n"
            f"{_latex_row(each.header)}\\hline\n{body}\\hline\n"
            f"\\end{{tabular}}\n\\caption{{{latex_cell(caption)}}}\n\\end{{table}}"
        )
    return "\n\n".join(parts)


def _alignment(table: Table) -> str:
    """Numbers to the right, words to the left; what a row is about is words."""
    columns = [[row[k] for row in table.rows] for k in range(1, len(table.header))]
    return "l" + "".join(
        "r" if all(cell == NOTHING or NUMBER.match(cell) for cell in column) else "l"
        for column in columns
    )


def _latex_row(cells: Sequence[str]) -> str:
    row = " & ".join(map(latex_cell, cells))
    # After the end of a row LaTeX would take these for a part of it.
    return f"{'{}' * row.startswith(('[', '*'))}{row} \\\\\n"


# How a sentence stands beside tables; in CSV and LaTeX as a remark.
SENTENCES: Mapping[str, Callable[[str], str]] = {
    "text": in_a_line,
    "markdown": markdown_cell,
    "csv": lambda line: '"# {}"'.format(in_short(line, LONGEST_CELL).replace('"', "'")),
    "latex": lambda line: f"% {in_a_line(line)}",
}
LAYOUTS = {"markdown": markdown, "csv": csv_text, "latex": latex}
