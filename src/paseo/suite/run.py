"""Run a plan into a run directory, from the start or from where it stopped."""

from collections.abc import Callable
from contextlib import closing

from paseo import registry
from paseo.data.suites.episodes import check_data, scenario
from paseo.errors import InputError
from paseo.registry import PlannerChoice
from paseo.suite.runners import pool
from paseo.suite.runners.human import human_variant
from paseo.suite.runners.making import made_within
from paseo.suite.runs.jobs import RunPlan, jobs_of
from paseo.suite.runs.results import Result
from paseo.suite.runs.rundir import RunDirectory
from paseo.world.motion import Control

Progress = Callable[[int, int], None]  # finished, in all


def check_plan(plan: RunPlan) -> None:
    """Raise for what can be known to be wrong before anything runs."""
    for choice in plan.planners:
        with made_within(plan.choices.settings.hang_limit_s, choice.label):
            registry.make_planner(choice)
        now = registry.planner_hash(choice.reference)
        if plan.planner_hashes.get(choice.reference, now) != now:
            raise InputError(
                f"planner '{choice.reference}' was changed since the run was begun; put it back, "
                "or begin a new run in another --out"
            )
    for entry in plan.episodes:
        check_data(entry, plan.choices, plan.data)
    for choice in plan.planners:
        if registry.is_reference(choice.reference):
            _check_reference(choice, plan)


def _check_reference(choice: PlannerChoice, plan: RunPlan) -> None:
    """Raise where a recorded person cannot be followed as the plan asks."""
    if plan.control is Control.VELOCITY:
        raise InputError(
            f"'{choice.label}' follows a recorded walk, which no velocity control can; leave "
            "--control velocity away, or run it apart from the planners"
        )
    person = registry.make_planner(choice).person
    if person is not None:
        for entry in plan.episodes:
            human_variant(scenario(entry, plan.choices, plan.data), person)


def run(
    plan: RunPlan,
    out: RunDirectory,
    *,
    workers: int,
    progress: Progress,
    stored: Callable[[Result], None] = lambda result: None,
) -> list[Result]:
    """Do every job that has no result yet; the results of all, in the order of the plan.

    `stored` is told of each result whose record lies on the disk, also of those from before.
    """
    jobs = jobs_of(plan, out.records)
    results = out.finished(jobs)
    progress(len(results), len(jobs))
    for result in results.values():
        stored(result)
    missing = [job for job in jobs if job.key not in results]
    with closing(pool.results(missing, workers)) as arriving:
        for result in arriving:
            out.add(result)
            stored(result)
            results[result.key] = result
            progress(len(results), len(jobs))
    ordered = [results[job.key] for job in jobs]
    out.write_table(ordered)
    return ordered
