"""Carry out one task where one is: the episode, its record as bytes, and what was measured."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

import numpy as np

from paseo.errors import BadFile, InputError
from paseo.planners.names import is_reference, planner_hash
from paseo.registry.modules import forget_files
from paseo.sim.clock import Clock
from paseo.sim.simulate import simulate
from paseo.sim.timekeeping import make_clock
from paseo.suite.runners.answers import Driven
from paseo.suite.runners.human import human_record
from paseo.suite.runners.runner import Task
from paseo.suite.runners.watching import TimedPlanner
from paseo.suite.runs.jobs import world_of
from paseo.suite.runs.timing import Timing, timing_bytes
from paseo.world.planning import Planner, decisions_of
from paseo.world.recordfile import record_bytes
from paseo.world.records import Outcome, Record


def carried_out(
    task: Task, ready: Callable[[], Planner], clock: Clock, *, workers: int = 1
) -> Driven:
    """Run the task's episode with the planner that `ready` gives when all else is there.

    For a reference on an episode of its own neither it nor the clock is called. `workers` run at
    the same time.
    """
    world = world_of(task.job)
    if is_reference(task.job.planner.reference):
        way = np.array(task.job.episode.driven) if task.job.episode.driven else None
        return driven(human_record(world, task.provenance, way))
    _check_unchanged(task)
    forget_files()  # what the episode before left in them
    limit = task.job.choices.settings.stall_limit_s
    planner = TimedPlanner(ready(), limit)
    with _one_core(task.alone):
        record = simulate(world, planner, provenance=task.provenance, clock=clock)
    if planner.stalled:
        record = lost_record(record, f"plan() was limited to {limit:g} s")
    else:
        _check_charged(task, clock)
    timing = Timing(
        processor_s=tuple(planner.processor_seconds),
        planning_s=tuple(planner.seconds),
        workers=workers,
        alone=task.alone,
        charged_s=tuple(clock.charged) if clock.timekeeping.is_measured else None,
    )
    return driven(record, timing, decisions_of(planner))


def clock_of(task: Task, hang_limit_s: float) -> Clock:
    """The clock by which the task's record is to be made."""
    timekeeping = task.provenance.timekeeping
    return make_clock(timekeeping, latencies=task.latencies, hang_limit_s=hang_limit_s)


def lost_record(record: Record, clock: str) -> Record:
    """The record of a planner that was lost; `clock` says why that depends on the wall clock."""
    provenance = replace(record.provenance, clock=clock)
    lost = record.outcome is Outcome.PLANNER_FAILED  # or else it was already there
    return replace(record, provenance=provenance, lost=lost)


def driven(record: Record, timing: Timing | None = None, decisions: bytes = b"") -> Driven:
    """A record as the bytes of its file, and what was measured and noted of its planner."""
    return Driven(record_bytes(record), timing_bytes(timing or Timing()), decisions)


@contextmanager
def _one_core(wanted: bool) -> Iterator[None]:
    """Keep this thread to one core, where the system can."""
    if not wanted or not hasattr(os, "sched_setaffinity"):
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(before)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def _check_unchanged(task: Task) -> None:
    made = task.provenance
    if planner_hash(made.planner) != made.planner_hash:
        raise BadFile(
            f"planner '{made.planner}' was changed while it ran, so its records would "
            "not tell which it was; put it back and use resume, or begin a new run",
            parameters=("resume",),
        )


def _check_charged(task: Task, clock: Clock) -> None:
    kept, charged = task.latencies, len(clock.charged)
    if kept is not None and charged < len(kept):
        raise InputError(
            f"{task.job.key}: latencies are kept for {len(kept)} answers, but {charged} were "
            "given: it is not the planner they were measured with",
            parameters=("replay_latency",),
        )
