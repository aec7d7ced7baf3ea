"""Tables as Markdown, CSV and LaTeX."""

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass

SIGNS = str.maketrans(
    {sign: f"\\{sign}" for sign in "&%_#${}"}
    | {"\\": "\\textbackslash{}", "^": "\\^{}", "~": "\\~{}", "±": "$\\pm$"}
    | {"<": "$<$", ">": "$>$"}
)


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
        cells = [[cell.replace("|", "\\|") for cell in line] for line in lines]
        text = "\n".join(f"| {' | '.join(line)} |" for line in cells)
        parts.append(f"{each.caption}\n\n{text}")
    return "\n\n".join(parts)


def csv_text(all_tables: Sequence[Table]) -> str:
    """One table after the other, each under its caption."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    for each in all_tables:
        writer.writerow([f"# {each.caption}"])
        writer.writerows([each.header, *each.rows])
        writer.writerow([])
    return text.getvalue()


def latex(all_tables: Sequence[Table]) -> str:
    """Tables for a paper, needing no package."""
    parts = []
    for each in all_tables:
        body = "".join(f"{' & '.join(map(_escaped, line))} \\\\\n" for line in each.rows)
        parts.append(
            "\\begin{table}\n\\centering\n"
            f"\\begin{{tabular}}{{l{'r' * (len(each.header) - 1)}}}\n\\hline\n"
            f"{' & '.join(map(_escaped, each.header))} \\\\\n\\hline\n{body}\\hline\n"
            f"\\end{{tabular}}\n\\caption{{{_escaped(each.caption)}}}\n\\end{{table}}"
        )
    return "\n\n".join(parts)


def _escaped(text: str) -> str:
    return text.translate(SIGNS)


LAYOUTS = {"markdown": markdown, "csv": csv_text, "latex": latex}
