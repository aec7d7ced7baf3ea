"""One worker process: takes jobs, runs them, writes their records."""

import json
import os
import platform
import signal
import threading
from dataclasses import dataclass, replace
from multiprocessing import connection, parent_process
from multiprocessing.connection import Connection

import numpy as np

from paseo import registry
from paseo.data.episodes import scenario
from paseo.errors import PaseoError
from paseo.sim.simulate import described, simulate
from paseo.suite.jobs import Job
from paseo.suite.results import Result, result_of
from paseo.suite.watching import Notebook, Replayed, WatchedPlanner
from paseo.world.people import FloatArray
from paseo.world.recordfile import record_bytes, write_atomically
from paseo.world.records import Provenance, Record


@dataclass(frozen=True, slots=True)
class Salvage:
    """What is known of an episode whose planner had to be killed, or died."""

    commands: FloatArray  # (answers, 3)
    failure: str
    clock: str


Task = tuple[Job, Salvage | None]
Answer = Result | PaseoError


def work(tasks: Connection, notes: Notebook) -> None:
    """Do tasks until the other end closes; run as a process of its own."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to handle
    threading.Thread(target=_die_with_parent, daemon=True).start()
    while True:
        try:
            task: Task = tasks.recv()
        except EOFError:
            return
        try:
            answer: Answer = done(*task, notes)
        except PaseoError as error:
            answer = error
        tasks.send(answer)


def done(job: Job, salvage: Salvage | None, notes: Notebook) -> Result:
    """Run one job, write its record and, beside it, what was measured."""
    world = scenario(job.episode, job.choices, job.data, seed=job.seed)
    provenance = provenance_of(job)
    seconds: list[float] = []
    if salvage is None:
        limit = job.choices.settings.stall_limit_s
        planner = WatchedPlanner(registry.make_planner(job.planner), notes, limit)
        record = simulate(world, planner, provenance=provenance)
        seconds = planner.seconds
        if planner.stalled:
            record = _depending_on_clock(record, f"plan() was limited to {limit:g} s")
    else:
        planner_gone = Replayed(salvage.commands, salvage.failure)
        record = simulate(world, planner_gone, provenance=provenance)
        record = _depending_on_clock(record, salvage.clock)
    content = record_bytes(record)
    write_atomically(job.record, content)
    write_atomically(job.record.with_suffix(".timing.json"), _timing(seconds))
    return result_of(job, record, content)


def provenance_of(job: Job) -> Provenance:
    """How to make the record again."""
    planner = described(registry.make_planner(job.planner), job.control)
    return replace(
        planner,
        planner=job.planner.reference,
        parameters={**job.planner.parameters, **planner.parameters},
        planner_hash=registry.planner_hash(job.planner.reference),
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
    parent = parent_process()
    if parent is not None:
        connection.wait([parent.sentinel])
        os._exit(1)
