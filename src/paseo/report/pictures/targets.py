"""What is to be drawn: records, an episode, or a map; given as values, or by name, file or run."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from paseo.data.maps.floorplans import map_file
from paseo.data.store.locations import DataFolder, data_dir
from paseo.data.suites.episodes import episode
from paseo.data.suites.suite_file import shipped_episodes
from paseo.errors import InputError, UnknownName
from paseo.suite.runs.jobs import Job, jobs_of
from paseo.suite.runs.rundir import RunDirectory
from paseo.world.recordfile import load_record
from paseo.world.records import Record
from paseo.world.scenarios import Scenario
from paseo.world.space.floorplan import FloorPlan

MOST_RECORDS = 12  # in one picture

# Text is the name of an episode or a map, or a path; a path is a record's, a run's or a map's.
Target = Record | Scenario | FloorPlan | Path | str


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """Which records of a run directory are meant."""

    episode: str | None = None  # None: the only one
    planners: Sequence[str] = ()  # empty: all


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """Records, or else an episode, or else a map."""

    records: Sequence[Record] = ()
    episode: Scenario | None = None
    floorplan: FloorPlan | None = None


def find_subject(
    targets: Sequence[Target], selection: Selection, *, data: Path | None = None
) -> Subject:
    """What the targets mean; `data` is the folder of recordings, by default as everywhere."""
    if not targets:
        raise InputError("nothing is named to be drawn; name a record, a run, an episode or a map")
    _check_of_use(selection, targets)
    found = [each for target in targets for each in _records(target, selection)]
    if not found and len(targets) == 1:
        return _place(targets[0], DataFolder(data_dir(data)))
    others = [target for target in targets if not _is_of_records(target)]
    if others:
        raise InputError(
            f"'{name_of(others[0])}' is no record, and only records are drawn together; name "
            "records (.npz) or run directories, or one episode or map alone"
        )
    if len(found) > MOST_RECORDS:
        raise InputError(
            f"{len(found)} records do not fit into one picture, expected at most {MOST_RECORDS}; "
            "name fewer, or choose by planners",
            parameters=("planners",),
        )
    loaded = [each if isinstance(each, Record) else load_record(each) for each in found]
    return Subject(records=loaded)


def _check_of_use(selection: Selection, targets: Sequence[Target]) -> None:
    """Raise where somebody chooses from run directories, and none is named."""
    if any(isinstance(target, Path | str) and Path(target).is_dir() for target in targets):
        return
    for name in ("episode", "planners"):
        if getattr(selection, name):
            raise InputError(
                f"{name} is for run directories, and '{name_of(targets[0])}' is none; omit {name}",
                parameters=(name,),
            )


def check_time(records: Sequence[Record], time_s: float) -> None:
    """Raise `InputError` where all records have ended by then."""
    end = max(float(record.times[-1]) for record in records)
    if not 0 <= time_s <= end + 1e-9:
        raise InputError(
            f"time_s is {time_s:g}, but all is over after {end:g} s", parameters=("time_s",)
        )


def name_of(target: Target) -> str:
    """What a target is called in a sentence."""
    if isinstance(target, Record):
        return target.scenario.name
    return target.name if isinstance(target, Scenario | FloorPlan) else str(target)


def _is_of_records(target: Target) -> bool:
    if isinstance(target, Path | str):
        return str(target).lower().endswith(".npz") or Path(target).is_dir()
    return isinstance(target, Record)


def _records(target: Target, selection: Selection) -> Iterator[Record | Path]:
    """The record or its file, or those files of a run directory that were chosen."""
    if isinstance(target, Path | str) and Path(target).is_dir():
        yield from _files(Path(target), selection)
    elif isinstance(target, Record):
        yield target
    elif isinstance(target, Path | str) and _is_of_records(target):
        yield Path(target)


def _files(run: Path, selection: Selection) -> list[Path]:
    directory = RunDirectory(run)
    plan = directory.plan()
    jobs = jobs_of(plan)
    finished = directory.finished(jobs)
    chosen = [job for job in _chosen(jobs, selection, run) if job.key in finished]
    if not chosen:
        raise InputError(
            f"{run} has no record of that yet; finish the run with resume", parameters=("resume",)
        )
    for job in chosen:
        directory.check_record(plan, job, finished[job.key])
    return [directory.records / finished[job.key].record for job in chosen]


def _chosen(jobs: list[Job], selection: Selection, run: Path) -> list[Job]:
    episodes = list(dict.fromkeys(job.episode.name for job in jobs))
    if selection.episode is None and len(episodes) > 1:
        raise InputError(
            f"{run} holds {len(episodes)} episodes; choose one, e.g. episode {episodes[0]}",
            parameters=("episode",),
        )
    if selection.episode is not None and selection.episode not in episodes:
        raise UnknownName(f"episode of {run}", selection.episode, episodes)
    planners = list(dict.fromkeys(job.planner.label for job in jobs))
    wanted = selection.planners or planners
    for name in wanted:
        if name not in planners:
            raise UnknownName(f"planner of {run}", name, planners)
    name = selection.episode or episodes[0]
    return [job for job in jobs if job.episode.name == name and job.planner.label in wanted]


def _place(target: Target, folder: DataFolder) -> Subject:
    if isinstance(target, Scenario):
        return Subject(episode=target)
    if isinstance(target, FloorPlan):
        return Subject(floorplan=target)
    name = str(target)
    if name in shipped_episodes():
        return Subject(episode=episode(name, data=folder.path))
    maps = folder.maps()
    file = Path(map_file(name))
    if name in maps or file.suffix or file.exists():
        return Subject(floorplan=folder.floorplan(name))
    raise UnknownName("record, run directory, episode or map", name, [*maps, *shipped_episodes()])
