"""`paseo crowd realism`."""

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from paseo.cli.data_check import missing_rate
from paseo.crowd_check.real_crowds import (
    PLACE_OF_MAP,
    RECORDED,
    Place,
    likeness,
    recorded_profile,
    shipped_yardstick,
)
from paseo.crowd_check.realism import Profile, crowd_profile, pooled
from paseo.data.recordings.recordings import FASTEST_FPS, SLOWEST_FPS, read_sightings, recording_of
from paseo.data.recordings.sightings import without_repeats
from paseo.data.settings_file import READERS
from paseo.data.store.crowds import stored_crowds
from paseo.data.store.importing import only_member
from paseo.data.store.locations import data_dir, find_recording, is_named, recording_names
from paseo.data.suites.episodes import Choices, scenario
from paseo.data.suites.suite_file import (
    EpisodeEntry,
    SuiteFile,
    read_suite,
    shipped_episodes,
    shipped_suites,
)
from paseo.errors import BadValue, InputError, MissingData, UnknownName
from paseo.report.crowd.realism import realism_json, realism_text
from paseo.world.tracks import Recording, at_rate


@dataclass(frozen=True, slots=True)
class Measured:
    """A crowd to be compared, and with what if that is known."""

    name: str
    parts: Sequence[Profile]
    place: str | None = None


def realism(options: argparse.Namespace) -> int:
    """Compare a crowd, or those of a suite map by map, with real ones."""
    folder = data_dir(options.data)
    crowds = _crowds(options, folder)
    places = [_places(options.place or crowd.place) for crowd in crowds]
    names = dict.fromkeys(name for some in places for each in some for name in each.recordings)
    recorded = {name: profile for name in names if (profile := _recorded(name, folder))}
    bars = shipped_yardstick().bars
    found = [
        [likeness(crowd.parts, each, bars, real=_real(each, recorded)) for each in some]
        for crowd, some in zip(crowds, places, strict=True)
    ]
    _tell_absent([name for name in names if name not in recorded], folder)
    both = list(zip(crowds, found, strict=True))
    if options.json:
        content = [realism_json(crowd.name, crowd.parts, likes) for crowd, likes in both]
        print(json.dumps({"crowds": content}, indent=1))
    else:
        print("\n\n".join(realism_text(crowd.name, crowd.parts, likes) for crowd, likes in both))
    return 0


def _places(wanted: str | None) -> list[Place]:
    """The place wanted, or else the five of one recording each."""
    return [shipped_yardstick().place(name) for name in ([wanted] if wanted else RECORDED)]


def _recorded(name: str, folder: Path) -> Profile | None:
    try:
        return recorded_profile(find_recording(name, folder))
    except MissingData:
        return None


def _real(place: Place, recorded: Mapping[str, Profile]) -> Profile | None:
    """The place as its recordings show it, if all are there."""
    if not all(name in recorded for name in place.recordings):
        return None
    return pooled([recorded[name] for name in place.recordings])


def _tell_absent(names: Sequence[str], folder: Path) -> None:
    if names:
        print(
            f"paseo: {', '.join(names)} not in {folder}: compared with shipped percentiles, off by "
            f"up to 0.02; for exact distances: paseo data fetch {' '.join(names)}",
            file=sys.stderr,
        )


def _crowds(options: argparse.Namespace, folder: Path) -> list[Measured]:
    target, path = options.target, Path(options.target)
    if is_named(target, folder):
        return [_of_recording(_named(options, folder))]
    if target in shipped_suites():
        return _of_suite(options, shipped_suites()[target], folder)
    if target in shipped_episodes():
        _check_reading(options, "fps", "format", "member", kind="an episode")
        return [_of_episodes(target, [shipped_episodes()[target]], Choices(), folder)]
    if path.suffix.lower() in READERS and options.format is None:
        return _of_suite(options, read_suite(path, stored_crowds(folder)), folder)
    if not path.suffix and not path.exists():
        known = [*recording_names(folder), *shipped_suites()]
        raise UnknownName("crowd, suite or file", target, known)
    return [_of_recording(_filmed(options, path))]


def _of_recording(recording: Recording) -> Measured:
    profile = recorded_profile(recording)
    if not profile.people:
        raise BadValue(
            f"{recording.name}: nobody is there at any tick of the 0.4 s clock, so that nothing "
            "can be measured; give a longer recording"
        )
    return Measured(recording.name, [profile])


def _of_suite(options: argparse.Namespace, suite: SuiteFile, folder: Path) -> list[Measured]:
    _check_reading(options, "fps", "format", "member", kind="a suite")
    maps = dict.fromkeys(entry.map for entry in suite.episodes)
    choices = Choices(rule=suite.rule)
    return [
        _of_episodes(
            f"{suite.name} on {Path(map).stem}",
            [entry for entry in suite.episodes if entry.map == map],
            choices,
            folder,
        )
        for map in maps
    ]


def _of_episodes(
    name: str, entries: Sequence[EpisodeEntry], choices: Choices, folder: Path
) -> Measured:
    """The crowds of episodes on one map."""
    parts = []
    for entry in entries:
        world = scenario(entry, choices, folder)
        span = (0.0, world.time_limit)
        parts.append(crowd_profile(world.tracks, groups=world.groups or None, window=span))
    return Measured(name, parts, PLACE_OF_MAP.get(entries[0].map))


def _named(options: argparse.Namespace, folder: Path) -> Recording:
    _check_reading(options, "format", "member", kind="a named crowd")
    recording = find_recording(options.target, folder)
    if options.fps is None:
        return recording
    if not SLOWEST_FPS <= options.fps <= FASTEST_FPS:
        raise BadValue(
            f"--fps is {options.fps:g}, expected frames per second between {SLOWEST_FPS:g} and "
            f"{FASTEST_FPS:g}; correct it"
        )
    return at_rate(recording, options.fps)


def _filmed(options: argparse.Namespace, path: Path) -> Recording:
    member = options.member or only_member(path)
    reading = read_sightings(path, format=options.format, member=member)
    if reading.format == "vsp":
        raise BadValue(
            f"{path}: a vsp file is in pixels; import it first (`paseo data import` with "
            "--transform) and compare the crowd by its name"
        )
    if options.fps is None and reading.sightings.fps is None:
        raise missing_rate(reading, None)
    first, _, _ = without_repeats(reading.sightings)
    recording = recording_of(replace(reading, sightings=first), fps=options.fps)
    if options.format is None:
        print(
            f"paseo: {reading.path.name} is taken for {reading.format}: {reading.reason}",
            file=sys.stderr,
        )
    return recording


def _check_reading(options: argparse.Namespace, *words: str, kind: str) -> None:
    for word in words:
        if getattr(options, word) is not None:
            raise InputError(f"--{word} is for files; '{options.target}' is {kind}")
