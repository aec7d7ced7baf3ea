"""What `paseo draw` was asked to draw: records, an episode, or a map."""

import argparse
from collections.abc import Sequence
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """Records, or else an episode, or else a map."""

    records: Sequence[Record] = ()
    episode: Scenario | None = None
    floorplan: FloorPlan | None = None


def find_drawn(options: argparse.Namespace) -> Drawn:
    """What the words on the command line mean."""
    targets: list[str] = options.targets
    files = [file for target in targets for file in _record_files(target, options)]
    if not files and len(targets) == 1:
        return _place(targets[0], DataFolder(data_dir(options.data)))
    if not all(map(_is_of_records, targets)):
        named = next(target for target in targets if not _is_of_records(target))
        raise InputError(
            f"'{named}' is no record, and only records are drawn together; name records (.npz) or "
            "run directories, or one episode or map alone"
        )
    if len(files) > MOST_RECORDS:
        raise InputError(
            f"{len(files)} records do not fit into one picture, expected at most {MOST_RECORDS}; "
            "name fewer, or choose by --planner"
        )
    return Drawn(records=[load_record(file) for file in files])


def _is_of_records(target: str) -> bool:
    return target.lower().endswith(".npz") or Path(target).is_dir()


def _record_files(target: str, options: argparse.Namespace) -> list[Path]:
    """The record, or those of a run directory that were chosen."""
    if not Path(target).is_dir():
        return [Path(target)] if _is_of_records(target) else []
    directory = RunDirectory(Path(target))
    jobs = jobs_of(directory.plan())
    finished = directory.finished(jobs)
    chosen = [job for job in _chosen(jobs, options, target) if job.key in finished]
    if not chosen:
        raise InputError(
            f"{target} has no record of that yet; finish it with: paseo run --resume --out {target}"
        )
    return [directory.records / finished[job.key].record for job in chosen]


def _chosen(jobs: list[Job], options: argparse.Namespace, target: str) -> list[Job]:
    episodes = list(dict.fromkeys(job.episode.name for job in jobs))
    if options.episode is None and len(episodes) > 1:
        raise InputError(
            f"{target} holds {len(episodes)} episodes; choose one, e.g. --episode {episodes[0]}"
        )
    if options.episode is not None and options.episode not in episodes:
        raise UnknownName(f"episode of {target}", options.episode, episodes)
    planners = list(dict.fromkeys(job.planner.label for job in jobs))
    wanted = planners if options.planner is None else options.planner.split(",")
    for name in wanted:
        if name not in planners:
            raise UnknownName(f"planner of {target}", name, planners)
    episode_name = options.episode or episodes[0]
    return [job for job in jobs if job.episode.name == episode_name and job.planner.label in wanted]


def _place(name: str, folder: DataFolder) -> Drawn:
    if name in shipped_episodes():
        return Drawn(episode=episode(name, data=folder.path))
    maps = folder.maps()
    file = Path(map_file(name))
    if name in maps or file.suffix or file.exists():
        return Drawn(floorplan=folder.floorplan(name))
    raise UnknownName("record, run directory, episode or map", name, [*maps, *shipped_episodes()])
