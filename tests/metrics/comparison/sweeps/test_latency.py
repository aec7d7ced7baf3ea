"""How slow a planner may be: hand-worked ends of leads, planted ones, and what is shown of them."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import pytest

from comparisons import row
from paseo.metrics.comparison.families import ALPHA
from paseo.metrics.comparison.measured import TIME_TO_GOAL
from paseo.metrics.comparison.rows import Row
from paseo.metrics.comparison.sweeps.latency import Endurance, Opponent, endurances
from paseo.metrics.record.endings import success
from paseo.metrics.record.metric import Better, Metric
from paseo.world.arrays import FloatArray, IntArray
from paseo.world.clocks import ClockName, Thinking, Timekeeping

HOLD = Timekeeping(clock=ClockName.CHARGED)
SIXTEEN = np.arange(16)


def first(many: int, of: int = 16) -> list[float]:
    """So many successes, in the first episodes."""
    return [1.0] * many + [0.0] * (of - many)


def swept(
    planner: str, values: Mapping[float, Sequence[float]], **changes: object
) -> dict[Row, FloatArray]:
    return {
        row(planner, **{"clock": HOLD, "latency_s": latency, **changes}): np.array(found)[:, None]
        for latency, found in values.items()
    }


def found(
    values: Mapping[Row, FloatArray], clusters: IntArray = SIXTEEN, metric: Metric = success
) -> dict[tuple[str, str, Opponent], Endurance]:
    tables = {each: {metric.name: one} for each, one in values.items()}
    ends = endurances(tables, clusters, metric)
    return {(each.row.planner, each.simple.planner, each.opponent): each for each in ends}


def against_dwa(mine: Mapping[float, int], simple: int = 4, **changes: object) -> Endurance:
    """A planner with so many successes of 16 at each latency, `dwa` always with the same."""
    other = swept("dwa", {latency: first(simple) for latency in mine})
    own = swept("slow", {latency: first(many) for latency, many in mine.items()}, **changes)
    return found({**own, **other})["slow", "dwa", Opponent.SHORTEST]


def test_a_lead_ends_where_the_mean_difference_is_none_straight_between_latencies() -> None:
    """Ahead by 8 and 4 of 16, then behind by 4: half way from 1 s to 2 s."""
    end = against_dwa({0.0: 12, 1.0: 8, 2.0: 0})
    assert end.stops_s == pytest.approx(1.5)
    assert [lead.difference.estimate.mean for lead in end.leads] == [0.5, 0.25, -0.25]
    assert end.low_s is not None and end.high_s is not None
    assert 0.0 < end.low_s < 1.5 < end.high_s


def test_who_is_never_ahead_stops_at_once_and_who_always_is_beyond_what_was_tried() -> None:
    behind = against_dwa({0.0: 4, 1.0: 2})
    assert (behind.stops_s, behind.low_s, behind.ahead_up_to_s) == (0.0, 0.0, None)
    ahead = against_dwa({0.0: 16, 1.0: 16})
    assert (ahead.stops_s, ahead.low_s, ahead.high_s) == (math.inf,) * 3
    assert (ahead.ahead_up_to_s, ahead.behind_from_s) == (1.0, None)


def test_latencies_in_another_unit_move_the_end_as_much() -> None:
    seconds = against_dwa({0.0: 12, 1.0: 8, 2.0: 0})
    scaled = against_dwa({0.0: 12, 10.0: 8, 20.0: 0})
    for key in ("stops_s", "low_s", "high_s"):
        assert getattr(scaled, key) == pytest.approx(10 * getattr(seconds, key))


def test_nothing_is_shown_beyond_the_first_latency_that_is_in_doubt() -> None:
    """Two wins more of 16 are no proof; the clear lead after them is not looked at any more."""
    assert against_dwa({0.0: 16, 0.1: 6, 0.2: 16, 5.0: 0}).ahead_up_to_s == 0.0
    assert against_dwa({0.0: 6, 0.1: 16, 5.0: 0}).ahead_up_to_s is None
    assert against_dwa({0.0: 16, 1.0: 2, 2.0: 10, 5.0: 2}, simple=14).behind_from_s == 5.0


def test_five_per_cent_are_shared_by_all_pairs_that_are_claimed() -> None:
    slow = {latency: first(many) for latency, many in {0.0: 12, 1.0: 1}.items()}
    alone = found({**swept("slow", slow), **swept("dwa", {0.0: first(4), 1.0: first(4)})})
    assert alone["slow", "dwa", Opponent.SHORTEST].level == ALPHA
    simple = {latency: first(4) for latency in slow}
    several = found({**swept("a", slow), **swept("b", slow), **swept("dwa", simple),
                     **swept("straight", simple)})  # fmt: skip
    claims = [key[:2] for key in several if key[2] is Opponent.SHORTEST]
    assert claims == [
        ("a", "dwa"), ("a", "straight"), ("b", "dwa"), ("b", "straight"), ("dwa", "straight"),
        ("straight", "dwa"),
    ]  # fmt: skip
    assert several["a", "dwa", Opponent.SHORTEST].level == ALPHA / 6


def test_a_simple_planner_as_slow_is_another_opponent_than_one_that_needs_no_time() -> None:
    values = {
        **swept("slow", {0.0: first(12), 1.0: first(6), 2.0: first(2)}),
        **swept("dwa", {0.0: first(8), 1.0: first(0), 2.0: first(0)}),
    }
    ends = found(values)
    assert ends["slow", "dwa", Opponent.SHORTEST].stops_s == pytest.approx(2 / 3)
    assert ends["slow", "dwa", Opponent.SAME].stops_s == math.inf


def test_less_time_is_a_lead_where_less_is_better() -> None:
    times = {0.0: [10.0] * 16, 1.0: [30.0] * 16}
    other = {latency: [20.0 + k / 10 for k in range(16)] for latency in times}
    ends = found({**swept("slow", times), **swept("dwa", other)}, metric=TIME_TO_GOAL)
    end = ends["slow", "dwa", Opponent.SHORTEST]
    assert end.leads[0].difference.estimate.mean == pytest.approx(10.75)
    assert end.stops_s == pytest.approx(10.75 / 20)


def test_only_rows_of_the_same_clock_and_people_are_opponents() -> None:
    slow = {0.0: first(12), 1.0: first(1)}
    stops = Timekeeping(clock=ClockName.CHARGED, thinking=Thinking.STOP)
    for changes in ({"clock": stops}, {"reactivity": 1.0}):
        assert found({**swept("slow", slow, **changes), **swept("dwa", slow)}) == {}
    assert found(swept("slow", slow)) == {}
    assert found({**swept("slow", {0.0: first(9)}), **swept("dwa", {0.0: first(4)})}) == {}


def test_with_too_few_clusters_there_is_an_end_but_no_interval_and_without_a_better_none() -> None:
    two = np.array([0] * 8 + [1] * 8)
    values = {
        **swept("slow", {0.0: first(12), 1.0: first(2)}),
        **swept("dwa", {0.0: first(4), 1.0: first(4)}),
    }
    end = found(values, two)["slow", "dwa", Opponent.SHORTEST]
    assert end.stops_s == pytest.approx(0.8)
    assert (end.low_s, end.high_s, end.ahead_up_to_s) == (None, None, None)
    assert found(values, metric=replace(success, better=Better.NEITHER)) == {}


def test_a_planted_end_is_in_the_interval_as_often_as_that_says() -> None:
    """60 tables of 33 windows; the truth is 1.5 s. Fewer than 52 of 60 has a chance below .3 %."""
    rng, latencies = np.random.default_rng(3), (0.0, 0.5, 1.0, 2.0, 5.0)
    held, false = 0, 0
    for _ in range(60):
        luck = rng.random(33)
        mine = {each: (0.7 * luck + 0.3 * rng.random(33) < share).astype(float)
                for each, share in zip(latencies, planted(), strict=True)}  # fmt: skip
        other = 0.7 * rng.random(33) + 0.3 * rng.random(33) < planted()[2] / 2 + planted()[3] / 2
        values = {**swept("slow", mine), **swept("dwa", dict.fromkeys(latencies, other * 1.0))}
        end = found(values, np.arange(33))["slow", "dwa", Opponent.SHORTEST]
        held += (end.low_s or 0.0) <= 1.5 <= (end.high_s or 0.0)
        false += (end.ahead_up_to_s or 0.0) > 1.5 or (end.behind_from_s or math.inf) < 1.5
    assert held >= 52
    assert false <= 5


def planted() -> tuple[float, ...]:
    """Bars between which the chance of success is a straight line: from .3 to .7 of the bar."""
    return (0.68, 0.62, 0.55, 0.45, 0.35)
