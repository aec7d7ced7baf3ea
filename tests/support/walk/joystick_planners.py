"""Planners of Paseo as Joystick clients."""

import math
from pathlib import Path
from typing import Any

import numpy as np

from paseo.world.motion import Command, Control, Pose, Robot, RobotState, Twist
from paseo.world.people import Crowd
from paseo.world.planning import Briefing, Observation, Planner
from runs import suite
from worlds import plan

ROBOT = Robot()


class Shy:
    """Heads for the goal and away from people, by all that the wire tells of them."""

    def begin(self, briefing: Briefing) -> None:
        self._goal, self._dt, self._mode = briefing.goal, briefing.dt, briefing.control

    def plan(self, observation: Observation) -> Command:
        pose, crowd, dt = observation.robot.pose, observation.crowd, self._dt
        there = np.array([self._goal.x - pose.x, self._goal.y - pose.y])
        away = np.array([pose.x, pose.y]) - crowd.positions  # (people, 2)
        gaps = np.linalg.norm(away, axis=1) - crowd.radii - observation.robot.radius
        push = (away * np.exp(-gaps)[:, None]).sum(axis=0)
        dx, dy = (there / np.linalg.norm(there) + push + 0.01 * observation.time).tolist()
        bearing = math.atan2(dy, dx)
        if self._mode is Control.POSITION:
            step = 1.1 * dt
            return Pose(pose.x + step * math.cos(bearing), pose.y + step * math.sin(bearing))
        return Twist(0.9, math.remainder(bearing - pose.heading, math.tau))


class Remote:
    """A planner of Paseo as a client: told what the wire tells, and of the robot its limits."""

    def __init__(self, planner: Planner, control: Control) -> None:
        self._planner, self._control = planner, control

    def begin(self, metadata: Any) -> None:
        robot = metadata["robots"]["robot_agent"]
        self._planner.begin(
            Briefing(
                start=Pose(*robot["start_config"]),
                goal=Pose(*robot["goal_config"]),
                goal_radius=math.nan,
                floorplan=plan("nothing is told of walls", (0, 0, 9, 9)),
                time_limit=metadata["episode_max_time"],
                dt=metadata["delta_t"],
                robot=ROBOT,
                control=self._control,
                seed=0,
            )
        )

    def command(self, state: Any) -> list[float]:
        command = self._planner.plan(observed(state))
        if isinstance(command, Twist):
            return [command.forward, command.turn]
        return [command.x, command.y, command.heading, 0.0]


def observed(state: Any) -> Observation:
    """What a state tells; of velocities it tells nothing."""
    people, robot = state["pedestrians"], state["robots"]["robot_agent"]
    names = sorted(people)
    configs = np.array([people[name]["current_config"] for name in names]).reshape(-1, 3)
    return Observation(
        state["sim_t"],
        RobotState(Pose(*robot["current_config"]), Twist(math.nan, math.nan), robot["radius"]),
        Crowd(
            np.array([int(name[-4:]) for name in names], np.int64),
            configs[:, :2],
            np.full((len(names), 2), math.nan),
            np.array([people[name]["radius"] for name in names]),
        ),
    )


def crossing(folder: Path) -> Path:
    """Two people cross the way to the goal; one more comes later."""
    entry = {
        "name": "crossing",
        "map": "room.txt",
        "start": {"x_m": 2.0, "y_m": 5.0},
        "goal": {"x_m": 7.0, "y_m": 5.3},
        "time_limit_s": 8.0,
        "people": [
            {"id": 4, "path": [[0.0, 4.0, 1.0], [6.1, 4.3, 9.0]]},
            {"id": 7, "path": [[0.0, 6.0, 8.0], [7.3, 5.0, 1.0]]},
            {"id": 9, "path": [[2.03, 8.0, 2.0], [7.9, 1.0, 7.0]]},
        ],
    }
    return suite(folder, episodes=[entry])
