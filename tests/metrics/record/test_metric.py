import numpy as np
import pytest

from drives import record
from paseo.errors import NotAvailable
from paseo.metrics.record.metric import Better, Group, Population, Value, Variant, measured, metric
from paseo.world.records import Record


@metric(unit="m", better="lower", formula="x", source="a book")
def shift(record: Record) -> float:
    """How far east it began.

    More than the first sentence is not shown.
    """
    return float(record.robot[0, 0])


def returning(value: Value) -> Value:
    @metric(unit="1", better="neither")
    def constant(record: Record) -> Value:
        return value

    found = measured(constant, record([(2, 5)]))
    assert (found.value is None) == found.note.startswith("not available: ")
    return found.value


def test_a_decorated_function_is_a_metric_that_can_be_called() -> None:
    assert shift(record([(2, 5), (3, 5)])) == 2.0
    assert (shift.name, shift.unit, shift.better) == ("shift", "m", Better.LOWER)
    assert (shift.formula, shift.source, shift.variant) == ("x", "a book", Variant.DEFINITION)
    assert shift.summary == "How far east it began."


def test_a_metric_says_how_planners_are_compared_by_it() -> None:
    assert (shift.population, shift.per_minute) == (Population.DRIVEN, False)
    assert (shift.pooled, shift.group) == (False, Group.OTHER)
    told = metric(unit="s", better="lower", population="every", per_minute=True, group="path")
    seconds = told(lambda record: 0.0)
    assert (seconds.population, seconds.per_minute) == (Population.EVERY, True)
    assert seconds.group is Group.PATH
    with pytest.raises(ValueError, match="Population"):
        metric(unit="s", better="lower", population="some")(lambda record: 0.0)
    with pytest.raises(ValueError, match="Group"):
        metric(unit="s", better="lower", group="paths")(lambda record: 0.0)


@pytest.mark.parametrize("better", ["Higher", "less", ""])
def test_a_direction_is_one_of_three_words(better: str) -> None:
    with pytest.raises(ValueError, match="Better"):
        metric(unit="m", better=better)(lambda record: 0.0)


def test_a_number_stays_what_it_is() -> None:
    assert returning(3) == 3.0
    assert returning(np.float64(0.0)) == 0.0
    assert returning(np.inf) == np.inf


def test_what_is_undefined_has_a_note_in_place_of_a_number() -> None:
    for nothing in (None, np.nan, np.empty(0), np.array([np.nan, np.nan])):
        assert returning(nothing) is None


def test_a_distribution_has_its_mean_and_its_samples_without_the_absent_ones() -> None:
    @metric(unit="s", better="higher")
    def waits(record: Record) -> Value:
        return np.array([1.0, np.nan, 2.0, 6.0])

    found = measured(waits, record([(2, 5)]))
    assert found.value == 3.0
    assert found.samples is not None
    assert found.samples.tolist() == [1.0, 2.0, 6.0]
    assert found.note == ""


def test_a_metric_that_lacks_something_says_what() -> None:
    @metric(unit="s", better="higher")
    def lacking(record: Record) -> Value:
        raise NotAvailable("needs a barometer")

    found = measured(lacking, record([(2, 5)]))
    assert (found.value, found.note) == (None, "not available: needs a barometer")
