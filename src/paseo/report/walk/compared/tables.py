"""A comparison as tables: the layout of the paper's Tables 2 to 4, intervals, differences."""

from collections.abc import Iterable, Sequence

from paseo.metrics.comparison.comparison import Comparison, compared_unit
from paseo.metrics.comparison.rows import Cell, Row, RowSummary
from paseo.metrics.comparison.statistics import Estimate
from paseo.metrics.comparison.sweeps.dials import Dial
from paseo.metrics.comparison.sweeps.reactivity import Rank
from paseo.metrics.record.metric import Group, Metric, Population, Variant
from paseo.report.formats import Table
from paseo.report.walk.compared.latency import CAUSES, latency_tables
from paseo.report.walk.rows import label, labels
from paseo.world.records import Verdict

FAILURES = (Verdict.TIMEOUT, Verdict.PERSON_COLLISION, Verdict.WALL_COLLISION)


def tables(comparison: Comparison) -> list[Table]:
    """Along latency, Tables 2 to 4, the intervals over all episodes, and the paired differences."""
    return [
        *latency_tables(comparison),
        *paper_tables(comparison),
        _intervals(comparison),
        *([ranks_table(comparison)] if comparison.ranks else []),
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


def _timed(comparison: Comparison) -> str:
    """How planning was timed, and who else was at work."""
    if not comparison.loads:
        return ""
    published = any(each.variant is Variant.PUBLISHED for each in comparison.metrics)
    what = "added up" if published else "median (95th percentile) over steps"
    loads = "; ".join(comparison.loads)
    return f" Planning time is the processor time of plan(), {what}; {loads}."


def _meta(comparison: Comparison) -> Table:
    n, planning = comparison.completed_by_all, _planning(comparison.metrics)
    header = [
        "planner", "control", "success rate", "failures (T/PC/EC)", "planner failed",
        f"person collisions (caused/shared/walked into), sum over the {n}",
        f"{planning} (s), over the {n}",
    ]  # fmt: skip
    rows = [
        [
            label(each.row, _rows(comparison)),
            each.row.control,
            f"{each.verdicts[Verdict.SUCCESS]}/{each.episodes}",
            f"({'/'.join(str(each.verdicts[verdict]) for verdict in FAILURES)})",
            str(each.verdicts[Verdict.PLANNER_FAILED]),
            _contacts(each),
            _planning_cell(each),
        ]
        for each in comparison.summaries
    ]
    caption = (
        "Table 2. Meta statistics. Success and failures over all episodes and seeds; "
        f"the rest over the {n} episodes that every planner completed, as mean ± standard "
        "deviation over episodes and seeds. Success is by definition (reached the goal and touched "
        f"nobody) in either variant.{_timed(comparison)}{_apart(comparison)}"
    )
    return Table(caption, header, rows)


def _cells(title: str, group: Group, comparison: Comparison) -> Table:
    metrics = [each for each in comparison.metrics if each.group is group]
    header = ["planner", *(titled(each.name, each.unit) for each in metrics)]
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
            titled(each.name, compared_unit(each)),
            *(interval(summary.estimates[each.name]) for summary in comparison.summaries),
        ]
        for each in comparison.metrics
    ]
    minute = names_of(each for each in comparison.metrics if each.per_minute)
    every, completed = (
        names_of(each for each in comparison.metrics if each.population is population)
        for population in (Population.EVERY, Population.COMPLETED)
    )
    caption = (
        "All episodes. Mean and 95 % interval, over the "
        f"{comparison.clusters} clusters of crowd windows that share film. No ending is dropped: "
        "an episode that never arrives counts in time_to_goal with its whole time limit "
        f"(restricted mean); what adds up ({', '.join(minute)}) is per minute. "
        f"{', '.join(completed)} describe completed episodes, everything but {', '.join(every)} "
        "leaves out planners that failed, and infinite values are left out. The number in brackets "
        "says how many episodes have a value; no interval is shown where all clusters agree."
    )
    if any(row.is_reference for row in _rows(comparison)):
        caption += " A reference's means are over its own episodes."
    return Table(caption, ["metric", *labels(_rows(comparison)).values()], rows)


def names_of(metrics: Iterable[Metric]) -> list[str]:
    """The names of metrics, in order of the alphabet."""
    return sorted(each.name for each in metrics)


def ranks_table(comparison: Comparison) -> Table:
    """Ranks of planners at each reactivity, a line for each planner and metric."""
    levels = sorted({each.reactivity for each in comparison.ranks})
    lines: dict[tuple[str, Row], dict[float, Rank]] = {}
    for each in comparison.ranks:
        row = Dial.REACTIVITY.unset(each.row)
        lines.setdefault((each.metric, row), {})[each.reactivity] = each
    called = labels([row for _, row in lines])
    rows = [[metric, called[row], *(_rank(found.get(level)) for level in levels)]
            for (metric, row), found in lines.items()]  # fmt: skip
    caption = (
        "Ranks by reactivity. The place of each planner by its mean over all episodes (1 is the "
        "best), with people who do not answer the robot (0) to fully reactive ones (1), and the "
        f"95 % interval of that place over {comparison.draws} bootstrap draws of clusters of crowd "
        "windows. "
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
            titled(pair.metric, units[pair.metric]),
            called[pair.a],
            called[pair.b],
            interval(pair.difference.estimate),
            "-" if pair.p is None else f"{pair.p:.3f}",
            pair.family,
        ]
        for pair in comparison.pairs
        if pair.difference.estimate.mean is not None
    ]
    caption = (
        "Paired differences, first minus second, over the episodes in which both have a value; "
        "p by exchanging planners cluster by cluster (randomisation test). Primary metrics are "
        "corrected for all pairs and primary metrics, exploratory ones each for all pairs."
    )
    return Table(caption, ["metric", "first", "second", "difference", "p", "family"], rows)


def ranking_table(comparison: Comparison) -> Table:
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


def titled(name: str, unit: str) -> str:
    """A name with its unit, if it has one."""
    return name if unit == "1" else f"{name} ({unit})"


def _cell(cell: Cell, digits: int = 2) -> str:
    if cell.mean is None:
        return "-"
    return f"{cell.mean:.{digits}f} ± {cell.deviation:.{digits}f}"


def _planning_cell(row: RowSummary) -> str:
    """Median and 95th percentile over steps, each a mean over episodes; as published, the total."""
    cell, late = row.cells.get("planning_time"), row.cells.get("planning_time_p95")
    if cell is None or cell.mean is None:
        return "-"
    if late is None or late.mean is None:
        return f"{cell.mean:.3g} ± {cell.deviation:.2g}"
    return f"{cell.mean:.3g} ({late.mean:.3g})"


def _contacts(row: RowSummary) -> str:
    """All contacts, and in brackets how many were whose doing, where that was measured."""
    found = {name: _sum(row.cells.get(name)) for name in ("person_collisions", *CAUSES)}
    whose = "/".join(found[name] for name in CAUSES)
    return found["person_collisions"] + (f" ({whose})" if "-" not in whose else "")


def _sum(cell: Cell | None) -> str:
    return "-" if cell is None or cell.mean is None else f"{cell.mean * cell.count:.0f}"


def interval(found: Estimate) -> str:
    """A mean with its interval, and over how many episodes."""
    if found.mean is None:
        return "-"
    if found.low is None:
        return f"{found.mean:.3g} ({found.episodes})"
    return f"{found.mean:.3g} [{found.low:.3g}, {found.high:.3g}] ({found.episodes})"
