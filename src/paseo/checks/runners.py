"""The contract of a runner."""

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from msgspec import structs

from paseo.checks.contract import ContractBroken, refuse
from paseo.suite.runners.preparing import prepared
from paseo.suite.runners.runner import Finished, Runner, Task
from paseo.suite.runners.serial import SerialRunner
from paseo.suite.runs.jobs import jobs_of
from paseo.suite.runs.planning import RunOptions, plan_run
from paseo.world.motion import Twist
from paseo.world.planning import Briefing, Observation

EPISODES = 3
TIME_LIMIT = 1.0  # seconds of each episode

Make = Callable[[int], Runner]  # for so many jobs at a time


class GivesUp:
    """A planner that drives on for a moment and then fails."""

    def begin(self, briefing: Briefing) -> None:
        """Start afresh."""

    def plan(self, observation: Observation) -> Twist:
        """Ahead, then nothing."""
        if observation.time > 0.2:
            raise RuntimeError("no way on")
        return Twist(0.5, 0.0)


def check_runner(make: Make) -> None:
    """Raise `ContractBroken` unless runners made by `make` can carry out a run.

    Called with the number of jobs to do at a time, it must give a runner that carries out every
    task exactly once, in any order; gives for each the result that belongs to its record; makes
    the same records with one job and with two as the runner `serial`; has a result also for a
    planner that fails; stops when it is closed and can be used again; does nothing where there is
    nothing to do; and writes no file where it is called.
    """
    tasks = _tasks()
    expected = {each.result.key: each.record for each in SerialRunner().results(tasks)}
    before = sorted(Path.cwd().iterdir())
    if list(make(1).results([])):
        raise ContractBroken("without any task there are results, expected none")
    for jobs in (1, 2):
        refuse(_faults(list(make(jobs).results(tasks)), expected, jobs))
    _check_closing(make(2), tasks)
    if sorted(Path.cwd().iterdir()) != before:
        raise ContractBroken(f"files were written to {Path.cwd()}, expected none; whoever begins "
                             "a run writes them")  # fmt: skip


def _tasks() -> list[Task]:
    """Short episodes with a planner that works and one that fails."""
    failing = f"{GivesUp.__module__}:{GivesUp.__name__}"
    plan = plan_run("scripted-10", ["straight", failing], RunOptions(limit=EPISODES))
    short = tuple(structs.replace(entry, time_limit_s=TIME_LIMIT) for entry in plan.episodes)
    plan = replace(plan, episodes=short)
    made = prepared(plan).made
    return [Task(job, made[job.planner.label]) for job in jobs_of(plan)]


def _faults(found: Sequence[Finished], expected: dict[str, bytes], jobs: int) -> list[str]:
    """What is wrong with the results of a runner with so many jobs."""
    counts = Counter(each.result.key for each in found)
    faults = [
        f"with {jobs} jobs {key} has {counts[key]} results, expected {int(key in expected)}"
        for key in sorted(counts.keys() | expected.keys())
        if counts[key] != int(key in expected)
    ]
    for each in found:
        key = each.result.key
        if hashlib.sha256(each.record).hexdigest() != each.result.sha256:
            faults.append(f"with {jobs} jobs the result of {key} belongs to another record")
        if each.record != expected.get(key, each.record):
            faults.append(f"with {jobs} jobs the record of {key} is not the one of runner serial")
        if json.loads(each.timing).get("format") != "paseo-timing":
            faults.append(f"with {jobs} jobs the timing of {key} is not what was measured")
    return faults


def _check_closing(runner: Runner, tasks: Sequence[Task]) -> None:
    arriving = runner.results(tasks)
    next(arriving)
    arriving.close()
    again = len(list(runner.results(tasks[:1])))
    if again != 1:
        raise ContractBroken(f"closed and used again for one task, it has {again} results")
