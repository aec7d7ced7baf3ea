"""Crowds of recordings, episodes and suites held against real ones."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from paseo.crowd_check.reading import (
    ReadingOptions,
    crowd_file,
    filmed_recording,
    guess_notes,
    read_rows,
)
from paseo.crowd_check.real_crowds import (
    PLACE_OF_MAP,
    RECORDED,
    Likeness,
    Place,
    likeness,
    recorded_profile,
    shipped_real_crowds,
)
from paseo.crowd_check.realism import Profile, crowd_profile, pooled
from paseo.data.recordings.recordings import FASTEST_FPS, SLOWEST_FPS
from paseo.data.settings_file import READERS
from paseo.data.store.locations import DataFolder, data_folder
from paseo.data.suites.episodes import Choices, scenario
from paseo.data.suites.suite_file import (
    EpisodeEntry,
    SuiteFile,
    read_suite,
    shipped_episodes,
    shipped_suites,
)
from paseo.errors import BadValue, MissingData
from paseo.world.tracks import Recording, at_rate

UNREAD = ("fps", "format", "member")  # options that mean nothing to suites


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ComparedCrowd:
    """A crowd, and how near it comes to real ones."""

    name: str
    parts: tuple[Profile, ...]  # several where they are the episodes of a suite
    likenesses: tuple[Likeness, ...]  # one for each place


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CrowdRealism:
    """What a recording or a suite is beside real crowds."""

    crowds: tuple[ComparedCrowd, ...]
    absent: tuple[str, ...] = ()  # recordings that were not there to be compared with exactly
    notes: tuple[str, ...] = ()  # sentences


@dataclass(frozen=True, slots=True)
class _Crowd:
    """A crowd to be compared, and with what if that is known."""

    name: str
    parts: Sequence[Profile]
    place: str | None = None


def crowd_realism(
    target: str,
    *,
    place: str | None = None,
    reading: ReadingOptions | None = None,
    data: DataFolder | Path | None = None,
) -> CrowdRealism:
    """Compare a crowd, or those of a suite or an episode map by map, with real ones.

    The target is a name, or else a recording's or a suite's file. Left out, the place is that of
    a suite's map, or each of the five recordings.
    """
    reading, folder = reading or ReadingOptions(), data_folder(data)
    crowds, notes = _crowds(target, reading, folder)
    places = [_places(place or crowd.place) for crowd in crowds]
    names = dict.fromkeys(name for some in places for each in some for name in each.recordings)
    recorded = {name: profile for name in names if (profile := _recorded(name, folder))}
    bars = shipped_real_crowds().bars
    return CrowdRealism(
        crowds=tuple(
            ComparedCrowd(
                name=crowd.name,
                parts=tuple(crowd.parts),
                likenesses=tuple(
                    likeness(crowd.parts, each, bars, real=_real(each, recorded)) for each in some
                ),
            )
            for crowd, some in zip(crowds, places, strict=True)
        ),
        absent=tuple(name for name in names if name not in recorded),
        notes=tuple(notes),
    )


def _places(wanted: str | None) -> list[Place]:
    """The place wanted, or else the five of one recording each."""
    return [shipped_real_crowds().place(name) for name in ([wanted] if wanted else RECORDED)]


def _recorded(name: str, data: DataFolder) -> Profile | None:
    try:
        return recorded_profile(data.recording(name))
    except MissingData:
        return None


def _real(place: Place, recorded: Mapping[str, Profile]) -> Profile | None:
    """The place as its recordings show it, if all are there."""
    if not all(name in recorded for name in place.recordings):
        return None
    return pooled([recorded[name] for name in place.recordings])


def _crowds(
    target: str, reading: ReadingOptions, data: DataFolder
) -> tuple[list[_Crowd], list[str]]:
    """The crowds that a target means, and notes about how it was read."""
    if data.knows(target):
        return [_of_recording(_named(target, reading, data))], []
    if target in shipped_suites():
        return _of_suite(target, shipped_suites()[target], reading, data), []
    if target in shipped_episodes():
        reading.check_unused(*UNREAD, target=target, kind="an episode")
        return [_of_episodes(target, [shipped_episodes()[target]], Choices(), data)], []
    if Path(target).suffix.lower() in READERS and reading.format is None:
        return _of_suite(target, read_suite(Path(target), data), reading, data), []
    known = [*data.recordings(), *shipped_suites()]
    path = crowd_file(target, known, kind="crowd, suite or file")
    recording, notes = _filmed(path, reading)
    return [_of_recording(recording)], notes


def _of_recording(recording: Recording) -> _Crowd:
    profile = recorded_profile(recording)
    if not profile.people:
        raise BadValue(
            f"{recording.name}: nobody is there at any tick of the 0.4 s clock, so that nothing "
            "can be measured; give a longer recording"
        )
    return _Crowd(recording.name, [profile])


def _of_suite(
    target: str, suite: SuiteFile, reading: ReadingOptions, data: DataFolder
) -> list[_Crowd]:
    reading.check_unused(*UNREAD, target=target, kind="a suite")
    maps = dict.fromkeys(entry.map for entry in suite.episodes)
    choices = Choices(rule=suite.rule)
    return [
        _of_episodes(
            f"{suite.name} on {Path(map).stem}",
            [entry for entry in suite.episodes if entry.map == map],
            choices,
            data,
        )
        for map in maps
    ]


def _of_episodes(
    name: str, entries: Sequence[EpisodeEntry], choices: Choices, data: DataFolder
) -> _Crowd:
    """The crowds of episodes on one map."""
    parts = []
    for entry in entries:
        world = scenario(entry, choices, data)
        span = (0.0, world.time_limit)
        parts.append(crowd_profile(world.tracks, groups=world.groups or None, window=span))
    return _Crowd(name, parts, PLACE_OF_MAP.get(entries[0].map))


def _named(name: str, reading: ReadingOptions, data: DataFolder) -> Recording:
    reading.check_unused("format", "member", target=name, kind="a named crowd")
    recording = data.recording(name)
    if reading.fps is None:
        return recording
    if not SLOWEST_FPS <= reading.fps <= FASTEST_FPS:
        raise BadValue(
            f"fps is {reading.fps:g}, expected frames per second between {SLOWEST_FPS:g} and "
            f"{FASTEST_FPS:g}; correct it",
            parameters=["fps"],
        )
    return at_rate(recording, reading.fps)


def _filmed(path: Path, reading: ReadingOptions) -> tuple[Recording, list[str]]:
    rows = read_rows(path, reading)
    if rows.format == "vsp":
        raise BadValue(
            f"{path}: a vsp file is in pixels; import it first (`paseo data import` with "
            "transform) and compare the crowd by its name",
            parameters=["transform"],
        )
    recording, _ = filmed_recording(rows, reading)
    return recording, guess_notes(rows, reading)
