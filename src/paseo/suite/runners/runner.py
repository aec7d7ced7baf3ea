"""The seam between a run and the machines it runs on: tasks go out, finished episodes come back."""

import importlib
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from importlib.metadata import entry_points
from typing import Any, Protocol

from paseo.errors import UnknownName
from paseo.suite.runs.jobs import Job
from paseo.suite.runs.results import Result
from paseo.world.records import Provenance

RUNNERS = {
    "local": "paseo.suite.runners.pool:LocalRunner",
    "serial": "paseo.suite.runners.serial:SerialRunner",
}
RUNNER_GROUP = "paseo.runners"


@dataclass(frozen=True, slots=True)
class Task:
    """An episode to run, and what its record is to say of how it was made."""

    job: Job
    provenance: Provenance


@dataclass(frozen=True, slots=True)
class Finished:
    """An episode that has come to an end; whoever asked for it writes the files."""

    result: Result
    record: bytes  # the record's file
    timing: bytes  # what was measured, for the file beside it


class Runner(Protocol):
    """Carries out tasks, somewhere. It is made with the number of `jobs` to do at a time."""

    def results(self, tasks: Sequence[Task]) -> Generator[Finished, None, None]:
        """Carry out every task once and yield each as it is done, in any order.

        A planner that fails has its result as well. Closing the generator ends the work; the
        runner writes no file and prints nothing.
        """


def runner_targets() -> dict[str, str]:
    """Every runner known by name, and the `module:Class` behind it."""
    points = entry_points(group=RUNNER_GROUP)
    return {**{point.name: f"{point.module}:{point.attr}" for point in points}, **RUNNERS}


def make_runner(name: str, jobs: int) -> Runner:
    """A new runner by its name, for so many jobs at a time."""
    known = runner_targets()
    if name not in known:
        raise UnknownName("runner", name, known)
    module, _, kind = known[name].partition(":")
    made: Any = getattr(importlib.import_module(module), kind)
    runner: Runner = made(jobs=jobs)
    return runner
