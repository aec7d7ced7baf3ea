"""How long a planner takes among 44 people, in processor time: other work is no fault of its."""

import time

import numpy as np

from paseo.sim.episode import briefing
from paseo.world.motion import Control, Pose, RobotState, Twist
from paseo.world.people import Crowd
from paseo.world.planning import Observation, Planner
from worlds import scenario


def seconds_per_plan(planner: Planner, *, calls: int) -> float:
    """The mean over some calls, after a first one that may compile."""
    rng = np.random.default_rng(1)
    people = Crowd(
        np.arange(44), rng.uniform(1, 9, (44, 2)), rng.normal(0, 1, (44, 2)), np.full(44, 0.2)
    )
    planner.begin(briefing(scenario(), Control.VELOCITY))
    seen = Observation(0.0, RobotState(Pose(2, 5), Twist(1.0, 0.0), 0.24), people)
    planner.plan(seen)
    before = time.process_time()
    for _ in range(calls):
        planner.plan(seen)
    return (time.process_time() - before) / calls
