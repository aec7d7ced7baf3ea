"""The robot and the place: walls it came near, and the goal it seemed to have."""

import numpy as np

from paseo.compiled import compiled
from paseo.errors import NotAvailable
from paseo.metrics.record.metric import metric
from paseo.metrics.record.paths import GUIDELINES
from paseo.world.arrays import FloatArray
from paseo.world.records import Record
from paseo.world.space.geometry import signed_clearance

OTHER_GOAL = 1.0  # metres from the goal at which a named place counts as another goal


@metric(
    unit="m",
    better="higher",
    formula="min over states of distance from p to the nearest wall - r_robot",
    source=f"{GUIDELINES}, clearing distance (CD)",
)
def minimum_obstacle_clearance(record: Record) -> float:
    """How close the robot's edge came to a wall; negative where it overlapped one.

    It is the edge of the robot's disc also where walls count from elsewhere (`Robot.wall_radius`).
    """
    walls = record.require_floorplan().walls
    return float(nearest_wall(record.robot, walls)) - record.scenario.robot.radius


@metric(
    unit="1",
    better="higher",
    formula="sum of P(goal | path so far) f(t) / sum of f(t), f(t) = T - t, over the named places",
    source="Dragan, Lee, Srinivasa 2013, Legibility and Predictability of Robot Motion, "
    "legibility score with cost = path length",
    share=True,
)
def legibility(record: Record) -> float | None:
    """How early the path told its goal from the floor plan's other named places."""
    goal, plan = record.require_goal(), record.require_floorplan()
    others = [(p.x, p.y) for p in plan.places if np.hypot(p.x - goal.x, p.y - goal.y) > OTHER_GOAL]
    if not others:
        raise NotAvailable("needs named places on the floor plan")
    goals = np.array([(goal.x, goal.y), *others])  # (goals, 2)
    ways = np.linalg.norm(record.robot[:, None, :2] - goals, axis=2)  # (states, goals)
    # What was driven so far is the same for all goals and cancels out.
    detour = ways[0] - ways
    weights = np.exp(detour - detour.max(axis=1, keepdims=True))
    belief = weights[:, 0] / weights.sum(axis=1)
    urgency = record.times[-1] - record.times
    return float((belief * urgency).sum() / urgency.sum()) if urgency.any() else None


@compiled
def nearest_wall(robot: FloatArray, walls: FloatArray) -> float:
    """The least signed distance of any of the robot's centres to a wall."""
    least = np.inf
    for state in range(robot.shape[0]):
        least = min(least, signed_clearance(robot[state, 0], robot[state, 1], walls))
    return least
