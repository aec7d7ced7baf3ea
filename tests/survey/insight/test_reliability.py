"""Agreement, consistency and what a metric could reach."""

import math

import numpy as np
import pytest
from tasters import PLANTED, Taste, study

from paseo.survey.insight.levels import clip_means, level_ratings
from paseo.survey.insight.panel import panel_of
from paseo.survey.insight.rank_correlation import pairs_within, taus
from paseo.survey.insight.rated import Clip, RatedStudy, Rating
from paseo.survey.insight.reliability import (
    consistencies,
    half_tau,
    ordinal_alpha,
    reached,
    reliability,
)

NAN = math.nan
# Krippendorff 2011, Computing Krippendorff's Alpha-Reliability, section E: four observers.
OBSERVED = """
1 2 3 3 2 1 4 1 2 . . .
1 2 3 3 2 2 4 1 2 5 . 3
. 3 3 3 2 3 4 2 2 5 1 .
1 2 3 3 2 4 4 1 2 5 1 .
"""


def test_alpha_is_that_of_krippendorffs_example() -> None:
    rows = [line.replace(".", "nan").split() for line in OBSERVED.strip().splitlines()]
    assert ordinal_alpha(np.array(rows, float)) == pytest.approx(0.815, abs=5e-4)


@pytest.mark.parametrize(
    "ratings", [[[4.0, 4.0], [4.0, 4.0]], [[1.0, NAN], [NAN, 2.0]], [[NAN, NAN]]]
)
def test_without_difference_or_company_alpha_cannot_be_told(ratings: list[list[float]]) -> None:
    assert ordinal_alpha(np.array(ratings)) is None


def test_two_ratings_of_a_clip_are_held_against_those_of_others() -> None:
    one, other = Clip("e", "p"), Clip("e", "q")

    def rating(clip: Clip, value: int, again: bool = False) -> Rating:
        return Rating(rater="r", clip=clip, aspect="comfort", value=value, again=again)

    said = (rating(one, 2), rating(other, 6), rating(one, 3, again=True))
    made = RatedStudy(
        aspects=("comfort",), points=7, ratings=said, preferences=(), measured={one: {}, other: {}}
    )
    (found,) = consistencies(made, "comfort")
    assert (found.clips, found.apart, found.by_chance) == (1, 1.0, 3.0)


def test_who_knows_what_clips_deserve_reaches_the_ceiling() -> None:
    ceilings, reached_by_truth = [], []
    for seed in range(12):
        made = study(Taste(noise=2.0, people=24, hardness=0.0, points=101, offsets=5.0), seed)
        panel = panel_of(made)
        level, pairs = level_ratings(panel.ratings[0]), pairs_within(panel)
        rng = np.random.default_rng(seed)
        found = reliability(made, panel, "comfort", level, pairs, rng)
        ceilings.append(found.ceiling or 0.0)
        means = clip_means(level, np.ones((1, len(level))))
        truth = panel.oriented[[panel.metrics.index(PLANTED)]]
        reached_by_truth.append(taus(means, truth, pairs, np.ones((1, len(pairs.first))))[0, 0])
    assert np.mean(ceilings) == pytest.approx(np.mean(reached_by_truth), abs=0.04)


def test_raters_who_do_not_agree_set_no_ceiling() -> None:
    assert reached(-0.1) == (None, None)
    assert half_tau(np.ones((1, 4)), pairs_within(panel_of(study(Taste(people=1), 0))),
                    np.random.default_rng(0)) is None  # fmt: skip
