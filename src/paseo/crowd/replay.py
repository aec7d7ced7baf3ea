"""Replay: people walk exactly as they were recorded, at most stopped by the robot for a while."""

import math
from typing import Protocol

import numpy as np

from paseo.compiled import compiled
from paseo.world.arrays import BoolArray, FloatArray, IntArray
from paseo.world.people import Crowd, Snapshot
from paseo.world.scenarios import Pause, Reaction, ReactionModel, Scenario
from paseo.world.tracks import INSTANT, Track


class Replay:
    """Recorded people on the episode's clock.

    With a `Pause` those who are touched stop; with a `Reaction` by stopping, those who would run
    into the robot. Both walk on later from where they stood, to the end of their recording.
    """

    def begin(self, scenario: Scenario) -> Crowd:
        """Everybody whose recording covers time 0."""
        self._tape = _Tape(scenario.tracks)
        self._radii = np.full(len(scenario.tracks), float(scenario.person_radius))
        self._dt = scenario.dt
        self._stops = _stops(scenario, self._tape.ids)
        # People whom nothing can stop are read ahead; it saves a compiled call per step.
        self._portion = 64 if self._stops is None else 1
        self._late = np.zeros(len(scenario.tracks), np.int64)
        self._step = 0
        self._read()
        return self._crowd()

    def step(self, snapshot: Snapshot, dt: float) -> Crowd:
        """Everybody whose recording covers the next moment of the clock."""
        if self._stops is not None:
            standing = self._stops.update(snapshot, self._velocities[: len(snapshot.crowd)])
            self._late[standing] += 1
        self._step += 1
        if self._step == self._read_from + self._portion:
            self._read()
        return self._crowd()

    def _read(self) -> None:
        """Sample the next portion of steps."""
        tape = self._tape
        rows = len(tape.ids) * self._portion
        self._read_from = self._step
        self._ids = np.empty(rows, np.int64)
        self._positions = np.empty((rows, 2))
        self._velocities = np.empty((rows, 2))
        bounds = np.zeros(self._portion + 1, np.int64)
        sample(
            self._step, self._dt, tape.ids, tape.first, tape.times, tape.positions, tape.cursors,
            self._late, self._ids, self._positions, self._velocities, bounds,
        )  # fmt: skip
        self._bounds = bounds.tolist()

    def _crowd(self) -> Crowd:
        at = self._step - self._read_from
        start, end = self._bounds[at], self._bounds[at + 1]
        velocities = self._velocities[start:end].copy()
        if self._stops is not None:
            velocities[self._stops.standing[np.searchsorted(self._tape.ids, self._ids[:end])]] = 0.0
        # Copies, for who is shown a view can find in its `base` what is still to come.
        crowd = Crowd(
            self._ids[start:end].copy(),
            self._positions[start:end].copy(),
            velocities,
            self._radii[: end - start].copy(),
        )
        crowd.ids.setflags(write=False)
        crowd.positions.setflags(write=False)
        crowd.velocities.setflags(write=False)
        crowd.radii.setflags(write=False)
        return crowd


class _Tape:
    """All tracks end to end, for the compiled reader."""

    def __init__(self, tracks: tuple[Track, ...]) -> None:
        self.ids: IntArray = np.array([track.id for track in tracks], np.int64)
        self.first: IntArray = np.cumsum([0] + [len(track.times) for track in tracks])
        self.times: FloatArray = np.concatenate([np.empty(0)] + [t.times for t in tracks])
        self.positions: FloatArray = np.concatenate(
            [np.empty((0, 2))] + [track.positions for track in tracks]
        )
        self.cursors: IntArray = self.first[:-1].copy()  # the piece each person was last on


class _Stops(Protocol):
    """What makes people stand still for a while."""

    standing: BoolArray  # (tracks,), who stands in the present step

    def update(self, snapshot: Snapshot, walking: FloatArray) -> BoolArray:
        """Who stands in the step after `snapshot`, whose people would walk at `walking`."""


def _stops(scenario: Scenario, ids: IntArray) -> _Stops | None:
    reaction = scenario.reaction
    if reaction is not None and reaction.by == ReactionModel.STOP and not reaction.is_none:
        return _Foresight(reaction, ids)
    return _Touches(scenario.pause, ids, scenario.dt) if scenario.pause else None


class _Foresight:
    """People who stand as long as they would run into the robot within a time they foresee."""

    def __init__(self, reaction: Reaction, ids: IntArray) -> None:
        reactivities = [reaction.reactivity_of(person) for person in ids.tolist()]
        self._foresight = reaction.foresight * np.array(reactivities, np.float64)
        self._ids = ids
        self.standing = np.zeros(len(ids), np.bool_)

    def update(self, snapshot: Snapshot, walking: FloatArray) -> BoolArray:
        """Who stands in the step after `snapshot`."""
        robot, crowd = snapshot.robot, snapshot.crowd
        heading = robot.pose.heading
        drive = robot.twist.forward * np.array([math.cos(heading), math.sin(heading)])
        seconds = time_to_contact(
            crowd.positions - (robot.pose.x, robot.pose.y),
            walking - drive,
            robot.radius + crowd.radii,
        )
        here = np.searchsorted(self._ids, crowd.ids)
        self.standing = np.zeros(len(self._ids), np.bool_)
        self.standing[here] = seconds < self._foresight[here]
        return self.standing


def time_to_contact(offsets: FloatArray, velocities: FloatArray, reach: FloatArray) -> FloatArray:
    """Seconds until discs that keep their relative velocities touch, (pairs,); inf if never."""
    closing = -(offsets * velocities).sum(axis=1)
    speed2 = (velocities**2).sum(axis=1)
    gap2 = (offsets**2).sum(axis=1) - reach**2
    root = closing**2 - speed2 * gap2
    with np.errstate(invalid="ignore", divide="ignore"):
        seconds = (closing - np.sqrt(root)) / speed2
    seconds = np.where((root >= 0) & (closing > 0), seconds, np.inf)
    return np.where(gap2 <= 0, np.where(closing > 0, 0.0, np.inf), seconds)  # who leaves, may


class _Touches:
    """People who stand for a while because the robot touched them."""

    def __init__(self, pause: Pause, ids: IntArray, dt: float) -> None:
        self._ids = ids
        self._duration = round(pause.duration / dt)
        self._cooldown = round(pause.cooldown / dt)
        self.standing = np.zeros(len(ids), np.bool_)
        self._waiting = np.zeros(len(ids), np.int64)
        self._resting = np.zeros(len(ids), np.int64)

    def update(self, snapshot: Snapshot, walking: FloatArray) -> BoolArray:
        """Who stands in the step after `snapshot`."""
        robot, crowd = snapshot.robot, snapshot.crowd
        offsets = crowd.positions - (robot.pose.x, robot.pose.y)
        touching = np.hypot(offsets[:, 0], offsets[:, 1]) < robot.radius + crowd.radii
        touched = np.zeros(len(self._ids), np.bool_)
        touched[np.searchsorted(self._ids, crowd.ids[touching])] = True
        stopped = touched & (self._waiting == 0) & (self._resting == 0)
        self._resting[self._resting > 0] -= 1
        self._waiting[stopped] = self._duration
        self.standing = self._waiting > 0
        self._waiting[self.standing] -= 1
        self._resting[self.standing & (self._waiting == 0)] = self._cooldown
        return self.standing


@compiled
def sample(
    first_step: int,
    dt: float,
    ids: IntArray,
    first: IntArray,
    times: FloatArray,
    positions: FloatArray,
    cursors: IntArray,
    late: IntArray,
    out_ids: IntArray,
    out_positions: FloatArray,
    out_velocities: FloatArray,
    bounds: IntArray,
) -> None:
    """Write who is present, where, and how fast; step k's rows are bounds[k] to bounds[k + 1]."""
    count = 0
    for step in range(bounds.shape[0] - 1):
        for person in range(ids.shape[0]):
            time = (first_step + step - late[person]) * dt
            start, end = first[person], first[person + 1] - 1
            if time < times[start] - INSTANT or time > times[end] + INSTANT:
                continue
            piece = cursors[person]
            while piece < end - 1 and times[piece + 1] <= time + INSTANT:
                piece += 1
            cursors[person] = piece
            write(
                time, times, positions, piece, min(piece + 1, end),
                count, out_positions, out_velocities,
            )  # fmt: skip
            if not math.isnan(out_positions[count, 0]):
                out_ids[count] = ids[person]
                count += 1
        bounds[step + 1] = count


@compiled
def write(
    time: float,
    times: FloatArray,
    positions: FloatArray,
    here: int,
    there: int,
    row: int,
    out_positions: FloatArray,
    out_velocities: FloatArray,
) -> None:
    """Write a person's position and velocity between two samples; NaN inside a gap."""
    span = times[there] - times[here]
    since = min(span, max(0.0, time - times[here]))
    for axis in range(2):
        step = positions[there, axis] - positions[here, axis]
        velocity = 0.0
        if span > 0.0 and not math.isnan(step):
            velocity = step / span
        # At a sample itself a gap beside it does not matter.
        if since <= INSTANT:
            out_positions[row, axis] = positions[here, axis]
        elif span - since <= INSTANT:
            out_positions[row, axis] = positions[there, axis]
        else:
            out_positions[row, axis] = positions[here, axis] + since / span * step
        out_velocities[row, axis] = velocity
