"""`paseo log` and `paseo rerun`."""

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TextIO

from paseo import registry
from paseo.errors import InputError
from paseo.registry import PlannerChoice
from paseo.report.log import json_lines, readable_log, write_csv
from paseo.sim.simulate import simulate
from paseo.world.recordfile import load_record, record_bytes, write_atomically
from paseo.world.records import Record


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
    new = repeated(old, options.planner)
    if options.out:
        write_atomically(options.out, record_bytes(new))
    if record_bytes(new) == record_bytes(old):
        print(f"identical: {options.record} was repeated byte for byte")
        return 0
    print(f"different: {_difference(old, new)}")
    if old.provenance.clock:
        print(f"the old record depends on the wall clock: {old.provenance.clock}")
    return 1


def repeated(old: Record, reference: str | None) -> Record:
    """The record made again from what it holds; the planner may have moved to `reference`."""
    made = old.provenance
    where = reference or made.planner
    try:
        planner = registry.make_planner(PlannerChoice(where, made.parameters))
    except InputError as error:
        raise InputError(f"{error} The record was made with planner '{made.planner}'; name where "
                         "it is now with --planner FILE.py:CLASS") from error  # fmt: skip
    provenance = replace(
        made,
        paseo_version=registry.paseo_version(),
        planner_hash=registry.planner_hash(where),
        clock="",
    )
    return simulate(old.scenario, planner, provenance=provenance)


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
    draft = path.with_name(f".{path.name}.part")
    try:
        with draft.open("w", encoding="utf-8", newline="") as stream:
            yield stream
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
