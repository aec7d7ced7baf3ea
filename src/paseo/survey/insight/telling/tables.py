"""What was found, as tables of words."""

from dataclasses import dataclass

from paseo.survey.insight.insight import AspectInsight, Insight, Prediction, Verdict
from paseo.survey.insight.panel import direction
from paseo.survey.insight.telling.numbers import NOTHING, number, percent, ranged

SHOWN = 10  # metrics on one screen
MOST_RATERS = 50  # shown by name
MARKS = {Verdict.WRONG_WAY: " !", Verdict.PLANNERS: " ~", Verdict.CHANCE: "", Verdict.UNTOLD: ""}
CLAIMED = " *"


@dataclass(frozen=True, slots=True)
class Sheet:
    """A table before it is laid out."""

    caption: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def overview(insight: Insight, most: int = SHOWN) -> Sheet:
    """The strongest metrics, an aspect in each column."""
    by_aspect = {
        each.aspect: {one.metric: one for one in each.predictions} for each in insight.aspects
    }

    def strength(metric: str) -> float:
        return max(abs(own[metric].within.value or 0.0) for own in by_aspect.values())

    order = sorted(insight.metrics, key=lambda metric: -strength(metric))
    rows = [
        (metric, direction(metric).value, *_cells(metric, by_aspect)) for metric in order[:most]
    ]
    caption = (
        "How metrics go with ratings: Kendall's tau-b over planners on the same episode, with 95 % "
        "intervals over episodes and raters; above 0 where what the metric calls better was rated "
        "higher. * beyond chance over all metrics and aspects, between drives of one planner, too; "
        "! so, but the wrong way; ~ between planners only, as whatever sets one apart would."
    )
    return Sheet(caption, ("metric", "better", *by_aspect), tuple(rows))


def _cells(metric: str, by_aspect: dict[str, dict[str, Prediction]]) -> tuple[str, ...]:
    return tuple(
        f"{ranged(own[metric].within)}{MARKS.get(own[metric].verdict, CLAIMED)}"
        for own in by_aspect.values()
    )


def all_tables(insight: Insight) -> list[Sheet]:
    """Every table, aspect by aspect."""
    found = []
    for each in insight.aspects:
        found += [_correlations(each), _standings(each), _rankings(each)]
        found += [_terms(each)] if each.learned else []
        found += [_consistencies(each)] if each.reliability.raters else []
    return found


def _correlations(each: AspectInsight) -> Sheet:
    ceiling = each.reliability.ceiling
    rows = [
        (
            one.metric,
            one.better.value,
            ranged(one.within),
            percent(one.of_ceiling(ceiling)),
            _chance(one.p),
            ranged(one.same_planner),
            _chance(one.p_same_planner),
            ranged(one.over_all),
            ranged(one.right_choices),
            str(one.clips),
            one.verdict.value,
        )
        for one in each.predictions
    ]
    caption = (
        f"{each.aspect}: tau-b of metrics with the means of clips. Within episodes; as a share of "
        "what any metric could reach; with planners' means taken out of both; p corrected over "
        "all metrics and aspects; over all clips; share of decided choices that it agrees with."
    )
    header = (
        "metric", "better", "within episodes", "of possible", "p", "same planner",
        "p same planner", "over all",
        "choices", "clips", "verdict",
    )  # fmt: skip
    return Sheet(caption, header, tuple(rows))


def _chance(p: float | None) -> str:
    return NOTHING if p is None else f"{p:.4f}"


def _standings(each: AspectInsight) -> Sheet:
    rows = [
        (one.planner, ranged(one.strength), ranged(one.rating)) for one in each.rankings.standings
    ]
    caption = (
        f"{each.aspect}: planners by people. Strength in logits above the average planner, from "
        "choices between two (Bradley and Terry, with ties and sides); ratings less raters' levels "
        "and episodes."
    )
    return Sheet(caption, ("planner", "strength", "rating"), tuple(rows))


def _rankings(each: AspectInsight) -> Sheet:
    order = [one.planner for one in each.rankings.standings]
    by_name = {one.metric: one for one in each.rankings.by_metric}
    rows = []
    for prediction in each.predictions:
        one = by_name[prediction.metric]
        places = [
            str(one.planners.index(who) + 1) if who in one.planners else NOTHING for who in order
        ]
        rows.append((one.metric, *places, ranged(one.turned)))
    caption = (
        f"{each.aspect}: places of planners by each metric (mean rank within episodes), planners "
        "in people's order; and the share of pairs of planners that it has the other way round "
        "(Kendall's distance)."
    )
    return Sheet(caption, ("metric", *order, "turned"), tuple(rows))


def _terms(each: AspectInsight) -> Sheet:
    rows = [
        (one.metric, number(one.points), f"{one.mean:.3g}", f"{one.deviation:.3g}",
         percent(one.chosen))
        for one in (each.learned.terms if each.learned else ())
    ]  # fmt: skip
    caption = (
        f"{each.aspect}: the learned score. Points of the scale for each deviation of a metric "
        "from its mean, at most 3 deviations; what is undefined counts as the mean. Chosen: share "
        "of the folds that took it in."
    )
    return Sheet(caption, ("metric", "points", "mean", "deviation", "chosen"), tuple(rows))


def _consistencies(each: AspectInsight) -> Sheet:
    rows = [
        (one.rater, str(one.clips), number(one.apart), number(one.by_chance))
        for one in each.reliability.raters[:MOST_RATERS]
    ]
    caption = (
        f"{each.aspect}: raters with themselves ({len(rows)} of {len(each.reliability.raters)}). "
        "How many points their two ratings of one clip are apart, and their ratings of different "
        "clips."
    )
    return Sheet(caption, ("rater", "clips", "apart", "different clips"), tuple(rows))
