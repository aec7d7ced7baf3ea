"""Which moments of a drive a page shows as the robot saw them, worked out by hand."""

import math
from dataclasses import replace

import numpy as np
import pytest

from drives import line, moved, record
from paseo.errors import BadValue, InputError, UnknownName
from paseo.report.walk.views.sights import (
    RobotViews,
    Sight,
    check_moments,
    chosen_sights,
    sights_of,
)
from paseo.world.records import Contact, Record


def touch(person: int, step: int, *, counted: bool = True) -> Contact:
    return Contact(
        person=person, first_step=step, last_step=step + 4, x=3.0, y=5.0, counted=counted
    )


def bumps(*contacts: Contact) -> Record:
    """Both people are never far, and none is ever met: they walk beside the robot."""
    beside = [line() + (0, 0.2), line() + (0, 8)]
    return record(line(), beside, contacts=contacts)


def times(sights: tuple[Sight, ...]) -> list[float]:
    return [pytest.approx(each.time) for each in sights]


def test_a_contact_is_seen_and_a_second_before_it() -> None:
    found = sights_of(bumps(touch(1, 60)), 9)
    assert times(found) == [3.0, 2.0]
    assert [each.person for each in found] == [1, 1]
    assert [each.words for each in found] == [
        "contact with person 1",
        "1 s before contact with person 1",
    ]


def test_before_an_early_contact_is_the_start_and_before_the_first_nothing() -> None:
    found = sights_of(bumps(touch(1, 12)), 9)
    assert times(found) == [0.6, 0.0]
    assert found[1].words == "0.6 s before contact with person 1"
    assert times(sights_of(bumps(touch(1, 2)), 9)) == [0.1]


def test_what_does_not_count_is_not_shown() -> None:
    apart = record(line(), [line() + (0, 3)], contacts=[touch(1, 60, counted=False)])
    assert [each.words[:7] for each in sights_of(apart, 9)] == ["closest"]


def test_the_first_contact_is_dearest_and_moments_have_room_between_them() -> None:
    far = bumps(touch(1, 40), touch(2, 42), touch(1, 100))
    # The one at 2.1 s is as good as that at 2.0 s, likewise a second before.
    assert times(sights_of(far, 9)) == [2.0, 1.0, 5.0, 4.0]
    assert times(sights_of(far, 3)) == [2.0, 1.0, 5.0]


def test_who_is_never_touched_is_seen_where_it_was_closest() -> None:
    passing = record(line(), [(4.0, 6.5)])
    (closest,) = sights_of(passing, 9)
    gap = 1.5 - passing.scenario.robot.radius - passing.scenario.person_radius
    assert closest == Sight(
        time=pytest.approx(2.0),
        person=1,
        words=f"closest to anybody: {gap:.1f} m from person 1",
    )


def test_an_encounter_begins_within_three_metres_ahead() -> None:
    towards = np.column_stack([11.0 - line()[:, 0], np.full(121, 5.8)])  # from (9, 5.8) at 1 m/s
    closest, met = sights_of(record(line(), [towards]), 9)
    # Centres are 7 - 2 t apart along x, and 0.8 m across: 3 m at t = (7 - sqrt(9 - 0.64)) / 2.
    assert met.words == "first meets person 1"
    assert met.time == pytest.approx((7 - math.sqrt(9 - 0.64)) / 2, abs=0.1)
    assert closest.time == pytest.approx(3.5)


def test_a_turned_and_shifted_map_changes_no_moment() -> None:
    towards = np.column_stack([11.0 - line()[:, 0], np.full(121, 5.8)])
    here = record(line(), [towards], contacts=[touch(1, 100)])
    there = moved(here, angle=0.7, shift=(31.0, -8.0))
    assert times(sights_of(here, 9)) == [each.time for each in sights_of(there, 9)]


def test_with_nobody_there_is_nothing_to_see() -> None:
    assert sights_of(record(line()), 9) == ()
    assert sights_of(record(line()[:1]), 9) == ()
    absent = record(line(), [np.full((121, 2), np.nan)])
    assert sights_of(absent, 9) == ()


def test_moments_that_are_named_are_those_of_their_episode() -> None:
    drive = record(line(), [(4.0, 6.5)])
    name = drive.scenario.name
    views = RobotViews(moments=[(name, 2.0), ("other", 1.0), (name, 6.0), (name, 6.1)])
    found = chosen_sights(drive, views)
    assert times(found) == [2.0, 6.0]  # its end is at 6 s
    assert found[0].person == 1 and found[0].words.startswith("nearest: person 1, ")
    empty = replace(drive, people=np.full_like(drive.people, np.nan))
    assert chosen_sights(empty, views)[0].words == "nobody is there"


def test_moments_that_nobody_can_see_are_told() -> None:
    ends = [("one", 4.0), ("one", 6.0), ("two", 9.0)]
    check_moments(RobotViews(moments=[("one", 6.0), ("two", 0.0)]), ends)
    with pytest.raises(UnknownName, match="no episode of these runs is called 'on'"):
        check_moments(RobotViews(moments=[("on", 1.0)]), ends)
    with pytest.raises(InputError, match="'one' at 6.5 s was asked for, but all is over after 6 s"):
        check_moments(RobotViews(moments=[("one", 6.5)]), ends)


def test_bounds_that_leave_nothing_are_refused() -> None:
    with pytest.raises(BadValue, match="0 views of each drive, expected at least 1"):
        RobotViews(most=0)
    with pytest.raises(BadValue, match="views of 0 MB in all"):
        RobotViews(most_mb=0.0)
