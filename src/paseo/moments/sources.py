"""Where scenes come from: suites, episodes, named crowds and runs, one stage after the other."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from paseo.data.store.locations import DataFolder, data_dir
from paseo.data.suites.episodes import Choices, id_distance, scenario
from paseo.data.suites.suite_file import EpisodeEntry, PlacedRecording, PoseEntry
from paseo.errors import BadValue
from paseo.moments.stages import Identity, Stage, driven_stage, recorded_stage
from paseo.suite.runs.jobs import jobs_of
from paseo.suite.runs.planning import RunOptions, plan_run
from paseo.suite.runs.rundir import RunDirectory
from paseo.suite.windows import window_of
from paseo.world.recordfile import load_record
from paseo.world.scenarios import Rule

STRETCH = 60.0  # seconds of a crowd that are looked at together


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """What scenes are made of."""

    name: str
    is_driven: bool  # by planners; else people carry the camera
    stages: int
    found: Iterator[Stage]


def source_of(target: str, period: float, data: Path | None = None) -> Source:
    """The stages of a suite, an episode, a suite file, a named crowd or a run folder."""
    if RunDirectory(Path(target)).exists:
        return _of_run(Path(target), period)
    folder = DataFolder(data_dir(data).resolve())
    if folder.knows(target):
        entries, choices = _of_crowd(target, folder), Choices()
        name = target
    else:
        plan = plan_run(target, "stop", RunOptions(data=data))
        entries, choices, name = list(plan.episodes), plan.choices, plan.name
    found = (_recorded(entry, choices, folder, period) for entry in entries)
    return Source(name=name, is_driven=False, stages=len(entries), found=found)


def _recorded(entry: EpisodeEntry, choices: Choices, data: DataFolder, period: float) -> Stage:
    made = scenario(entry, choices, data)
    ids = [track.id for track in made.tracks]
    return recorded_stage(made, _identities(entry, ids, choices.rule, data), period)


def _identities(
    entry: EpisodeEntry, ids: Sequence[int], rule: Rule, data: DataFolder
) -> list[Identity]:
    """Who of which recording has each id of an episode."""
    shown = window_of(entry, rule, data)
    apart = id_distance(entry, rule, data)
    scripted = {person.id for person in entry.people}

    def who(id: int) -> Identity:
        if id in scripted:
            return Identity(f"episode {entry.name}", id)
        stretch = shown[min(id // apart, len(shown) - 1)]
        return Identity(stretch.recording, id % apart, stretch.begin_s)

    return [who(id) for id in ids]


def _of_crowd(name: str, data: DataFolder) -> list[EpisodeEntry]:
    """All of a crowd, a minute at a time."""
    recording = data.recording(name)
    place, transform = data.placement(name)
    first = min(float(track.times[0]) for track in recording.tracks)
    last = max(float(track.times[-1]) for track in recording.tracks)
    begins = [first + k * STRETCH for k in range(max(1, math.ceil((last - first) / STRETCH)))]
    nowhere = PoseEntry(x_m=0.0, y_m=0.0, heading_rad=0.0)
    return [
        EpisodeEntry(
            name=f"{name}-{round(begin - first)}s",
            map=place,
            start=nowhere,
            goal=nowhere,
            time_limit_s=STRETCH,
            recordings=[
                PlacedRecording(
                    recording=name,
                    first_frame=round(begin * recording.fps),
                    transform=transform,
                )
            ],
        )
        for begin in begins
    ]


def _of_run(folder: Path, period: float) -> Source:
    directory = RunDirectory(folder)
    plan = directory.plan()
    jobs = jobs_of(plan)
    results = directory.finished(jobs)
    done = [job for job in jobs if job.key in results]
    if not done:
        raise BadValue(f"{folder}: no episode of this run is finished; resume it")
    data, rule = DataFolder(plan.data), plan.choices.rule
    entries = {entry.name: entry for entry in plan.episodes}

    def stages() -> Iterator[Stage]:
        for job in done:
            result = results[job.key]
            record = load_record(directory.records / result.record)
            who = _identities(entries[result.entry], record.ids.tolist(), rule, data)
            yield driven_stage(record, who, period)

    return Source(name=plan.name, is_driven=True, stages=len(done), found=stages())
