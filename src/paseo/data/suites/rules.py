"""Who of a recording is present in an episode: named rules."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from paseo.data.suites.suite_file import PlacedRecording
from paseo.errors import UnknownName
from paseo.world.scenarios import Rule
from paseo.world.tracks import Recording, Track, transformed


def everyone(recording: Recording, placed: PlacedRecording, time_limit: float) -> list[Track]:
    """All people filmed while the episode lasts, at the recording's true speed."""
    start = placed.first_frame / recording.fps
    shifted = [since(track, start) for track in recording.tracks if track.times[-1] > start]
    return [track for track in shifted if track.times[0] <= time_limit]


def socnavbench(recording: Recording, placed: PlacedRecording, time_limit: float) -> list[Track]:
    """Whom SocNavBench shows: ids in order from `ids_above` until one comes after the end.

    It stops at the first id that appears too late, whoever follows, and leaves out people
    with smaller ids who are still walking.
    """
    chosen = []
    start = placed.first_frame / recording.fps
    last = max(track.id for track in recording.tracks)
    for track in recording.tracks:
        # With ids_above 0 the original's range ends one short of the last id.
        if track.id <= placed.ids_above or (placed.ids_above == 0 and track.id == last):
            continue
        if track.times[0] - start > time_limit:
            break
        if track.times[-1] > start:
            chosen.append(since(track, start))
    return chosen


RULES: dict[Rule, Callable[[Recording, PlacedRecording, float], list[Track]]] = {
    Rule.EVERYONE: everyone,
    Rule.SOCNAVBENCH: socnavbench,
}


def named_rule(name: Rule | str) -> Rule:
    """The rule of this name."""
    if name not in RULES:
        raise UnknownName("rule", name, RULES)
    return Rule(name)


def placed_tracks(
    tracks: Sequence[Track], placed: PlacedRecording, id_offset: int
) -> tuple[Track, ...]:
    """The tracks on the map, their ids moved apart from those of other placements."""
    matrix = np.array(placed.transform)
    return tuple(replace(transformed(track, matrix), id=track.id + id_offset) for track in tracks)


def without_name_collisions(
    placements: Sequence[Sequence[Track]], ids_above: Sequence[int]
) -> list[list[Track]]:
    """SocNavBench names people by `id - ids_above`; a later recording overwrites an earlier one."""
    kept = []
    for k, tracks in enumerate(placements):
        later = {
            track.id - ids_above[m]
            for m in range(k + 1, len(placements))
            for track in placements[m]
        }
        kept.append([track for track in tracks if track.id - ids_above[k] not in later])
    return kept


def since(track: Track, start: float) -> Track:
    """The rest of a track from `start` on, with that as time 0."""
    times = track.times - start
    times[np.abs(times) < 1e-9] = 0.0
    if times[0] >= 0:
        return replace(track, times=times)
    rest = times > 0
    here = track.positions_at(np.array([start]))
    times = np.concatenate([[0.0], times[rest]])
    positions = np.concatenate([here, track.positions[rest]])
    first = int(np.argmin(np.isnan(positions[:, 0])))  # absent at the start: from the next sample
    return Track(track.id, times[first:], positions[first:])
