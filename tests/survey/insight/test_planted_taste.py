"""Simulated raters with a known taste: it is found, and where there is none, none is."""

from dataclasses import replace

import numpy as np
import pytest
from tasters import OTHERS, PLANTED, Taste, study

from paseo.metrics.comparison.clusters import Stretch
from paseo.survey.insight.chance import family_p
from paseo.survey.insight.insight import Insight, Verdict, metric_insight
from paseo.survey.insight.levels import clip_means, level_ratings
from paseo.survey.insight.panel import panel_of
from paseo.survey.insight.rated import RatedStudy

SMALL = Taste(people=24, episodes=12, clips_each=16)


def found(made: RatedStudy, draws: int = 60) -> Insight:
    return metric_insight(made, seed=1, draws=draws)


def shuffled(made: RatedStudy, seed: int) -> RatedStudy:
    """The same study with drives measured in place of each other, within episodes."""
    rng, measured = np.random.default_rng(seed), {}
    for episode in sorted({clip.episode for clip in made.measured}):
        clips = sorted((clip for clip in made.measured if clip.episode == episode), key=str)
        order = rng.permutation(len(clips)).tolist()
        measured |= {clip: made.measured[clips[k]] for clip, k in zip(clips, order, strict=True)}
    return replace(made, measured=measured)


def test_the_planted_metric_comes_first_and_is_said_to_predict() -> None:
    first = [found(study(Taste(), seed)).aspects[0].predictions[0] for seed in range(4)]
    assert {each.metric for each in first} == {PLANTED}
    assert {each.verdict for each in first} == {Verdict.PREDICTS}
    for each in first:
        assert each.within.low is not None and each.within.low > 0
        assert each.right_choices.value is not None and each.right_choices.value > 0.55


def test_a_taste_against_a_metric_is_the_wrong_way() -> None:
    (aspect,) = found(study(Taste(likes={"energy": -1.0}), 3)).aspects
    assert aspect.predictions[0].metric == "energy"
    assert aspect.predictions[0].verdict is Verdict.WRONG_WAY
    assert (aspect.predictions[0].within.value or 0) < 0


def test_drives_measured_in_place_of_each_other_predict_nothing() -> None:
    for seed in range(3):
        (aspect,) = found(shuffled(study(SMALL, seed), seed)).aspects
        assert not any(each.claimed for each in aspect.predictions)


def test_planners_liked_for_what_nobody_measures_are_no_merit_of_a_metric() -> None:
    made = study(Taste(likes={}, fans=1.5, kinds=2.0), 5)
    (aspect,) = found(made).aspects
    verdicts = {each.verdict for each in aspect.predictions}
    assert Verdict.PLANNERS in verdicts
    assert Verdict.PREDICTS not in verdicts


def test_chance_is_held_to_over_all_metrics() -> None:
    """p of the strongest of 13 metrics is as spread out as p of none should be."""
    smallest = []
    for seed in range(40):
        panel = panel_of(study(replace(SMALL, likes={}), seed))
        people = clip_means(level_ratings(panel.ratings[0]), np.ones((1, len(panel.raters))))
        rng = np.random.default_rng(seed)
        smallest.append(np.nanmin(family_p(people, panel.oriented, panel, rng, draws=99)))
    assert np.mean(np.array(smallest) < 0.05) <= 0.1
    assert 0.35 < np.mean(smallest) < 0.65


def test_one_that_needs_two_metrics_is_learned_and_one_that_needs_one_is_not_outdone() -> None:
    likes = {PLANTED: 1.0, "path_irregularity": 0.9}
    both = found(study(Taste(likes=likes, people=120, clips_each=25), 2), 200).aspects[0].learned
    assert both is not None and both.beats_single
    assert {each.metric for each in both.terms} == set(likes)
    one = found(study(Taste(), 2), 200).aspects[0].learned
    assert one is not None and not one.beats_single and one.beats_chance
    assert [each.metric for each in one.terms] == [PLANTED]
    assert one.error < one.mean_error


def test_a_score_learned_from_nothing_says_so() -> None:
    learned = found(study(replace(SMALL, likes={}), 1)).aspects[0].learned
    assert learned is not None and not learned.beats_chance and not learned.beats_single


def test_people_rank_planners_as_their_taste_does() -> None:
    made = study(Taste(kinds=2.0, people=60, hardness=0.3), 4)
    insight = found(made)
    ranked = insight.aspects[0].rankings
    by_people = [each.planner for each in ranked.standings]
    means = {
        planner: np.mean([v[PLANTED] for c, v in made.measured.items() if c.planner == planner])
        for planner in insight.planners
    }
    assert by_people == sorted(means, key=lambda planner: -means[planner])
    planted = next(each for each in ranked.by_metric if each.metric == PLANTED)
    assert planted.planners == tuple(by_people)
    assert planted.turned.value == 0


def test_episodes_that_share_their_crowd_are_one() -> None:
    made = study(SMALL, 0)
    names = sorted({clip.episode for clip in made.measured})
    windows = {name: (Stretch("eth", 5.0 * k, 5.0 * k + 8),) for k, name in enumerate(names[:4])}
    insight = found(replace(made, windows=windows))
    assert (insight.episodes, insight.clusters) == (12, 9)


def test_the_same_seed_gives_the_same_numbers() -> None:
    assert found(study(SMALL, 0)) == found(study(SMALL, 0))


@pytest.mark.slow
def test_rates_over_many_studies() -> None:
    """The planted metric is first in 95 of 100 moderate studies; chance claims in 5 at most."""
    first = claims = 0
    for seed in range(60):
        first += found(study(Taste(), 100 + seed), 20).aspects[0].predictions[0].metric == PLANTED
        (aspect,) = found(study(replace(SMALL, likes={}), 100 + seed), 20).aspects
        claims += any(each.claimed for each in aspect.predictions)
    assert first >= 57
    assert claims <= 3


def test_the_names_of_simulated_metrics_come_with_paseo() -> None:
    insight = found(study(SMALL, 0))
    assert set(insight.metrics) == {PLANTED, *OTHERS}
