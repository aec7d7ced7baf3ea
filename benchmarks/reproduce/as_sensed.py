"""Planners that see people as the original's clients did: late, newcomers or all standing.

The released simulator sends states whose people are one step behind, and its clients take the
difference of two states as velocity, which is zero for whoever was not in the one before.
"""

import math
from dataclasses import replace

import numpy as np

from paseo.planners.orca import Orca
from paseo.planners.orca_checkpoints import OrcaCheckpoints
from paseo.planners.sacadrl.planner import Sacadrl
from paseo.planners.sacadrl.value_network import Weights
from paseo.planners.social_force import SocialForce
from paseo.world.motion import Command, Control, Pose, RobotState, Twist
from paseo.world.people import Crowd
from paseo.world.planning import Briefing, Observation, Planner
from paseo.world.space.ways import ways_to

JUST_AHEAD = 0.55  # metres: half a second, as the released client plans its checkpoints


class AsSensed:
    """A planner that sees people late."""

    control = Control.POSITION

    def __init__(self, planner: Planner) -> None:
        self._planner = planner

    def begin(self, briefing: Briefing) -> None:
        """Begin with nobody seen."""
        self._planner.begin(briefing)
        self._dt = briefing.dt
        self._seen: list[Crowd] = []

    def plan(self, observation: Observation) -> Command:
        """What the planner does about the people of one step ago."""
        self._seen = [*self._seen[-2:], observation.crowd]
        before, late = self._seen[0], self._seen[max(len(self._seen) - 2, 0)]
        places = dict(zip(before.ids.tolist(), before.positions, strict=True))
        was = [places.get(k, now) for k, now in zip(late.ids.tolist(), late.positions, strict=True)]
        velocities = (late.positions - np.reshape(was, (-1, 2))) / self._dt
        crowd = Crowd(late.ids, late.positions, velocities, late.radii)
        return self._planner.plan(Observation(observation.time, observation.robot, crowd))


class LateSocialForce(AsSensed):
    """Social Forces as the original's client ran it."""

    def __init__(self) -> None:
        super().__init__(SocialForce())


class LateOrca(AsSensed):
    """ORCA as the original's client ran it."""

    def __init__(self) -> None:
        super().__init__(Orca(preferred_speed=1.0))


class LateOrcaCheckpoints(AsSensed):
    """ORCA with checkpoints as the paper describes it, on what the original's client saw."""

    def __init__(self) -> None:
        super().__init__(OrcaCheckpoints(preferred_speed=1.0))


class StandingSacadrl:
    """SA-CADRL to which everybody stands, itself included.

    The released client made a new environment of gym-collision-avoidance in every step, and in a
    new environment nobody has a velocity yet. That client's changed package was never published,
    so this is what its description leads to, not what was seen to happen.
    """

    control = Sacadrl.control
    weights = Weights.NO_RULES

    def begin(self, briefing: Briefing) -> None:
        """Begin as SA-CADRL does."""
        self._planner = Sacadrl(weights=self.weights)
        self._planner.begin(briefing)

    def plan(self, observation: Observation) -> Command:
        """What SA-CADRL does among people who stand."""
        return self._planner.plan(_standing(observation))


class StandingRotateRight(StandingSacadrl):
    """The same with the weights that were trained to pass on the right."""

    weights = Weights.ROTATE_RIGHT


class _Anew:
    """SA-CADRL made anew in every step, among people who stand, with a sub-goal just ahead."""

    control = Sacadrl.control

    def begin(self, briefing: Briefing) -> None:
        """Find the way to the goal."""
        room = briefing.robot.needed_clearance
        self._briefing = briefing
        self._ways = ways_to(briefing.floorplan, briefing.goal, room=room)

    def plan(self, observation: Observation) -> Command:
        """What it does first of all."""
        planner = Sacadrl(checkpoints=False)
        planner.begin(replace(self._briefing, goal=self._just_ahead(observation.robot.pose)))
        return planner.plan(_standing(observation))

    def _just_ahead(self, pose: Pose) -> Pose:
        goal = self._briefing.goal
        if pose.distance_to(goal) < JUST_AHEAD:
            return goal
        dx, dy = self._ways.slope(pose.x, pose.y)
        share = JUST_AHEAD / max(math.hypot(dx, dy), 1e-9)
        return Pose(pose.x + share * dx, pose.y + share * dy, math.atan2(dy, dx))


class ReleasedSacadrl(AsSensed):
    """SA-CADRL as far as the released client shows: late, standing, a sub-goal 0.55 m ahead."""

    def __init__(self) -> None:
        super().__init__(_Anew())


def _standing(observation: Observation) -> Observation:
    robot, crowd = observation.robot, observation.crowd
    still = Crowd(crowd.ids, crowd.positions, np.zeros_like(crowd.velocities), crowd.radii)
    standing = RobotState(robot.pose, Twist(0.0, 0.0), robot.radius)
    return Observation(observation.time, standing, still)
