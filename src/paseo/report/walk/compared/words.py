"""A comparison in words: who is better in what, how sure that is, and what to be careful of."""

from collections.abc import Mapping, Sequence

from paseo.metrics.comparison.clusters import FEWEST
from paseo.metrics.comparison.comparison import Comparison, PairedRows, compared_unit
from paseo.metrics.comparison.families import Family
from paseo.metrics.comparison.rows import Row
from paseo.metrics.record.metric import Better, Metric
from paseo.report.walk.compared.latency import latency_words
from paseo.report.walk.rows import label, labels, warnings

MOST_NAMED = 4  # rows that are named in a caution


def careful(comparison: Comparison) -> list[str]:
    """A line for each thing that makes rows hard to compare, or verdicts hard to reach."""
    found = [*warnings(comparison), *_emptied(comparison), *_undecidable(comparison)]
    if 0 < comparison.clusters < FEWEST:
        found.append(
            f"with {counted(comparison.clusters, 'cluster')} of crowd windows the intervals are "
            "rough; add episodes from other stretches of film before you rely on them"
        )
    return [f"Careful: {each}." for each in found]


def _emptied(comparison: Comparison) -> list[str]:
    if comparison.emptied is None:
        return []
    rows = [each.row for each in comparison.summaries]
    dropped = comparison.emptied.rows
    who = " and ".join(label(row, rows) for row in dropped)
    if len(dropped) > MOST_NAMED:
        who = f"the {len(dropped)} of {len(rows)} rows that completed fewest"
    return [
        f"Tables 2 to 4 rest on the {counted(comparison.completed_by_all, 'episode')} that every "
        f"planner completed; without {who} they would rest on "
        f"{comparison.emptied.completed_without}"
    ]


def _undecidable(comparison: Comparison) -> list[str]:
    reach = comparison.reach
    if not reach.pairs or reach.can_decide:
        return []
    return [
        f"with {counted(reach.clusters, 'cluster')} of crowd windows and {reach.pairs} pairs no p "
        f"can be below {reach.smallest_p:.2g}, so that no difference, however large, is beyond "
        "chance; ask about fewer planners or against one baseline, or add crowd windows"
    ]


def power(comparison: Comparison) -> list[str]:
    """How large a difference must be to be seen, for each primary metric; where any can be."""
    if not comparison.reach.can_decide:
        return []
    units = {each.name: compared_unit(each) for each in comparison.metrics}
    return [
        f"With {counted(comparison.clusters, 'cluster')} of crowd windows a difference in {name} "
        f"under {quantity(each.missed_below, units[name])} would be missed four times of five; one "
        f"over {quantity(each.found_above, units[name])} would be found four times of five."
        for name, each in comparison.detectable.items()
    ]


def statement(comparison: Comparison) -> str:
    """Which differences are beyond chance (5 %, corrected) and which not, pair by pair."""
    metrics = {each.name: each for each in comparison.metrics}
    lines: list[str] = []
    rows = [each.row for each in comparison.summaries]
    for a, b in dict.fromkeys((pair.a, pair.b) for pair in comparison.pairs):
        pairs = [pair for pair in comparison.pairs if (pair.a, pair.b) == (a, b)]
        lines += _pair_lines([pair for pair in pairs if pair.p is not None], rows, metrics)
        unknown = [pair.metric for pair in pairs if pair.p is None]
        if unknown and len(unknown) < len(pairs):
            lines.append(f"- cannot be compared: {', '.join(unknown)}")
    slow = latency_words(comparison)
    return "\n".join([*slow, *lines, *_what_was_compared(comparison, bool(lines))])


def _what_was_compared(comparison: Comparison, anything: bool) -> list[str]:
    rows = [each.row for each in comparison.summaries]
    planners = [row for row in rows if not row.is_reference]
    lines = []
    if len(planners) < 2:
        how_many = "one planner only" if planners else "no planner"
        lines.append(f"There is {how_many}: nothing to tell apart.")
    elif not comparison.pairs:
        lines.append(
            "No two planners were run at the same reactivity and latency, seeing alike: nothing "
            "can be told apart."
        )
    elif not anything:
        lines.append("No two planners share two clusters: nothing can be told apart.")
    for name, values, other in (
        ("reactivity", {row.reactivity for row in planners}, "another"),
        ("latency", {row.latency_s for row in planners}, "the shortest"),
    ):
        if comparison.pairs and len(values) > 1:
            lines.append(
                f"Compared are planners at the same {name}, and each planner with itself at "
                f"{other}; p is corrected for these pairs only."
            )
    if comparison.pairs and len({row.sight for row in planners}) > 1:
        lines.append(
            "Compared are planners that see alike, and each planner with itself seeing otherwise; "
            "p is corrected for these pairs only."
        )
    lines += [
        f"{name} is a reference on its own episodes and is not compared with others."
        for name in dict.fromkeys(row.planner for row in rows if row.is_reference)
    ]
    return lines


def _pair_lines(
    pairs: Sequence[PairedRows], rows: Sequence[Row], metrics: Mapping[str, Metric]
) -> list[str]:
    """One line for the pair, then one for each side and family, and for what is undecided."""
    if not pairs:
        return []
    called = labels(rows)
    lines = [f"{called[pairs[0].a]} and {called[pairs[0].b]}:"]
    for family in Family:
        clear = [pair for pair in pairs if pair.family is family and pair.beyond_chance]
        note = "" if family is Family.PRIMARY else " (exploratory)"
        merits: dict[Row | None, list[str]] = {}
        for pair in clear:
            mean = abs(pair.difference.estimate.mean or 0.0)
            said = f"{pair.metric} by {quantity(mean, compared_unit(metrics[pair.metric]))}"
            merits.setdefault(winner(pair, metrics), []).append(said)
        lines += [
            f"- beyond chance{note}, {called[row]} is better in {', '.join(found)}"
            for row, found in merits.items()
            if row
        ]
        if None in merits:
            lines.append(f"- beyond chance{note}, they differ in {', '.join(merits[None])}")
    unclear = [pair.metric for pair in pairs if not pair.beyond_chance]
    if unclear:
        lines.append(f"- not beyond chance: {', '.join(unclear)}")
    return lines


def winner(pair: PairedRows, metrics: Mapping[str, Metric]) -> Row | None:
    """Who is better, or nobody where the metric has no better direction."""
    direction = metrics[pair.metric].better
    if direction is Better.NEITHER:
        return None
    more = (pair.difference.estimate.mean or 0.0) > 0
    return pair.a if more == (direction is Better.HIGHER) else pair.b


def quantity(value: float, unit: str) -> str:
    """A number with its unit."""
    return f"{value:.3g}" if unit == "1" else f"{value:.3g} {unit.replace('1/', '/')}"


def counted(number: int, what: str) -> str:
    """A number of things, in words."""
    return f"{number} {what}{'' if number == 1 else 's'}"
