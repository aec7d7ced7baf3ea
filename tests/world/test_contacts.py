"""Contacts: one touch of one person counts once until they part."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paseo.errors import PaseoError
from paseo.planners.stop import Stop
from paseo.sim.simulate import simulate
from paseo.world.contacts import Contacts
from paseo.world.motion import Pose, Robot, RobotState, Twist
from paseo.world.people import Snapshot
from paseo.world.records import Outcome, Verdict
from worlds import Driver, crossing, crowd, scenario, walk

ABSENT, NEAR, FAR = None, 0.43, 0.45  # metres, with radii 0.24 and 0.2
IDS = np.array([3, 5, 8])


def watched(rows):
    """Contacts, and in which states a counted one began, for rows of the distances of three."""
    contacts, began = Contacts(IDS), []
    robot = RobotState(Pose(1.0, 2.0), Twist(0.0, 0.0), 0.24)
    for step, row in enumerate(rows):
        there = crowd(*((i, 1 + d, 2) for i, d in zip(IDS, row, strict=True) if d is not ABSENT))
        people = np.zeros((3, 2))
        if contacts.update(step, Snapshot(step * 0.05, robot, there), people):
            began.append(step)
        assert np.isnan(people[:, 0]).tolist() == [distance is ABSENT for distance in row]
    return contacts.all(len(rows) - 1), began


def facts(contacts):
    return [(c.person, c.first_step, c.last_step, c.counted) for c in contacts]


def runs_of_touching(rows):
    """The same by reading each person's column from left to right."""
    found = []
    for column, person in enumerate(IDS.tolist()):
        distances = [row[column] for row in rows]
        for step, distance in enumerate(distances):
            before = distances[step - 1] if step else ABSENT
            if distance == NEAR and before != NEAR:
                end = next((k for k in range(step, len(rows)) if distances[k] != NEAR), len(rows))
                found.append((person, step, end - 1, before is not ABSENT))
    return sorted(found, key=lambda fact: (fact[1], fact[0]))


@given(st.lists(st.tuples(*[st.sampled_from([ABSENT, NEAR, FAR])] * 3), min_size=1, max_size=25))
def test_each_unbroken_run_of_touching_is_one_contact(rows):
    contacts, began = watched(rows)
    assert facts(contacts) == runs_of_touching(rows)
    assert began == sorted({c.first_step for c in contacts if c.counted})


def test_one_touch_counts_once_until_they_part_and_again_after():
    there_and_back = walk(1, (0, 5, 5), (4, 1, 5), (8, 5, 5))
    contacts = simulate(scenario(there_and_back), Stop()).contacts
    # Within 0.44 m of x = 2 at 2.60 to 3.40 s, and at 4.60 to 5.40 s.
    assert facts(contacts) == [(1, 52, 68, True), (1, 92, 108, True)]
    assert all((c.x, c.y) == (2, 5) for c in contacts)


def test_two_people_at_once_are_two_contacts():
    record = simulate(scenario(crossing(1), crossing(2)), Stop())
    assert facts(record.contacts) == [(1, 132, 148, True), (2, 132, 148, True)]
    assert record.touches == 2


@pytest.mark.parametrize(("x", "touches"), [(2.5, 0), (math.nextafter(2.5, 0), 1)])
def test_discs_that_just_meet_do_not_touch(x, touches):
    robot = Robot(radius=0.25)
    still = walk(1, (0, 9, 5), (0.05, x, 5), (9, x, 5))
    record = simulate(scenario(still, robot=robot, person_radius=0.25), Stop())
    assert record.touches == touches


def test_the_place_of_a_contact_is_where_the_robot_was():
    record = simulate(scenario(walk(1, (0, 5, 5), (20, 5, 5))), Driver(Twist(1.0, 0.0)))
    (contact,) = record.contacts
    assert contact.x == record.robot[contact.first_step, 0] == pytest.approx(4.6)
    assert 5 - record.robot[contact.first_step - 1, 0] >= 0.44


@pytest.mark.parametrize("start", [0.0, 1.0])
def test_who_appears_on_top_of_the_robot_counts_only_when_touched_anew(start):
    visitor = walk(1, (start, 2.1, 5), (start + 2, 4, 5), (start + 4, 2.1, 5), (start + 5, 2.1, 5))
    record = simulate(scenario(visitor), Stop())
    first, second = record.contacts
    assert (first.first_step, first.counted) == (start / 0.05, False)
    assert second.counted and second.first_step > first.last_step
    assert record.touches == 1


def test_who_never_parts_after_appearing_is_never_counted():
    record = simulate(scenario(walk(1, (0, 2, 5), (20, 2, 5))), Driver(Twist(0.01, 0.0)))
    assert facts(record.contacts) == [(1, 0, 200, False)]
    assert record.verdict is Verdict.TIMEOUT


def test_who_comes_out_of_a_gap_on_top_of_the_robot_has_appeared_there():
    visitor = walk(1, (0, 9, 5), (1, 8, 5), (2, np.nan, np.nan), (3, 2, 5), (4, 2, 5))
    assert facts(simulate(scenario(visitor), Stop()).contacts) == [(1, 60, 80, False)]


def test_a_contact_ends_with_the_person_or_the_episode():
    leaves = walk(1, (0, 2.5, 5), (1, 2, 5))
    stays = walk(2, (0, 1.5, 5), (1, 2, 5), (20, 2, 5))
    left, stayed = sorted(
        simulate(scenario(leaves, stays), Stop()).contacts, key=lambda c: c.person
    )
    assert (left.last_step, stayed.last_step) == (20, 200)


def test_by_default_the_episode_goes_on_and_the_completion_is_spoilt():
    record = simulate(scenario(walk(1, (0, 5, 5), (20, 5, 5))), Driver(Twist(1.2, 0.0)))
    assert (record.outcome, record.verdict) == (Outcome.REACHED_GOAL, Verdict.PERSON_COLLISION)
    assert record.touches == 1


def test_an_episode_may_stop_on_the_first_counted_contact():
    appears = walk(1, (0, 2, 5), (0.5, 2, 6), (0.6, 2, 9))
    record = simulate(scenario(appears, crossing(2), stop_on_contact=True), Stop())
    assert (record.outcome, record.verdict) == (Outcome.HIT_PERSON, Verdict.PERSON_COLLISION)
    assert len(record.robot) == 133  # the state in which it began is the last
    assert [c.person for c in record.contacts] == [1, 2]
    assert "touched a person" in record.reason


def test_touching_people_does_not_change_a_timeout_or_a_wall():
    record = simulate(scenario(crossing()), Stop())
    assert (record.touches, record.verdict) == (1, Verdict.TIMEOUT)
    chased = scenario(walk(1, (0, 9, 5), (4, 1, 5)), start=Pose(2, 5, math.pi))
    record = simulate(chased, Driver(Twist(0.2, 0.0)))
    assert (record.touches, record.verdict) == (1, Verdict.WALL_COLLISION)


class Strangers:
    """A crowd model that brings somebody who is not in the scenario."""

    def begin(self, scenario):
        return crowd((99, 1, 1))

    def step(self, snapshot, dt):
        return crowd((99, 1, 1))


def test_people_the_scenario_does_not_know_are_refused():
    with pytest.raises(PaseoError, match="people who are not in the scenario's tracks"):
        simulate(scenario(crossing()), Stop(), people=Strangers())
