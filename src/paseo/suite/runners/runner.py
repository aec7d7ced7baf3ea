"""The seam between a run and the machines it runs on: tasks go out, finished episodes come back."""

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from typing import Protocol

from paseo.errors import PaseoError
from paseo.registry.registry import Registry, lacks, made
from paseo.suite.runs.jobs import Job
from paseo.suite.runs.results import Result
from paseo.world.planning import RunPlace
from paseo.world.records import Provenance


@dataclass(frozen=True, slots=True)
class Task:
    """An episode to run, and what its record is to say of how it was made."""

    job: Job
    provenance: Provenance
    alone: bool = False  # its planner is timed: nothing else runs, and it is kept to one core
    latencies: tuple[float, ...] | None = None  # to charge again, where none is declared
    place: RunPlace | None = None  # where the run is, for planners that keep something


@dataclass(frozen=True, slots=True)
class Finished:
    """An episode that has come to an end; whoever asked for it writes the files."""

    result: Result
    record: bytes  # the record's file
    timing: bytes  # what was measured, for the file beside it
    deaths: int = 0  # of workers that had the episode before
    decisions: bytes = b""  # what the planner noted, for a file of its own; mostly nothing


class Runner(Protocol):
    """Carries out tasks, somewhere. It is made with the number of `jobs` to do at a time."""

    def results(self, tasks: Sequence[Task]) -> Generator[Finished, None, None]:
        """Carry out every task once and yield each as it is done, in any order.

        A planner that fails has its result as well. Closing the generator ends the work; the
        runner writes no file and prints nothing.
        """


RUNNERS: Registry[Callable[[int], Runner]] = Registry(
    kind="runner",
    group="paseo.runners",
    shipped={
        "local": "paseo.suite.runners.pool:LocalRunner",
        "serial": "paseo.suite.runners.serial:SerialRunner",
    },
    fault=lacks("results"),
)


def make_runner(name: str, jobs: int) -> Runner:
    """A new runner by its name, for so many jobs at a time."""
    kind = RUNNERS.find(name)
    return made(f"runner '{name}'", lambda: kind(jobs), told=(PaseoError,))
