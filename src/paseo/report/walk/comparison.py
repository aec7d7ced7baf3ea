"""A comparison as tables in the layout of the paper's Tables 2 to 4, and in words."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import Any

from paseo.errors import UnknownName
from paseo.metrics.comparison.comparison import Comparison, PairedRows, compared_unit
from paseo.metrics.comparison.reactivity import Rank
from paseo.metrics.comparison.rows import Cell, Row, RowSummary
from paseo.metrics.comparison.statistics import Estimate
from paseo.metrics.record.metric import Better, Group, Metric, Population, Variant
from paseo.report.formats import LAYOUTS, Table
from paseo.report.walk.rows import (
    at_any_reactivity,
    label,
    labels,
    robot_words,
    settings_words,
    warnings,
)
from paseo.world.records import Verdict

FAILURES = (Verdict.TIMEOUT, Verdict.PERSON_COLLISION, Verdict.WALL_COLLISION)
COMMENTS = {"markdown": "", "csv": "# ", "latex": "% "}


def text(comparison: Comparison, layout: str = "markdown") -> str:
    """All tables and the statement, as `markdown`, `csv` or `latex`."""
    if layout not in LAYOUTS:
        raise UnknownName("layout", layout, LAYOUTS)
    shown = tables(comparison)
    if comparison.ranking:
        shown.append(_ranking(comparison))
    lines = [*statement(comparison).splitlines(), *careful(comparison)]
    said = "\n".join(COMMENTS[layout] + line for line in lines)
    return f"{LAYOUTS[layout](shown)}\n\n{said}"


def careful(comparison: Comparison) -> list[str]:
    """A line for each thing that makes rows hard to compare."""
    return [f"Careful: {each}." for each in warnings(comparison)]


def tables(comparison: Comparison) -> list[Table]:
    """Tables 2 to 4, the intervals over all episodes, and the paired differences."""
    return [
        *paper_tables(comparison),
        _intervals(comparison),
        *([_ranks(comparison)] if comparison.ranks else []),
        *([_differences(comparison)] if comparison.pairs else []),
    ]


def paper_tables(comparison: Comparison) -> list[Table]:
    """The layout of the paper's Tables 2 to 4."""
    return [
        _meta(comparison),
        _cells("Table 3. Path quality", Group.PATH, comparison),
        _cells("Table 4. Motion quality", Group.MOTION, comparison),
    ]


def _rows(comparison: Comparison) -> list[Row]:
    return [each.row for each in comparison.summaries]


def _planning(metrics: Sequence[Metric]) -> str:
    published = any(each.variant is Variant.PUBLISHED for each in metrics)
    return "planning time per episode" if published else "planning time per step"


def _meta(comparison: Comparison) -> Table:
    n, planning = comparison.completed_by_all, _planning(comparison.metrics)
    header = [
        "planner", "control", "success rate", "failures (T/PC/EC)", "planner failed",
        f"person collisions, sum over the {n}", f"{planning} (s), over the {n}",
    ]  # fmt: skip
    rows = [
        [
            label(each.row, _rows(comparison)),
            each.row.control,
            f"{each.verdicts[Verdict.SUCCESS]}/{each.episodes}",
            f"({'/'.join(str(each.verdicts[verdict]) for verdict in FAILURES)})",
            str(each.verdicts[Verdict.PLANNER_FAILED]),
            _sum(each.cells["person_collisions"]),
            _planning_cell(each.cells["planning_time"]),
        ]
        for each in comparison.summaries
    ]
    caption = (
        "Table 2. Meta statistics. Success and failures over all episodes and seeds; "
        f"the rest over the {n} episodes that every planner completed, as mean ± standard "
        "deviation over episodes and seeds. Success is by definition (reached the goal and touched "
        f"nobody) in either variant.{_apart(comparison)}"
    )
    return Table(caption, header, rows)


def _cells(title: str, group: Group, comparison: Comparison) -> Table:
    metrics = [each for each in comparison.metrics if each.group is group]
    header = ["planner", *(_titled(each.name, each.unit) for each in metrics)]
    rows = [
        [label(each.row, _rows(comparison)), *(_cell(each.cells[m.name]) for m in metrics)]
        for each in comparison.summaries
    ]
    counted = _counted(metrics, comparison.summaries)
    caption = (
        f"{title}. Over the {comparison.completed_by_all} episodes that every planner completed"
        f"{counted}; mean ± standard deviation (of the population)."
        f"{_apart(comparison)}"
    )
    return Table(caption, header, rows)


def _apart(comparison: Comparison) -> str:
    """What is said of references, where there are any."""
    if not any(row.is_reference for row in _rows(comparison)):
        return ""
    return " A reference ran episodes of its own; its numbers are over those that it completed."


def _counted(metrics: Sequence[Metric], summaries: Sequence[RowSummary]) -> str:
    """Which columns are counted otherwise."""
    words = ""
    for each in metrics:
        counts = ", ".join(str(summary.cells[each.name].count) for summary in summaries)
        if each.population is Population.INCOMPLETE:
            name = each.name.replace("_", " ")
            words += f", {name} over each planner's incomplete ones ({counts})"
        elif each.population is Population.EVERY:
            words += f", {each.name.replace('_', ' ')} over all of each planner's ({counts})"
    steps = [m.name for m in metrics if summaries[0].cells[m.name].over == "steps"]
    if steps:
        words += f"; {', '.join(steps)} pooled over steps"
    return words


def _intervals(comparison: Comparison) -> Table:
    rows = [
        [
            _titled(each.name, compared_unit(each)),
            *(_interval(summary.estimates[each.name]) for summary in comparison.summaries),
        ]
        for each in comparison.metrics
    ]
    minute = names_of(each for each in comparison.metrics if each.per_minute)
    every, completed = (
        names_of(each for each in comparison.metrics if each.population is population)
        for population in (Population.EVERY, Population.COMPLETED)
    )
    caption = (
        f"All episodes. Mean and 95 % interval ({comparison.draws} bootstrap draws of the "
        f"{comparison.windows} crowd windows, and of seeds within episodes). No ending is dropped: "
        "an episode that never arrives counts in time_to_goal with its whole time limit "
        f"(restricted mean); what adds up ({', '.join(minute)}) is per minute. "
        f"{', '.join(completed)} describe completed episodes, everything but {', '.join(every)} "
        "leaves out planners that failed, and infinite values are left out. The number in brackets "
        "says how many episodes have a value; no interval is shown where all windows agree."
    )
    if any(row.is_reference for row in _rows(comparison)):
        caption += " A reference's means are over its own episodes."
    return Table(caption, ["metric", *labels(_rows(comparison)).values()], rows)


def names_of(metrics: Iterable[Metric]) -> list[str]:
    """The names of metrics, in order of the alphabet."""
    return sorted(each.name for each in metrics)


def _ranks(comparison: Comparison) -> Table:
    """Ranks of planners at each reactivity, a line for each planner and metric."""
    levels = sorted({each.reactivity for each in comparison.ranks})
    lines: dict[tuple[str, Row], dict[float, Rank]] = {}
    for each in comparison.ranks:
        row = at_any_reactivity(each.row)
        lines.setdefault((each.metric, row), {})[each.reactivity] = each
    called = labels([row for _, row in lines])
    rows = [[metric, called[row], *(_rank(found.get(level)) for level in levels)]
            for (metric, row), found in lines.items()]  # fmt: skip
    caption = (
        "Ranks by reactivity. The place of each planner by its mean over all episodes (1 is the "
        "best), with people who do not answer the robot (0) to fully reactive ones (1), and the "
        f"95 % interval of that place over {comparison.draws} bootstrap draws of crowd windows. "
        "How far people were pushed off their paths is people_pushed above."
    )
    header = ["metric", "planner", *(f"reactivity {level:g}" for level in levels)]
    return Table(caption, header, rows)


def _rank(rank: Rank | None) -> str:
    return "-" if rank is None else f"{rank.rank:g} [{rank.low:g}, {rank.high:g}]"


def _differences(comparison: Comparison) -> Table:
    units = {each.name: compared_unit(each) for each in comparison.metrics}
    called = labels(_rows(comparison))
    rows = [
        [
            _titled(pair.metric, units[pair.metric]),
            called[pair.a],
            called[pair.b],
            _interval(pair.difference.estimate),
            "-" if pair.p is None else f"{pair.p:.3f}",
        ]
        for pair in comparison.pairs
        if pair.difference.estimate.mean is not None
    ]
    caption = (
        "Paired differences, first minus second, over the episodes in which both have a value; "
        "p by exchanging the planners window by window (randomisation test), corrected by Holm for "
        "all pairs and metrics of this table."
    )
    return Table(caption, ["metric", "first", "second", "difference", "p"], rows)


def statement(comparison: Comparison) -> str:
    """Which differences are beyond chance (5 %, corrected) and which not, pair by pair."""
    better = {each.name: each.better for each in comparison.metrics}
    lines = []
    rows = _rows(comparison)
    for a, b in dict.fromkeys((pair.a, pair.b) for pair in comparison.pairs):
        pairs = [pair for pair in comparison.pairs if (pair.a, pair.b) == (a, b)]
        lines += _pair_lines([pair for pair in pairs if pair.p is not None], rows, better)
        unknown = [pair.metric for pair in pairs if pair.p is None]
        if unknown and len(unknown) < len(pairs):
            lines.append(f"- cannot be compared: {', '.join(unknown)}")
    planners = [row for row in rows if not row.is_reference]
    if len(planners) < 2:
        how_many = "one planner only" if planners else "no planner"
        lines.append(f"There is {how_many}: nothing to tell apart.")
    elif not comparison.pairs:
        lines.append("No two planners were run at the same reactivity: nothing can be told apart.")
    elif not lines:
        lines.append("No two planners share two crowd windows: nothing can be told apart.")
    if comparison.pairs and len({row.reactivity for row in planners}) > 1:
        lines.append(
            "Compared are planners at the same reactivity, and each planner with itself at "
            "another; p is corrected for these pairs only."
        )
    if comparison.windows < 10:
        lines.append(
            f"With {comparison.windows} crowd windows the intervals are rough; add episodes from "
            "other windows before you rely on them."
        )
    lines += [
        f"{name} is a reference on its own episodes and is not compared with others."
        for name in dict.fromkeys(row.planner for row in rows if row.is_reference)
    ]
    return "\n".join(lines)


def _pair_lines(
    pairs: Sequence[PairedRows], rows: Sequence[Row], better: dict[str, Better]
) -> list[str]:
    """One line for the pair, then one for each side, for the undecided and for the open ones."""
    if not pairs:
        return []
    first, second = label(pairs[0].a, rows), label(pairs[0].b, rows)
    merits: dict[str, list[str]] = {first: [], second: [], "": []}
    for pair in pairs:
        if pair.beyond_chance:
            mean = pair.difference.estimate.mean or 0.0
            merits[_winner(pair, first, second, better)].append(f"{pair.metric} by {abs(mean):.3g}")
    unclear = [pair.metric for pair in pairs if not pair.beyond_chance]
    lines = [f"{first} and {second}:"]
    lines += [
        f"- beyond chance, {name} is better in {', '.join(found)}"
        for name, found in merits.items()
        if name and found
    ]
    if merits[""]:
        lines.append(f"- beyond chance, they differ in {', '.join(merits[''])}")
    if unclear:
        lines.append(f"- not beyond chance: {', '.join(unclear)}")
    return lines


def _winner(pair: PairedRows, first: str, second: str, better: dict[str, Better]) -> str:
    """Who is better, or nobody where the metric has no better direction."""
    direction = better[pair.metric]
    if direction is Better.NEITHER:
        return ""
    more = (pair.difference.estimate.mean or 0.0) > 0
    return first if more == (direction is Better.HIGHER) else second


def _ranking(comparison: Comparison) -> Table:
    """The user's priorities applied."""
    lines = [
        [
            str(place),
            label(each.row, _rows(comparison)),
            f"{each.score:.3f}",
            "yes" if each.on_front else "no",
            "; ".join(each.broken) or "all kept",
        ]
        for place, each in enumerate(comparison.ranking, 1)
    ]
    caption = (
        "By your priorities. Score from 0 (worst planner in everything weighed) to 1 (best); "
        "planners that break a limit come last; on the Pareto front are those that no other "
        "planner equals in everything and beats in something."
    )
    return Table(caption, ["place", "planner", "score", "Pareto front", "limits"], lines)


def as_json(comparison: Comparison) -> dict[str, Any]:
    """Everything, for programs."""
    rows = _rows(comparison)
    content: dict[str, Any] = {
        key: _plain(getattr(comparison, key), rows)
        for key in ("summaries", "pairs", "episodes", "completed_by_all", "windows", "draws")
    }
    for pair, written in zip(comparison.pairs, content["pairs"], strict=True):
        written["beyond_chance"] = pair.beyond_chance
    return {
        **content,
        "warnings": warnings(comparison),
        "ranks": _plain(comparison.ranks, rows),
        "statement": statement(comparison).splitlines(),
        "ranking": _plain(comparison.ranking, rows),
    }


def _plain(value: Any, rows: Sequence[Row]) -> Any:
    """What JSON can hold; rows in words, and infinities, which it does not have, too."""
    if isinstance(value, Row):
        robot, settings = robot_words(value, rows), settings_words(value, rows)
        parts = {field.name: getattr(value, field.name) for field in fields(value)}
        return {**parts, "robot": robot, "settings": settings}
    if is_dataclass(value):
        parts = {field.name: getattr(value, field.name) for field in fields(value)}
        return _plain(parts, rows)
    if isinstance(value, Mapping):
        return {str(key): _plain(each, rows) for key, each in value.items()}
    if isinstance(value, tuple):
        return [_plain(each, rows) for each in value]
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value


def _titled(name: str, unit: str) -> str:
    return name if unit == "1" else f"{name} ({unit})"


def _cell(cell: Cell, digits: int = 2) -> str:
    if cell.mean is None:
        return "-"
    return f"{cell.mean:.{digits}f} ± {cell.deviation:.{digits}f}"


def _planning_cell(cell: Cell) -> str:
    return "-" if cell.mean is None else f"{cell.mean:.3g} ± {cell.deviation:.2g}"


def _sum(cell: Cell) -> str:
    return "-" if cell.mean is None else f"{cell.mean * cell.count:.0f}"


def _interval(found: Estimate) -> str:
    if found.mean is None:
        return "-"
    if found.low is None:
        return f"{found.mean:.3g} ({found.episodes})"
    return f"{found.mean:.3g} [{found.low:.3g}, {found.high:.3g}] ({found.episodes})"
