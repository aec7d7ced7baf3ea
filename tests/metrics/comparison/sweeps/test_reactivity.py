import numpy as np
import pytest

import comparisons
from paseo.metrics.comparison.rows import Row
from paseo.metrics.comparison.sweeps.reactivity import drawn_means, drawn_weights, reactivity_ranks

CLUSTERS = np.arange(12)


def row(planner: str, reactivity: float | None) -> Row:
    return comparisons.row(planner, reactivity=reactivity)


def ranks(
    values: dict[Row, list[float]], metric: str = "success"
) -> dict[tuple[str, float], tuple]:
    tables = {each: {metric: np.array(found)[:, None]} for each, found in values.items()}
    found = reactivity_ranks(tables, CLUSTERS, np.random.default_rng(1), 500)
    return {(each.row.planner, each.reactivity): (each.rank, each.low, each.high) for each in found}


def test_the_best_is_first_and_may_change_with_reactivity() -> None:
    found = ranks(
        {
            row("bold", 0.0): [0.0] * 12,
            row("shy", 0.0): [1.0] * 12,
            row("bold", 1.0): [1.0] * 12,
            row("shy", 1.0): [0.0] * 12,
        }
    )
    assert found["shy", 0.0] == (1, 1, 1)
    assert found["bold", 0.0] == (2, 2, 2)
    assert found["bold", 1.0] == (1, 1, 1)


def test_fewer_collisions_are_better() -> None:
    found = ranks(
        {row("a", 0.0): [3.0] * 12, row("b", 0.0): [1.0] * 12, row("a", 1.0): [0.0] * 12,
         row("b", 1.0): [0.0] * 12},
        metric="person_collisions",
    )  # fmt: skip
    assert found["b", 0.0][0] == 1
    assert found["a", 1.0][0] == found["b", 1.0][0] == 1.5  # equal: they share the places


def test_a_narrow_lead_has_an_interval_that_admits_it() -> None:
    narrow = [1.0, 0.0] * 6
    found = ranks(
        {row("a", 0.0): narrow, row("b", 0.0): [0.0, 1.0] * 5 + [0.0, 0.0],
         row("a", 1.0): narrow, row("b", 1.0): narrow}
    )  # fmt: skip
    rank, low, high = found["a", 0.0]
    assert (rank, low, high) == (1, 1, 2)


def test_without_several_reactivities_there_are_no_ranks() -> None:
    assert ranks({row("a", None): [1.0] * 12, row("b", None): [0.0] * 12}) == {}
    assert ranks({row("a", 1.0): [1.0] * 12, row("b", 1.0): [0.0] * 12}) == {}


def test_one_planner_has_no_rank() -> None:
    assert ranks({row("a", 0.0): [1.0] * 12, row("a", 1.0): [0.0] * 12}) == {}


def test_a_planner_without_values_does_not_spoil_the_others() -> None:
    found = ranks(
        {row("a", 0.0): [np.nan] * 12, row("b", 0.0): [1.0] * 12, row("c", 0.0): [0.0] * 12,
         row("b", 1.0): [1.0] * 12, row("c", 1.0): [0.0] * 12}
    )  # fmt: skip
    assert ("a", 0.0) not in found
    assert found["b", 0.0] == (pytest.approx(1), 1, 1)


def test_clusters_are_drawn_whole_and_as_many_as_there_are() -> None:
    weights = drawn_weights(np.array([0, 0, 1, 2, 2, 2]), np.random.default_rng(0), 300)
    assert (weights[:, 0] == weights[:, 1]).all()
    assert (weights[:, 3] == weights[:, 5]).all()
    assert (weights[:, [0, 2, 3]].sum(axis=1) == 3).all()
    assert weights[:, 0].mean() == pytest.approx(1.0, abs=0.2)
    means = drawn_means(np.array([1.0, np.nan, 3.0, np.nan, np.nan, np.nan]), weights)
    assert set(means[~np.isnan(means)]) <= {1.0, 3.0, 2.0, 5 / 3, 7 / 3}
