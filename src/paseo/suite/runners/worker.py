"""One worker process: takes jobs, runs them, writes their records."""

import json
import os
import platform
import signal
import sys
import threading
from dataclasses import dataclass, replace
from multiprocessing import connection, parent_process
from multiprocessing.connection import Connection
from pathlib import Path

import numpy as np

from paseo import registry
from paseo.data.suites.episodes import scenario
from paseo.errors import BadFile, InputError, PaseoError
from paseo.files import write_whole
from paseo.sim.simulate import simulate
from paseo.suite.runners.human import human_record
from paseo.suite.runners.kernels import warm_planner
from paseo.suite.runners.watching import Notebook, Replayed, WatchedPlanner
from paseo.suite.runs.jobs import Job
from paseo.suite.runs.results import Result, result_of
from paseo.world.arrays import FloatArray
from paseo.world.recordfile import record_bytes
from paseo.world.records import Provenance, Record

if sys.platform == "linux":
    import fcntl


@dataclass(frozen=True, slots=True)
class Salvage:
    """What is known of an episode whose planner had to be killed, or died."""

    commands: FloatArray  # (answers, 3)
    failure: str
    clock: str


@dataclass(frozen=True, slots=True)
class Task:
    """A job to do, or to bring to an end where its planner is gone."""

    job: Job
    provenance: Provenance
    salvage: Salvage | None = None


Answer = tuple[str, Result | PaseoError]  # the key of the job, and what came of it


def work(tasks: Connection, notes: Notebook) -> None:
    """Do tasks until the other end closes; run as a process of its own."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to handle
    os.dup2(2, 1)  # what a planner prints is talk; stdout is for data
    _die_with_parent()
    here, this_process = Path.cwd(), os.getpid()
    while True:
        try:
            task: Task = tasks.recv()
        except (EOFError, OSError):  # also if the planner closed our end
            return
        os.chdir(here)  # the planner before may have gone elsewhere
        answer = _answer(task, notes)
        if os.getpid() != this_process:
            os._exit(0)  # a copy that the planner forked; the original answers
        try:
            tasks.send(answer)
        except OSError:
            return


def _answer(task: Task, notes: Notebook) -> Answer:
    try:
        return task.job.key, done(task, notes)
    except InputError as error:
        return task.job.key, InputError(str(error))  # its children may not survive the way back
    except PaseoError as error:
        return task.job.key, PaseoError(str(error))


def done(task: Task, notes: Notebook) -> Result:
    """Run one job, write its record and, beside it, what was measured."""
    job, salvage = task.job, task.salvage
    world = scenario(job.episode, job.choices, job.data, seed=job.seed)
    file = job.record.resolve()
    seconds: list[float] = []
    if registry.is_reference(job.planner.reference):
        record = human_record(world, task.provenance)
    elif salvage is None:
        _check_unchanged(task)
        registry.forget_files()  # what the episode before left in them
        limit = job.choices.settings.stall_limit_s
        planner = WatchedPlanner(lambda: warm_planner(job.planner, job.control), notes, limit)
        record = simulate(world, planner, provenance=task.provenance)
        seconds = planner.seconds
        if planner.stalled:
            record = _depending_on_clock(record, f"plan() was limited to {limit:g} s")
    else:
        planner_gone = Replayed(salvage.commands, salvage.failure)
        record = simulate(world, planner_gone, provenance=task.provenance)
        record = _depending_on_clock(record, salvage.clock)
    content = record_bytes(record)
    write_whole(file, content)
    write_whole(file.with_suffix(".timing.json"), _timing(seconds))
    return result_of(job, record, content)


def _check_unchanged(task: Task) -> None:
    made = task.provenance
    if registry.planner_hash(made.planner) != made.planner_hash:
        raise BadFile(
            f"planner '{made.planner}' was changed while it ran, so its records would "
            "not tell which it was; put it back and use --resume, or begin a new run"
        )


def _depending_on_clock(record: Record, why: str) -> Record:
    return replace(record, provenance=replace(record.provenance, clock=why))


def _timing(seconds: list[float]) -> bytes:
    timing = {
        "format": "paseo-timing",
        "version": 1,
        "machine": {
            "system": platform.platform(),
            "processor": platform.processor() or platform.machine(),
            "cores": os.cpu_count(),
            "python": platform.python_version(),
            "numpy": np.__version__,
        },
        "planning_s": [round(second, 7) for second in seconds],
    }
    return json.dumps(timing).encode()


def _die_with_parent() -> None:
    """See to it that this process ends with its parent, whatever the planner is doing then."""
    parent = parent_process()
    if parent is None:
        return
    threading.Thread(target=_exit_after, args=(parent.sentinel,), daemon=True).start()
    # No thread runs while a planner holds the interpreter's lock; Linux itself can end us then.
    if sys.platform == "linux":
        fcntl.fcntl(parent.sentinel, fcntl.F_SETOWN, os.getpid())
        fcntl.fcntl(parent.sentinel, fcntl.F_SETSIG, signal.SIGKILL)
        fcntl.fcntl(parent.sentinel, fcntl.F_SETFL, os.O_ASYNC)


def _exit_after(parent: int) -> None:
    connection.wait([parent])
    os._exit(1)
