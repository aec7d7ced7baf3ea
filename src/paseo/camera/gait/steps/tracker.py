"""The walks of people who are seen as it happens: what comes next is guessed, not known."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from paseo.camera.gait.steps import stepping
from paseo.camera.gait.steps.company import gazes_at
from paseo.camera.gait.steps.footwork import LEG, habits
from paseo.camera.gait.steps.stepping import AHEAD, STOP, TICK
from paseo.camera.gait.steps.walks import Walks, between, walks_from_states
from paseo.world.arrays import FloatArray
from paseo.world.people import Snapshot

FORGOTTEN = 1.0  # seconds out of sight after which somebody begins anew
JUMP = 3.0  # m/s beyond what they were going at which somebody was moved, and did not walk
STEADIEST, TURN_LASTS = 1.5, 0.6  # rad/s and seconds for which people are thought to keep turning


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """Somebody at the last snapshot, and their state at the last tick before it."""

    time: float
    place: FloatArray  # (2,)
    velocity: FloatArray  # (2,)
    tick: int
    state: FloatArray  # (columns,)


def average_leg(person: int) -> float:
    """The leg of somebody whose body is not known, in metres."""
    del person
    return LEG


class WalkTracker:
    """Follows everybody from snapshot to snapshot, in order of time."""

    def __init__(self, leg_of: Callable[[int], float] = average_leg) -> None:
        self._leg_of = leg_of
        self._seen: dict[int, Seen] = {}

    def update(self, snapshot: Snapshot) -> Walks:
        """How those in the snapshot walk now."""
        crowd, time = snapshot.crowd, snapshot.time
        speeds = np.hypot(crowd.velocities[:, 0], crowd.velocities[:, 1])
        gazes = np.full(len(crowd), np.nan)
        gazes[speeds < STOP] = gazes_at(crowd.positions[speeds < STOP])
        rows, seen = [], {}
        for person, place, velocity, gaze in zip(
            crowd.ids.tolist(), crowd.positions, crowd.velocities, gazes, strict=True
        ):
            leg, last = self._leg_of(person), self._seen.get(person)
            if last is None or _is_new(last, time, place):
                last = _first(time, place, velocity, person, leg)
            tick = math.floor(time / TICK + 1e-6)
            path = _path(last, time, place, velocity, tick)
            ticks = tick - last.tick + 1
            states = stepping.step_along(last.state, path, ticks, np.full(ticks + 1, gaze), leg)
            before = states[-2] if ticks > 1 else last.state
            rows.append((before, states[-1], time / TICK - tick))
            seen[person] = Seen(time, place, velocity, tick, before)
        self._seen = {
            person: each
            for person, each in (self._seen | seen).items()
            if time - each.time < FORGOTTEN
        }
        return _walks(snapshot, rows)


def walks_at(snapshot: Snapshot, leg_of: Callable[[int], float] = average_leg) -> Walks:
    """How people walk at a moment of which neither before nor after is known."""
    return WalkTracker(leg_of).update(snapshot)


def _walks(snapshot: Snapshot, rows: list[tuple[FloatArray, FloatArray, float]]) -> Walks:
    if not rows:
        empty = np.empty((0, stepping.COLUMNS))
        return walks_from_states(snapshot.time, snapshot.crowd.ids, empty)
    before, after, share = (np.array(each) for each in zip(*rows, strict=True))
    states = _shown(before, after, np.clip(share, 0.0, 1.0))
    return walks_from_states(snapshot.time, snapshot.crowd.ids, states)


def _shown(before: FloatArray, after: FloatArray, share: FloatArray) -> FloatArray:
    """States between a tick that is over and one that is still a guess, (people, columns).

    No foot is lifted or put down by a guess: the next snapshot might have it elsewhere.
    """
    states = between(before, after, share)
    for foot in range(2):
        start = stepping.FEET + stepping.FOOT * foot
        fixed = [start, start + 1, start + 2, start + stepping.LIFTED]
        guessed = (before[:, fixed] != after[:, fixed]).any(axis=1)
        whole = slice(start, start + stepping.FOOT)
        states[guessed, whole] = before[guessed, whole]
        lands = guessed & (before[:, start + stepping.LIFTED] > 0.5)
        done = before[lands, start + stepping.PROGRESS]
        states[lands, start + stepping.PROGRESS] = done + share[lands] * (1.0 - done)
    return states


def _is_new(last: Seen, time: float, place: FloatArray) -> bool:
    """Whether somebody was out of sight, was moved, or time went back."""
    lasted = time - last.time
    if not 0.0 <= lasted < FORGOTTEN:
        return True
    most = (JUMP + math.hypot(*last.velocity)) * lasted + 0.1
    return math.hypot(*(place - last.place)) > most


def _first(time: float, place: FloatArray, velocity: FloatArray, person: int, leg: float) -> Seen:
    tick = math.floor(time / TICK + 1e-6)
    ahead = np.arange(-1, 2)[:, None] * TICK + (tick + 1) * TICK - time
    state = stepping.first_state(place + ahead * velocity, *habits(person), leg)
    return Seen(time, place, velocity, tick, state)


def _path(
    last: Seen, time: float, place: FloatArray, velocity: FloatArray, tick: int
) -> FloatArray:
    """From the last tick to as far ahead as steps look, (ticks, 2): a cubic, then an arc."""
    at = np.arange(last.tick, tick + 3 + math.ceil(AHEAD / TICK)) * TICK
    lasts = time - last.time
    later = at[at >= time - 1e-9] - time
    turning = 0.0
    if lasts > 1e-6 and min(math.hypot(*velocity), math.hypot(*last.velocity)) > stepping.TURNS:
        turn = math.atan2(velocity[1], velocity[0]) - math.atan2(last.velocity[1], last.velocity[0])
        turning = (turn - math.tau * round(turn / math.tau)) / lasts
        turning = min(max(turning, -STEADIEST), STEADIEST)
    half = 0.5 * turning * np.minimum(later, TURN_LASTS)
    far = later * np.sinc(half / math.pi)
    ahead = np.column_stack(
        [
            place[0] + far * (np.cos(half) * velocity[0] - np.sin(half) * velocity[1]),
            place[1] + far * (np.sin(half) * velocity[0] + np.cos(half) * velocity[1]),
        ]
    )
    if lasts <= 1e-6:
        return np.concatenate([place + (at[at < time - 1e-9] - time)[:, None] * velocity, ahead])
    share = ((at[at < time - 1e-9] - last.time) / lasts)[:, None]
    step, begin, end = place - last.place, last.velocity * lasts, velocity * lasts
    bend, twist = 3.0 * step - 2.0 * begin - end, begin + end - 2.0 * step
    before = last.place + share * (begin + share * (bend + share * twist))
    return np.concatenate([before, ahead])
