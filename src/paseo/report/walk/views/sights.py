"""Which moments of a drive are worth seeing through the robot's camera."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import islice

import numpy as np

from paseo.errors import BadValue, InputError, UnknownName
from paseo.metrics.encounters import Encounter, PeopleOnClock, encounters
from paseo.metrics.reference_drives import TICK, Drive
from paseo.world.arrays import FloatArray
from paseo.world.cameras import Camera, level_camera
from paseo.world.records import Contact, Record
from paseo.world.scenarios import Missing

BEFORE = 1.0  # seconds: how long before a contact it is looked at, too
APART = 0.25  # seconds: of moments nearer to each other the less important is left out
MOST_MB = 1000.0
SAME = 1e-6  # seconds
Moment = tuple[str, float]  # name of an episode, seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class RobotViews:
    """Of which moments a report has pictures, by which camera, and how many at most."""

    most: int = 5  # of each drive
    moments: Sequence[Moment] = ()  # of all drives of an episode; empty: where it matters
    most_mb: float = 20.0  # of all pictures, as they stand in the page
    camera: Camera = field(default_factory=lambda: level_camera(320, 240, across=math.radians(75)))

    def __post_init__(self) -> None:
        if self.most < 1:
            raise BadValue(f"{self.most} views of each drive, expected at least 1")
        if not 0 < self.most_mb <= MOST_MB:
            raise BadValue(
                f"views of {self.most_mb:g} MB in all, expected over 0 and up to {MOST_MB:g}"
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class Sight:
    """A moment worth seeing, whom it is about, and why."""

    time: float
    person: int | None
    words: str


def chosen_sights(record: Record, views: RobotViews) -> tuple[Sight, ...]:
    """The moments of a record that are asked for, dearest first."""
    if not views.moments:
        return sights_of(record, views.most)
    end, name = float(record.times[-1]), record.scenario.name
    times = [time for episode, time in views.moments if episode == name and time <= end + SAME]
    return tuple(_looked_at(record, time) for time in dict.fromkeys(times))


def check_moments(views: RobotViews, ends: Sequence[Moment]) -> None:
    """Raise for moments of no episode, or after the end of all its drives."""
    for name, time in views.moments:
        if name not in dict(ends):
            raise UnknownName("episode of these runs", name, dict(ends))
        last = max(end for episode, end in ends if episode == name)
        if not 0 <= time <= last + SAME:
            raise InputError(
                f"views: '{name}' at {time:g} s was asked for, but all is over after {last:g} s",
                parameters=("views",),
            )


def sights_of(record: Record, most: int) -> tuple[Sight, ...]:
    """Where it matters, dearest first.

    That is the first contact and a second before it, the closest approach, the first encounter,
    and the other contacts.
    """
    contacts = [contact for contact in record.contacts if contact.counted]
    first = [sight for contact in contacts[:1] for sight in _of_contact(record, contact)]
    rest = [sight for contact in contacts[1:] for sight in _of_contact(record, contact)]
    found = [*first, *_closest(record), *_first_met(record), *rest]
    kept: list[Sight] = []
    for sight in found:
        if all(abs(sight.time - other.time) >= APART for other in kept):
            kept.append(sight)
    return tuple(islice(kept, most))


def _of_contact(record: Record, contact: Contact) -> list[Sight]:
    time, person = contact.first_step * record.scenario.dt, contact.person
    ahead = min(BEFORE, time)
    sights = [Sight(time=time, person=person, words=f"contact with person {person}")]
    if ahead >= APART:
        words = f"{ahead:.2g} s before contact with person {person}"
        sights.append(Sight(time=time - ahead, person=person, words=words))
    return sights


def _closest(record: Record) -> list[Sight]:
    """The closest approach of one who was never touched; none where somebody was."""
    gaps = _gaps(record)
    if np.isnan(gaps).all() or np.nanmin(gaps) < 0:
        return []
    step, column = divmod(int(np.nanargmin(gaps)), gaps.shape[1])
    person = int(record.ids[column])
    words = f"closest to anybody: {gaps[step, column]:.1f} m from person {person}"
    return [Sight(time=step * record.scenario.dt, person=person, words=words)]


def _gaps(record: Record) -> FloatArray:
    """Metres between the edges of the robot and of everybody, (states, people)."""
    apart = record.people - record.robot[:, None, :2]
    reach = record.scenario.robot.radius + record.scenario.person_radius
    gaps: FloatArray = np.hypot(apart[..., 0], apart[..., 1]) - reach
    return gaps


def _first_met(record: Record) -> list[Sight]:
    found = _met(record)
    if not found:
        return []
    first = min(found, key=lambda each: (each.time, each.person))
    return [Sight(time=first.time, person=first.person, words=f"first meets person {first.person}")]


def _met(record: Record) -> Sequence[Encounter]:
    """Whom the robot met, as encounters are defined for reference drives."""
    ticks = np.arange(math.floor(float(record.times[-1]) / TICK + SAME) + 1)
    states = np.round(ticks * TICK / record.scenario.dt).astype(np.int64)
    if len(states) < 2 or Missing.MAP in record.scenario.missing or not len(record.ids):
        return ()
    robot, people = record.robot[states], record.people[states]
    headings = np.stack([np.cos(robot[:-1, 2]), np.sin(robot[:-1, 2])], axis=1)
    drive = Drive(robot[:-1, :2], np.diff(robot[:, :2], axis=0) / TICK, headings)
    crowd = PeopleOnClock(
        ids=tuple(record.ids.tolist()),
        positions=people[:-1],
        velocities=np.diff(people, axis=0) / TICK,
    )
    return encounters(crowd, drive, record.scenario.floorplan).met


def _looked_at(record: Record, time: float) -> Sight:
    """A moment that somebody asked for, with whoever is nearest."""
    step = min(round(time / record.scenario.dt), len(record.robot) - 1)
    gaps = _gaps(record)[step]
    if np.isnan(gaps).all():
        return Sight(time=time, person=None, words="nobody is there")
    column = int(np.nanargmin(gaps))
    person, gap = int(record.ids[column]), max(float(gaps[column]), 0.0)
    return Sight(time=time, person=person, words=f"nearest: person {person}, {gap:.1f} m away")
