"""MPPI: sampling model-predictive control (G. Williams et al., Information theoretic MPC, ICRA 2017)."""

import math
from dataclasses import dataclass
from typing import Any, ClassVar
from collections.abc import Callable

import numpy as np

from paseo.errors import BadValue
from paseo.planners import rollouts
from paseo.planners.entrances import Entrances
from paseo.planners.guidance import guide
from paseo.planners.prediction import forecast
from paseo.planners.rollouts import Ground, Limits, Prices
from paseo.world.motion import Control, Twist
from paseo.world.people import FloatArray
from paseo.world.planning import Briefing, Observation
from paseo.world.ways import ways_to

STEP = 0.1
NO_LIMIT = 1e6
TURN_CAP = 3.0


@dataclass
class Mppi:
    control: ClassVar[Control] = Control.VELOCITY

    horizon: float = 5.0
    guided: int = 192
    rollouts: int = 192
    temperature: float = 0.1
    noise_forward: float = 0.3
    noise_turn: float = 0.5
    contact: float = 15.0
    space: float = 0.5
    side: float = 0.3
    front: float = 0.3
    group: float = 2.0
    spread: float = 0.12
    most: float = 0.2
    sure: float = 0.06
    wall: float = 0.5
    turning: float = 0.05
    change: float = 0.02
    facing: float = 0.3
    loyal: float = 0.05
    margin: float = 0.03
    easy: float = 0.3
    entrance: float = 0.7
    entrance_size: float = 0.8
    settled: float = 0.7
    burst: float = 1.0
    fade: float = 0.7
    length: float = 0.0

    def begin(self, briefing: Briefing) -> None:
        robot, plan = briefing.robot, briefing.floorplan
        self._rng = np.random.default_rng(briefing.seed)
        held = max(1, math.ceil(briefing.dt / STEP - 1e-6))
        step = STEP if held == 1 else briefing.dt / held
        self._held_dt = briefing.dt
        turn = min(robot.max_turn, TURN_CAP)
        self._limits = Limits(
            step, held, -robot.max_reverse_speed, robot.max_speed, turn,
            min(robot.max_acceleration, NO_LIMIT) * step,
            min(robot.max_turn_acceleration, NO_LIMIT) * step,
        )
        steps = math.ceil(self.horizon / step)
        self._times = (np.arange(steps) + 1.0) * step
        self._room = room = robot.needed_clearance + self.margin
        ways = ways_to(plan, briefing.goal, room=robot.needed_clearance, easy=self.easy)
        self._ground = Ground(
            plan.distance, plan.origin[0], plan.origin[1], plan.cell_size, ways.metres, ways.cell_size, room,
            float(briefing.goal.x), float(briefing.goal.y), 0.9 * briefing.goal_radius,
            self._burden(plan),
        )
        self._prices = Prices(self.contact, self.space, self.side, self.front, self.group, self.length, self.turning, self.change, self.facing)
        self._plan = np.zeros((2, steps))
        self._states = {}
        self._entrances = Entrances(plan, self.entrance, self.settled, self.burst, self.fade)

    def plan(self, observation: Observation) -> Twist:
        state = observation.robot
        pose = state.pose
        start = np.array([pose.x, pose.y, pose.heading, state.twist.forward, state.twist.turn])
        people = forecast(observation.crowd, pose.x, pose.y, times=self._times,
            top_speed=self._limits.fastest, spread=self.spread, most=self.most)
        sharp = 1.0 / (self.sure + people.deviations)
        reaches = np.column_stack([people.radii + state.radius, people.directions, people.speeds])
        self._entrances.watch(observation.crowd, observation.time)
        spots = self._entrances.spots(pose.x, pose.y, self._limits.fastest * self._times[-1] + 2.0, observation.time + self._times)
        scene = (people, sharp, reaches, spots)
        old = self._shifted()
        first = np.concatenate([old[:, :, None], self._guided(start), self._noisy(old, self.rollouts // 2)], axis=2)
        costs = self._evaluated(start, first, scene)
        costs[0] -= self.loyal
        best = int(np.argmin(costs))
        second = self._noisy(first[:, :, best], self.rollouts)
        second[:, :, 0] = first[:, :, best]
        costs = self._evaluated(start, second, scene)
        weights = np.exp(-(costs - costs.min()) / self.temperature)
        mean = second @ (weights / weights.sum())
        final = np.stack([mean, second[:, :, np.argmin(costs)]], axis=2)
        costs = self._evaluated(start, final, scene)
        self._plan = final[:, :, int(np.argmin(costs))]
        self.costs=costs
        self.final=final
        return Twist(float(self._plan[0, 0]), float(self._plan[1, 0]))

    def _burden(self, plan):
        clear = plan.distance
        near = np.clip(1.0 - (clear - self._room) / 0.3, 0.0, 1.0)
        burden = self.wall * near**2
        return burden

    def _shifted(self):
        ahead = self._held_dt / self._limits.step
        k = int(ahead); f = ahead - k
        steps = self._plan.shape[1]
        i = np.minimum(np.arange(steps) + k, steps - 1); j = np.minimum(i + 1, steps - 1)
        return (1 - f) * self._plan[:, i] + f * self._plan[:, j]

    def _noisy(self, plan, count):
        steps = plan.shape[1]
        knots = max(2, math.ceil(steps * self._limits.step / 0.8) + 1)
        noise = self._rng.standard_normal((2, knots, count)) 
        noise[0] *= self.noise_forward * self._limits.fastest
        noise[1] *= self.noise_turn * min(self._limits.turn, 2.0)
        noise *= self._rng.uniform(0.1, 1.0, count) 
        at = np.linspace(0, knots - 1, steps); i = np.minimum(at.astype(int), knots - 2); f = (at - i)[:, None]
        return plan[:, :, None] + (1 - f) * noise[:, i] + f * noise[:, i + 1]

    def _guided(self, start):
        n, rng = self.guided, self._rng
        shapes = np.zeros((n, 8))
        fast = self._limits.fastest
        shapes[:, 0] = fast * np.where(rng.random(n) < 0.4, 1.0, rng.random(n))
        shapes[:, 1] = rng.normal(0.0, 0.9, n)
        shapes[:, 2] = rng.uniform(0.3, 4.0, n)
        shapes[:, 3] = fast * np.where(rng.random(n) < 0.6, 1.0, rng.random(n))
        shapes[:, 4] = rng.random(n) < 0.5
        m = n // 2
        choice = [self._limits.slowest, 0.0, 0.0, 0.5 * fast, fast, fast]
        turns = self._limits.turn * np.array([-1.0, -1.0, -0.5, 0.0, 0.5, 1.0, 1.0])
        shapes[-m:, 0] = rng.choice(choice, m)
        shapes[-m:, 1] = rng.choice(turns, m)
        shapes[-m:, 2] = rng.uniform(0.0, 1.5, m)
        shapes[-m:, 3] = rng.choice([0.0, 0.5 * fast, fast, fast], m)
        shapes[-m:, 4] = 2.0
        shapes[-m:, 5] = shapes[-m:, 2] + rng.uniform(0.0, 1.5, m)
        shapes[-m:, 6] = rng.choice(choice, m)
        shapes[-m:, 7] = rng.choice(turns, m)
        shapes[:6, :5] = [(fast, 0, 0, fast, 0), (0, 0, 9, 0, 0), (0, 0, 1, fast, 0), (0.5 * fast, 0, 9, 0.5 * fast, 0), (fast, 1.5, 1.5, fast, 1), (fast, -1.5, 1.5, fast, 1)]
        controls = np.empty((2, len(self._times), n))
        guide(start, shapes, self._limits, self._ground, controls)
        return controls

    def _evaluated(self, start: FloatArray, controls: FloatArray, scene) -> FloatArray:
        people, sharp, reaches, spots = scene
        _, steps, count = controls.shape
        if count not in self._states:
            self._states[count] = (np.empty((5, steps, count)), np.empty(count))
        states, costs = self._states[count]
        rollouts.drive(start, controls, self._limits, states)
        rollouts.travel_costs(start, controls, states, self._limits, self._ground, self._prices, costs)
        rollouts.people_costs(states, people.positions, sharp, reaches, self._limits.step, self._prices, costs)
        if len(people.pairs):
            rollouts.group_costs(states, people.positions, people.pairs, 0.4, self._prices, costs)
        if len(spots[0]):
            rollouts.entrance_costs(states, spots[0], spots[1], self.entrance_size, self._limits.step, costs)
        return costs
