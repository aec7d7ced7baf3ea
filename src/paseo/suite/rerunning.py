"""Repeat a record from what it holds, and say what differs."""

from dataclasses import dataclass, replace
from enum import Enum, auto
from pathlib import Path
from typing import Any

from paseo.errors import InputError, PlannerFailed
from paseo.planners.choices import PlannerChoice, make_planner
from paseo.planners.names import is_reference, planner_hash
from paseo.registry.modules import forget_files
from paseo.sim.simulate import simulate
from paseo.suite.runners.watching import Replayed
from paseo.suite.runs.planning import named_planners
from paseo.version import paseo_version
from paseo.world.motion import Command
from paseo.world.planning import Briefing, Observation, Planner
from paseo.world.recordfile import load_record, record_bytes
from paseo.world.records import Outcome, Provenance, Record


class Aspect(Enum):
    """In what two records of an episode can differ, the most telling first."""

    PLANNER = auto()  # the planner's file is another
    VERSION = auto()  # another Paseo made it
    PATH = auto()  # the robot is elsewhere from some time on
    LENGTH = auto()  # it ended sooner or later
    ENDING = auto()  # it ended for another reason
    OTHER = auto()  # the robot did the same


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """The first difference between a record and its repetition."""

    aspect: Aspect
    before: str | float | None = None  # a version, the seconds at the end, or a reason
    now: str | float | None = None
    time: float | None = None  # seconds since the start, of a path


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Rerun:
    """A record and its repetition."""

    old: Record
    record: Record
    content: bytes  # the new record's file
    difference: Difference | None  # None: it was repeated byte for byte

    @property
    def is_identical(self) -> bool:
        """Whether the two records are the same bytes."""
        return self.difference is None


def rerun(record: Record | Path | str, *, planner: str | type[Any] | None = None) -> Rerun:
    """Make a record again; `planner` says where its planner is now, if it has moved.

    A planner that was lost is asked only up to there; of one that drove from outside, the
    commands are repeated.
    """
    old = record if isinstance(record, Record) else load_record(Path(record))
    reference = old.provenance.planner if planner is None else named_planners(planner)[0].reference
    from_outside = planner is None and old.provenance.transport
    again = from_outside or is_reference(reference)
    new = _walked_again(old) if again else _repeated(old, reference)
    content = record_bytes(new)
    same = content == record_bytes(old)
    return Rerun(
        old=old, record=new, content=content, difference=None if same else difference(old, new)
    )


def difference(old: Record, new: Record) -> Difference:
    """The first thing that differs, most telling first."""
    before, now = old.provenance, new.provenance
    if before.planner_hash != now.planner_hash:
        return Difference(aspect=Aspect.PLANNER)
    if before.paseo_version != now.paseo_version:
        versions = before.paseo_version, now.paseo_version
        return Difference(aspect=Aspect.VERSION, before=versions[0], now=versions[1])
    for step, (there, here) in enumerate(zip(old.robot, new.robot, strict=False)):
        if there.tobytes() != here.tobytes():
            return Difference(aspect=Aspect.PATH, time=step * old.scenario.dt)
    ends = float(old.times[-1]), float(new.times[-1])
    if len(old.robot) != len(new.robot):
        return Difference(aspect=Aspect.LENGTH, before=ends[0], now=ends[1])
    if old.outcome is not new.outcome or old.reason != new.reason:
        return Difference(aspect=Aspect.ENDING, before=old.reason, now=new.reason)
    return Difference(aspect=Aspect.OTHER)


def _repeated(old: Record, reference: str) -> Record:
    planner = _planner_again(old.provenance, reference)
    provenance = replace(
        old.provenance,
        paseo_version=paseo_version(),
        # A record made in Python knows no file to compare with.
        planner_hash=planner_hash(reference) if old.provenance.planner_hash else "",
    )
    if not old.lost:
        return simulate(old.scenario, planner, provenance=provenance)
    bounded = BoundedPlanner(planner, len(old.commands))
    return _ended_alike(simulate(old.scenario, bounded, provenance=provenance), old)


def _planner_again(made: Provenance, reference: str) -> Planner:
    forget_files()  # what they hold from an earlier episode is no part of the record
    try:
        planner: Planner = make_planner(PlannerChoice(reference, made.parameters))
    except InputError as error:
        stop = "" if str(error).endswith((".", "?")) else "."
        raise InputError(
            f"{error}{stop} The record was made with planner '{made.planner}'; name where it is "
            'now with planner="file.py:Class"',
            parameters=("planner=",),  # the word alone is said of other things here
        ) from error
    return planner


def _walked_again(old: Record) -> Record:
    """The record made again from the commands in it."""
    if not old.provenance.transport and not is_reference(old.provenance.planner):
        raise InputError(
            f"the record of '{old.provenance.planner}' follows nobody; omit planner",
            parameters=("planner",),
        )
    provenance = replace(old.provenance, paseo_version=paseo_version())
    follower = Replayed(old.commands, "the record ends here")
    return _ended_alike(simulate(old.scenario, follower, provenance=provenance), old)


def _ended_alike(new: Record, old: Record) -> Record:
    """The repetition of a failure that nobody was asked to repeat, with the old words for it."""
    alike = new.outcome is old.outcome is Outcome.PLANNER_FAILED
    if not alike or len(new.commands) != len(old.commands):
        return new
    return replace(new, reason=old.reason, lost=old.lost)


class BoundedPlanner:
    """A planner that is asked only so many times."""

    def __init__(self, planner: Planner, answers: int) -> None:
        self._planner, self._left = planner, answers

    def begin(self, briefing: Briefing) -> None:
        """Pass it on, unless the planner may have been lost in that very call."""
        if self._left:
            self._planner.begin(briefing)

    def plan(self, observation: Observation) -> Command:
        """Pass it on until the answers are used up."""
        if not self._left:
            raise PlannerFailed("the record ends here")
        self._left -= 1
        return self._planner.plan(observation)
