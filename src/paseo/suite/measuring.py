"""Finished runs, measured: every metric of every episode of some run directories."""

import json
import multiprocessing
import os
from collections.abc import Iterable, Mapping, Sequence
from multiprocessing.connection import Connection
from pathlib import Path

import numpy as np

from paseo.data.suites.suite_file import EpisodeEntry
from paseo.errors import BadFile, InputError, PaseoError
from paseo.metrics.comparison.comparison import MeasuredEpisode, PooledSums
from paseo.metrics.comparison.rows import Row
from paseo.metrics.record.measure import measure
from paseo.metrics.record.metric import Measurement, Metric
from paseo.planners.names import is_reference
from paseo.suite.runs.jobs import jobs_of
from paseo.suite.runs.results import Result
from paseo.suite.runs.rundir import RunDirectory
from paseo.world.arrays import FloatArray
from paseo.world.motion import Robot
from paseo.world.recordfile import load_record
from paseo.world.records import Outcome, Record
from paseo.world.scenarios import Scenario, Sensor

Task = tuple[Path, Result, dict[str, str], tuple[Metric, ...], tuple[str, ...]]
POOLED = ("speed", "acceleration", "jerk")  # the paper's means and deviations are over steps


def measured_runs(
    folders: Sequence[Path], metrics: Iterable[Metric], *, keep: Sequence[str] = ()
) -> list[MeasuredEpisode]:
    """One `MeasuredEpisode` for each result in the run directories, which must be finished.

    Of the metrics named in `keep` all samples are kept, of others only their means.
    """
    chosen, kept = tuple(metrics), tuple(keep)
    episodes = [each for folder in folders for each in _measured_run(folder, chosen, kept)]
    keys = [(each.row, each.episode, each.seed) for each in episodes]
    if len(set(keys)) < len(keys):
        twice = next(key for key in keys if keys.count(key) > 1)
        raise InputError(
            f"'{twice[1]}' with {twice[0].planner} and seed {twice[2]} is in two of the runs; "
            "name only one of them"
        )
    return episodes


def _measured_run(
    folder: Path, metrics: tuple[Metric, ...], keep: tuple[str, ...]
) -> list[MeasuredEpisode]:
    directory = RunDirectory(folder)
    plan = directory.plan()
    jobs = jobs_of(plan)
    results = directory.finished(jobs)
    missing = [job.key for job in jobs if job.key not in results]
    if missing:
        raise InputError(
            f"{folder} is not finished: {len(missing)} of {len(jobs)} episodes are missing, first "
            f"{missing[0]}; finish it with: paseo run --resume --out {folder}"
        )
    windows = {entry.name: window_of(entry) for entry in plan.episodes}
    tasks = [
        (directory.records / results[job.key].record, results[job.key], windows, metrics, keep)
        for job in jobs
    ]
    return _on_all_cores(tasks)


def _on_all_cores(tasks: list[Task]) -> list[MeasuredEpisode]:
    """Every task measured, in order; forked processes share the work where there are such."""
    shares = os.cpu_count() or 1
    if "fork" not in multiprocessing.get_all_start_methods() or len(tasks) < 4 * shares:
        return [_measured(*task) for task in tasks]
    fork = multiprocessing.get_context("fork")  # passes on metrics as they are, of any kind
    pipes = [fork.Pipe(duplex=False) for _ in range(shares)]
    for k, (_, sender) in enumerate(pipes):
        fork.Process(target=_measure_share, args=(tasks[k::shares], sender), daemon=True).start()
        sender.close()
    try:
        answers = [receiver.recv() for receiver, _ in pipes]
    except EOFError as error:
        raise PaseoError("a process that measured records died; try again") from error
    for answer in answers:
        if isinstance(answer, str):
            raise PaseoError(answer)
    return [answers[k % shares][k // shares] for k in range(len(tasks))]


def _measure_share(tasks: list[Task], sender: Connection) -> None:
    try:
        sender.send([_measured(*task) for task in tasks])
    except PaseoError as error:
        sender.send(str(error))


def window_of(entry: EpisodeEntry) -> str:
    """The stretch of recording an episode shows; episodes that share it share their people."""
    placed = [f"{each.recording}@{each.first_frame}" for each in entry.recordings]
    return "+".join(placed) or entry.name


def _measured(
    path: Path,
    result: Result,
    windows: dict[str, str],
    metrics: tuple[Metric, ...],
    keep: tuple[str, ...],
) -> MeasuredEpisode:
    record = load_record(path)
    planning, machine = _timing(path)
    found = measure(record, metrics=metrics, planning_s=planning)
    return MeasuredEpisode(
        row=_row(result, record),
        episode=result.episode,
        seed=result.seed,
        window=windows[result.entry],
        verdict=record.verdict,
        completed=record.outcome is Outcome.REACHED_GOAL,
        time_s=float(record.times[-1]),
        time_limit_s=record.scenario.time_limit,
        values={name: each.value for name, each in found.items()},
        moments={name: _moments(found[name]) for name in POOLED if name in found},
        machine=machine,
        record=path,
        samples=_samples(found, keep),
    )


def _row(result: Result, record: Record) -> Row:
    reference = is_reference(record.provenance.planner)
    return Row(
        planner=result.planner,
        control=result.control,
        rule=record.scenario.rule,
        robot="whoever is followed" if reference else _robot(record.scenario.robot),
        settings=_settings(record.scenario),
        reactivity=record.scenario.reaction.reactivity if record.scenario.reaction else None,
        is_reference=reference,
    )


def _robot(robot: Robot) -> str:
    """The name, and what tells apart robots of one name."""
    walls = "" if robot.wall_radius is None else f" (walls from {robot.wall_radius:g} m)"
    return (
        f"{robot.name}, radius {robot.radius:g} m{walls}, {robot.max_speed:g} m/s, "
        f"{robot.max_turn:g} rad/s, {robot.max_acceleration:g} m/s^2"
    )


def _settings(scenario: Scenario) -> str:
    """What differs from the usual settings, in words."""
    words = {
        f"steps of {scenario.dt:g} s": scenario.dt != 0.05,
        "ends on contact": scenario.stop_on_contact,
        f"people pause {scenario.pause}": scenario.pause is not None,
        _reaction(scenario): scenario.reaction is not None,
        f"sees by {scenario.sensor}": scenario.sensor != Sensor(),
        f"people of {scenario.person_radius:g} m": scenario.person_radius != 0.2,
        f"goal of {scenario.goal_radius:g} m": scenario.goal_radius != 0.3,
    }
    return ", ".join(word for word, unusual in words.items() if unusual)


def _reaction(scenario: Scenario) -> str:
    reaction = scenario.reaction
    if reaction is None:
        return ""
    some = ", others for some people" * bool(reaction.of_people)
    return f"people answer by {reaction.by}{some}"


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


def planning_times(record: Path) -> list[float]:
    """The planning times measured beside a record; none if they are not there."""
    return _timing(record)[0]


def _timing(record: Path) -> tuple[list[float], str]:
    """Planning times, and the machine they were measured on."""
    path = record.with_suffix(".timing.json")
    try:
        timing = json.loads(path.read_text())
        return [float(second) for second in timing["planning_s"]], json.dumps(timing["machine"])
    except FileNotFoundError:
        return [], ""
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise BadFile(f"{path}: not readable as planning times ({error}); remove it") from error
