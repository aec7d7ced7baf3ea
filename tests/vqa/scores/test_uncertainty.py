"""How sure a mean is: by hand, by invariance, and by how often tests are wrong."""

import numpy as np
import pytest

from paseo.vqa.scores.uncertainty import (
    SceneDraws,
    Standing,
    difference,
    equivalence,
    scene_draws,
    score,
)
from paseo.world.arrays import FloatArray, IntArray


def drawn(scene_of: IntArray, draws: int = 2000) -> SceneDraws:
    return scene_draws(scene_of, np.random.default_rng(0), draws)


def crowd(
    rng: np.random.Generator, scenes: int = 30, each: int = 10
) -> tuple[FloatArray, IntArray]:
    """Values that share something within a scene."""
    scene_of = np.repeat(np.arange(scenes), each)
    return rng.normal(size=scenes)[scene_of] + rng.normal(size=scenes * each), scene_of


def test_the_naive_error_is_the_papers() -> None:
    values = np.array([0.0, 1.0, 1.0, 0.0, 1.0, 1.0])
    found = score(values, drawn(np.arange(6)))
    assert found.mean == pytest.approx(2 / 3)
    assert found.naive_se == pytest.approx(np.sqrt(2 / 9) / np.sqrt(6))
    assert found.questions == 6


def test_scenes_of_one_question_have_the_usual_standard_error() -> None:
    values = np.random.default_rng(1).normal(size=40)
    found = score(values, drawn(np.arange(40)))
    assert found.clustered_se == pytest.approx(values.std(ddof=1) / np.sqrt(40))


def test_the_clustered_error_of_scenes_of_different_size_by_hand() -> None:
    found = score(np.array([1.0, 1.0, 0.0, 0.0]), drawn(np.array([0, 0, 0, 1])))
    # Off the mean of 1/2, the scenes sum up to 1/2 and -1/2: sqrt(2 / (2 - 1) * 1/2) / 4.
    assert found.clustered_se == pytest.approx(0.25)


def test_asking_the_same_again_makes_only_the_naive_error_smaller() -> None:
    values, scene_of = crowd(np.random.default_rng(2))
    once = score(values, drawn(scene_of))
    thrice = score(np.tile(values, 3), drawn(np.tile(scene_of, 3)))
    assert thrice.naive_se == pytest.approx((once.naive_se or 0) / np.sqrt(3))
    assert thrice.clustered_se == pytest.approx(once.clustered_se)
    assert (thrice.low, thrice.high) == pytest.approx((once.low, once.high))


def test_the_interval_agrees_with_the_clustered_error() -> None:
    values, scene_of = crowd(np.random.default_rng(3), scenes=60)
    found = score(values, drawn(scene_of, 20_000))
    assert found.low is not None and found.high is not None and found.mean is not None
    half = 2.0 * (found.clustered_se or 0)  # Student's t of 59 scenes
    assert (found.mean - found.low, found.high - found.mean) == pytest.approx(
        (half, half), rel=0.06
    )


def test_an_interval_is_widened_for_few_scenes() -> None:
    draws = SceneDraws(np.array([[3.0, 0.0, 0.0], [0.0, 0.0, 3.0]]), np.arange(3))
    found = score(np.array([0.4, 0.5, 0.6]), draws)
    # The two draws are 0.1 off, their 2.5 % quantile 0.095; Student's t of 2 degrees is 4.3027.
    half = 0.095 * np.sqrt(3 / 2) * 4.3027 / 1.959964
    assert (found.low, found.high) == pytest.approx((0.5 - half, 0.5 + half), rel=1e-4)


def test_scenes_of_different_size_weigh_by_their_questions() -> None:
    values = np.array([1.0] * 9 + [0.0])
    assert score(values, drawn(np.array([0] * 9 + [1]))).mean == pytest.approx(0.9)


def test_only_the_chosen_and_known_count() -> None:
    values = np.array([1.0, 0.0, np.nan, 0.0])
    found = score(values, drawn(np.arange(4)), np.array([True, True, True, False]))
    assert (found.mean, found.questions) == (0.5, 2)


def test_nothing_known_is_nothing_said() -> None:
    found = score(np.full(4, np.nan), drawn(np.arange(4)))
    assert (found.mean, found.naive_se, found.low, found.questions) == (None, None, None, 0)


def test_two_scenes_are_too_few_for_an_interval() -> None:
    found = score(np.array([0.0, 1.0, 1.0]), drawn(np.array([0, 1, 1])))
    assert found.clustered_se is not None
    assert (found.low, found.high) == (None, None)
    assert score(np.array([0.0, 1.0]), drawn(np.array([0, 0]))).clustered_se is None


def test_an_interval_stays_where_a_share_or_a_difference_can_be() -> None:
    shares = np.array([1.0, 1.0, 1.0, 0.7])
    high, low = score(shares, drawn(np.arange(4))), score(1 - shares, drawn(np.arange(4)))
    assert (high.high, low.low) == (1.0, 0.0)
    signed = score(np.array([-0.1, 0.1, 0.0, 0.0]), drawn(np.arange(4)))
    assert signed.low is not None and -1 <= signed.low < 0


def test_the_same_seed_gives_the_same_interval() -> None:
    values, scene_of = crowd(np.random.default_rng(4))
    assert score(values, drawn(scene_of)) == score(values, drawn(scene_of))


def test_a_difference_is_paired() -> None:
    values, scene_of = crowd(np.random.default_rng(5))
    found = difference(values + 0.01, values, drawn(scene_of))
    assert found.score.mean == pytest.approx(0.01)
    assert found.score.clustered_se == pytest.approx(0, abs=1e-9)
    assert (found.p or 1) < 1e-4


def test_p_is_the_share_of_exchanges_of_whole_scenes_that_differ_as_much() -> None:
    scene_of = np.repeat(np.arange(4), 5)
    better = np.array([0.1, 0.2, 0.3, 0.4])[scene_of]
    assert difference(better, np.zeros(20), drawn(scene_of)).p == 2 / 2**4
    one_worse = np.array([-0.1, 0.2, 0.3, 0.4])[scene_of]
    assert difference(one_worse, np.zeros(20), drawn(scene_of)).p == 4 / 2**4
    assert difference(better, better * np.nan, drawn(scene_of)).p is None
    assert difference(better[:5], np.zeros(5), drawn(scene_of[:5])).p is None


def test_equals_do_not_differ() -> None:
    values, scene_of = crowd(np.random.default_rng(6))
    found = difference(values, values, drawn(scene_of))
    assert (found.score.mean, found.p) == (0.0, 1.0)
    assert difference(values + 1e-14, values, drawn(scene_of)).p == 1.0


def test_a_difference_is_over_what_both_answered() -> None:
    a, b = np.array([1.0, np.nan, 1.0, 0.0]), np.array([0.0, 0.0, np.nan, 0.0])
    found = difference(a, b, drawn(np.arange(4)))
    assert (found.score.mean, found.score.questions) == (0.5, 2)
    assert found.score.low is None


def test_one_in_twenty_differences_of_equals_is_called_one() -> None:
    rng = np.random.default_rng(7)
    called = 0
    for _ in range(300):
        a, scene_of = crowd(rng)
        b, _ = crowd(rng)
        called += (difference(a, b, drawn(scene_of, 400)).p or 1) < 0.05
    assert 0.02 < called / 300 < 0.09


def verdict(mean: float, spread: float, margin: float = 0.05) -> Standing:
    rng = np.random.default_rng(8)
    noise = rng.normal(size=40)
    model = mean + spread * (noise - noise.mean()) / noise.std() * np.sqrt(40)
    return equivalence(model, np.zeros(40), drawn(np.arange(40)), margin).verdict


def test_as_good_as_one_more_person_needs_the_whole_interval_within_the_margin() -> None:
    assert verdict(0.0, 0.01) is Standing.AS_GOOD
    assert verdict(-0.02, 0.01) is Standing.AS_GOOD
    assert verdict(-0.04, 0.01) is Standing.WORSE
    assert verdict(-0.02, 0.01, margin=0.02) is Standing.WORSE
    assert verdict(0.0, 0.1) is Standing.OPEN
    assert verdict(0.045, 0.01) is Standing.BETTER
    assert verdict(0.03, 0.03) is Standing.AT_LEAST
    assert verdict(0.02, 0.035) is Standing.AT_LEAST  # its interval begins at -0.04


def test_p_is_small_just_where_the_interval_is_within_the_margin() -> None:
    rng = np.random.default_rng(9)
    for shift in np.linspace(-0.08, 0.08, 9):
        values = shift + rng.normal(size=50) * 0.1
        found = equivalence(values, np.zeros(50), drawn(np.arange(50)))
        assert found.p is not None
        assert (found.p < 0.05) == (found.verdict is Standing.AS_GOOD)


def test_without_a_common_question_equivalence_is_open() -> None:
    found = equivalence(np.full(5, np.nan), np.zeros(5), drawn(np.arange(5)))
    assert (found.verdict, found.p) == (Standing.OPEN, None)
