"""Finished runs, measured and compared: every metric of every episode of run directories."""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Protocol, TypeVar

import numpy as np
from msgspec import structs

from paseo.data.maps.floorplans import find_floorplan
from paseo.data.recordings.robot_log import read_robot_log
from paseo.data.store.locations import DataFolder
from paseo.data.suites.priorities_file import read_priorities
from paseo.data.suites.suite_file import EpisodeEntry
from paseo.errors import BadValue, InputError, UnknownName
from paseo.metrics.comparison.asking import EVERYTHING, Asked, By
from paseo.metrics.comparison.clusters import Window
from paseo.metrics.comparison.comparison import Comparison, compare
from paseo.metrics.comparison.measured import MeasuredEpisode, PooledSums
from paseo.metrics.comparison.priorities import Limit, Ranked, ranking
from paseo.metrics.comparison.rows import Row, settings_of
from paseo.metrics.record.catalog import METRICS, PUBLISHED
from paseo.metrics.record.measure import measure
from paseo.metrics.record.metric import Measurement, Metric, Variant
from paseo.metrics.record.names import find_metric, installed_metrics
from paseo.planners.names import is_reference
from paseo.progress import Progress, silent
from paseo.suite.forked import shared
from paseo.suite.kinds import with_kinds
from paseo.suite.runs.agreement import check_agreement
from paseo.suite.runs.jobs import Job, jobs_of
from paseo.suite.runs.results import Result
from paseo.suite.runs.rundir import RunDirectory
from paseo.suite.runs.timing import read_timing
from paseo.suite.windows import window_of
from paseo.text import in_a_line
from paseo.world.arrays import FloatArray
from paseo.world.motion import Control, Pose
from paseo.world.recordfile import load_record
from paseo.world.records import Outcome, Record

V = TypeVar("V")


class InFolder(Protocol):
    """What has been run, wherever its results are."""

    @property
    def folder(self) -> Path:
        """The run directory."""


RunPlace = str | Path | InFolder
Runs = RunPlace | Sequence[RunPlace]


def compare_runs(
    runs: Runs,
    *,
    metrics: Sequence[Metric | str] = (),
    variant: str = Variant.DEFINITION,
    asked: Asked = EVERYTHING,
    priorities: str | Path | None = None,
    seed: int = 0,
    progress: Progress = silent,
) -> Comparison:
    """The planners of finished runs side by side; `metrics` are compared besides Paseo's own.

    A metric may be named (`file.py:name`); `asked` chooses rows, metrics and episodes; `seed` draws
    the intervals of ranks, and planners are ranked by a file of `priorities`, where there is one.
    """
    chosen = chosen_metrics(metrics, variant)
    measured = measured_runs(folders_of(runs), chosen, progress=progress)
    if asked.by in (By.FLOW, By.DENSITY):
        measured = with_kinds(measured)
    comparison = compare(measured, chosen, np.random.default_rng(seed), asked=asked)
    if priorities is None:
        return comparison
    return replace(comparison, ranking=tuple(_ranked(Path(priorities), comparison)))


def measure_file(
    file: str | Path,
    *,
    goal: Pose | None = None,
    map: str | None = None,
    metrics: Sequence[Metric | str] = (),
    variant: str = Variant.DEFINITION,
) -> dict[str, Measurement]:
    """Every metric of a record (.npz), or of a robot's log (CSV) with the goal and map it had."""
    path = Path(file)
    planning = read_timing(path).processor_s
    if path.suffix != ".npz":
        floorplan = find_floorplan(map, Path()) if map else None
        record = read_robot_log(path, goal=goal, floorplan=floorplan)
    elif goal or map:
        raise InputError(
            "goal and map are for CSV logs; a record holds its own", parameters=("goal", "map")
        )
    else:
        record = load_record(path)
    return measure(record, metrics=chosen_metrics(metrics, variant), planning_s=planning)


def chosen_metrics(
    own: Sequence[Metric | str] = (), variant: str = Variant.DEFINITION
) -> tuple[Metric, ...]:
    """Paseo's metrics in the wanted variant, those of other packages, and your own."""
    if variant not in list(Variant):
        raise UnknownName("variant", variant, Variant)
    shipped = PUBLISHED if Variant(variant) is Variant.PUBLISHED else METRICS
    found = [find_metric(each) if isinstance(each, str) else each for each in own]
    others = [*installed_metrics(), *found]
    for each in others:
        if not isinstance(each, Metric):
            raise BadValue(f"{each!r:.80} is no metric; decorate its function with @metric")
    names = [each.name for each in (*shipped, *others)]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise BadValue(f"two metrics are called '{twice}'; rename yours")
    return (*shipped, *others)


def folders_of(runs: Runs) -> list[Path]:
    """The run directories, however they are named."""
    several = [runs] if isinstance(runs, str | Path) or hasattr(runs, "folder") else runs
    return [Path(each) if isinstance(each, str | Path) else each.folder for each in several]


def _ranked(path: Path, comparison: Comparison) -> list[Ranked]:
    priorities = read_priorities(path)
    limits = {
        name: Limit(
            -math.inf if limit.at_least is None else limit.at_least,
            math.inf if limit.at_most is None else limit.at_most,
        )
        for name, limit in priorities.limits.items()
    }
    return ranking(comparison.summaries, comparison.metrics, priorities.weights, limits)


def measured_runs(
    folders: Sequence[Path],
    metrics: Iterable[Metric],
    *,
    keep: Sequence[str] = (),
    progress: Progress = silent,
) -> list[MeasuredEpisode]:
    """One `MeasuredEpisode` for each result in the run directories, which must be finished.

    Of the metrics named in `keep` all samples are kept, of others only their means.
    """
    found = viewed_runs(folders, metrics, _nothing, keep=keep, progress=progress)
    return [episode for episode, _ in found]


def viewed_runs(
    folders: Sequence[Path],
    metrics: Iterable[Metric],
    view: Callable[[Record], V],
    *,
    keep: Sequence[str] = (),
    progress: Progress = silent,
) -> list[tuple[MeasuredEpisode, V]]:
    """As `measured_runs`, each with a view of its record, which is loaded only once."""
    _check_same_episodes(folders)
    tasks = [task for folder in folders for task in _tasks(folder)]
    work = partial(_measured, metrics=tuple(metrics), keep=tuple(keep), view=view)
    found = list(_told(shared(work, tasks), len(tasks), progress))
    keys = [(each.row, each.episode, each.seed) for each, _ in found]
    if len(set(keys)) < len(keys):
        row, episode, seed = next(key for key in keys if keys.count(key) > 1)
        raise InputError(
            f"'{episode}' with {row.planner} and seed {seed} is in two of the runs; "
            "name only one of them"
        )
    return found


def _check_same_episodes(folders: Sequence[Path]) -> None:
    """Raise where a name stands for two episodes, as it may in two versions of a suite."""
    known: dict[str, tuple[EpisodeEntry, str]] = {}
    for folder in folders:
        plan = RunDirectory(folder).plan()
        for entry in plan.episodes:
            here = _without_folders(entry)
            first, suite = known.setdefault(entry.name, (here, plan.name))
            if here != first:
                raise InputError(
                    f"'{entry.name}' is another episode in {plan.name} than in {suite}; name runs "
                    "of one version of the suite"
                )


def _without_folders(entry: EpisodeEntry) -> EpisodeEntry:
    """The episode as it is called wherever its files lie."""
    recordings = [
        structs.replace(placed, recording=Path(placed.recording).name)
        for placed in entry.recordings
    ]
    return structs.replace(entry, map=Path(entry.map).name, recordings=recordings, note="")


def _nothing(record: Record) -> None:
    """A view that shows nothing."""


def _told(found: Iterable[V], total: int, progress: Progress) -> Iterator[V]:
    for done, each in enumerate(found, 1):
        progress("measuring", done, total)
        yield each


@dataclass(frozen=True, slots=True, kw_only=True)
class _Task:
    """A result, and where its record is."""

    job: Job
    result: Result
    hashes: Mapping[str, str]  # of planners' files, by reference
    record: Path
    window: Window
    map: str


def _tasks(folder: Path) -> list[_Task]:
    directory = RunDirectory(folder)
    plan = directory.plan()
    jobs = jobs_of(plan)
    results = directory.finished(jobs)
    missing = [job.key for job in jobs if job.key not in results]
    if missing:
        raise InputError(
            f"{folder} is not finished: {len(missing)} of {len(jobs)} episodes are missing, first "
            f"{missing[0]}; finish it with resume",
            parameters=("resume",),
        )
    rule, data = plan.choices.rule, DataFolder(plan.data)
    entries = {entry.name: entry for entry in plan.episodes}
    windows = {name: window_of(entry, rule, data) for name, entry in entries.items()}
    return [
        _Task(
            job=job,
            result=each,
            hashes=plan.planner_hashes,
            record=directory.records / each.record,
            window=windows[each.entry],
            map=entries[each.entry].map,
        )
        for job in jobs
        for each in [results[job.key]]
    ]


def _measured(
    task: _Task,
    *,
    metrics: tuple[Metric, ...],
    keep: tuple[str, ...],
    view: Callable[[Record], V],
) -> tuple[MeasuredEpisode, V]:
    record = load_record(task.record)
    check_agreement(task.record, record, task.job, task.result, task.hashes)
    timing = read_timing(task.record)
    found = measure(record, metrics=metrics, planning_s=timing.processor_s)
    episode = MeasuredEpisode(
        row=_row(task, record),
        episode=task.result.episode,
        seed=task.result.seed,
        window=task.window,
        map=task.map,
        verdict=record.verdict,
        completed=record.outcome is Outcome.REACHED_GOAL,
        time_s=float(record.times[-1]),
        time_limit_s=record.scenario.time_limit,
        values={name: each.value for name, each in found.items()},
        moments={name: _moments(each) for name, each in found.items() if each.metric.pooled},
        machine=timing.machine,
        load=timing.load,
        record=task.record,
        samples=_samples(found, keep),
    )
    return episode, view(record)


def _row(task: _Task, record: Record) -> Row:
    result, scenario, made = task.result, record.scenario, record.provenance
    # With a latency of 0 a record is the same as by the usual clock, and says no more.
    kept = made.timekeeping if result.latency_s is None else task.job.timekeeping
    reference = not made.transport and is_reference(made.planner)
    return Row(
        planner=in_a_line(result.planner),
        control=Control(result.control),
        rule=scenario.rule,
        robot=None if reference else scenario.robot,
        settings=settings_of(scenario),
        reactivity=scenario.reaction.reactivity if scenario.reaction else None,
        clock=replace(kept, latency_s=None),
        latency_s=result.latency_s,
        sight=scenario.sight,
        is_reference=reference,
        name=made.planner,
        parameters=tuple(sorted(made.parameters.items())),
    )


def _samples(found: Mapping[str, Measurement], keep: Sequence[str]) -> dict[str, FloatArray]:
    """The distributions of some metrics; none of those that are not available."""
    kept = {name: found[name].samples for name in keep}
    return {name: samples for name, samples in kept.items() if samples is not None}


def _moments(measurement: Measurement) -> PooledSums:
    samples = measurement.samples
    if samples is None:
        return PooledSums(0, 0.0, 0.0)
    values = samples.astype(np.float64)
    return PooledSums(len(values), float(values.sum()), float((values**2).sum()))
