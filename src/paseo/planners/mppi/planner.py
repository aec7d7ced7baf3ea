"""MPPI: sampling model-predictive control over a unicycle among predicted people.

G. Williams, N. Wagener, B. Goldfain, P. Drews, J. M. Rehg, B. Boots, E. A. Theodorou, Information
theoretic MPC for model-based reinforcement learning, ICRA 2017. From there: many rollouts with
noise around the last plan, averaged by the exponentials of their costs. Ours: rollouts that are
guided to the goal or dodge, and the costs, which are all in seconds.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from typing import Any, ClassVar

import numpy as np

from paseo.errors import BadValue
from paseo.planners.mppi.entrances import Entrances
from paseo.planners.mppi.guidance import blended, guide, knot_noise, scatter, shapes
from paseo.planners.mppi.prediction import forecast
from paseo.planners.mppi.rollouts import Company, Ground, Limits, Prices, weigh
from paseo.world.arrays import FloatArray
from paseo.world.motion import Control, Pose, Robot, RobotState, Twist
from paseo.world.planning import Briefing, Observation
from paseo.world.space.floorplan import FloorPlan
from paseo.world.space.ways import ways_to

STEP = 0.1  # seconds of a rollout's step at most
NO_LIMIT = 1e6  # for what is infinite
FASTEST_TURN = 3.0  # rad/s that are tried
SIDE, FRONT = 0.3, 0.3  # metres of space around people, and more in front per m/s
TURNING, CHANGE, FACING = 0.05, 0.02, 0.3  # small prices for a steady drive, see Prices
LOYALTY = 0.05  # seconds by which a new plan must be better than the last one
TOLERANCE = 0.05  # seconds that a plan may cost more than the best if it is gentler
EASINGS = (1.6, 0.8, 0.4, 0.2, 0.0)  # seconds in which a new plan is taken up
SPOT = 0.8  # metres around a spot where people appear
EASY = 0.3  # metres off walls at which driving is as easy as anywhere
BESIDE_WALLS = 0.5  # seconds that a second right at a wall costs
TIGHT, GRAZING = 0.04, 5.0  # metres of room so small that a second there costs so much
AT_LEAST = 0.005  # metres kept from walls, for the field of distances is not exact
ARRIVED = 0.9  # of the goal's radius
MOST_ROLLOUTS = 100_000


@dataclass
class Mppi:
    """Drives as the best of some hundred looks ahead; keeps clear of people, groups and doors.

    All prices are in seconds that the robot would rather lose. What costs more time costs more: a
    robot that is to be more careful gets a higher `contact`, a bolder one a lower.
    """

    control: ClassVar[Control] = Control.VELOCITY
    kernels: ClassVar[tuple[Callable[..., Any], ...]] = (weigh, guide, scatter, blended)

    horizon: float = 5.0  # seconds looked ahead
    rollouts: int = 192  # around the best plan; half as many around the last plan
    guided: int = 192  # detours on the way to the goal, and dodges
    temperature: float = 0.1  # seconds; the lower, the more the best rollout counts alone
    contact: float = 15.0  # price of touching a person
    space: float = 0.5  # price of a second right beside a person
    group: float = 2.0  # price of passing between companions
    newcomers: float = 0.7  # price of a second where people tend to appear

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if field.name in ("horizon", "temperature") and not 0 < value < math.inf:
                raise BadValue(f"mppi: {field.name} must be more than 0, not {value}")
            if not 0 <= value < math.inf:
                raise BadValue(f"mppi: {field.name} must be 0 or more, not {value}")
        for name in ("rollouts", "guided"):
            if not 2 <= getattr(self, name) <= MOST_ROLLOUTS:
                raise BadValue(
                    f"mppi: {name} must be between 2 and {MOST_ROLLOUTS}, not {getattr(self, name)}"
                )

    def begin(self, briefing: Briefing) -> None:
        """Find the ways to the goal; forget plans and people."""
        self._rng = np.random.default_rng(briefing.seed)
        self._dt = float(briefing.dt)
        self._floorplan = briefing.floorplan
        self._needed = float(briefing.robot.needed_clearance)
        self._limits = _limits(briefing.robot, self._dt)
        steps = max(2, self._limits.held, math.ceil(self.horizon / self._limits.step - 1e-6))
        self._times = np.array([(h + 1) * self._limits.step for h in range(steps)], np.float64)
        self._ground = _ground(briefing, self._limits)
        self._prices = Prices(
            float(self.contact), float(self.space), SIDE, FRONT,
            float(self.group), TURNING, CHANGE, FACING,
        )  # fmt: skip
        self._entrances = Entrances(briefing.floorplan)
        self._plan: FloatArray = np.zeros((2, steps))
        self._time, self._is_plan_followed = -self._dt, True
        count = 1 + self.guided + self.rollouts // 2
        self._proposed, self._tried = (
            np.empty((2, steps, count)),
            np.empty((2, steps, self.rollouts)),
        )

    def plan(self, observation: Observation) -> Twist:
        """The first control of the best plan; the rest of it is where the next one starts from."""
        start = self._start(observation.robot)
        company = self._company(observation)
        # Where thinking takes time, more than one step lies between two questions.
        passed = max(1, round((observation.time - self._time) / self._dt))
        self._time = observation.time
        old = _shifted(self._plan, passed * self._dt / self._limits.step)
        best = self._proposal(start, old, company)
        noise = knot_noise(len(self._times), self.rollouts, self._limits, self._rng)
        noise[:, :, 0] = 0.0
        scatter(best, noise, self._tried, 0)
        costs = self._costs(start, self._tried, company)
        mean = blended(self._tried, costs, float(self.temperature))
        # A mean of rollouts to the left and to the right of somebody is worse than either.
        ways = eased(old, (mean, self._tried[:, :, int(np.argmin(costs))]), self._times)
        costs = self._costs(start, ways, company)
        gentlest = int(np.argmax(costs <= costs.min() + TOLERANCE))
        self._plan = ways[:, :, gentlest].copy()
        wanted = self._reachable(start)
        twist = self._kept_off_walls(observation.robot, wanted)
        self._is_plan_followed = twist == wanted
        return twist

    def upcoming(self) -> list[Twist]:
        """The rest of the plan; nothing where a wall was in its way."""
        if not self._is_plan_followed:
            return []
        steps = self._plan.shape[1]
        count = round(steps * self._limits.step / self._dt)
        at = np.arange(1, count) * (self._dt / self._limits.step)  # (steps of dt after the first,)
        forward, turn = (np.interp(at, np.arange(steps), row) for row in self._plan)
        return [Twist(*twist) for twist in zip(forward.tolist(), turn.tolist(), strict=True)]

    def _start(self, robot: RobotState) -> FloatArray:
        """x, y, heading, forward and turn; under position control the latter can be anything."""
        limits, pose, twist = self._limits, robot.pose, robot.twist
        forward = min(max(twist.forward, limits.slowest), limits.fastest)
        turn = min(max(twist.turn, -limits.turn), limits.turn)
        return np.array([pose.x, pose.y, pose.heading, forward, turn], np.float64)

    def _company(self, observation: Observation) -> Company:
        robot, crowd, top_speed = observation.robot, observation.crowd, self._limits.fastest
        x, y = robot.pose.x, robot.pose.y
        people = forecast(crowd, x, y, times=self._times, top_speed=top_speed)
        speeds = np.hypot(people.velocities[:, 0], people.velocities[:, 1])
        directions = people.velocities / np.maximum(speeds, 1e-9)[:, None]
        self._entrances.watch(crowd, observation.time)
        reach = top_speed * self._times[-1] + 2.0
        spots, busy = self._entrances.near(x, y, reach, observation.time + self._times)
        return Company(
            people.positions,
            1.0 / people.deviations,
            np.column_stack([people.radii + robot.radius, directions, speeds]),
            people.pairs,
            spots,
            float(self.newcomers) * busy,
            SPOT,
        )

    def _proposal(self, start: FloatArray, old: FloatArray, company: Company) -> FloatArray:
        """The best of the last plan, of guided rollouts, and of some noise, (2, steps)."""
        steps, half = len(self._times), self.rollouts // 2
        self._proposed[:, :, 0] = old
        drawn = shapes(self.guided, self._limits, self._rng)
        guide(start, drawn, self._limits, self._ground, self._proposed, 1)
        noise = knot_noise(steps, half, self._limits, self._rng)
        scatter(old, noise, self._proposed, 1 + self.guided)
        costs = self._costs(start, self._proposed, company)
        costs[0] -= LOYALTY
        best: FloatArray = self._proposed[:, :, int(np.argmin(costs))].copy()
        return best

    def _costs(self, start: FloatArray, controls: FloatArray, company: Company) -> FloatArray:
        """Seconds, (rollouts,); controls are cut to the robot's limits."""
        _, steps, count = controls.shape
        states, costs = np.empty((5, steps, count)), np.empty(count)
        weigh(start, controls, self._limits, self._ground, self._prices, company, states, costs)
        return costs

    def _reachable(self, start: FloatArray) -> Twist:
        """The plan's first control, as far as the robot gets there in one `dt`."""
        share = self._dt / self._limits.step
        gain, turn_gain = share * self._limits.gain, share * self._limits.turn_gain
        (forward, turn), (v, w) = self._plan[:, 0].tolist(), start[3:].tolist()
        return Twist(
            min(max(forward, v - gain), v + gain), min(max(turn, w - turn_gain), w + turn_gain)
        )

    def _kept_off_walls(self, robot: RobotState, twist: Twist) -> Twist:
        """The same twist, or a turn on the spot where the next state would be too near a wall."""
        pose, plan = robot.pose, self._floorplan
        direction = pose.heading + 0.5 * twist.turn * self._dt
        chord = twist.forward * self._dt
        x, y = pose.x + chord * math.cos(direction), pose.y + chord * math.sin(direction)
        clear = plan.clearance(x, y)
        fits = clear >= self._needed + AT_LEAST or clear >= plan.clearance(pose.x, pose.y)
        return twist if fits and plan.sees(pose, Pose(x, y)) else Twist(0.0, twist.turn)


def eased(old: FloatArray, plans: Sequence[FloatArray], times: FloatArray) -> FloatArray:
    """The old plan, then each new one taken up ever sooner, (2, steps, ways)."""
    ways = [old]
    for seconds in EASINGS:
        share = np.minimum(times / max(seconds, times[0]), 1.0)  # (steps,)
        ways += [old + share * (plan - old) for plan in plans]
    return np.stack(ways, axis=2)


def _limits(robot: Robot, dt: float) -> Limits:
    """The robot's limits in steps of which a whole number makes a long `dt`."""
    held = max(1, math.ceil(dt / STEP - 1e-6))
    step = STEP if held == 1 else dt / held
    return Limits(
        step,
        held,
        -float(robot.max_reverse_speed),
        float(robot.max_speed),
        min(float(robot.max_turn), FASTEST_TURN),
        min(float(robot.max_acceleration) * step, NO_LIMIT),
        min(float(robot.max_turn_acceleration) * step, NO_LIMIT),
    )


def _ground(briefing: Briefing, limits: Limits) -> Ground:
    plan, goal, needed = briefing.floorplan, briefing.goal, float(briefing.robot.needed_clearance)
    ways = ways_to(plan, goal, room=needed, easy=EASY)
    top_speed = max(limits.fastest, -limits.slowest)
    return Ground(
        plan.distance,
        _wall_burden(plan, needed),
        float(plan.origin[0]),
        float(plan.origin[1]),
        float(plan.cell_size),
        ways.metres,
        float(ways.cell_size),
        # Off the grid's cell centres a thin wall can seem to be half a cell away.
        max(needed + AT_LEAST, 0.6 * plan.cell_size),
        max(1, math.ceil(top_speed * limits.step / max(needed, plan.cell_size))),
        float(goal.x),
        float(goal.y),
        ARRIVED * float(briefing.goal_radius),
    )


def _wall_burden(plan: FloorPlan, needed: float) -> FloatArray:
    """What a second beside walls costs in each cell, (rows, columns)."""
    room = plan.distance - needed
    beside, grazing = np.clip(1.0 - room / EASY, 0.0, 1.0), np.clip(1.0 - room / TIGHT, 0.0, 1.0)
    burden: FloatArray = BESIDE_WALLS * beside**2 + GRAZING * grazing
    return burden


def _shifted(plan: FloatArray, steps: float) -> FloatArray:
    """What is left of a plan some steps later, its last control kept, (2, steps)."""
    last = plan.shape[1] - 1
    at = np.minimum(np.arange(last + 1) + steps, last)
    here = np.minimum(at.astype(np.int64), last)
    share = at - here
    there = np.minimum(here + 1, last)
    shifted: FloatArray = (1.0 - share) * plan[:, here] + share * plan[:, there]
    return shifted
