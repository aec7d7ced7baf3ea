"""Reactive people: they walk their recording, steer around the robot, and return to it.

Only what the robot changes is simulated. A steering model is asked where people would go as things
are, and where they would go as they were recorded, without a robot; the difference is added to the
recorded step. With no robot near, everybody therefore walks exactly as recorded, however dense the
crowd, and whatever the model would have made of it.
"""

import math
from dataclasses import dataclass

import numpy as np

from paseo.crowd.replay import Replay
from paseo.crowd.steering.models import Steering, Walkers
from paseo.crowd.steering.orca import Orca
from paseo.crowd.steering.social_force import Form, SocialForce
from paseo.world.arrays import BoolArray, FloatArray, IntArray
from paseo.world.people import Crowd, Snapshot
from paseo.world.scenarios import Reaction, Scenario
from paseo.world.tracks import Track

RETURN = 1.0  # seconds in which somebody off their path tries to be back on it
NEAR = 10.0  # metres; with the robot further from everybody, nothing needs to be asked
CLOSE, ASIDE = 4.0, 0.1  # metres from the robot, or off the path, at which people react
HURRY = 1.3  # times a person's own top recorded speed
FASTEST, SLOWEST = 2.0, 0.6  # m/s: nobody hurries faster, and anybody can step aside so fast
SLIM = 0.75  # of a person's radius among people, who were recorded shoulder to shoulder
MARGIN = 0.1  # metres that people keep off the robot's edge
ON_PATH = 1e-9  # metres
ARRIVED = 0.3  # metres from the end of the path, for those who are late
LATEST = 10.0  # seconds after the end of a recording, when people are gone anyway


@dataclass(frozen=True, slots=True, eq=False)
class _Places:
    """Where everybody of the scenario is, in order of tracks; NaN while absent."""

    positions: FloatArray  # (tracks, 2)
    velocities: FloatArray  # (tracks, 2)

    @property
    def present(self) -> BoolArray:
        """Who is there, (tracks,)."""
        return ~np.isnan(self.positions[:, 0])


class Reactive:
    """Recorded people who answer the robot by a steering model, as much as their reactivity says.

    Nobody moves faster than 1.3 times their own top recorded speed, or than 2 m/s if that is more.
    """

    def __init__(self, steering: Steering) -> None:
        self._steering = steering

    def begin(self, scenario: Scenario) -> Crowd:
        """Everybody whose recording covers time 0, where they were recorded."""
        tracks, reaction = scenario.tracks, scenario.reaction or Reaction()
        self._plan, self._radius = scenario.floorplan, float(scenario.person_radius)
        self._ids = np.array([track.id for track in tracks], np.int64)
        self._reactivities = np.array(
            [reaction.reactivity_of(track.id) for track in tracks], np.float64
        )
        self._limits = np.array([_limit(track) for track in tracks], np.float64)
        self._ends = np.array([track.positions[-1] for track in tracks]).reshape(-1, 2)
        self._gone = np.array([track.times[-1] + LATEST for track in tracks], np.float64)
        self._steering.begin(scenario.floorplan)
        self._replay = Replay()
        crowd = self._replay.begin(scenario)
        self._recorded = _spread(crowd, self._ids)
        return crowd

    def step(self, snapshot: Snapshot, dt: float) -> Crowd:
        """Everybody a step later."""
        crowd = self._replay.step(snapshot, dt)
        before, self._recorded = self._recorded, _spread(crowd, self._ids)
        now, after = _spread(snapshot.crowd, self._ids), self._recorded
        late = self._late(now, after, snapshot.time + dt)
        nearby = _is_near(snapshot)
        if not nearby and not late.any() and self._all_on_path(now, before):
            return crowd
        walking = now.present & before.present & after.present
        path = _Places(  # where the recording has them, and its step to the next moment
            np.where(late[:, None], self._ends, before.positions),
            np.where(late[:, None], 0.0, (after.positions - before.positions) / dt),
        )
        answering = (walking | late) & (self._reactivities > 0)
        velocities = self._answers(now, before, path, snapshot if nearby else None, dt)
        reached = self._within_limits(now, velocities, answering, dt)
        positions = np.where(answering[:, None], reached, after.positions)
        # What differs from the recorded step, on top of the recorded velocity: at a sample, where
        # a recording bends, step and velocity are not the same.
        aside = (reached - now.positions) / dt - path.velocities
        velocities = np.where(answering[:, None], aside, 0.0)
        velocities += np.where(late[:, None], 0.0, after.velocities)
        return self._crowd(_Places(positions, velocities), after.present | late)

    def _late(self, now: _Places, after: _Places, time: float) -> BoolArray:
        """Who is still away from the end of their path although the recording is over."""
        away = np.hypot(*(now.positions - self._ends).T) > ARRIVED  # NaN is not
        over = ~after.present & (time > self._gone - LATEST) & (time < self._gone)
        return now.present & over & away & (self._reactivities > 0)

    def _all_on_path(self, now: _Places, before: _Places) -> bool:
        both = now.present & before.present
        offsets = now.positions[both] - before.positions[both]
        return bool((np.abs(offsets) <= ON_PATH).all())

    def _answers(
        self, now: _Places, before: _Places, path: _Places, met: Snapshot | None, dt: float
    ) -> FloatArray:
        """The velocity of everybody who answers, (tracks, 2)."""
        planned = np.where(np.isnan(path.velocities), before.velocities, path.velocities)
        planned = np.where(np.isnan(planned), now.velocities, planned)  # who has no step to come
        pull = np.nan_to_num((path.positions - now.positions) / RETURN)
        wanted = _capped(planned + pull, self._limits)
        alone = self._asked(now, wanted, None, dt)
        usual = np.nan_to_num(self._asked(before, planned, None, dt))
        answer = alone if met is None else self._asked(now, wanted, met, dt)
        answers = path.velocities - usual + alone + self._reactivities[:, None] * (answer - alone)
        # Others only walk back: else people push people, and one robot stirs the whole crowd.
        return np.where(self._engaged(now, path, met)[:, None], answers, wanted)

    def _engaged(self, now: _Places, path: _Places, met: Snapshot | None) -> BoolArray:
        """Who has to do with the robot, or is not back on their path yet, (tracks,)."""
        away: BoolArray = np.hypot(*(now.positions - path.positions).T) > ASIDE
        if met is None:
            return away
        offsets = now.positions - (met.robot.pose.x, met.robot.pose.y)
        return away | (np.hypot(*offsets.T) < CLOSE)

    def _asked(
        self, places: _Places, wanted: FloatArray, met: Snapshot | None, dt: float
    ) -> FloatArray:
        """Where the model would have everybody go, (tracks, 2); NaN for those absent."""
        here = np.nonzero(places.present)[0]
        positions, velocities = places.positions[here], places.velocities[here]
        radii, limits = np.full(len(here), SLIM * self._radius), self._limits[here]
        wishes = wanted[here]
        if met is not None:
            robot, heading = met.robot, met.robot.pose.heading
            drive = robot.twist.forward * np.array([[math.cos(heading), math.sin(heading)]])
            positions = np.concatenate([positions, [[robot.pose.x, robot.pose.y]]])
            velocities, wishes = (np.concatenate([a, drive]) for a in (velocities, wishes))
            radii = np.append(radii, robot.radius + (1 - SLIM) * self._radius + MARGIN)
            limits = np.append(limits, max(float(np.abs(drive).max()) * 2, 1e-3))
        result = np.full_like(places.positions, np.nan)
        walkers = Walkers(positions, velocities, wishes, radii, limits)
        result[here] = self._steering.velocities(walkers, dt)[: len(here)]
        return result

    def _within_limits(
        self, now: _Places, velocities: FloatArray, answering: BoolArray, dt: float
    ) -> FloatArray:
        """Where people get to at no more than their speed, and not into walls, (tracks, 2)."""
        steps = np.nan_to_num(_capped(velocities, self._limits)) * dt
        deepest = np.minimum(
            0.0, self._plan.grid_clearances(now.positions)
        )  # recordings may touch walls
        reached = now.positions + steps
        for along in ((1.0, 0.0), (0.0, 1.0), (0.0, 0.0)):  # slide along the wall, or stand
            blocked = answering & (self._plan.grid_clearances(reached) < deepest)
            reached[blocked] = now.positions[blocked] + along * steps[blocked]
        return reached

    def _crowd(self, places: _Places, there: BoolArray) -> Crowd:
        here = np.nonzero(there)[0]
        return Crowd(
            self._ids[here],
            places.positions[here],
            places.velocities[here],
            np.full(len(here), self._radius),
        )


def social_force_people() -> Reactive:
    """People who answer the robot by the social force model.

    In the form that was measured on people who pass each other; it turns aside before it brakes.
    """
    return Reactive(SocialForce(form=Form.ANGULAR))


def orca_people() -> Reactive:
    """People who answer the robot by ORCA."""
    return Reactive(Orca())


def _limit(track: Track) -> float:
    """The fastest a person may walk to get out of the robot's way or back."""
    velocities = track.velocities()
    speeds = np.hypot(velocities[:, 0], velocities[:, 1])
    top = float(np.nanmax(speeds, initial=0.0))
    return max(top, min(FASTEST, max(HURRY * top, SLOWEST)))


def _capped(velocities: FloatArray, limits: FloatArray) -> FloatArray:
    speeds = np.hypot(velocities[:, 0], velocities[:, 1])
    with np.errstate(invalid="ignore", divide="ignore"):
        factors = np.where(speeds > limits, limits / speeds, 1.0)
    return velocities * factors[:, None]


def _is_near(snapshot: Snapshot) -> bool:
    pose, crowd = snapshot.robot.pose, snapshot.crowd
    offsets = crowd.positions - (pose.x, pose.y)
    return bool((np.hypot(offsets[:, 0], offsets[:, 1]) < NEAR).any())


def _spread(crowd: Crowd, ids: IntArray) -> _Places:
    positions, velocities = np.full((2, len(ids), 2), np.nan)
    rows = np.searchsorted(ids, crowd.ids)
    positions[rows], velocities[rows] = crowd.positions, crowd.velocities
    return _Places(positions, velocities)
