"""Comparisons as HTML: the scoreboard, tables, and what is beyond chance."""

from collections.abc import Sequence

from paseo.metrics.comparison.comparison import Comparison
from paseo.metrics.comparison.measured import TIME_TO_GOAL
from paseo.metrics.comparison.statistics import Estimate
from paseo.report.walk.cards import style_of
from paseo.report.walk.compared.words import careful
from paseo.report.walk.figures.endings import WORDS
from paseo.report.walk.figures.series import Series
from paseo.text import html_text
from paseo.world.records import Verdict

BOXES = (
    Verdict.SUCCESS, Verdict.PERSON_COLLISION, Verdict.WALL_COLLISION, Verdict.TIMEOUT,
    Verdict.PLANNER_FAILED,
)  # fmt: skip


def scoreboard(series: Sequence[Series], looks: Sequence[str]) -> str:
    """All planners at a glance: how episodes ended, and the numbers most asked for."""
    heads = ("planner", "success", "episodes by ending", "contacts", "time to goal", "near people")
    cells = "".join(_head(head) for head in heads)
    rows = "".join(_score(each, look) for each, look in zip(series, looks, strict=True))
    keys = "".join(f'<li><i class="{style_of(box)}"></i>{WORDS[box]}</li>' for box in BOXES)
    return (
        '<div class="panel"><div class="scroll"><table class="scoreboard">'
        f"<thead><tr>{cells}</tr></thead><tbody>{rows}</tbody></table></div>"
        f'<ul class="key">{keys}<li>time to goal: mean, the time limit where it was not reached'
        "</li><li>near people: share of time within 0.5 m of somebody</li></ul></div>"
    )


def _head(words: str) -> str:
    wide = ' class="outcomes"' if words == "episodes by ending" else ""
    return f'<th scope="col"{wide}>{words}</th>'


def _score(series: Series, look: str) -> str:
    summary = series.summary
    success = summary.verdicts[Verdict.SUCCESS] / summary.episodes
    contacts, caused = (
        sum(each.values.get(name) or 0 for each in series.episodes)
        for name in ("person_collisions", "caused_contacts")
    )
    compliance = summary.estimates["personal_space_compliance"].mean
    numbers = (
        f"{contacts:.0f}<small>{caused:.0f} caused</small>",
        _seconds(summary.estimates[TIME_TO_GOAL.name]),
        "-" if compliance is None else f"{1 - compliance:.0%}",
    )
    note = "reference, own episodes" if series.is_reference else f"{series.row.control} control"
    return (
        f'<tr{" class=reference" * series.is_reference}><th scope="row">'
        f'<span class="dot {look}"></span> {html_text(series.name)}<small>{note}</small></th>'
        f'<td>{success:.0%}</td><td class="outcomes">{_share(series)}</td>'
        f"{''.join(f'<td>{number}</td>' for number in numbers)}</tr>"
    )


def _share(series: Series) -> str:
    """A bar in parts as long as endings are many."""
    counts = [(box, series.summary.verdicts[box]) for box in BOXES]
    words = ", ".join(f"{count} {WORDS[box]}" for box, count in counts if count)
    parts = "".join(
        f'<span class="{style_of(box)}" style="flex:{count}" title="{count} {WORDS[box]}">'
        f"{count}</span>"
        for box, count in counts
        if count
    )
    return f'<div class="share" role="img" aria-label="{words}">{parts}</div>'


def _seconds(estimate: Estimate) -> str:
    return "-" if estimate.mean is None else f"{estimate.mean:.1f} s"


def words_markup(statement: str) -> str:
    """The statement: lines that begin with a dash are points below the line before."""
    parts: list[str] = []
    for line in statement.splitlines():
        if line.startswith("- "):
            if not (parts and parts[-1].endswith("</ul>")):
                parts.append("<ul></ul>")
            parts[-1] = f"{parts[-1].removesuffix('</ul>')}<li>{html_text(line[2:])}</li></ul>"
        else:
            parts.append(f"<p>{html_text(line)}</p>")
    return f'<div class="words panel">{"".join(parts)}</div>'


def warnings_markup(comparison: Comparison) -> str:
    """What makes rows not comparable."""
    return "".join(f'<p class="warning">{html_text(each)}</p>' for each in careful(comparison))
