import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from paseo.metrics.comparison.pareto import on_front


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
