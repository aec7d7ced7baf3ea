"""Stages: an episode on the clock of scenes, with everybody who may carry the camera."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from paseo.world.arrays import FloatArray, IntArray
from paseo.world.records import Record
from paseo.world.scenarios import Scenario
from paseo.world.space.floorplan import FloorPlan
from paseo.world.tracks import Track

LOOK = 0.5  # seconds before and after, over which the direction of a walk is taken
STANDS = 0.2  # m/s, below which somebody looks where they looked before
WALK_RATE = 20  # places a second along which feet are led
PERSON, ROBOT = "person", "robot"


@dataclass(frozen=True, slots=True)
class Identity:
    """Who somebody is, whichever episodes show them."""

    recording: str
    person: int
    began: float = 0.0  # second of the recording at time 0 of the episode

    @property
    def key(self) -> tuple[str, int]:
        """The same for the same person in every episode."""
        return self.recording, self.person


@dataclass(frozen=True, slots=True, eq=False)
class Rider:
    """Who carries the camera: a robot that was driven, or a recorded person in its place."""

    name: str
    identity: Identity
    poses: FloatArray  # (moments, 3), x, y, heading; NaN while absent
    place: int | None = None  # which of the people this is, who then is not seen; None: a robot


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Stage:
    """Where everybody is at each moment of an episode."""

    name: str
    floorplan: FloorPlan
    times: FloatArray  # (moments,), seconds of the episode
    ids: IntArray  # (people,)
    identities: Sequence[Identity]  # (people,)
    places: FloatArray  # (moments, people, 2), NaN while absent
    tracks: tuple[Track, ...]  # (people,), the whole walks
    riders: tuple[Rider, ...]

    def walked(self, first: float, last: float) -> tuple[FloatArray, FloatArray]:
        """Times and places (times, people, 2) from one second to another, close enough for feet."""
        times = np.arange(int(first * WALK_RATE), int(last * WALK_RATE) + 1) / WALK_RATE
        if not self.tracks:
            return times, np.empty((len(times), 0, 2))
        return times, np.stack([track.positions_at(times) for track in self.tracks], axis=1)


def recorded_stage(scenario: Scenario, identities: Sequence[Identity], period: float) -> Stage:
    """An episode as it was recorded, with every one of its people as a rider."""
    times = np.arange(int(scenario.time_limit / period) + 1, dtype=np.float64) * period
    places = _places(scenario.tracks, times)
    riders = (
        Rider(f"{PERSON}{track.id}", who, _poses(places[:, k], period), k)
        for k, (track, who) in enumerate(zip(scenario.tracks, identities, strict=True))
    )
    return _stage(scenario, scenario.tracks, times, identities, tuple(riders))


def driven_stage(record: Record, identities: Sequence[Identity], period: float) -> Stage:
    """An episode as it was driven, with its robot as the rider."""
    end = float(record.times[-1])
    times = np.arange(int(end / period + 1e-9) + 1, dtype=np.float64) * period
    turned = np.column_stack([record.robot[:, :2], np.unwrap(record.robot[:, 2])])
    poses = np.column_stack([np.interp(times, record.times, each) for each in turned.T])
    planner = record.provenance.planner.rpartition(":")[2]
    key = f"{record.scenario.name}--{record.provenance.planner}--{record.scenario.seed}"
    rider = Rider(planner, Identity(f"{ROBOT} of {key}", 0), poses)
    walked = tuple(_walked(record))
    kept = [k for k, track in enumerate(walked) if track is not None]
    tracks = tuple(track for track in walked if track is not None)
    who = [identities[k] for k in kept]
    return _stage(record.scenario, tracks, times, who, (rider,))


def _stage(
    scenario: Scenario,
    tracks: tuple[Track, ...],
    times: FloatArray,
    identities: Sequence[Identity],
    riders: tuple[Rider, ...],
) -> Stage:
    return Stage(
        name=scenario.name,
        floorplan=scenario.floorplan,
        times=times,
        ids=np.array([track.id for track in tracks], np.int64),
        identities=tuple(identities),
        places=_places(tracks, times),
        tracks=tracks,
        riders=riders,
    )


def _walked(record: Record) -> Iterator[Track | None]:
    """Where people really went, who may have answered the robot; None: who never came."""
    for k, person in enumerate(record.ids.tolist()):
        there = np.flatnonzero(~np.isnan(record.people[:, k, 0]))
        if len(there) < 2:
            yield None
            continue
        span = slice(int(there[0]), int(there[-1]) + 1)
        yield Track(person, record.times[span], record.people[span, k])


def _places(tracks: Sequence[Track], times: FloatArray) -> FloatArray:
    if not tracks:
        return np.empty((len(times), 0, 2))
    return np.stack([track.positions_at(times) for track in tracks], axis=1)


def _poses(places: FloatArray, period: float) -> FloatArray:
    """A walk (moments, 2) with the direction in which it goes; NaN while absent or never known."""
    span = max(1, round(LOOK / period))
    before = np.concatenate([np.repeat(places[:1], span, axis=0), places])[: len(places)]
    after = np.concatenate([places, np.repeat(places[-1:], span, axis=0)])[span:]
    # At either end of a walk one of the two is not known: then the place itself stands for it.
    before = np.where(np.isnan(before), places, before)
    after = np.where(np.isnan(after), places, after)
    went = after - before
    headings = np.arctan2(went[:, 1], went[:, 0])
    moves = np.hypot(*went.T) >= STANDS * 2 * LOOK  # not so for NaN
    return np.column_stack([places, _held(headings, moves, ~np.isnan(places[:, 0]))])


def _held(headings: FloatArray, moves: FloatArray, there: FloatArray) -> FloatArray:
    """Who stands looks where they last went, or at first where they will go."""
    known = np.flatnonzero(moves)
    if not len(known):
        return np.full(len(headings), np.nan)
    latest = np.maximum.accumulate(np.where(moves, np.arange(len(headings)), known[0]))
    return np.where(there, headings[latest], np.nan)
