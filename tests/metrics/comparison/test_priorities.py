import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from comparisons import compared, episode, row
from paseo.errors import BadValue, UnknownName
from paseo.metrics.comparison.comparison import Comparison
from paseo.metrics.comparison.measured import TIME_TO_GOAL
from paseo.metrics.comparison.priorities import Limit, Ranked, on_front, ranking

# Planner: speed (higher is better), energy (lower is better).
MEANS = {"quick": (1.2, 20.0), "thrifty": (0.6, 10.0), "middling": (0.9, 12.0), "poor": (0.6, 20.0)}


def four() -> Comparison:
    return compared(
        *(episode(f"e{k}", planner, values={"speed": speed, "energy": energy})
          for planner, (speed, energy) in MEANS.items() for k in range(2)),
        draws=20,
    )  # fmt: skip


def ranked_by(
    found: Comparison, weights: dict[str, float], limits: dict[str, Limit]
) -> list[Ranked]:
    return ranking(found.summaries, found.metrics, weights, limits)


def placed(weights: dict[str, float], limits: dict[str, Limit] | None = None) -> list[Ranked]:
    return ranked_by(four(), weights, limits or {})


def names(ranked: list[Ranked]) -> list[str]:
    return [each.row.planner for each in ranked]


def test_the_best_in_everything_scores_one_and_the_worst_zero_by_hand() -> None:
    # Speed: 1, 0, 0.5, 0 of the range 0.6 to 1.2; energy: 0, 1, 0.8, 0 of 20 to 10.
    scores = {each.row.planner: each.score for each in placed({"speed": 1, "energy": 3})}
    expected = {"quick": 0.25, "thrifty": 0.75, "middling": (0.5 + 2.4) / 4, "poor": 0.0}
    assert scores == pytest.approx(expected)


def test_weights_decide_and_only_their_proportion_matters() -> None:
    assert names(placed({"speed": 9, "energy": 1}))[0] == "quick"
    assert names(placed({"speed": 1, "energy": 9}))[0] == "thrifty"
    one, two = placed({"speed": 1, "energy": 1}), placed({"speed": 7, "energy": 7})
    assert names(one) == names(two)
    assert [each.score for each in one] == pytest.approx([each.score for each in two])


def test_whoever_breaks_a_limit_comes_last_and_is_told_why() -> None:
    ranked = placed({"speed": 1}, {"energy": Limit(high=15.0)})
    assert names(ranked) == ["middling", "thrifty", "quick", "poor"]
    assert ranked[0].broken == ()
    assert ranked[2].broken == ("energy is 20, wanted at most 15",)
    ranked = placed({"energy": 1}, {"speed": Limit(low=0.7), "energy": Limit(high=19)})
    assert ranked[-1].broken == (
        "speed is 0.6, wanted at least 0.7",
        "energy is 20, wanted at most 19",
    )


def test_a_limit_is_kept_by_whoever_meets_it_exactly() -> None:
    limits = {"energy": Limit(10.0, 20.0)}
    assert all(not each.broken for each in placed({"speed": 1}, limits))


def test_the_front_holds_whoever_nobody_equals_in_everything_and_beats_in_something() -> None:
    front = {each.row.planner for each in placed({"speed": 1, "energy": 1}) if each.on_front}
    assert front == {"quick", "thrifty", "middling"}
    assert {each.row.planner for each in placed({"speed": 1}) if each.on_front} == {"quick"}


def test_equals_share_the_front() -> None:
    same = compared(episode("e0", "a"), episode("e0", "b"), draws=20)
    ranked = ranked_by(same, {"speed": 1.0}, {})
    assert [(each.on_front, each.score) for each in ranked] == [(True, 1.0), (True, 1.0)]


def test_an_unknown_value_is_no_merit_and_keeps_no_limit() -> None:
    found = compared(episode("e0", "a"), episode("e0", "b", values={"speed": None}), draws=20)
    ranked = ranked_by(found, {"speed": 1.0}, {"speed": Limit(low=0.0)})
    assert [(each.row.planner, each.score, each.broken) for each in ranked] == [
        ("a", 1.0, ()),
        ("b", 0.0, ("speed is not known",)),
    ]


def test_planning_time_and_time_to_goal_can_be_weighed_and_limited() -> None:
    found = compared(
        episode("e0", "a", time_s=20.0, values={"planning_time": 0.2}),
        episode("e0", "b", time_s=30.0, values={"planning_time": 0.1}),
        draws=20,
    )
    assert names(ranked_by(found, {TIME_TO_GOAL.name: 1.0}, {})) == ["a", "b"]
    assert names(ranked_by(found, {"planning_time": 1.0}, {})) == ["b", "a"]
    limited = ranked_by(found, {TIME_TO_GOAL.name: 1.0}, {"planning_time": Limit(high=0.15)})
    assert names(limited) == ["b", "a"]


def test_what_cannot_be_weighed_is_refused_in_words() -> None:
    with pytest.raises(UnknownName, match="no metric is called 'sped'. Did you mean 'speed'?"):
        placed({"sped": 1.0})
    with pytest.raises(UnknownName, match="no metric is called 'x'"):
        placed({}, {"x": Limit()})
    with pytest.raises(BadValue, match="'pass_side' has no better direction"):
        placed({"pass_side": 1.0})
    assert placed({"speed": 1}, {"pass_side": Limit(-2, 2)})  # a limit needs no direction


def test_a_reference_has_no_place() -> None:
    human = row("human", is_reference=True)
    found = compared(episode("e0", "a"), episode("e0", "b"), episode("e0@human-1", human), draws=20)
    assert set(names(ranked_by(found, {"speed": 1.0}, {}))) == {"a", "b"}


def test_who_is_beaten_in_everything_is_not_on_the_front() -> None:
    points = np.array([[1.0, 4.0], [2.0, 2.0], [3.0, 3.0], [4.0, 1.0], [4.0, 2.0]])
    assert on_front(points).tolist() == [True, True, False, True, False]


def test_equals_do_not_beat_each_other() -> None:
    assert on_front(np.array([[1.0, 1.0], [1.0, 1.0], [1.0, 2.0]])).tolist() == [True, True, False]
    assert on_front(np.empty((0, 2))).tolist() == []


@given(st.lists(st.tuples(*[st.integers(0, 4)] * 3), min_size=1, max_size=12))
def test_the_front_is_what_its_definition_says(found: list[tuple[int, ...]]) -> None:
    def beats(a: tuple[int, ...], b: tuple[int, ...]) -> bool:
        return a != b and all(x <= y for x, y in zip(a, b, strict=True))

    wanted = [not any(beats(other, each) for other in found) for each in found]
    assert on_front(np.array(found, float)).tolist() == wanted
