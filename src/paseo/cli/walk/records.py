"""`paseo log` and `paseo rerun`."""

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from paseo.cli.arguments import Commands, add_command
from paseo.cli.screen import output, say, stdout
from paseo.cli.trust import add_trust, consent

if TYPE_CHECKING:
    from paseo.suite.rerunning import Difference


def add_record_commands(commands: Commands) -> None:
    """Look into a record, or repeat it."""
    log = add_command(commands, "log", "print what happened in a record", "walk.records", "log")
    log.add_argument("record", type=Path, metavar="RECORD")
    log.add_argument("--csv", type=Path, metavar="FILE", help="every step as CSV; - for stdout")
    log.add_argument(
        "--jsonl", type=Path, metavar="FILE", help="every step as JSON lines; - for stdout"
    )
    rerun = add_command(
        commands, "rerun", "repeat a record and compare the bytes", "walk.records", "rerun"
    )
    rerun.add_argument("record", type=Path, metavar="RECORD")
    rerun.add_argument("--planner", metavar="FILE.py:CLASS", help="where the planner is now")
    rerun.add_argument("--out", type=Path, metavar="FILE", help="keep the new record here")
    add_trust(rerun)


def log(options: argparse.Namespace) -> int:
    """Print a readable log, or export every step."""
    from paseo.report.walk.log import json_lines, readable_log, write_csv
    from paseo.world.recordfile import load_record

    record = load_record(options.record)
    if options.csv:
        with _output(options.csv) as stream:
            write_csv(record, stream)
    if options.jsonl:
        with _output(options.jsonl) as stream:
            stream.writelines(f"{line}\n" for line in json_lines(record))
    if Path("-") not in (options.csv, options.jsonl):
        output(readable_log(record))
    return 0


def rerun(options: argparse.Namespace) -> int:
    """Repeat a record; 0 if the bytes are the same, 1 if not."""
    from paseo.files import write_whole
    from paseo.suite.rerunning import rerun as repeat

    with redirect_stdout(sys.stderr):  # what the planner says is not the answer
        done = repeat(options.record, planner=options.planner, trust=consent(options))
    if options.out:
        write_whole(options.out, done.content)
    if done.old.provenance.clock:
        say(f"the record depends on the wall clock: {done.old.provenance.clock}")
    if done.old.lost:
        say("it was repeated up to where the planner was lost, and not asked what lost it")
    if done.difference is None:
        output(f"identical: {options.record} was repeated byte for byte")
        return 0
    output(f"different: {_told(done.difference)}")
    return 1


def _told(difference: "Difference") -> str:
    from paseo.suite.rerunning import Aspect

    before, now = difference.before, difference.now
    match difference.aspect:
        case Aspect.PLANNER:
            return "the planner's file has changed since"
        case Aspect.VERSION:
            return f"it was made by paseo {before}, not this version"
        case Aspect.PATH:
            return f"the robot is elsewhere from {difference.time:.2f} s on"
        case Aspect.LENGTH:
            return f"it ended after {now:.2f} s instead of {before:.2f} s"
        case Aspect.ENDING:
            return f"it ended as '{now}' instead of '{before}'"
        case Aspect.OTHER:
            return "the robot did the same, something else in the record differs"


@contextmanager
def _output(path: Path) -> Iterator[TextIO]:
    """A text file that appears when it is whole; - is stdout."""
    from paseo.files import cannot_write, draft

    if path == Path("-"):
        with stdout() as stream:
            yield stream
        return
    if path.exists() and not path.is_file():  # a device or a named pipe is not to be replaced
        try:
            with path.open("w", encoding="utf-8", newline="") as stream:
                yield stream
        except OSError as error:
            raise cannot_write(path, error) from error
        return
    with draft(path) as beside, beside.open("w", encoding="utf-8", newline="") as stream:
        yield stream
