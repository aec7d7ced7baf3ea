"""Repeat a record from what it holds, and say what differs."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto
from pathlib import Path
from typing import Any

from paseo.errors import InputError, PlannerFailed
from paseo.planners.choices import PlannerChoice, make_planner
from paseo.planners.names import is_reference, planner_hash
from paseo.registry.modules import forget_files
from paseo.registry.trust import Consent, agreed, only_known, remember
from paseo.sim.clock import Ask, Clock
from paseo.sim.simulate import simulate
from paseo.sim.timekeeping import make_clock
from paseo.suite.runners.watching import Replayed
from paseo.suite.runs.imports import code_of_model, code_of_planner, code_of_world
from paseo.suite.runs.planning import named_planners
from paseo.suite.runs.rundir import RunDirectory
from paseo.suite.runs.timing import read_timing
from paseo.version import paseo_version
from paseo.world.clocks import ClockName
from paseo.world.motion import Command
from paseo.world.planning import Observation, Planner, RunPlace, keep_in
from paseo.world.recordfile import load_record, record_bytes
from paseo.world.records import Outcome, Provenance, Record

ENDS = "the record ends here"


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


def rerun(
    record: Record | Path | str,
    *,
    planner: str | type[Any] | None = None,
    latencies: Sequence[float] | None = None,
    trust: Consent = only_known,
) -> Rerun:
    """Make a record again; `planner` says where its planner is now, if it has moved.

    A planner that was lost is asked only up to there; of one that drove from outside, or while
    time ran at the wall clock, the commands are repeated. Where measured latencies were charged,
    `latencies` are by default those in the file beside the record. `trust` is asked before code is
    imported that only the record names.
    """
    old = record if isinstance(record, Record) else _read(Path(record))
    reference = old.provenance.planner if planner is None else named_planners(planner)[0].reference
    again = (planner is None and _is_walked(old)) or is_reference(reference)
    _agree(old, None if again else reference, named=planner is not None, trust=trust)
    if not again and latencies is None and old.provenance.timekeeping.is_measured:
        latencies = _latencies(old, None if isinstance(record, Record) else Path(record))
    place = None if isinstance(record, Record) else _place(Path(record))
    new = _walked_again(old) if again else _repeated(old, reference, latencies, place)
    content = record_bytes(new)
    same = content == record_bytes(old)
    return Rerun(
        old=old, record=new, content=content, difference=None if same else difference(old, new)
    )


def _read(path: Path) -> Record:
    """A record; where it lies in a run directory, it must be what is said of it there."""
    record = load_record(path)
    directory = RunDirectory(path.resolve().parent.parent)
    if path.resolve().parent == directory.records and directory.exists:
        directory.check_file(path)
    return record


def _agree(old: Record, reference: str | None, *, named: bool, trust: Consent) -> None:
    """Have somebody agree to what is imported because the record names it, and not the user."""
    recorded = "" if named else old.provenance.planner_hash
    planner = [] if reference is None else code_of_planner(reference, recorded)
    if named:
        remember(planner)
    model = [] if reference is None else code_of_model(reference, old.provenance.parameters)
    code = [*([] if named else planner), *model, *code_of_world(old)]
    agreed(code, trust, whose="the record")


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


def _is_walked(old: Record) -> bool:
    """Whether nobody can be asked again: somebody outside drove, or time ran at the wall clock."""
    made = old.provenance
    return bool(made.transport) or made.timekeeping.clock is ClockName.ASYNC


def _latencies(old: Record, path: Path | None) -> tuple[float, ...]:
    found = None if path is None else read_timing(path).charged_s
    if found is None:
        where = "the file beside it" if path is None else path.with_suffix(".timing.json").name
        raise InputError(
            f"the record of '{old.provenance.planner}' was charged with measured latencies, which "
            f"are in {where}; put that beside the record, or give latencies",
            parameters=("latencies",),
        )
    return found


def _place(path: Path) -> RunPlace | None:
    """The run that a record lies in, where planners may have kept something; None: none."""
    directory = RunDirectory(path.resolve().parent.parent)
    inside = path.resolve().parent == directory.records and directory.exists
    return RunPlace(folder=directory.folder) if inside else None


def _repeated(
    old: Record, reference: str, latencies: Sequence[float] | None, place: RunPlace | None
) -> Record:
    planner = _planner_again(old.provenance, reference)
    keep_in(planner, place)
    provenance = replace(
        old.provenance,
        paseo_version=paseo_version(),
        # A record made in Python knows no file to compare with.
        planner_hash=planner_hash(reference) if old.provenance.planner_hash else "",
    )
    clock = make_clock(old.provenance.timekeeping, latencies=latencies)
    if not old.lost:
        return simulate(old.scenario, planner, provenance=provenance, clock=clock)
    if not len(old.commands):  # the planner may have been lost when it began
        planner = Replayed(old.commands, ENDS)
    bounded = BoundedClock(clock, len(old.commands))
    return _ended_alike(simulate(old.scenario, planner, provenance=provenance, clock=bounded), old)


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
    if not _is_walked(old) and not is_reference(old.provenance.planner):
        raise InputError(
            f"the record of '{old.provenance.planner}' follows nobody; omit planner",
            parameters=("planner",),
        )
    provenance = replace(old.provenance, paseo_version=paseo_version())
    follower = Replayed(old.commands, ENDS)
    return _ended_alike(simulate(old.scenario, follower, provenance=provenance), old)


def _ended_alike(new: Record, old: Record) -> Record:
    """The repetition of a failure that nobody was asked to repeat, with the old words for it."""
    alike = new.outcome is old.outcome is Outcome.PLANNER_FAILED
    if not alike or len(new.commands) != len(old.commands):
        return new
    return replace(new, reason=old.reason, lost=old.lost)


class BoundedClock:
    """A clock that lets only so many steps pass."""

    def __init__(self, clock: Clock, steps: int) -> None:
        self._clock, self._left = clock, steps
        self.timekeeping = clock.timekeeping

    @property
    def charged(self) -> Sequence[float]:
        """What the clock has charged."""
        return self._clock.charged

    def begin(self, dt: float) -> None:
        """Pass it on."""
        self._clock.begin(dt)

    def command(self, observation: Observation, ask: Ask) -> Command:
        """Pass it on until the steps are used up."""
        if not self._left:
            raise PlannerFailed(ENDS)
        self._left -= 1
        return self._clock.command(observation, ask)

    def end(self) -> None:
        """Pass it on."""
        self._clock.end()
