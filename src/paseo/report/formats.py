"""Tables as Markdown, CSV and LaTeX."""

import csv
import io
from collections.abc import Sequence

Table = tuple[str, list[str], list[list[str]]]  # caption, header, rows
SIGNS = str.maketrans(
    {sign: f"\\{sign}" for sign in "&%_#${}"}
    | {"\\": "\\textbackslash{}", "^": "\\^{}", "~": "\\~{}", "±": "$\\pm$"}
    | {"<": "$<$", ">": "$>$"}
)


def markdown(all_tables: Sequence[Table]) -> str:
    """Tables for a README or an issue."""
    parts = []
    for caption, header, rows in all_tables:
        lines = [header, ["---"] * len(header), *rows]
        cells = [[cell.replace("|", "\\|") for cell in line] for line in lines]
        parts.append(f"{caption}\n\n" + "\n".join(f"| {' | '.join(line)} |" for line in cells))
    return "\n\n".join(parts)


def csv_text(all_tables: Sequence[Table]) -> str:
    """One table after the other, each under its caption."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    for caption, header, rows in all_tables:
        writer.writerow([f"# {caption}"])
        writer.writerows([header, *rows])
        writer.writerow([])
    return text.getvalue()


def latex(all_tables: Sequence[Table]) -> str:
    """Tables for a paper, needing no package."""
    parts = []
    for caption, header, rows in all_tables:
        body = "".join(f"{' & '.join(map(_escaped, line))} \\\\\n" for line in rows)
        parts.append(
            "\\begin{table}\n\\centering\n"
            f"\\begin{{tabular}}{{l{'r' * (len(header) - 1)}}}\n\\hline\n"
            f"{' & '.join(map(_escaped, header))} \\\\\n\\hline\n{body}\\hline\n"
            f"\\end{{tabular}}\n\\caption{{{_escaped(caption)}}}\n\\end{{table}}"
        )
    return "\n\n".join(parts)


def _escaped(text: str) -> str:
    return text.translate(SIGNS)
