"""Tables as HTML."""

import re

from paseo.report.formats import Table
from paseo.text import html_text

AFTER_TITLE = re.compile(r"(?<!Table \d)[.,;]")  # in a caption
TALL = 40  # rows from which on a table is folded


def table_markup(table: Table) -> str:
    """One table below its caption; a long one is folded."""
    caption, rows = table.caption, table.rows
    title = AFTER_TITLE.split(caption, maxsplit=1)[0]
    rest = caption.removeprefix(title)
    head = "".join(f'<th scope="col">{html_text(cell)}</th>' for cell in table.header)
    lines = "".join(
        f'<tr><th scope="row">{html_text(line[0])}</th>'
        f"{''.join(f'<td>{html_text(cell)}</td>' for cell in line[1:])}</tr>"
        for line in rows
    )
    body = (
        f'<div class="scroll" tabindex="0" role="region" aria-label="{html_text(title)}"><table>'
        f"<thead><tr>{head}</tr></thead><tbody>{lines}</tbody></table></div>"
    )
    if len(rows) < TALL:
        said = f"<figcaption><strong>{html_text(title)}</strong>{html_text(rest)}</figcaption>"
        return f'<figure class="table panel">{said}{body}</figure>'
    return (
        '<div class="table panel"><details>'
        f"<summary>{html_text(title)} ({len(rows)} lines)</summary>"
        f"<p>{html_text(caption)}</p>{body}</details></div>"
    )
