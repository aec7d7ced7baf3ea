import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drives import line, mirrored, moved, record, relabelled
from meetings import meeting, walk
from paseo.metrics.record.contacts.counts import (
    caused_contacts,
    contacts_per_kilometre,
    impact_speed,
    shared_contacts,
    walked_into_contacts,
)
from paseo.metrics.record.measure import measure
from paseo.metrics.record.metric import Metric, measured
from paseo.world.records import Record

COUNTS = (caused_contacts, shared_contacts, walked_into_contacts)
ALL = (*COUNTS, impact_speed, contacts_per_kilometre)


def three_meetings() -> Record:
    """The robot drives into somebody who stands, meets somebody halfway, and is overtaken."""
    return meeting(
        walk((2, 5), (0.8, 0)),
        walk((3.5, 5.2), (0, 0)),
        walk((6.6, 5), (-1.2, 0)),
        walk((0.5, 5), (1.5, 0)),
        missing=("map",),
    )


def test_contacts_are_counted_by_their_cause_and_add_up_to_all() -> None:
    met = three_meetings()
    assert [count(met) for count in COUNTS] == [1.0, 1.0, 1.0]
    assert met.touches == 3


def test_impact_speed_is_that_at_which_each_contact_closed() -> None:
    """Head on the speeds add up; from behind the robot's own counts off."""
    speeds = impact_speed(three_meetings())
    assert isinstance(speeds, np.ndarray)
    assert sorted(speeds) == pytest.approx([0.7, 0.71, 2.0], abs=0.02)
    beside = impact_speed(meeting(walk((2, 5), (1, 0)), walk((4, 5), (0, 0))))
    assert beside == pytest.approx([1.0])


def test_contacts_per_kilometre_are_over_the_way_driven() -> None:
    assert contacts_per_kilometre(three_meetings()) == pytest.approx(3 / 3.2e-3)
    assert contacts_per_kilometre(record(line())) == 0.0


def test_a_robot_that_hardly_moved_has_no_contacts_per_kilometre() -> None:
    stood = meeting(walk((5, 5), (0, 0)), walk((8, 5), (-1.2, 0)))
    assert walked_into_contacts(stood) == 1.0
    assert contacts_per_kilometre(stood) is None


def test_without_contact_there_is_no_impact_speed() -> None:
    assert measured(impact_speed, record(line(), [(5, 9)])).value is None


@pytest.mark.parametrize("metric", ALL, ids=lambda each: each.name)
def test_a_log_without_people_has_no_contacts_to_count(metric: Metric) -> None:
    found = measured(metric, record(line(), missing=("people",)))
    assert found.note == "not available: needs people in the log"


def test_what_could_be_avoided_is_not_known_without_the_robots_limits() -> None:
    log = meeting(walk((2, 5), (1, 0)), walk((4, 5), (0, 0)), missing=("top speed",))
    assert measured(caused_contacts, log).note == "not available: needs the robot's top speed"
    assert measured(impact_speed, log).value == pytest.approx(1.0)


@settings(max_examples=10)
@given(
    st.floats(-4, 4), st.tuples(st.floats(-80, 80), st.floats(-80, 80)), st.permutations([4, 7, 9])
)
def test_neither_map_nor_side_nor_names_matter(
    angle: float, shift: tuple[float, float], ids: list[int]
) -> None:
    met = three_meetings()
    expected = measure(met, metrics=ALL)
    others = (
        moved(met, angle=angle, shift=shift),
        mirrored(met),
        relabelled(met, dict(zip((1, 2, 3), ids, strict=True))),
    )
    for other in others:
        for name, each in measure(other, metrics=ALL).items():
            assert each.value == pytest.approx(expected[name].value), name
