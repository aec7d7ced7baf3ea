"""Contacts with a cause: encounters by hand, in which it is plain whose doing a contact was."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drives import mirrored, moved, relabelled
from meetings import DT, meeting, walk
from paseo.metrics.record.contacts.causes import ContactCause, contact_causes
from paseo.world.motion import Control, Robot
from paseo.world.records import Cause, Record
from worlds import plan

LIMITED = Robot(max_acceleration=1.0, max_turn_acceleration=2.0)


def only(met: Record) -> ContactCause:
    (found,) = contact_causes(met)
    return found


def test_driving_into_somebody_who_stands_is_caused_by_the_robot() -> None:
    found = only(meeting(walk((2, 5), (1, 0)), walk((4, 5), (0, 0))))
    assert found.cause is Cause.CAUSED
    assert found.robot_speed == pytest.approx(1.0)
    assert found.person_speed == 0.0
    assert found.closing_speed == pytest.approx(1.0)
    assert found.robot_approach == pytest.approx(1.0)
    assert found.person_approach == 0.0
    assert found.avoidable


def test_a_robot_that_stands_is_walked_into() -> None:
    found = only(meeting(walk((5, 5), (0, 0)), walk((8, 5), (-1.2, 0))))
    assert found.cause is Cause.WALKED_INTO
    assert found.robot_speed == 0.0
    assert found.closing_speed == pytest.approx(1.2)
    assert found.stood == pytest.approx(found_time(found))


def found_time(found: ContactCause) -> float:
    return found.contact.first_step * DT


def test_a_robot_that_is_overtaken_is_walked_into() -> None:
    found = only(meeting(walk((5, 5), (0.5, 0)), walk((3, 5), (1.5, 0))))
    assert found.cause is Cause.WALKED_INTO
    assert found.robot_approach == pytest.approx(-0.5)
    assert found.closing_speed == pytest.approx(1.0)


def test_two_who_meet_halfway_share_it_where_the_other_walks_faster() -> None:
    found = only(meeting(walk((2, 5), (0.8, 0)), walk((8, 5), (-1.2, 0))))
    assert found.cause is Cause.SHARED
    assert found.closing_speed == pytest.approx(2.0)


def test_the_faster_of_two_who_meet_head_on_is_the_robots_doing() -> None:
    assert only(meeting(walk((2, 5), (1.2, 0)), walk((7, 5), (-0.6, 0)))).cause is Cause.CAUSED


def test_stopping_in_somebodys_way_at_the_last_moment_is_shared() -> None:
    to, meet = walk((2, 5), (1, 0), 40), walk((6.54, 5), (-1, 0), 50)
    robot = np.vstack([to, np.repeat(to[-1:], 10, axis=0)])
    found = only(meeting(robot, meet))
    assert found.robot_speed == 0.0
    assert 0 < found.stood < 0.5
    assert found.cause is Cause.SHARED


def test_standing_for_half_a_second_is_enough_to_be_seen() -> None:
    to, meet = walk((2, 5), (1, 0), 40), walk((7.1, 5), (-1, 0), 60)
    robot = np.vstack([to, np.repeat(to[-1:], 20, axis=0)])
    found = only(meeting(robot, meet))
    assert found.stood >= 0.5
    assert found.robot_approach > 0
    assert found.cause is Cause.WALKED_INTO


def test_nobody_is_to_blame_for_who_appears_too_late_for_any_manoeuvre() -> None:
    """A robot that brakes from 1.2 m/s in 1.2 s cannot avoid who appears 0.06 m before it."""
    robot, person = walk((1.5, 5), (1.2, 0)), walk((3.9, 5), (0, 0))
    seen = only(meeting(robot, person, robot=LIMITED))
    assert (seen.cause, seen.avoidable) == (Cause.CAUSED, True)
    person[:32] = np.nan
    late = only(meeting(robot, person, robot=LIMITED))
    assert late.contact == seen.contact
    assert (late.cause, late.last_chance) == (Cause.SHARED, None)


def test_who_is_walled_in_could_not_have_avoided_it() -> None:
    corridor = plan("corridor", (0, 4.7, 20, 5.3))
    met = meeting(walk((5, 5), (0, 0)), walk((8, 5), (-1.2, 0)), floorplan=corridor, robot=Robot())
    assert not only(met).avoidable
    assert only(meeting(walk((5, 5), (0, 0)), walk((8, 5), (-1.2, 0)))).avoidable


def test_a_contact_that_does_not_count_has_no_cause() -> None:
    met = meeting(walk((2, 5), (1, 0)), walk((4, 5), (0, 0)))
    ignored = replace(met.contacts[0], counted=False)
    assert contact_causes(replace(met, contacts=(ignored,))) == ()


@pytest.mark.parametrize("control", list(Control))
@pytest.mark.parametrize(("angle", "shift"), [(0.0, (300.0, -70.0)), (2.1, (0.0, 0.0))])
def test_neither_origin_nor_orientation_of_the_map_matters(
    control: Control, angle: float, shift: tuple[float, float]
) -> None:
    for other in ((-1.2, 0.0), (-0.3, 0.4), (0.0, 0.0)):
        met = meeting(walk((2, 5), (1, 0)), walk((5, 5), other), control=control)
        here, there = contact_causes(met), contact_causes(moved(met, angle=angle, shift=shift))
        assert [each.cause for each in here] == [each.cause for each in there]
        for a, b in zip(here, there, strict=True):
            assert a.closing_speed == pytest.approx(b.closing_speed)
            assert a.robot_approach == pytest.approx(b.robot_approach)
            assert a.last_chance == b.last_chance


def test_a_robot_that_turns_is_given_the_twist_it_had() -> None:
    """On a circle the fan starts from the circle's own twist: going on is one of its manoeuvres."""
    angle = np.arange(81) * DT * 0.8
    robot = np.column_stack([5 + np.sin(angle), 6 - np.cos(angle)])
    met = meeting(robot, walk((8, 5), (-1.4, 0.2)))
    poses = np.column_stack([robot, angle])
    for each in contact_causes(replace(met, robot=poses)):
        assert each.robot_speed == pytest.approx(0.8, rel=1e-3)
        assert math.isfinite(each.closing_speed)


VELOCITIES = st.tuples(st.floats(-1.5, 1.5), st.floats(-1.5, 1.5))


@st.composite
def encounters(draw: st.DrawFn) -> Record:
    """Two people who walk at any velocity through where the robot will be, far from walls."""
    robot = walk((5, 5), (draw(st.floats(0, 1.2)), 0))
    people = []
    for _ in range(2):
        velocity, step = draw(VELOCITIES), draw(st.integers(20, 60))
        x, y = robot[step] - DT * step * np.array(velocity)
        people.append(walk((x, y), velocity))
    control = draw(st.sampled_from(list(Control)))
    return meeting(robot, *people, control=control, robot=LIMITED, missing=("map",))


def told(met: Record) -> list[tuple[object, ...]]:
    """What is said of each contact, whoever it was with; the first of several first."""
    found = [
        (each.contact.first_step, round(each.robot_approach, 6), each.cause, each.last_chance)
        for each in contact_causes(met)
    ]
    return sorted(found, key=str)


@settings(max_examples=40)
@given(encounters(), st.floats(-4, 4), st.tuples(st.floats(-80, 80), st.floats(-80, 80)))
def test_no_cause_depends_on_where_the_map_lies_or_which_way_round(
    met: Record, angle: float, shift: tuple[float, float]
) -> None:
    expected = told(met)
    assert told(moved(met, angle=angle, shift=shift)) == expected
    assert told(mirrored(met)) == expected


@settings(max_examples=20)
@given(encounters(), st.permutations([3, 8]))
def test_no_cause_depends_on_who_it_was(met: Record, ids: list[int]) -> None:
    assert told(relabelled(met, dict(zip((1, 2), ids, strict=True)))) == told(met)
