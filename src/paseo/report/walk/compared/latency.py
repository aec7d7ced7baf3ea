"""Planners over their latency, as tables and in words: how they fare, and how slow they may be."""

import math
from collections.abc import Iterable

from paseo.metrics.comparison.comparison import Comparison
from paseo.metrics.comparison.measured import TIME_TO_GOAL
from paseo.metrics.comparison.rows import Row, RowSummary
from paseo.metrics.comparison.sweeps.dials import Dial
from paseo.metrics.comparison.sweeps.latency import SIMPLE, Endurance, Opponent
from paseo.report.formats import Table
from paseo.report.walk.compared.numbers import mean_words
from paseo.report.walk.rows import labels

CAUSES = ("caused_contacts", "shared_contacts", "walked_into_contacts")
SHOWN = {
    "success": "success",
    "person_collisions": "contacts per min",
    TIME_TO_GOAL.name: "to goal s",
}


def is_swept(comparison: Comparison) -> bool:
    """Whether some planner was run at several latencies."""
    lines = Dial.LATENCY.lines(each.row for each in comparison.summaries)
    return any(len(line) > 1 for line in lines.values())


def latency_tables(comparison: Comparison) -> list[Table]:
    """How planners fare at each latency, and how slow they may be; none without several."""
    if not is_swept(comparison):
        return []
    ends = [_endurance_table(comparison)] if comparison.endurances else []
    return [_curve_table(comparison), *ends]


def _curve_table(comparison: Comparison) -> Table:
    """A line for each planner and latency."""
    summaries = {each.row: each for each in comparison.summaries}
    lines = Dial.LATENCY.lines(summaries)
    called = labels(list(lines))
    known = {each.name: each for each in comparison.metrics}
    metrics = [known[name] for name in SHOWN if name in known]
    whose = known.keys() >= {*CAUSES}
    header = ["planner", "latency s", *(SHOWN[each.name] for each in metrics)]
    rows = [
        [
            called[shared],
            f"{latency:g}",
            *(mean_words(summaries[row].estimates[each.name], each) for each in metrics),
            *([_causes(summaries[row])] if whose else []),
        ]
        for shared, line in lines.items()
        for latency, row in line.items()
    ]
    caption = (
        "Along latency: what each answer of the planner was charged of the world's time. Mean and "
        "95 % interval over all episodes; who never arrives counts with the whole time limit."
    )
    return Table(caption, [*header, *(["caused/shared/walked into"] if whose else [])], rows)


def _endurance_table(comparison: Comparison) -> Table:
    """A line for each planner, simple planner, and which latency that one has."""
    called = line_names(comparison.endurances)
    rows = [
        [
            called[each.row],
            called[each.simple],
            each.opponent.value,
            f"{_end(each)} {_interval(each)}".strip(),
            _shown(each.ahead_up_to_s),
            _shown(each.behind_from_s),
        ]
        for each in comparison.endurances
    ]
    first = comparison.endurances[0]
    family = sum(each.opponent is first.opponent for each in comparison.endurances)
    caption = (
        f"How slow a planner may be. At which latency it stops beating a simple planner in "
        f"{first.metric}: where the mean difference, straight between latencies, first is none, "
        "with its 95 % interval. Shown is what is beyond chance in tests in order, from the "
        f"shortest latency up and from the longest down (5 %, shared by {family} pairs of a "
        f"planner and a simple one). What is claimed is about a simple planner "
        f"{Opponent.SHORTEST.value}; {Opponent.SAME.value} is exploratory."
    )
    header = ["planner", "simple one", "which is", "stops at", "shown ahead up to",
              "shown behind from"]  # fmt: skip
    return Table(caption, header, rows)


def latency_words(comparison: Comparison) -> list[str]:
    """A sentence for each planner and simple planner; what is missing, where none was run."""
    if not is_swept(comparison):
        return []
    if not comparison.endurances:
        wanted = comparison.asked.baseline or " and ".join(SIMPLE)
        return [f"How slow planners may be is told where {wanted} ran at the same latencies too."]
    called = line_names(comparison.endurances)
    claims = [each for each in comparison.endurances if each.opponent is Opponent.SHORTEST]
    return [_sentence(each, called[each.row], called[each.simple]) for each in claims]


def line_names(found: Iterable[Endurance]) -> dict[Row, str]:
    """What planners and simple planners are called, whatever their latency."""
    return labels(list(dict.fromkeys(row for each in found for row in (each.row, each.simple))))


def _sentence(found: Endurance, planner: str, simple: str) -> str:
    shortest, longest = found.leads[0].latency_s, found.leads[-1].latency_s
    other = f"{simple} (latency {found.leads[0].simple.latency_s or 0.0:g} s)"
    if found.stops_s == shortest:
        said = f"{planner} is not ahead of {other}, not even at {shortest:g} s"
    elif math.isinf(found.stops_s):
        said = f"{planner} is ahead of {other} at every latency up to {longest:g} s"
    else:
        said = f"{planner} stops beating {other} at a latency of {found.stops_s:.2g} s"
    ends = f" {_interval(found)}" if found.low_s is not None else ""
    return f"{found.metric}: {said}{ends}; {_claims(found)}."


def _claims(found: Endurance) -> str:
    """What is shown, in words."""
    ahead, behind = found.ahead_up_to_s, found.behind_from_s
    said = "not shown to be ahead at any latency"
    if ahead is not None:
        only = ahead == found.leads[0].latency_s
        said = f"shown to be ahead {'at' if only else 'up to'} {ahead:g} s"
    return said if behind is None else f"{said}, shown to be behind from {behind:g} s"


def _end(found: Endurance) -> str:
    never = found.stops_s == found.leads[0].latency_s
    return "not ahead" if never else _seconds(found.stops_s, found)


def _seconds(seconds: float, found: Endurance) -> str:
    if math.isinf(seconds):
        return f"beyond {found.leads[-1].latency_s:g} s"
    return f"{seconds:.2g} s"


def _interval(found: Endurance) -> str:
    if found.low_s is None or found.high_s is None:
        return ""
    return f"[{_seconds(found.low_s, found)}, {_seconds(found.high_s, found)}]"


def _shown(seconds: float | None) -> str:
    return "not shown" if seconds is None else f"{seconds:g} s"


def _causes(summary: RowSummary) -> str:
    means = [summary.estimates[name].mean for name in CAUSES]
    return "/".join("-" if each is None else f"{each:.2g}" for each in means)
