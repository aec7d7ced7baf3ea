"""What a Joystick client is shown: the robot now, the people one step before, who was touched."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

import numpy as np

from paseo.world.arrays import BoolArray
from paseo.world.motion import RobotState
from paseo.world.people import Crowd
from paseo.world.planning import Observation

COOLDOWN = 1.0  # seconds for which somebody who was touched is not touched again


class States(StrEnum):
    """What a state shows of people and time."""

    ORIGINAL = "original"  # people one step before in float32, time as a running sum of steps
    EXACT = "exact"  # all of now, in full precision


@dataclass(frozen=True, slots=True, kw_only=True)
class Touches:
    """Who was touched, as SocNavBench counts it."""

    cooldowns: Mapping[int, int] = field(default_factory=dict)  # steps left, by person
    people: Mapping[int, float] = field(default_factory=dict)  # when last, by person
    robot: float | None = None  # when last; None: never


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """The state s_k of SocNavBench, labelled with the time of step k."""

    time: float  # a running sum of steps, with the rounding of one
    now: Observation
    crowd: Crowd  # as it was one step before, and in the first two states at the start
    touches: Touches = Touches()

    @property
    def robot(self) -> RobotState:
        """As it is now."""
        return self.now.robot

    def crowd_of(self, states: States) -> Crowd:
        """The people that such states show."""
        return self.crowd if states is States.ORIGINAL else self.now.crowd

    def time_of(self, states: States) -> float:
        """The time that such states tell."""
        return self.time if states is States.ORIGINAL else self.now.time


def first_state(observation: Observation) -> State:
    """The state before anybody has moved."""
    return State(time=0.0, now=observation, crowd=observation.crowd)


def next_state(state: State, before: Observation, now: Observation, dt: float) -> State:
    """The state after one step, `before` and `now` being what is sensed at its ends."""
    return State(
        time=state.time + dt,
        now=now,
        crowd=before.crowd,
        touches=_touches(state, before.crowd, dt),
    )


def _touches(state: State, present: Crowd, dt: float) -> Touches:
    """After everybody `present` in a step has looked whether the robot touches them."""
    before = state.touches
    near = set(present.ids[_near(state, present)].tolist())
    if not near and not before.cooldowns:
        return before
    resting = before.cooldowns
    touched = near - resting.keys()
    steps = {person: resting.get(person, 0) for person in present.ids.tolist()}
    steps |= dict.fromkeys(touched, round(COOLDOWN / dt))
    # Somebody who appears on top of the robot is touched, but not by the robot.
    by_robot = touched & set(state.crowd.ids.tolist())
    return replace(
        before,
        cooldowns={person: left - 1 for person, left in steps.items() if left > 1},
        people={**before.people, **dict.fromkeys(touched, state.time)},
        robot=state.time if by_robot else before.robot,
    )


def _near(state: State, present: Crowd) -> BoolArray:
    """Who overlaps the robot where the state shows them; who is new, where they appear."""
    places, shown = present.positions, state.crowd
    if present.ids.tobytes() == shown.ids.tobytes():
        places = shown.positions
    else:
        known, there = np.isin(present.ids, shown.ids), np.isin(shown.ids, present.ids)
        places = places.copy()
        places[known] = shown.positions[there]
    pose = state.robot.pose
    gaps = np.hypot(places[:, 0] - pose.x, places[:, 1] - pose.y)
    near: BoolArray = gaps < state.robot.radius + present.radii
    return near
