"""Episode entries into scenarios: maps and recordings found, people placed."""

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain
from pathlib import Path

import numpy as np
from msgspec import structs

from paseo.data.recordings.gait import natural_walk
from paseo.data.recordings.recordings import read_recording
from paseo.data.store.catalog import known_recordings
from paseo.data.store.locations import DataFolder, data_folder
from paseo.data.suites.rules import RULES, named_rule, placed_tracks, without_name_collisions
from paseo.data.suites.suite_file import (
    EpisodeEntry,
    PlacedRecording,
    ReactionEntry,
    RobotEntry,
    Row,
    ScriptedPerson,
    Settings,
    shipped_episodes,
)
from paseo.errors import BadScenario, MissingData, UnknownName
from paseo.files import sha256
from paseo.registry.modules import LARGEST
from paseo.world.scenarios import ROUNDING, Gait, Rule, Scenario, check_task
from paseo.world.space.floorplan import FloorPlan
from paseo.world.tracks import Recording, Track, at_rate

Groups = tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Choices:
    """What a run decides about every episode."""

    rule: Rule = Rule.EVERYONE
    robot: RobotEntry = field(default_factory=RobotEntry)
    settings: Settings = field(default_factory=Settings)


def episode(
    name: str,
    *,
    rule: Rule | str = Rule.EVERYONE,
    data: DataFolder | Path | str | None = None,
    seed: int = 0,
) -> Scenario:
    """The shipped episode of this name; recordings are looked for in `data` or PASEO_DATA."""
    known = shipped_episodes()
    if name not in known:
        raise UnknownName("episode", name, known)
    return scenario(known[name], Choices(rule=named_rule(rule)), data_folder(data), seed=seed)


def scenario(entry: EpisodeEntry, choices: Choices, data: DataFolder, *, seed: int = 0) -> Scenario:
    """The episode with its people found in the data folder and placed by the chosen rule."""
    settings = choices.settings
    tracks, groups = _people(entry, choices.rule, data)
    plan = data.floorplan(entry.map)
    if settings.gait is Gait.NATURAL:
        tracks = _naturally(tracks, entry, settings.dt_s, plan, seed)
    return Scenario(
        name=entry.name,
        floorplan=plan,
        start=entry.start.pose(),
        goal=entry.goal.pose(),
        tracks=tracks,
        groups=groups,
        time_limit=entry.time_limit_s,
        dt=settings.dt_s,
        robot=choices.robot.robot(),
        person_radius=settings.person_radius_m,
        goal_radius=settings.goal_radius_m,
        sensor=settings.sensor.sensor(),
        pause=settings.pause.pause() if settings.pause else None,
        reaction=settings.reaction.reaction() if settings.reaction else None,
        stop_on_contact=settings.stop_on_contact,
        seed=seed,
        rule=choices.rule.value if entry.recordings else "",
        gait=settings.gait if entry.recordings else Gait.RECORDED,
        data_hashes=_hashes(entry, data) | _model_hash(settings.reaction),
    )


def _people(entry: EpisodeEntry, rule: Rule, data: DataFolder) -> tuple[tuple[Track, ...], Groups]:
    recordings = [_recording(placed, data, rule) for placed in entry.recordings]
    chosen = [
        RULES[rule](recording, placed, entry.time_limit_s)
        for recording, placed in zip(recordings, entry.recordings, strict=True)
    ]
    if rule is Rule.SOCNAVBENCH:
        chosen = without_name_collisions(chosen, [placed.ids_above for placed in entry.recordings])
    apart = _id_distance(recordings)
    placed_all = chain.from_iterable(
        placed_tracks(tracks, placed, k * apart)
        for k, (tracks, placed) in enumerate(zip(chosen, entry.recordings, strict=True))
    )
    everybody = [*placed_all, *map(_scripted, entry.people)]
    ids = [track.id for track in everybody]
    if len(set(ids)) < len(ids):
        twice = next(person for person in ids if ids.count(person) > 1)
        raise BadScenario(f"episode '{entry.name}': two people have the id {twice}; change one")
    groups = [
        tuple(person + k * apart for person in group)
        for k, recording in enumerate(recordings)
        for group in recording.groups
    ]
    return tuple(sorted(everybody, key=lambda track: track.id)), _present(groups, set(ids))


def _naturally(
    tracks: Iterable[Track], entry: EpisodeEntry, dt: float, plan: FloorPlan, seed: int
) -> tuple[Track, ...]:
    """The tracks with a natural gait in every state of the episode; scripted people keep theirs."""
    times = np.arange(math.floor(entry.time_limit_s / dt + ROUNDING) + 1, dtype=np.float64) * dt
    scripted = {person.id for person in entry.people}
    return tuple(
        track if track.id in scripted else natural_walk(track, times, plan=plan, seed=seed)
        for track in tracks
    )


def id_distance(entry: EpisodeEntry, rule: Rule, data: DataFolder) -> int:
    """By how much ids of an episode's second recording are above those of its first."""
    return _id_distance([_recording(placed, data, rule) for placed in entry.recordings])


def _id_distance(recordings: Iterable[Recording]) -> int:
    """A power of ten above every id: person 181 of the second placement becomes 1181."""
    ids = [0] + [track.id for recording in recordings for track in recording.tracks]
    return int(10 ** len(str(max(ids) - min(ids))))


def _present(groups: Iterable[tuple[int, ...]], ids: set[int]) -> Groups:
    """The groups, without people who are not there and those left alone by that."""
    kept = (tuple(person for person in group if person in ids) for group in groups)
    return tuple(group for group in kept if len(group) > 1)


def _scripted(person: ScriptedPerson) -> Track:
    path = np.array(person.path)
    return Track(person.id, path[:, 0].copy(), path[:, 1:].copy())


def _recording(placed: PlacedRecording, data: DataFolder, rule: Rule) -> Recording:
    if not data.knows(placed.recording):
        return _recording_file(placed)
    recording = data.recording(placed.recording)
    known = known_recordings().get(placed.recording)
    if known and rule is Rule.SOCNAVBENCH:
        return at_rate(recording, known.socnavbench_fps)
    return recording


def _hashes(entry: EpisodeEntry, data: DataFolder) -> dict[str, str]:
    hashes = {}
    for placed in entry.recordings:
        if data.knows(placed.recording):
            hashes[placed.recording] = data.hash(placed.recording)
        else:
            file = Path(placed.recording)
            hashes[file.name] = sha256(file)
    return hashes


def _model_hash(reaction: ReactionEntry | None) -> dict[str, str]:
    """Of the file that a user's model of people lies in, if it lies in one."""
    file = Path(reaction.by.rpartition(":")[0]) if reaction else Path()
    return {file.name: sha256(file, largest=LARGEST)} if file.suffix == ".py" else {}


def _recording_file(placed: PlacedRecording) -> Recording:
    return _read(Path(placed.recording), placed.format, placed.fps, placed.to_metres)


@lru_cache(maxsize=8)
def _read(
    path: Path, format: str | None, fps: float | None, to_metres: tuple[Row, Row] | None
) -> Recording:
    affine = None if to_metres is None else np.array(to_metres)
    return read_recording(path, format=format, fps=fps, affine=affine)


def recording_ends(entry: EpisodeEntry, data: DataFolder, rule: Rule) -> float | None:
    """Seconds into the episode at which its recording runs out, if it does."""
    left = [
        max(track.times[-1] for track in recording.tracks) - placed.first_frame / recording.fps
        for placed in entry.recordings
        for recording in [_recording(placed, data, rule)]
    ]
    ends = [round(float(seconds), 3) for seconds in left if seconds < entry.time_limit_s]
    return min(ends, default=None)


def check_data(entry: EpisodeEntry, choices: Choices, data: DataFolder) -> None:
    """Raise for an episode whose map, task or recordings cannot be used."""
    check_task(scenario(structs.replace(entry, recordings=[]), choices, data))
    for placed in entry.recordings:
        if data.knows(placed.recording):
            data.hash(placed.recording)  # read and found right when it came here
        elif Path(placed.recording).is_file():
            _recording_file(placed)
        else:
            raise MissingData(
                f"episode '{entry.name}': recording {placed.recording} is neither a file nor one "
                f"of {', '.join(known_recordings())}; check the name"
            )
