"""Which rows lie on one line, and which two of them answer a question."""

from itertools import combinations

from comparisons import row
from paseo.metrics.comparison.asking import Asked, asked_pairs
from paseo.metrics.comparison.rows import Row
from paseo.metrics.comparison.sweeps.dials import Dial
from paseo.world.clocks import ClockName, Thinking, Timekeeping

HOLD = Timekeeping(clock=ClockName.CHARGED)
STOP = Timekeeping(clock=ClockName.CHARGED, thinking=Thinking.STOP)


def swept(planner: str, *latencies: float, clock: Timekeeping = HOLD) -> list[Row]:
    return [row(planner, clock=clock, latency_s=each) for each in latencies]


def test_a_line_is_all_rows_that_differ_in_nothing_else() -> None:
    rows = [*swept("a", 1.0, 0.0), *swept("b", 0.0), *swept("a", 0.0, clock=STOP), row("a")]
    lines = Dial.LATENCY.lines(rows)
    assert [(each.planner, each.clock, list(line)) for each, line in lines.items()] == [
        ("a", HOLD, [0.0, 1.0]), ("b", HOLD, [0.0]), ("a", STOP, [0.0]),
    ]  # fmt: skip
    assert Dial.LATENCY.stops(rows) == [0.0, 1.0]
    assert Dial.REACTIVITY.lines(rows) == {}


def test_planners_are_compared_at_one_latency_and_with_themselves_at_the_shortest() -> None:
    rows = [*swept("a", 0.0, 1.0, 2.0), *swept("b", 0.0, 1.0, 2.0)]
    found = [(f"{a.planner}{a.latency_s:g}", f"{b.planner}{b.latency_s:g}")
             for a, b in asked_pairs(rows, Asked())]  # fmt: skip
    assert found == [
        ("a0", "a1"), ("a0", "a2"), ("a0", "b0"), ("a1", "b1"), ("a2", "b2"), ("b0", "b1"),
        ("b0", "b2"),
    ]  # fmt: skip


def test_rows_that_differ_in_latency_and_reactivity_answer_no_question() -> None:
    rows = [row("a", reactivity=much, latency_s=each) for much in (0.0, 1.0) for each in (0.0, 1.0)]
    apart = {(rows[0], rows[3]), (rows[1], rows[2])}
    assert set(asked_pairs(rows, Asked())) == set(combinations(rows, 2)) - apart
