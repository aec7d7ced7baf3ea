"""What was found, in sentences."""

from collections.abc import Iterator

from paseo.survey.insight.insight import AspectInsight, Insight, Prediction, Verdict
from paseo.survey.insight.learned import FEWEST_CLUSTERS, LearnedScore
from paseo.survey.insight.resampling import FEWEST, Interval
from paseo.survey.insight.telling.numbers import counted, number, percent, ranged

FEW = 8  # raters, or clusters of episodes; with fewer, intervals are rough
FEW_PLANNERS = 4
NAMED = 5  # metrics in a sentence


def about(insight: Insight) -> list[str]:
    """What the study holds, and what makes it hard to read."""
    windows = ""
    if insight.clusters < insight.episodes:
        windows = f" in {counted(insight.clusters, 'crowd window')} apart from each other"
    first = (
        f"{counted(insight.raters, 'person', 'people')}, {counted(insight.clips, 'clip')}: "
        f"{counted(insight.episodes, 'episode')}{windows}, "
        f"{counted(len(insight.planners), 'planner')}, {counted(len(insight.metrics), 'metric')}."
    )
    return [first, *_careful(insight)]


def _careful(insight: Insight) -> Iterator[str]:
    planners = len(insight.planners)
    if planners < 2:
        yield (
            "There is one planner: nothing can be compared on the same episode, so only "
            "correlations over all clips can be told."
        )
    elif planners < FEW_PLANNERS:
        yield (
            f"With {planners} planners, many metrics set one of them apart: their order says "
            "little."
        )
    smaller = min(insight.raters, insight.clusters)
    if smaller < FEWEST:
        few = counted(insight.raters, "rater")
        if insight.clusters < insight.raters:
            few = counted(insight.clusters, "independent episode")
        yield f"With {few} there are no intervals; {FEWEST} are needed."
    elif smaller < FEW:
        yield f"With {insight.raters} raters and {insight.clusters} episodes intervals are rough."


def aspect_sentences(each: AspectInsight, insight: Insight) -> list[str]:
    """What was found about one aspect."""
    if not each.ratings:
        people = "Nobody rated it on the scale: no correlation can be told."
        return [people, *_by_people(each)]
    return [*_agreement(each), *_predicting(each), *_by_people(each), *_learned(each, insight)]


def _agreement(each: AspectInsight) -> Iterator[str]:
    found = each.reliability
    people = counted(each.raters, "person", "people")
    alpha = "cannot be told" if found.alpha is None else f"is {found.alpha:.2f}"
    yield (
        f"{counted(each.ratings, 'rating')} by {people}; how far they agree (Krippendorff's alpha) "
        f"{alpha}."
    )
    if found.apart is not None and found.by_chance is not None:
        yield (
            f"The same clip again was rated {found.apart:.1f} points apart, different clips "
            f"{found.by_chance:.1f} ({counted(found.twice, 'clip')} seen twice by "
            f"{counted(len(found.raters), 'person', 'people')})."
        )
    if found.ceiling is None:
        yield (
            "Half of the people do not predict the other half: what a metric could reach cannot be "
            "told."
        )
    else:
        yield f"No metric can be expected to reach more than {found.ceiling:.2f}."


def _predicting(each: AspectInsight) -> Iterator[str]:
    claimed = [one for one in each.predictions if one.claimed]
    if all(one.verdict is Verdict.UNTOLD for one in each.predictions):
        yield (
            "Which metrics predict it cannot be told: planners were rated alike, or never on the "
            "same episode."
        )
    elif not claimed:
        yield "No metric predicts it beyond chance."
    for verdict, words in (
        (Verdict.PREDICTS, "Predicted by"),
        (Verdict.WRONG_WAY, "Predicted the wrong way by"),
        (Verdict.MORE, "Liked with more of"),
        (Verdict.LESS, "Liked with less of"),
        (Verdict.PLANNERS, "Only between planners, where whatever sets one apart would do so:"),
    ):
        named = [one for one in each.predictions if one.verdict is verdict]
        if named:
            yield f"{words} {_named(named, each.reliability.ceiling)}."
    untold = [one.metric for one in each.predictions if one.verdict is Verdict.UNTOLD]
    if untold and claimed:
        yield f"Cannot be told, being constant or undefined: {_few(untold)}."


def _named(found: list[Prediction], ceiling: float | None) -> str:
    words = []
    for one in found:
        value = abs(one.within.value or 0.0)
        share = "" if not ceiling else f" ({percent(value / ceiling)} of what is possible)"
        words.append(f"{one.metric}{share}")
    return _few(words)


def _few(names: list[str]) -> str:
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return f"{', '.join(names[:NAMED])}{more}"


def _by_people(each: AspectInsight) -> Iterator[str]:
    ranked = each.rankings
    told = [one for one in ranked.standings if one.strength.value is not None]
    if not told:
        order = ", ".join(
            f"{one.planner} {ranged(one.rating, 1)}"
            for one in ranked.standings
            if one.rating.value is not None
        )
        yield f"Planners by ratings, there being no choices: {order or 'none was rated'}."
        return
    undecided = f", {ranked.undecided} of no difference" if ranked.undecided else ""
    order = ", ".join(f"{one.planner} {ranged(one.strength, 1)}" for one in told)
    yield f"Planners by people ({counted(ranked.choices, 'choice')}{undecided}): {order}."
    if ranked.left.low is not None and ranked.left.high is not None:
        if ranked.left.low > 0 or ranked.left.high < 0:
            side = "left" if ranked.left.low > 0 else "right"
            yield f"The {side} clip was chosen more often, whichever it was; this is allowed for."
    yield from _by_best(each)


def _by_best(each: AspectInsight) -> Iterator[str]:
    """The order by the metric that predicts best; the nearest of many would be near by chance."""
    best = [one.metric for one in each.predictions if one.verdict is Verdict.PREDICTS][:1]
    ranking = next((one for one in each.rankings.by_metric if one.metric in best), None)
    if ranking and ranking.turned.value is not None:
        yield (
            f"By {ranking.metric} it would be {', '.join(ranking.planners)}: "
            f"{ranged(ranking.turned)} of all pairs of planners the other way round."
        )


def _learned(each: AspectInsight, insight: Insight) -> Iterator[str]:
    score = each.learned
    if score is None:
        if insight.clusters < FEWEST_CLUSTERS:
            yield f"No score can be learned from fewer than {FEWEST_CLUSTERS} independent episodes."
        else:
            yield "No score can be learned: neither ratings nor metrics tell planners apart."
        return
    yield f"A learned score: {formula(each.aspect, score)}."
    yield (
        f"On episodes it was not learned from it reaches {ranged(score.tau)}, the best single "
        f"metric ({_few(list(score.singles))}) {ranged(score.single)}: {_comparison(score)}. "
        f"On the same episode it is {number(score.error)} points off, that metric "
        f"{number(score.single_error)}, the mean rating {number(score.mean_error)}."
    )


def _comparison(score: LearnedScore) -> str:
    better = ranged(score.better)
    if score.tau.low is None:
        return "which is better cannot be told"
    if not score.beats_chance:
        return "it orders drives no better than chance"
    if score.better == Interval(0.0, 0.0, 0.0):
        return "it comes down to one metric, so use that"
    if score.beats_single:
        return f"better than one metric ({better} more)"
    return f"not beyond chance better than one metric ({better} more)"


def formula(aspect: str, score: LearnedScore) -> str:
    """The score as one would compute it by hand."""
    parts = [f"{aspect} = {score.level:.2f}"]
    for one in score.terms:
        sign = "-" if one.points < 0 else "+"
        off = "+" if one.mean < 0 else "-"
        parts.append(
            f"{sign} {abs(one.points):.2f} ({one.metric} {off} {abs(one.mean):.3g}) / "
            f"{one.deviation:.3g}"
        )
    return " ".join(parts)
