"""What the robot gets to see: the world, or less of it, seeded and repeatable."""

import math
from collections import deque

import numpy as np

from paseo.compiled import compiled
from paseo.sim.seeds import derived_seed
from paseo.world.arrays import BoolArray, FloatArray
from paseo.world.clocks import steps_in
from paseo.world.people import Crowd, Snapshot
from paseo.world.planning import Observation
from paseo.world.scenarios import Scenario, Sensor
from paseo.world.space.geometry import blocked_between

NOBODY = Crowd(np.empty(0, np.int64), np.empty((0, 2)), np.empty((0, 2)), np.empty(0))


class Sensing:
    """Turns snapshots into observations; own motion is always known, people are sensed."""

    def __init__(self, scenario: Scenario) -> None:
        self._sensor = scenario.sensor
        self._walls = scenario.floorplan.walls
        self._rng = np.random.default_rng(derived_seed("sensing", scenario))
        self._reported = {track.id: track.id for track in scenario.tracks}
        self._late: deque[Crowd] = deque()
        self._delay = steps_in(scenario.sensor.delay, scenario.dt)
        self.is_perfect = scenario.sensor == Sensor()

    def observation(self, snapshot: Snapshot) -> Observation:
        """What the planner is shown of this moment; call it once a step."""
        if self.is_perfect:
            return Observation(snapshot.time, snapshot.robot, snapshot.crowd)
        self._late.append(self._sensed(snapshot))
        crowd = self._late.popleft() if len(self._late) > self._delay else NOBODY
        return Observation(snapshot.time, snapshot.robot, crowd)

    def _sensed(self, snapshot: Snapshot) -> Crowd:
        sensor, crowd, pose = self._sensor, snapshot.crowd, snapshot.robot.pose
        seen = visible(
            pose.x, pose.y, pose.heading, sensor.range, sensor.field_of_view,
            sensor.occlusion, crowd.positions, crowd.radii, self._walls,
        )  # fmt: skip
        if sensor.miss_rate > 0:
            seen &= self._rng.random(len(crowd)) >= sensor.miss_rate
        ids = self._labels(crowd.ids[seen].tolist())
        order = np.argsort(ids)
        sensed = Crowd(
            np.array(ids, np.int64)[order],
            self._noisy(crowd.positions[seen], sensor.position_noise)[order],
            self._noisy(crowd.velocities[seen], sensor.velocity_noise)[order],
            crowd.radii[seen][order],
        )
        for array in (sensed.ids, sensed.positions, sensed.velocities, sensed.radii):
            array.setflags(write=False)
        return sensed

    def _noisy(self, values: FloatArray, deviation: float) -> FloatArray:
        if deviation == 0:
            return values
        return values + self._rng.normal(0.0, deviation, values.shape)

    def _labels(self, ids: list[int]) -> list[int]:
        """The ids reported for these people; a swap lasts until the next one, as in trackers."""
        if len(ids) > 1 and self._rng.random() < self._sensor.swap_rate:
            a, b = self._rng.choice(ids, 2, replace=False).tolist()
            self._reported[a], self._reported[b] = self._reported[b], self._reported[a]
        return [self._reported[person] for person in ids]


@compiled
def visible(
    x: float,
    y: float,
    heading: float,
    reach: float,
    field_of_view: float,
    occlusion: bool,
    positions: FloatArray,
    radii: FloatArray,
    walls: FloatArray,
) -> BoolArray:
    """Whose centre is in range, in the field of view and, if asked, not hidden, (people,)."""
    people = positions.shape[0]
    seen = np.ones(people, np.bool_)
    for k in range(people):
        dx, dy = positions[k, 0] - x, positions[k, 1] - y
        distance = math.hypot(dx, dy)
        turn = math.atan2(dy, dx) - heading
        off_axis = abs(math.atan2(math.sin(turn), math.cos(turn)))
        if distance > reach or off_axis > 0.5 * field_of_view:
            seen[k] = False
        elif occlusion:
            seen[k] = not blocked_between(x, y, positions[k, 0], positions[k, 1], walls)
            for other in range(people):
                if not seen[k] or other == k:
                    continue
                ox, oy = positions[other, 0] - x, positions[other, 1] - y
                along = (ox * dx + oy * dy) / distance if distance > 0.0 else -1.0
                aside = abs(ox * dy - oy * dx) / distance if distance > 0.0 else math.inf
                if 0.0 < along < distance and aside < radii[other]:
                    seen[k] = False
    return seen
