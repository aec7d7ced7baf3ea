"""Where decisions stand in the page: beside the map, on it, and on the time line."""

import json
from collections.abc import Sequence

import msgspec

from paseo.report.pages.template import asset, filled, harmless
from paseo.report.walk.decisions.telling import Chronicle
from paseo.report.walk.decisions.views import DrivenView
from paseo.text import html_text

FILES = ("walk/decisions", "walk/decisions.css")  # its script and style
NOWHERE = dict.fromkeys(
    ("map_begin", "map_end", "decision_marks", "decisions_panel", "decision_keys", "decisions"), ""
)


def decision_parts(
    chronicle: Chronicle, scenes: Sequence[Sequence[DrivenView | None]]
) -> dict[str, str]:
    """What a page with decisions has more than others: of each scene those of each drive."""
    book = chronicle.book
    content = {
        "lines": list(book.lines.known),
        "questions": list(book.questions.known),
        "options": list(book.options.known),
        "scenes": scenes,
    }
    data = harmless(json.dumps(msgspec.to_builtins(content), separators=(",", ":")))
    return {
        "map_begin": '<div class="map">',
        "map_end": '<svg id="choices" aria-hidden="true"></svg></div>',
        "decision_marks": '<div class="decided" id="decided"></div>',
        "decisions_panel": filled(
            asset("walk/decisions.html"), {"note": html_text(chronicle.note)}
        ),
        "decision_keys": " · <kbd>D</kbd> next decision · <kbd>C</kbd> the decision before the next"
        " contact, with <kbd>Shift</kbd> the one before",
        "decisions": f'<script type="application/json" id="decisions">{data}</script>\n',
    }
