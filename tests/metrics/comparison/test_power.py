import numpy as np
import pytest

from paseo.metrics.comparison.families import ALPHA, Reach
from paseo.metrics.comparison.power import detectable
from paseo.metrics.comparison.sign_flips import sign_flip_p


@pytest.mark.slow
def test_differences_at_the_two_marks_are_found_as_often_as_they_say() -> None:
    rng = np.random.default_rng(0)
    clusters, tests = 15, 3
    marks = detectable([1 / np.sqrt(clusters)], clusters, tests)
    assert marks is not None
    for shift, expected in ((marks.missed_below, 0.2), (marks.found_above, 0.8)):
        drawn = rng.normal(shift, 1.0, (400, clusters))
        found = np.mean([sign_flip_p(each) * tests < ALPHA for each in drawn])
        assert found == pytest.approx(expected, abs=0.1)


def test_nothing_can_be_said_without_spread() -> None:
    assert detectable([], 15, 3) is None
    assert detectable([0.0], 15, 3) is None


def test_few_clusters_cannot_decide_and_it_is_known_beforehand() -> None:
    def reach(clusters: int, planners: int) -> Reach:
        pairs = planners * (planners - 1) // 2
        return Reach(
            clusters=clusters, planners=planners, pairs=pairs, disjoint=planners // 2, metrics=3
        )

    assert reach(10, 9).can_decide
    assert reach(10, 9).smallest_p == pytest.approx(4 * 3 * 2 / 2**10)
    assert not reach(6, 2).can_decide
    assert not reach(10, 12).can_decide  # too many for every group to be tested
    assert reach(33, 12).can_decide
