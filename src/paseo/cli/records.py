"""`paseo log` and `paseo rerun`."""

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from dataclasses import replace
from pathlib import Path
from typing import TextIO

from paseo import registry
from paseo.errors import InputError, PlannerFailed
from paseo.files import draft, write_whole
from paseo.registry import PlannerChoice
from paseo.report.walk.log import json_lines, readable_log, write_csv
from paseo.sim.simulate import simulate
from paseo.suite.runners.watching import PROCESS_DOWN, Replayed
from paseo.version import paseo_version
from paseo.world.motion import Command
from paseo.world.planning import Briefing, Observation, Planner
from paseo.world.recordfile import load_record, record_bytes
from paseo.world.records import Outcome, Record


def log(options: argparse.Namespace) -> int:
    """Print a readable log, or export every step."""
    record = load_record(options.record)
    if options.csv:
        with _output(options.csv) as stream:
            write_csv(record, stream)
    if options.jsonl:
        with _output(options.jsonl) as stream:
            stream.writelines(f"{line}\n" for line in json_lines(record))
    if Path("-") not in (options.csv, options.jsonl):
        print(readable_log(record))
    return 0


def rerun(options: argparse.Namespace) -> int:
    """Repeat a record; 0 if the bytes are the same, 1 if not."""
    old = load_record(options.record)
    with redirect_stdout(sys.stderr):  # what the planner says is not the answer
        new = repeated(old, options.planner)
    if options.out:
        write_whole(options.out, record_bytes(new))
    if old.provenance.clock:
        _say(f"the record depends on the wall clock: {old.provenance.clock}")
    if was_cut_short(old):
        _say("it was repeated up to where the planner was lost, and not asked what lost it")
    if record_bytes(new) == record_bytes(old):
        print(f"identical: {options.record} was repeated byte for byte")
        return 0
    print(f"different: {_difference(old, new)}")
    return 1


def repeated(old: Record, reference: str | None) -> Record:
    """The record made again from what it holds; the planner may have moved to `reference`."""
    made = old.provenance
    where = reference or made.planner
    if registry.is_reference(where):
        return _walked_again(old)
    registry.forget_files()  # what they hold from an earlier episode is no part of the record
    try:
        planner = registry.make_planner(PlannerChoice(where, made.parameters))
    except InputError as error:
        stop = "" if str(error).endswith((".", "?")) else "."
        raise InputError(
            f"{error}{stop} The record was made with planner '{made.planner}'; name where it is "
            "now with --planner FILE.py:CLASS"
        ) from error
    provenance = replace(
        made,
        paseo_version=paseo_version(),
        # A record made in Python knows no file to compare with.
        planner_hash=registry.planner_hash(where) if made.planner_hash else "",
    )
    if not was_cut_short(old):
        return simulate(old.scenario, planner, provenance=provenance)
    new = simulate(old.scenario, Bounded(planner, len(old.commands)), provenance=provenance)
    same_end = len(new.commands) == len(old.commands)
    return replace(new, reason=old.reason) if same_end else new


def _walked_again(old: Record) -> Record:
    """The record of a reference made again: what it followed are the commands in the record."""
    if not registry.is_reference(old.provenance.planner):
        raise InputError(
            f"the record was made with planner '{old.provenance.planner}' and follows nobody; "
            "leave --planner away"
        )
    provenance = replace(old.provenance, paseo_version=paseo_version())
    follower = Replayed(old.commands, old.reason.removesuffix(" after 0.00 s"))
    return simulate(old.scenario, follower, provenance=provenance)


def was_cut_short(record: Record) -> bool:
    """Whether the planner hung, stalled or died: asked again, it might take us with it."""
    gone = bool(record.provenance.clock) or record.reason.startswith(PROCESS_DOWN)
    return record.outcome is Outcome.PLANNER_FAILED and gone


class Bounded:
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


def _difference(old: Record, new: Record) -> str:
    """The first thing that differs, most telling first."""
    if old.provenance.planner_hash != new.provenance.planner_hash:
        return "the planner's file has changed since"
    if old.provenance.paseo_version != new.provenance.paseo_version:
        return f"it was made by paseo {old.provenance.paseo_version}, not this version"
    for step, (before, now) in enumerate(zip(old.robot, new.robot, strict=False)):
        if before.tobytes() != now.tobytes():
            return f"the robot is elsewhere from {step * old.scenario.dt:.2f} s on"
    if len(old.robot) != len(new.robot):
        return f"it ended after {new.times[-1]:.2f} s instead of {old.times[-1]:.2f} s"
    if old.outcome is not new.outcome or old.reason != new.reason:
        return f"it ended as '{new.reason}' instead of '{old.reason}'"
    return "the robot did the same, something else in the record differs"


@contextmanager
def _output(path: Path) -> Iterator[TextIO]:
    """A text file that appears when it is whole; - is stdout."""
    if path == Path("-"):
        yield sys.stdout
        return
    if path.exists() and not path.is_file():  # a device or a named pipe is not to be replaced
        with path.open("w", encoding="utf-8", newline="") as stream:
            yield stream
        return
    with draft(path) as beside, beside.open("w", encoding="utf-8", newline="") as stream:
        yield stream


def _say(message: str) -> None:
    print(f"paseo: {message}", file=sys.stderr)
