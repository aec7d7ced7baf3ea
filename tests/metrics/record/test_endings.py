import pytest

from drives import line, record
from paseo.metrics.record.endings import person_collisions, success
from paseo.metrics.record.metric import measured
from paseo.world.records import Contact, Outcome


def contact(person: int = 1, *, first_step: int = 3, counted: bool = True) -> Contact:
    return Contact(
        person=person, first_step=first_step, last_step=first_step + 5, x=2, y=5, counted=counted
    )


def test_success_is_arriving_without_touching_anybody() -> None:
    assert success(record(line())) == 1.0
    assert success(record(line(), [(2, 2)], contacts=[contact()])) == 0.0


@pytest.mark.parametrize("outcome", [each for each in Outcome if each is not Outcome.REACHED_GOAL])
def test_no_other_ending_is_a_success(outcome: Outcome) -> None:
    assert success(record(line(), outcome=outcome)) == 0.0


def test_people_who_appear_on_top_of_the_robot_neither_count_nor_spoil_success() -> None:
    met = record(line(), [(2, 2)], contacts=[contact(counted=False)])
    assert success(met) == 1.0
    assert person_collisions(met) == 0.0


def test_each_contact_counts_once_and_the_same_person_again_after_parting() -> None:
    touches = [contact(), contact(first_step=20), contact(2, first_step=20)]
    assert person_collisions(record(line(), [(2, 2), (3, 3)], contacts=touches)) == 3.0
    assert person_collisions(record(line())) == 0.0


def test_without_a_goal_there_is_no_success_but_there_are_collisions() -> None:
    log = record(line(), [(2, 2)], contacts=[contact()], missing=("goal",))
    found = measured(success, log)
    assert (found.value, found.note) == (None, "not available: needs the goal")
    assert measured(person_collisions, log).value == 1.0
