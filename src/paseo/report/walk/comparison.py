"""A comparison as tables in the layout of the paper's Tables 2 to 4, and in words."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from paseo.metrics.comparison.comparison import (
    ONLY_COMPLETED,
    PER_MINUTE,
    TIME_TO_GOAL,
    Cell,
    Comparison,
    PairedRows,
    RowSummary,
)
from paseo.metrics.comparison.priorities import Ranked
from paseo.metrics.comparison.reactivity import Rank
from paseo.metrics.comparison.rows import Row
from paseo.metrics.comparison.statistics import Estimate
from paseo.metrics.record.metric import Better, Metric, Variant
from paseo.report.formats import Table
from paseo.world.records import Verdict

PATH = (
    "path_length", "path_length_ratio", "goal_traversal_ratio", "path_irregularity",
    "path_traversal_time",
)  # fmt: skip
FAILURES = (Verdict.TIMEOUT, Verdict.PERSON_COLLISION, Verdict.WALL_COLLISION)
MOTION = ("speed", "energy", "acceleration", "jerk")


def tables(comparison: Comparison, metrics: Sequence[Metric]) -> list[Table]:
    """Tables 2 to 4, the intervals over all episodes, and the paired differences."""
    units = {each.name: each.unit for each in metrics} | {TIME_TO_GOAL: "s", "planning_time": "s"}
    return [
        _meta(comparison, metrics),
        _cells("Table 3. Path quality", PATH, comparison, units),
        _cells("Table 4. Motion quality", MOTION, comparison, units),
        _intervals(comparison, units),
        *([_ranks(comparison)] if comparison.ranks else []),
        *([_differences(comparison, units)] if comparison.pairs else []),
    ]


def label(row: Row, rows: Sequence[Row]) -> str:
    """The planner, with whatever else tells its row from another of the same planner."""
    twins = [other for other in rows if other.planner == row.planner]
    extra = [
        getattr(row, key) or ("usual settings" if key == "settings" else f"no {key}")
        for key in ("control", "rule", "robot", "settings")
        if len({getattr(other, key) for other in twins}) > 1
    ]
    if len({other.reactivity for other in twins}) > 1:
        extra.append("replayed" if row.reactivity is None else f"reactivity {row.reactivity:g}")
    if row.is_reference:
        extra.insert(0, "reference, own episodes")
    return row.planner + (f" ({', '.join(extra)})" if extra else "")


def _rows(comparison: Comparison) -> list[Row]:
    return [each.row for each in comparison.summaries]


def _planning(metrics: Sequence[Metric]) -> str:
    published = any(each.variant is Variant.PUBLISHED for each in metrics)
    return "planning time per episode" if published else "planning time per step"


def _meta(comparison: Comparison, metrics: Sequence[Metric]) -> Table:
    n = comparison.completed_by_all
    header = [
        "planner", "control", "success rate", "failures (T/PC/EC)", "planner failed",
        f"person collisions, sum over the {n}", f"{_planning(metrics)} (s), over the {n}",
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
    return caption, header, rows


def _cells(
    title: str, names: Sequence[str], comparison: Comparison, units: dict[str, str]
) -> Table:
    header = ["planner", *(_titled(name, units) for name in names)]
    rows = [
        [label(each.row, _rows(comparison)), *(_cell(each.cells[name]) for name in names)]
        for each in comparison.summaries
    ]
    counted = _counted(names, comparison.summaries)
    caption = (
        f"{title}. Over the {comparison.completed_by_all} episodes that every planner completed"
        f"{counted}; mean ± standard deviation (of the population)."
        f"{_apart(comparison)}"
    )
    return caption, header, rows


def _apart(comparison: Comparison) -> str:
    """What is said of references, where there are any."""
    if not any(row.is_reference for row in _rows(comparison)):
        return ""
    return " A reference ran episodes of its own; its numbers are over those that it completed."


def _counted(names: Sequence[str], summaries: Sequence[RowSummary]) -> str:
    """Which columns are counted otherwise."""
    words = ""
    if "goal_traversal_ratio" in names:
        counts = ", ".join(str(s.cells["goal_traversal_ratio"].count) for s in summaries)
        words = f", goal traversal ratio over each planner's incomplete ones ({counts})"
    steps = [name for name in names if summaries[0].cells[name].over == "steps"]
    if steps:
        words += f"; {', '.join(steps)} pooled over steps"
    return words


def _intervals(comparison: Comparison, units: dict[str, str]) -> Table:
    names = list(comparison.summaries[0].estimates)
    labels = [label(row, _rows(comparison)) for row in _rows(comparison)]
    rows = [
        [
            _titled(name, units, compared=True),
            *(_interval(s.estimates[name]) for s in comparison.summaries),
        ]
        for name in names
    ]
    caption = (
        f"All episodes. Mean and 95 % interval ({comparison.draws} bootstrap draws of the "
        f"{comparison.windows} crowd windows, and of seeds within episodes). No ending is dropped: "
        "an episode that never arrives counts in time_to_goal with its whole time limit "
        f"(restricted mean); what adds up ({', '.join(sorted(PER_MINUTE))}) is per minute. "
        f"{', '.join(sorted(ONLY_COMPLETED))} describe completed episodes, everything but success "
        "and time_to_goal leaves out planners that failed, and infinite values are left out. The "
        "number in brackets says how many episodes have a value; no interval is shown where all "
        "windows agree."
    )
    if any(row.is_reference for row in _rows(comparison)):
        caption += " A reference's means are over its own episodes."
    return caption, ["metric", *labels], rows


def _ranks(comparison: Comparison) -> Table:
    """Ranks of planners along the dial, a line for each planner and metric."""
    stops = sorted({each.reactivity for each in comparison.ranks})
    lines: dict[tuple[str, str], dict[float, Rank]] = {}
    for each in comparison.ranks:
        lines.setdefault((each.metric, each.row.planner), {})[each.reactivity] = each
    rows = [[metric, planner, *(_rank(found.get(stop)) for stop in stops)]
            for (metric, planner), found in lines.items()]  # fmt: skip
    caption = (
        "Ranks along the dial. The place of each planner by its mean over all episodes (1 is the "
        "best), with people who do not answer the robot (0) to fully reactive ones (1), and the "
        f"95 % interval of that place over {comparison.draws} bootstrap draws of crowd windows. "
        "How far people were pushed off their paths is people_pushed above."
    )
    return caption, ["metric", "planner", *(f"reactivity {stop:g}" for stop in stops)], rows


def _rank(rank: Rank | None) -> str:
    return "-" if rank is None else f"{rank.rank:g} [{rank.low:g}, {rank.high:g}]"


def _differences(comparison: Comparison, units: dict[str, str]) -> Table:
    rows = [
        [
            _titled(pair.metric, units, compared=True),
            label(pair.a, _rows(comparison)),
            label(pair.b, _rows(comparison)),
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
    return caption, ["metric", "first", "second", "difference", "p"], rows


def statement(comparison: Comparison, metrics: Sequence[Metric]) -> str:
    """Which differences are beyond chance (5 %, corrected) and which not, pair by pair."""
    better = {each.name: each.better for each in metrics} | {TIME_TO_GOAL: Better.LOWER}
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
    direction = better.get(pair.metric, Better.LOWER)
    if direction is Better.NEITHER:
        return ""
    more = (pair.difference.estimate.mean or 0.0) > 0
    return first if more == (direction is Better.HIGHER) else second


def ranking_table(ranked: Sequence[Ranked], rows: Sequence[Row]) -> Table:
    """The user's priorities applied."""
    lines = [
        [
            str(place),
            label(each.row, rows),
            f"{each.score:.3f}",
            "yes" if each.on_front else "no",
            "; ".join(each.broken) or "all kept",
        ]
        for place, each in enumerate(ranked, 1)
    ]
    caption = (
        "By your priorities. Score from 0 (worst planner in everything weighed) to 1 (best); "
        "planners that break a limit come last; on the Pareto front are those that no other "
        "planner equals in everything and beats in something."
    )
    return caption, ["place", "planner", "score", "Pareto front", "limits"], lines


def as_json(
    comparison: Comparison, metrics: Sequence[Metric], ranked: Sequence[Ranked]
) -> dict[str, Any]:
    """Everything, for programs."""
    content = asdict(comparison)
    for pair, written in zip(comparison.pairs, content["pairs"], strict=True):
        written["beyond_chance"] = pair.beyond_chance
    content["statement"] = statement(comparison, metrics).splitlines()
    content["ranking"] = [asdict(each) for each in ranked]
    return content


def _titled(name: str, units: dict[str, str], *, compared: bool = False) -> str:
    unit = units.get(name, "1")
    if compared and name in PER_MINUTE:
        unit = f"{unit}/min"
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
