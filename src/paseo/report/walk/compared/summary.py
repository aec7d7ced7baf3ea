"""A comparison on one screen: what won, by how much, and how sure that is."""

from collections.abc import Sequence
from itertools import groupby
from textwrap import wrap

from paseo.metrics.comparison.comparison import Comparison, PairedRows, compared_unit
from paseo.metrics.comparison.rows import Row, RowSummary
from paseo.metrics.record.metric import Better, Metric
from paseo.report.formats import Table
from paseo.report.walk.compared.latency import latency_tables, latency_words
from paseo.report.walk.compared.numbers import mean_words
from paseo.report.walk.compared.tables import ranks_table
from paseo.report.walk.compared.words import careful, counted, power, quantity, winner
from paseo.report.walk.rows import labels

WIDTH = 110  # letters in a line of words
MOST_NAMED = 4  # differences of the leader that are spelt out


def summary_tables(comparison: Comparison) -> list[Table]:
    """The primary metrics of every planner with verdicts, and of each kind of episodes apart."""
    parts = [_all_pairs(part, f"{comparison.asked.by}: {kind}") for kind, part in comparison.parts]
    ranks = [ranks_table(comparison)] if comparison.ranks else []
    return [*(latency_tables(comparison) or [verdict_table(comparison)]), *ranks, *parts]


def verdict_table(comparison: Comparison) -> Table:
    """The primary metrics of every planner, and whom it surpasses beyond chance."""
    return _against(comparison) if comparison.asked.baseline else _all_pairs(comparison)


def summary_lines(comparison: Comparison) -> list[str]:
    """Who leads in each primary metric, how small a difference could be seen, and cautions."""
    metrics = {each.name: each for each in comparison.metrics}
    lines = latency_words(comparison)
    if not (comparison.endurances or comparison.asked.baseline):
        lines += [_leader(metrics[name], comparison) for name in comparison.asked.primary]
    # How long planners may take has intervals of its own, and no pairs are on the screen then.
    small = [] if comparison.endurances else power(comparison)
    said = [*filter(None, lines), *small, *careful(comparison)]
    return [part for line in said for part in wrap(line, WIDTH, subsequent_indent="  ")]


def _caption(comparison: Comparison, kind: str = "") -> str:
    joined = comparison.windows - comparison.clusters
    film = counted(comparison.windows, "crowd window")
    if joined:
        film += f", of which overlapping ones make {counted(comparison.clusters, 'cluster')}"
    return f"{f'{kind}. ' if kind else ''}{counted(comparison.episodes, 'episode')}, {film}."


def _all_pairs(comparison: Comparison, kind: str = "") -> Table:
    """Means with intervals, and for each metric the rows that a planner is better than."""
    metrics = _primary(comparison)
    beaten = _beaten(comparison)
    number = {each.row: k for k, each in enumerate(comparison.summaries, 1)}
    header = ["", "planner"]
    for metric in metrics:
        header += [_title(metric), "beats"]
    rows = []
    for each in comparison.summaries:
        cells = [str(number[each.row]), labels(list(number))[each.row]]
        for metric in metrics:
            worse = sorted(number[row] for row in beaten.get((each.row, metric.name), []))
            cells += [mean_words(each.estimates[metric.name], metric), _ranges(worse)]
        rows.append(cells)
    caption = (
        f"{_caption(comparison, kind)} Primary metrics: mean and 95 % interval. Beats: the rows "
        f"that a planner surpasses beyond chance (5 %, corrected for "
        f"{counted(comparison.reach.pairs, 'pair')} and {counted(len(metrics), 'metric')})."
    )
    return Table(caption, header, rows)


def _against(comparison: Comparison) -> Table:
    """Means, and the difference of each planner to the baseline."""
    metrics = _primary(comparison)
    rows = [each.row for each in comparison.summaries]
    called = labels(rows)
    header = ["planner"]
    for metric in metrics:
        header += [_title(metric), f"minus {comparison.asked.baseline}", "p"]
    found = {(pair.a, pair.metric): pair for pair in comparison.pairs}
    lines = []
    for each in comparison.summaries:
        cells = [called[each.row]]
        for metric in metrics:
            pair = found.get((each.row, metric.name))
            cells += [mean_words(each.estimates[metric.name], metric), *_difference(pair, metric)]
        lines.append(cells)
    caption = (
        f"{_caption(comparison)} Primary metrics: mean and 95 % interval, and the paired "
        f"difference to the baseline; * is beyond chance (5 %, corrected for "
        f"{counted(comparison.reach.pairs, 'planner')} and {counted(len(metrics), 'metric')})."
    )
    return Table(caption, header, lines)


def _difference(pair: PairedRows | None, metric: Metric) -> list[str]:
    if pair is None or pair.difference.estimate.mean is None:
        return ["", ""]
    p = "-" if pair.p is None else f"{pair.p:.3f}{'*' if pair.beyond_chance else ''}"
    return [mean_words(pair.difference.estimate, metric, sign="+"), p]


def _primary(comparison: Comparison) -> list[Metric]:
    metrics = {each.name: each for each in comparison.metrics}
    return [metrics[name] for name in comparison.asked.primary]


def _beaten(comparison: Comparison) -> dict[tuple[Row, str], list[Row]]:
    """Whom each row surpasses in each metric."""
    metrics = {each.name: each for each in comparison.metrics}
    found: dict[tuple[Row, str], list[Row]] = {}
    for pair in comparison.pairs:
        better = winner(pair, metrics) if pair.beyond_chance else None
        if better:
            worse = pair.b if better == pair.a else pair.a
            found.setdefault((better, pair.metric), []).append(worse)
    return found


def _leader(metric: Metric, comparison: Comparison) -> str:
    """Who has the best mean, by how much over whom, and from whom it cannot be told apart."""
    known = [
        each
        for each in comparison.summaries
        if not each.row.is_reference and each.estimates[metric.name].mean is not None
    ]
    if len(known) < 2 or metric.better is Better.NEITHER:
        return ""
    best = _best(known, metric)
    pairs = {
        pair.b if pair.a == best.row else pair.a: pair
        for pair in comparison.pairs
        if pair.metric == metric.name and best.row in (pair.a, pair.b)
    }
    called = labels([each.row for each in comparison.summaries])
    ahead = [row for row, pair in pairs.items() if pair.beyond_chance]
    said = [_lead(pairs[row], best.row, called[row], compared_unit(metric)) for row in ahead]
    more = f" and {len(said) - MOST_NAMED} more" if len(said) > MOST_NAMED else ""
    mean = best.estimates[metric.name].mean
    first = [called[each.row] for each in known if each.estimates[metric.name].mean == mean]
    unclear = [called[row] for row, pair in pairs.items() if not pair.beyond_chance]
    open_ones = [name for name in unclear if name not in first]
    verb = "has" if len(first) == 1 else "share"
    parts = [f"{metric.name}: {' and '.join(first)} {verb} the best mean"]
    if said:
        whose = f"{called[best.row]} is " if len(first) > 1 else ""
        parts.append(f"{whose}ahead of {', '.join(said[:MOST_NAMED])}{more}")
    if open_ones:
        parts.append(f"not told apart from {', '.join(open_ones)}")
    return "; ".join(parts) + "."


def _best(summaries: Sequence[RowSummary], metric: Metric) -> RowSummary:
    sign = -1 if metric.better is Better.LOWER else 1
    return max(summaries, key=lambda each: sign * (each.estimates[metric.name].mean or 0.0))


def _lead(pair: PairedRows, best: Row, other: str, unit: str) -> str:
    estimate = pair.difference.estimate
    low, high = estimate.low, estimate.high
    if low is not None and high is not None:
        ends = sorted((abs(low), abs(high))) if low * high > 0 else (low, high)
        reach = f" [{ends[0]:.3g}, {ends[1]:.3g}]"
    else:
        reach = ""
    return f"{other} by {quantity(abs(estimate.mean or 0.0), unit)}{reach} (p = {pair.p:.3f})"


def _title(metric: Metric) -> str:
    unit = compared_unit(metric)
    name = metric.name.replace("_", " ")
    return name if unit == "1" else f"{name} ({unit})"


def _ranges(numbers: Sequence[int]) -> str:
    """1, 2, 3 and 5 as `1-3, 5`; a dash for none."""
    runs = [
        [number for _, number in run]
        for _, run in groupby(enumerate(numbers), lambda each: each[1] - each[0])
    ]
    words = [str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs]
    return ", ".join(words) or "-"
