"""A piece of a drive, and what can be measured of it: what people saw, no more."""

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from paseo.metrics.comparison.measured import finite
from paseo.metrics.record.measure import PLANNING_TIMES, measure
from paseo.metrics.record.metric import Metric, Population
from paseo.world.arrays import FloatArray
from paseo.world.motion import Pose
from paseo.world.records import Contact, Record
from paseo.world.scenarios import ROUNDING, Missing

LARGEST_VALUE = 1e9  # of a metric
Values = dict[str, float | None]  # by metric; None: undefined or infinite


def values_shown(
    record: Record,
    metrics: Sequence[Metric],
    *,
    shown: tuple[float, float],
    planning_s: Sequence[float],
) -> Values:
    """Every metric of what was shown of a drive, from and to a second of it.

    Of a piece, what needs the whole drive is undefined: how it ended, how the goal was reached, and
    what adds up on the way there. How long the planner thought is nowhere to be seen, and that of
    the whole drive.
    """
    begin, end = shown
    names = [each.name for each in (*metrics, *PLANNING_TIMES)]
    if begin <= 0 and end >= record.times[-1]:
        found = measure(record, metrics=metrics, planning_s=planning_s)
    else:
        steady = [each for each in metrics if each.population is Population.DRIVEN]
        found = measure(piece_of(record, begin, end), metrics=steady, planning_s=planning_s)
    return {name: bounded_value(found[name].value if name in found else None) for name in names}


def bounded_value(value: float | None) -> float | None:
    """A value as a study keeps it."""
    known = finite(value)
    return None if known is None or abs(known) > LARGEST_VALUE else float(known)


def piece_of(record: Record, begin: float, end: float) -> Record:
    """The states of a drive from one second to another, as a drive that has no goal."""
    scenario = record.scenario
    first = math.ceil(begin / scenario.dt - ROUNDING)
    last = min(math.floor(end / scenario.dt + ROUNDING), len(record.robot) - 1)
    tracks = [replace(each, times=each.times - first * scenario.dt) for each in scenario.tracks]
    kept = [_within(each, first, last) for each in record.contacts]
    return replace(
        record,
        scenario=replace(
            scenario,
            start=Pose(*record.robot[first].tolist()),
            tracks=tuple(tracks),
            missing=tuple(dict.fromkeys((*scenario.missing, Missing.GOAL))),
        ),
        robot=record.robot[first : last + 1],
        commands=record.commands[first:last],
        people=record.people[first : last + 1],
        seen=None if record.seen is None else record.seen[first : last + 1],
        perceived=None if record.perceived is None else _sightings(record.perceived, first, last),
        contacts=tuple(filter(None, kept)),
    )


def _within(contact: Contact, first: int, last: int) -> Contact | None:
    """The part of a contact that is seen."""
    if contact.last_step < first or contact.first_step > last:
        return None
    return replace(
        contact,
        first_step=max(contact.first_step, first) - first,
        last_step=min(contact.last_step, last) - first,
    )


def _sightings(perceived: FloatArray, first: int, last: int) -> FloatArray:
    told = perceived[(perceived[:, 0] >= first) & (perceived[:, 0] <= last)]
    moved: FloatArray = told - np.array([first, 0, 0, 0])
    return moved
