import pytest

from comparisons import NAMES, compared, episode, row
from paseo.errors import BadValue, UnknownName
from paseo.metrics.comparison.asking import Asked, asked_episodes, asked_metrics, asked_pairs
from paseo.metrics.record.catalog import METRICS

MEASURED = [
    episode(name, planner)
    for planner in ("orca", "orca:margin=2", "stop")
    for name in ("eth_1", "univ_1", "univ_2")
]


def chosen(**words: object) -> set[tuple[str, str]]:
    found = asked_episodes(MEASURED, Asked(**words))
    return {(each.row.planner, each.episode) for each in found}


def test_planners_are_named_with_their_parameters_or_without_for_all_of_a_name() -> None:
    assert {planner for planner, _ in chosen(planners=("orca",))} == {"orca", "orca:margin=2"}
    assert {planner for planner, _ in chosen(planners=("orca:margin=2",))} == {"orca:margin=2"}
    assert {planner for planner, _ in chosen(without=("orca",))} == {"stop"}
    assert len(chosen()) == 9


def test_the_baseline_is_always_among_the_planners() -> None:
    found = chosen(planners=("orca:margin=2",), baseline="stop")
    assert {planner for planner, _ in found} == {"orca:margin=2", "stop"}


def test_episodes_may_be_patterns() -> None:
    assert {name for _, name in chosen(episodes=("univ_*",))} == {"univ_1", "univ_2"}
    assert {name for _, name in chosen(episodes=("eth_1", "univ_2"))} == {"eth_1", "univ_2"}


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ({"planners": ("orka",)}, "no planner is called 'orka'. Did you mean 'orca'?"),
        ({"baseline": "stopp"}, "Did you mean 'stop'?"),
        ({"episodes": ("unif_*",)}, "no episode is called 'unif_*'"),
        ({"metrics": ("sucess",)}, "Did you mean 'success'?"),
        ({"primary": ("speeed",)}, "Did you mean 'speed'?"),
    ],
)
def test_names_that_are_nowhere_are_refused(words: dict[str, object], sentence: str) -> None:
    with pytest.raises(UnknownName) as error:
        compared(*MEASURED, asked=Asked(**words))
    assert sentence in str(error.value)


def test_metrics_are_the_primary_ones_and_those_asked_for() -> None:
    names = [each.name for each in asked_metrics(METRICS, Asked(metrics=("jerk",)))]
    assert names == ["success", "person_collisions", "jerk", "time_to_goal"]
    assert len(asked_metrics(METRICS, Asked())) == len(NAMES) + 1
    with pytest.raises(BadValue, match="primary is empty"):
        asked_metrics(METRICS, Asked(primary=()))


def test_the_baseline_is_the_second_of_each_pair() -> None:
    rows = [row("a"), row("base"), row("c")]
    assert asked_pairs(rows, Asked(baseline="base")) == [(rows[0], rows[1]), (rows[2], rows[1])]
    assert len(asked_pairs(rows, Asked())) == 3
