"""The tasks of a run: by which clock, by how many workers, and with which latencies."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from paseo.data.store.locations import data_dir
from paseo.errors import InputError
from paseo.planners.names import is_reference
from paseo.sim.simulate import kept_by
from paseo.suite.runners.runner import Task
from paseo.suite.runs.jobs import Job, RunPlan, jobs_of
from paseo.suite.runs.planning import NamedPlanner, RunOptions, decided, plan_run
from paseo.suite.runs.rundir import RunDirectory, same
from paseo.suite.runs.timing import read_timing
from paseo.world.clocks import ClockName
from paseo.world.planning import RunPlace
from paseo.world.records import Provenance


def planned(
    target: str | Path | None,
    planners: NamedPlanner | Sequence[NamedPlanner] | None,
    options: RunOptions,
) -> RunPlan:
    """What is asked for; whoever charges the latencies of a run again asks for what it did."""
    folder = options.replay_latency
    if folder is None:
        return plan_run(target, planners, options)
    then = RunDirectory(Path(folder)).plan()
    if not any(job.timekeeping.is_measured for job in jobs_of(then)):
        raise InputError(
            f"{folder} holds a run without measured latencies; omit replay_latency",
            parameters=("replay_latency",),
        )
    data = then.data if options.data is None else data_dir(options.data).resolve()
    plan = replace(then, replay_latency=Path(folder).resolve(), data=data)
    given = [*(["planners"] if planners is not None else []), *decided(options)]
    others = sorted({*given} - {"data", "replay_latency"})
    asked = None if target is None else plan_run(target, planners, options)
    if (asked is None and others) or (asked and not same(plan, _alike(asked, plan))):
        raise InputError(
            f"{folder} holds a run of something else; to charge its latencies again repeat all it "
            "was begun with, or give only replay_latency",
            parameters=("replay_latency", *others),
        )
    return plan


def _alike(asked: RunPlan, plan: RunPlan) -> RunPlan:
    """With what does not matter to whether the same is asked for as in another plan."""
    return replace(asked, data=plan.data, replay_latency=plan.replay_latency)


def tasks_of(
    plan: RunPlan,
    made: Mapping[str, Provenance],
    *,
    alone: bool,
    place: RunPlace | None = None,
) -> list[Task]:
    """One task for each job of the plan, whose planners are `made` like that."""
    tasks = [_task(plan, job, made[job.planner.label], alone) for job in jobs_of(plan)]
    return [replace(task, place=place) for task in tasks]


def place_of(folder: Path, options: RunOptions) -> RunPlace:
    """Where a run is, and what its planners may use together."""
    return RunPlace(
        folder=folder.resolve(),
        max_usd=options.max_usd,
        max_tokens_total=options.max_tokens_total,
        rate_limit_rpm=options.rate_limit_rpm,
    )


def _task(plan: RunPlan, job: Job, made: Provenance, alone: bool) -> Task:
    if is_reference(job.planner.reference):  # it does not think
        return Task(job, made, alone)
    latencies = None
    if plan.replay_latency is not None and job.timekeeping.is_measured:
        latencies = _kept(plan.replay_latency, job)
    return Task(job, kept_by(job.timekeeping, made), alone, latencies)


def _kept(folder: Path, job: Job) -> tuple[float, ...]:
    record = folder / "records" / job.record
    found = read_timing(record).charged_s
    if found is None:
        raise InputError(
            f"{folder} keeps no latencies of {job.key}; expected them in "
            f"records/{record.with_suffix('.timing.json').name}",
            parameters=("replay_latency",),
        )
    return found


def workers(tasks: Sequence[Task], options: RunOptions) -> int:
    """How many there are; usually one alone where it matters how quick planners are."""
    if options.time_planning:
        return 1
    if options.jobs is not None:
        return options.jobs
    return 1 if any(_counts(task) for task in tasks) else os.cpu_count() or 1


def _counts(task: Task) -> bool:
    """Whether the record depends on how quick the planner is."""
    timekeeping = task.provenance.timekeeping
    measured = timekeeping.is_measured and task.latencies is None
    return measured or timekeeping.clock is ClockName.ASYNC
