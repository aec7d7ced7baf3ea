"""Contacts with a cause: who moved towards whom, and whether the robot could have helped it."""

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from paseo.metrics.record.closeness import reach_of
from paseo.metrics.record.contacts.manoeuvres import clear_of_people, clear_of_walls, rolled_out
from paseo.world.arrays import FloatArray
from paseo.world.motion import Control, wrapped
from paseo.world.records import Cause, Contact, Record
from paseo.world.scenarios import Missing

BEFORE = 1.0  # seconds of approach that are looked at
AFTER = 1.0  # seconds after the contact during which a manoeuvre must stay clear, too
LEADS = (0.25, 0.5, 1.0, 1.5, 2.0)  # seconds before the contact at which manoeuvres are tried
YIELDED, DROVE = 0.2, 0.5  # shares of the approach
STANDING = 0.1  # m/s; slower is standing
SEEN_STANDING = 0.5  # seconds of standing that leave a walker the time to see it and step aside
NEARBY = 8.0  # metres; who is farther off plays no part in a manoeuvre of three seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class ContactCause:
    """One contact and what led to it.

    An approach is by how much one's own steps shortened the way between the two centres during
    the last second; it is negative for who went away. Speeds are those of the step in which the
    discs met.
    """

    contact: Contact
    robot_speed: float
    person_speed: float
    closing_speed: float
    stood: float  # seconds for which the robot had been standing
    robot_approach: float  # metres
    person_approach: float  # metres
    last_chance: float | None  # seconds before, with a manoeuvre that was clear; None: not found
    cause: Cause

    @property
    def avoidable(self) -> bool:
        """Whether some manoeuvre within the robot's limits would have avoided it."""
        return self.last_chance is not None


@lru_cache(maxsize=1)  # several metrics ask one after the other
def contact_causes(record: Record) -> tuple[ContactCause, ...]:
    """Every counted contact with what led to it, in order of beginning."""
    return tuple(_caused(record, contact) for contact in record.contacts if contact.counted)


def causes_of(record: Record) -> dict[Contact, Cause]:
    """Whose doing each counted contact was."""
    return {each.contact: each.cause for each in contact_causes(record)}


def _caused(record: Record, contact: Contact) -> ContactCause:
    column = int(np.flatnonzero(record.ids == contact.person)[0])
    step, dt = contact.first_step, record.scenario.dt
    person = record.people[:, column]
    began = _began(person, step, round(BEFORE / dt))
    robot_steps, person_steps, units = _steps(
        record.robot[began : step + 1, :2], person[began : step + 1]
    )
    towards = (robot_steps * units).sum(axis=1), -(person_steps * units).sum(axis=1)
    chance = _last_chance(record, step, first=_began(person, step, step))
    stood = _stood(record, step)
    robot_approach, person_approach = (float(each.sum()) for each in towards)
    speeds = [
        float(np.hypot(*each[-1])) / dt if len(each) else 0.0
        for each in (robot_steps, person_steps)
    ]
    closing = float(towards[0][-1] + towards[1][-1]) / dt if len(units) else 0.0
    return ContactCause(
        contact=contact,
        robot_speed=speeds[0],
        person_speed=speeds[1],
        closing_speed=closing,
        robot_approach=robot_approach,
        person_approach=person_approach,
        last_chance=chance,
        stood=stood,
        cause=_cause(robot_approach, person_approach, stood, avoidable=chance is not None),
    )


def _began(person: FloatArray, step: int, most: int) -> int:
    """The first of at most so many steps before a contact from which on the person was there."""
    first = max(step - most, 0)
    absent = np.flatnonzero(np.isnan(person[first:step, 0]))
    return first + int(absent[-1]) + 1 if len(absent) else first


def _steps(robot: FloatArray, person: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Both one's steps, and the direction from robot to person before each, (steps, 2)."""
    between = (person - robot)[:-1]
    lengths = np.hypot(between[:, 0], between[:, 1])[:, None]
    units = np.divide(between, lengths, out=np.zeros_like(between), where=lengths > 0)
    return np.diff(robot, axis=0), np.diff(person, axis=0), units


def _stood(record: Record, step: int) -> float:
    """For how many seconds the robot had been standing when a state came about."""
    steps = np.diff(record.robot[: step + 1, :2], axis=0)
    moving = np.flatnonzero(np.hypot(steps[:, 0], steps[:, 1]) >= STANDING * record.scenario.dt)
    return (step - (int(moving[-1]) + 1 if len(moving) else 0)) * record.scenario.dt


def _cause(robot: float, person: float, stood: float, *, avoidable: bool) -> Cause:
    """The class of a contact, from both one's approach.

    Walked into: the robot had been standing for half a second, or its share of the approach is
    at most a fifth; one that stops in somebody's way at the last moment did its share.
    Caused: the robot's share is half or more, and it could have avoided the contact. Shared: all
    else, such as two who meet halfway, or somebody who appeared too late for any manoeuvre.
    """
    mine, theirs = max(robot, 0.0), max(person, 0.0)
    share = mine / (mine + theirs) if mine + theirs > 0 else 0.0
    if share <= YIELDED or stood >= SEEN_STANDING:
        return Cause.WALKED_INTO
    return Cause.CAUSED if share >= DROVE and avoidable else Cause.SHARED


def _last_chance(record: Record, step: int, *, first: int) -> float | None:
    """The shortest lead, in seconds, from which some manoeuvre would have touched nobody.

    Before the `first` state in which the person was there, nobody could have known.
    """
    dt = record.scenario.dt
    for lead in LEADS:
        begin = step - round(lead / dt)
        if begin < first:
            return None
        if _avoided(record, begin, min(step + round(AFTER / dt), len(record.robot) - 1)):
            return lead
    return None


def _avoided(record: Record, begin: int, end: int) -> bool:
    """Whether a manoeuvre held from one state to another is clear of people and of walls.

    People are taken to do what they did: it is about the robot's choice, not about theirs.
    """
    robot, control = record.scenario.robot, record.provenance.control
    pose, reach = record.robot[begin], reach_of(record)
    offsets = record.people[begin : end + 1] - pose[:2]
    gaps = np.hypot(offsets[..., 0], offsets[..., 1])  # (steps, people)
    others = (gaps < NEARBY).any(axis=0) & ~(gaps[0] < reach)  # who is touched already, stays so
    people = record.people[begin + 1 : end + 1, others]
    places = rolled_out(
        pose,
        _twist(record, begin),
        robot,
        control=control,
        dt=record.scenario.dt,
        steps=end - begin,
    )
    places = places[clear_of_people(places, people, reach)]
    if Missing.MAP not in record.scenario.missing and len(places):
        places = places[clear_of_walls(places, record.scenario.floorplan, robot.needed_clearance)]
    return len(places) > 0


def _twist(record: Record, step: int) -> tuple[float, float]:
    """Forward speed and turn rate with which the robot came to a state."""
    if step == 0 or record.provenance.control is Control.POSITION:
        return 0.0, 0.0
    (x, y, before), (to_x, to_y, heading) = (
        record.robot[step - 1].tolist(),
        record.robot[step].tolist(),
    )
    turn = wrapped(heading - before)
    along = before + turn / 2
    chord = (to_x - x) * math.cos(along) + (to_y - y) * math.sin(along)
    dt = record.scenario.dt
    return chord / float(np.sinc(turn / 2 / math.pi)) / dt, turn / dt
