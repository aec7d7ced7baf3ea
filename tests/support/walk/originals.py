"""What SocNavBench's own clients sensed, so that our planners can be asked the same questions."""

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from as_sensed import AsSensed

from drives import output_of_the_original
from paseo.data.suites.episodes import episode
from paseo.sim.simulate import simulate
from paseo.world.motion import Control, Pose, Robot, RobotState, Twist
from paseo.world.people import Crowd
from paseo.world.planning import Briefing, Observation, Planner
from paseo.world.records import Record
from worlds import plan

DT = 0.05
ROBOT = Robot(name="socnavbench", radius=0.2, wall_radius=0.0)
# The original was run on these rooms instead of its maps, as its recorded traffic shows.
ROOMS = {
    "ETH": plan("ETH", (0.2, 0.2, 15.8, 17.8)),
    "HotelSmall": plan("HotelSmall", (0.2, 0.2, 17.8, 11.8)),
    "Zara": plan("Zara", (0.2, 0.2, 21.8, 14.8), (9.0, 10.5, 12.0, 12.0)),
}


def misses(planner: Planner, data: Path, name: str, room: str) -> Any:
    """How far off the planner's answers are from the original's to the same questions, in metres.

    The original's last command was not carried out any more.
    """
    record, _ = output_of_the_original(data, name)
    planner.begin(
        Briefing(
            start=record.scenario.start,
            goal=record.scenario.goal,
            goal_radius=0.3,
            floorplan=ROOMS[room],
            time_limit=60.0,
            dt=DT,
            robot=ROBOT,
            control=Control.POSITION,
            seed=0,
        )
    )
    answers = [planner.plan(observed(record, step)) for step in range(len(record.robot) - 2)]
    places = np.array([(answer.x, answer.y) for answer in answers])  # type: ignore[union-attr]
    return np.hypot(*(places - record.robot[1:-1, :2]).T)


def observed(record: Record, step: int) -> Observation:
    """A state as the original's clients saw it: all velocities are differences of two states."""
    before = max(step - 1, 0)
    x, y, heading = record.robot[step].tolist()
    vx, vy = ((record.robot[step] - record.robot[before]) / DT).tolist()[:2]
    heading = math.atan2(vy, vx) if vx or vy else heading
    present = np.flatnonzero(~np.isnan(record.people[step, :, 0]))
    places = record.people[step, present]
    velocities = np.nan_to_num((places - record.people[before, present]) / DT)  # 0 of who is new
    return Observation(
        step * DT,
        RobotState(Pose(x, y, heading), Twist(math.hypot(vx, vy), 0.0), 0.2),
        Crowd(present, places, velocities, np.full(len(present), 0.2)),
    )


def steps_taken(planner: Planner, data: Path, name: str) -> int:
    """The original's count in one of its episodes: it noticed its arrival one step later."""
    task = episode(name, data=data, rule="socnavbench")
    # Its goal was reached at about 0.3 m and half a cell.
    task = replace(task, robot=ROBOT, goal_radius=0.325, floorplan=ROOMS[task.floorplan.name])
    record = simulate(task, AsSensed(planner))
    return len(record.robot)
