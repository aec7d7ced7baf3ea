"""Smooth tracks as people who walk through a crowd's frames, and on for a little while unseen."""

import math
from collections.abc import Sequence

import numpy as np

from paseo.errors import BadValue
from paseo.pipeline.reconstruction import Reconstruction
from paseo.pipeline.smoothing.tracks import SmoothTrack
from paseo.pipeline.walks import positions_at
from paseo.world.arrays import FloatArray
from paseo.world.tracks import Recording, Track

FPS = 10.0  # frames per second of such a crowd
ROUNDING = 1e-6  # of a frame
WALK_ON = 2.0  # seconds that people walk before they are seen and afterwards
DOUBLE = 0.7  # metres from somebody seen within which who walks on may be the same person


def crowd_start(reconstruction: Reconstruction) -> float:
    """What the drive's clock says at the crowd's first frame."""
    first = [float(track.times[0]) for track in reconstruction.tracks if len(track.times)]
    return min([float(reconstruction.odometry.times[0]), *first])


def drive_recording(name: str, tracks: Sequence[SmoothTrack], start: float) -> Recording:
    """The tracks at 10 frames a second since `start`; absent where nobody knows them for 1 s.

    A camera that looks ahead loses people just when the robot passes them, and they must not
    vanish then: at both ends of a track they walk on as they did for 2 s, or until they would
    come within 0.7 m of somebody who is seen, for that may be the same person under another id.
    """
    by_person = {track.person: track for track in tracks}
    known = known_walks(tracks, start)
    if not known:
        raise BadValue(
            f"the drive for '{name}' shows nobody for long enough to be followed, expected people; "
            "bring another, or find people in its pictures with something better"
        )
    walks = tuple(_walking_on(walk, by_person[walk.id], known) for walk in known)
    return Recording(name=name, fps=FPS, tracks=walks)


def known_walks(tracks: Sequence[SmoothTrack], start: float) -> tuple[Track, ...]:
    """Who is known in two frames or more, in order, only where they are known."""
    walks = (_walk(track, start) for track in tracks)
    return tuple(sorted((each for each in walks if each is not None), key=lambda each: each.id))


def _walk(track: SmoothTrack, start: float) -> Track | None:
    if not len(track.times):
        return None
    first = math.ceil((track.times[0] - start) * FPS - ROUNDING)
    last = math.floor((track.times[-1] - start) * FPS + ROUNDING)
    frames = np.arange(first, last + 1)
    moments = np.clip(start + frames / FPS, track.times[0], track.times[-1])
    places = positions_at(track, moments)
    known = np.flatnonzero(~np.isnan(places[:, 0]))
    if len(known) < 2:
        return None
    span = slice(known[0], known[-1] + 1)
    return Track(track.person, frames[span] / FPS, places[span])


def _walking_on(walk: Track, track: SmoothTrack, known: Sequence[Track]) -> Track:
    frames = np.arange(1, round(WALK_ON * FPS) + 1)
    parts = [(walk.times, walk.positions)]
    for end, sign in ((0, -1), (-1, 1)):
        times = (np.rint(walk.times[end] * FPS) + sign * frames) / FPS
        times = times[times >= 0]
        _, _, heading, speed = track.states[end]
        velocity = speed * np.array([math.cos(heading), math.sin(heading)])
        places = walk.positions[end] + (times - walk.times[end])[:, None] * velocity
        alone = _alone(walk.id, times, places, known)
        part = times[:alone][::sign], places[:alone][::sign]
        parts = [*parts, part] if sign > 0 else [part, *parts]
    times, places = (np.concatenate(each) for each in zip(*parts, strict=True))
    return Track(walk.id, times, places)


def _alone(person: int, times: FloatArray, places: FloatArray, known: Sequence[Track]) -> int:
    """For how many of these moments nobody who is seen is so near."""
    if not len(times):
        return 0
    near = np.zeros(len(times), bool)
    for other in known:
        if other.id != person and other.times[0] <= times.max() and other.times[-1] >= times.min():
            away = np.hypot(*(other.positions_at(times) - places).T)
            near |= away < DOUBLE  # not so for NaN
    return int(np.argmax(near)) if near.any() else len(times)
