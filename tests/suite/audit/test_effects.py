"""Numbers of an audit, on tables worked by hand."""

import pytest

from paseo.suite.audit.effects import Estimate, Trial, costs, odds


def spared(kind: str, cluster: int, contacts: int) -> Trial:
    """With twice as many near misses, and half as many seconds."""
    return Trial(kind, cluster, (contacts, 2 * contacts, contacts / 2))


def test_a_kind_that_costs_contacts_everywhere_is_named_and_one_that_does_not_is_not() -> None:
    trials = [spared("dear", cluster, contacts) for cluster in range(10) for contacts in (1, 0)]
    trials += [spared("idle", cluster, 0) for cluster in range(10)]
    trials += [spared("even", cluster, 1 if cluster % 2 else -1) for cluster in range(10)]
    dear, *others = costs(trials, seed=0)
    assert (dear.kind, dear.decisions, dear.clusters) == ("dear", 20, 10)
    assert dear.contacts == Estimate(0.5, 0.5, 0.5)  # every cluster says the same
    assert (dear.near_misses.mean, dear.seconds.mean) == (1.0, 0.25)
    assert dear.p == pytest.approx(3 * 2 / 2**10)  # all ten on one side, times three kinds
    assert dear.is_named and not any(each.is_named for each in others)


def test_a_kind_that_spares_contacts_by_being_wrong_is_not_named() -> None:
    (found,) = costs([spared("lucky", cluster, -1) for cluster in range(10)], seed=0)
    assert found.p < 0.05 and not found.is_named


def test_few_clusters_name_nothing() -> None:
    (found,) = costs([spared("dear", cluster, 1) for cluster in (0, 0, 0, 1, 2, 3)], seed=0)
    assert found.contacts.mean == 1 and found.p == pytest.approx(2 / 2**4) and not found.is_named


def test_the_same_trials_give_the_same_numbers() -> None:
    trials = [spared("dear", k % 7, k % 3 - 1) for k in range(60)]
    assert costs(trials, seed=4) == costs(trials, seed=4)


def test_odds_are_those_of_a_table_with_half_added() -> None:
    wrong = [True] * 10 + [False] * 20
    touched = [True] * 6 + [False] * 4 + [True] * 5 + [False] * 15
    found = odds("q", wrong, touched, [k % 5 for k in range(30)], seed=0)
    assert (found.wrong, found.wrong_touched, found.right, found.right_touched) == (10, 6, 20, 5)
    assert found.ratio == pytest.approx(6.5 * 15.5 / (4.5 * 5.5))
    assert found.low < found.ratio < found.high
    of_ten = odds("q", wrong, touched, [k % 5 for k in range(30)], seed=0, kinds=10)
    assert of_ten.low <= found.low and found.high <= of_ten.high and of_ten != found
