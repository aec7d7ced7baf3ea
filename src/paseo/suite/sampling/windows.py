"""Stretches of a recording to cut episodes from: when they begin, how crowded they are."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from paseo.data.suites.rules import everyone, placed_tracks
from paseo.data.suites.suite_file import PlacedRecording
from paseo.metrics.encounters import PeopleOnClock, people_on_clock
from paseo.world.arrays import FloatArray, IntArray
from paseo.world.scenarios import Scenario
from paseo.world.tracks import INSTANT, Recording, Track

MOST_WINDOWS = 100_000  # of a recording with more frames, that many are looked at


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Windows:
    """Where in a recording episodes of one length can begin."""

    first_frames: IntArray  # (windows,)
    mean_at_once: FloatArray  # (windows,), people at once, mean over the window
    ends_after: float | None = None  # seconds, where the recording is shorter than the window


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Window:
    """One stretch of the recording with everybody in it."""

    placed: PlacedRecording
    scenario: Scenario  # complete but for its task
    people: PeopleOnClock
    at_start: FloatArray  # (people, 2), who is there at time 0


def windows_of(recording: Recording, length: float) -> Windows:
    """Every stretch of `length` seconds; of a shorter recording the one from its first frame."""
    first, latest = _first_and_latest(recording, length)
    frames = np.unique(
        np.linspace(first, latest, min(latest - first + 1, MOST_WINDOWS)).round().astype(np.int64)
    )
    begins = frames / recording.fps
    times, person_seconds = _presence(recording.tracks)
    seconds_within = np.interp(begins + length, times, person_seconds) - np.interp(
        begins, times, person_seconds
    )
    left = float(_end(recording) - begins[0])
    return Windows(
        first_frames=frames,
        mean_at_once=seconds_within / length,
        ends_after=left if left < length else None,
    )


def window_of(placed: PlacedRecording, recording: Recording, nobody: Scenario) -> Window:
    """The scenario `nobody` with the people of the recording from the placed first frame on."""
    present = everyone(recording, placed, nobody.time_limit)
    scenario = replace(nobody, tracks=placed_tracks(present, placed, 0))
    there = [track for track in scenario.tracks if track.times[0] <= INSTANT]
    spots = [track.positions_at(np.zeros(1)) for track in there]
    return Window(
        placed=placed,
        scenario=scenario,
        people=people_on_clock(scenario.tracks, scenario.time_limit),
        at_start=np.concatenate([np.empty((0, 2)), *spots]),
    )


def _first_and_latest(recording: Recording, length: float) -> tuple[int, int]:
    """The first frames of the earliest and the last window that lies within the recording."""
    first = round(min(float(track.times[0]) for track in recording.tracks) * recording.fps)
    latest = math.floor((_end(recording) - length) * recording.fps + 1e-6)
    if _end(recording) - latest / recording.fps < length:
        latest -= 1  # by rounding the last frame fell just beyond the end
    return first, max(first, latest)


def _end(recording: Recording) -> float:
    return max(float(track.times[-1]) for track in recording.tracks)


def _presence(tracks: Sequence[Track]) -> tuple[FloatArray, FloatArray]:
    """Increasing times, and the seconds that all people together were there before each."""
    stays = [_stays(track) for track in tracks]
    comes = np.concatenate([stay[0] for stay in stays])
    goes = np.concatenate([stay[1] for stay in stays])
    times = np.concatenate([comes, goes])
    changes = np.concatenate([np.ones(len(comes)), -np.ones(len(goes))])
    order = np.argsort(times, kind="stable")
    at_once = np.cumsum(changes[order])
    person_seconds = np.cumsum(at_once[:-1] * np.diff(times[order]))
    return times[order], np.concatenate([[0.0], person_seconds])


def _stays(track: Track) -> tuple[FloatArray, FloatArray]:
    """When the person comes and goes, (stays,) each; more than once where the track has gaps."""
    there = np.concatenate([[False], ~np.isnan(track.positions[:, 0]), [False]])
    changes = np.diff(there.astype(np.int8))
    return track.times[changes[:-1] == 1], track.times[changes[1:] == -1]
