"""What was found, for programs."""

import math
from dataclasses import asdict
from typing import Any

from paseo.survey.insight.insight import AspectInsight, Insight
from paseo.survey.insight.telling.words import about, aspect_sentences, formula
from paseo.version import paseo_version


def as_json(insight: Insight) -> dict[str, Any]:
    """All that words and tables say, unrounded; null where it cannot be told."""
    return _finite(
        {
            "paseo_version": paseo_version(),
            "seed": insight.seed,
            "draws": insight.draws,
            "raters": insight.raters,
            "clips": insight.clips,
            "episodes": insight.episodes,
            "clusters": insight.clusters,
            "planners": insight.planners,
            "points": insight.points,
            "notes": about(insight),
            "aspects": {each.aspect: _aspect(each, insight) for each in insight.aspects},
        }
    )


def _aspect(each: AspectInsight, insight: Insight) -> dict[str, Any]:
    ceiling = each.reliability.ceiling
    ranked = each.rankings
    return {
        "notes": aspect_sentences(each, insight),
        "ratings": each.ratings,
        "raters": each.raters,
        "metrics": {
            one.metric: asdict(one) | {"of_ceiling": one.of_ceiling(ceiling)}
            for one in each.predictions
        },
        "reliability": asdict(each.reliability),
        "planners": [asdict(one) for one in ranked.standings],
        "choices": ranked.choices,
        "undecided": ranked.undecided,
        "left_side": asdict(ranked.left),
        "rankings": {one.metric: asdict(one) for one in ranked.by_metric},
        "learned": None
        if each.learned is None
        else asdict(each.learned)
        | {
            "formula": formula(each.aspect, each.learned),
            "better_than_one": each.learned.beats_single,
        },
    }


def _finite(value: Any) -> Any:
    """The same with null for numbers that JSON does not have."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {key: _finite(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(each) for each in value]
    return value
