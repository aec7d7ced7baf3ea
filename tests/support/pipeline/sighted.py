"""Crowds as a robot that drives among them would see and place them, with the truth beside it."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from paseo.pipeline.places import Places
from paseo.world.arrays import BoolArray, FloatArray, IntArray
from paseo.world.tracks import Recording, Track

PERSON_WIDTH = 0.5  # metres
NEAREST, FARTHEST = 1.0, 12.0  # metres


@dataclass(frozen=True, slots=True, kw_only=True)
class Eye:
    """How a robot sees; feet are placed on the ground by the row of the picture they stand on."""

    rate: float = 4.0  # pictures a second
    focal: float = 623.0  # pixels
    across: float = 1.6  # radians from left to right
    height: float = 1.0  # metres
    pixels: float = 5.0  # deviation of a foot point, up and down and aside
    sway: float = 0.05  # metres, deviation of the body over the feet
    missed: float = 0.1  # share of people who are not found
    outliers: float = 0.03  # share whose feet are taken for others
    switches: float = 0.02  # chance, in each picture where one hides another, to confuse the two


@dataclass(slots=True)
class _Sighting:
    """What is noted under one number of the tracker."""

    times: list[float] = field(default_factory=list)
    positions: list[FloatArray] = field(default_factory=list)
    covariances: list[FloatArray] = field(default_factory=list)
    origins: list[FloatArray] = field(default_factory=list)
    truth: list[FloatArray] = field(default_factory=list)


@dataclass(frozen=True, slots=True, eq=False)
class Sighted:
    """One person's places, in the frame of the robot's start, and where they really were."""

    places: Places
    truth: FloatArray  # (samples, 4), x, y and velocity


def sighted(
    crowd: Recording, eye: Eye, rng: np.random.Generator, *, duration: float = 60.0
) -> list[Sighted]:
    """The people whom a robot meets that wanders through the middle of a crowd."""
    middle = rng.choice(np.concatenate([track.times for track in crowd.tracks]))
    times = middle + np.arange(-duration / 2, duration / 2, 1 / eye.rate)
    robot = _way(crowd, times, rng)
    people, robot = _in_frame(_walks(crowd, times), robot), _to_frame(robot, robot)
    noted: dict[int, _Sighting] = {}
    called = np.arange(people.shape[1])  # by which number the tracker knows each
    for step, time in enumerate(times.tolist()):
        seen, hidden = _visible(people[step, :, :2], robot[step], eye)
        for who, behind in hidden:
            if rng.random() < eye.switches:
                called[[who, behind]] = called[[behind, who]]
        for who in seen:
            if rng.random() >= eye.missed:
                position, covariance = _placed(people[step, who, :2], robot[step], eye, rng)
                note = noted.setdefault(int(called[who]), _Sighting())
                note.times.append(time)
                note.positions.append(position)
                note.covariances.append(covariance)
                note.origins.append(robot[step, :2])
                note.truth.append(people[step, who])
    return [_told(number, note) for number, note in sorted(noted.items()) if len(note.times) > 1]


def _told(number: int, note: _Sighting) -> Sighted:
    places = Places(
        person=number,
        times=np.array(note.times),
        positions=np.array(note.positions),
        covariances=np.array(note.covariances),
        origins=np.array(note.origins),
    )
    return Sighted(places, np.array(note.truth))


def _walks(crowd: Recording, times: FloatArray) -> FloatArray:
    """Positions and velocities, (times, people, 4)."""
    present = [t for t in crowd.tracks if t.times[-1] > times[0] and t.times[0] < times[-1]]
    return np.stack([_walk(track, times) for track in present], axis=1)


def _walk(track: Track, times: FloatArray) -> FloatArray:
    # Recordings are straight between annotations: velocities are those over half a second.
    ahead, behind = (track.positions_at(times + shift) for shift in (0.25, -0.25))
    return np.hstack([track.positions_at(times), (ahead - behind) / 0.5])


def _way(crowd: Recording, times: FloatArray, rng: np.random.Generator) -> FloatArray:
    """Poses, (times, 3), on a lying eight about the middle of the crowd."""
    known = np.concatenate([track.positions for track in crowd.tracks])
    low, high = np.nanpercentile(known, [15, 85], axis=0)
    middle, half = (low + high) / 2, np.maximum((high - low) / 2, 1.0)
    phase = rng.uniform(0, math.tau) + 0.8 / half.max() * (times - times[0])
    xy = middle + half * np.column_stack([np.sin(phase), np.sin(2 * phase) / 2])
    turn = np.gradient(xy, axis=0)
    return np.column_stack([xy, np.unwrap(np.arctan2(turn[:, 1], turn[:, 0]))])


def _rotation(angle: float) -> FloatArray:
    return np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])


def _in_frame(people: FloatArray, robot: FloatArray) -> FloatArray:
    turn = _rotation(robot[0, 2])
    return np.dstack([(people[..., :2] - robot[0, :2]) @ turn, people[..., 2:] @ turn])


def _to_frame(poses: FloatArray, robot: FloatArray) -> FloatArray:
    moved = (poses[:, :2] - robot[0, :2]) @ _rotation(robot[0, 2])
    return np.column_stack([moved, poses[:, 2] - robot[0, 2]])


def _visible(
    people: FloatArray, pose: FloatArray, eye: Eye
) -> tuple[IntArray, Sequence[tuple[int, int]]]:
    """Who is seen, and who stands before whom."""
    relative = (people - pose[:2]) @ _rotation(pose[2])
    reach = np.hypot(*relative.T)
    bearing = np.arctan2(relative[:, 1], relative[:, 0])
    near: BoolArray = (reach > NEAREST) & (reach < FARTHEST) & (np.abs(bearing) < eye.across / 2)
    order = np.nonzero(near)[0]
    order = order[np.argsort(reach[order])]
    seen, pairs = list[int](), list[tuple[int, int]]()
    for who in order.tolist():
        before = [b for b in seen if abs(bearing[b] - bearing[who]) < PERSON_WIDTH / 2 / reach[b]]
        pairs += [(b, who) for b in before[:1]]
        if not before:
            seen.append(who)
    return np.array(seen, np.int64), pairs


def _placed(
    person: FloatArray, pose: FloatArray, eye: Eye, rng: np.random.Generator
) -> tuple[FloatArray, FloatArray]:
    """Where the foot point puts somebody, and the covariance that is told with it."""
    swayed = person + rng.normal(0, eye.sway, 2)
    ahead, aside = (swayed - pose[:2]) @ _rotation(pose[2])
    scale = eye.focal * eye.height
    row = scale / ahead + rng.normal(0, eye.pixels)
    column = eye.focal * aside / ahead + rng.normal(0, eye.pixels)
    if rng.random() < eye.outliers:  # feet are hidden: the box ends too high, or covers two
        row *= rng.uniform(0.4, 0.8)
        column += rng.normal(0, 60)
    depth = scale / max(row, scale / 40)
    found = np.array([depth, depth * column / eye.focal])
    slope = np.array([[-depth * depth / scale, 0], [0, depth / eye.focal]])
    slope[1, 0] = slope[0, 0] * column / eye.focal
    local = slope @ slope.T * eye.pixels**2 + eye.sway**2 * np.eye(2)
    turn = _rotation(pose[2])
    return pose[:2] + turn @ found, turn @ local @ turn.T
