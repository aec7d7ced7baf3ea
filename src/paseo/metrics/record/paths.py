"""The path as a whole: its length, directness and duration."""

import math

import numpy as np

from paseo.errors import NotAvailable
from paseo.metrics.record.endings import SOCNAVBENCH
from paseo.metrics.record.metric import metric
from paseo.metrics.record.shortest import shortest_path_length
from paseo.world.arrays import FloatArray
from paseo.world.records import Outcome, Record

GUIDELINES = "Francis et al. 2025, Principles and Guidelines for Evaluating Social Robot Navigation"
PROGRESS, PATIENCE = 0.1, 5.0  # metres to come nearer to the goal, and seconds in which to


def steps_of(record: Record) -> FloatArray:
    """Displacement of the robot in each step, (states - 1, 2)."""
    return np.diff(record.robot[:, :2], axis=0)


@metric(
    unit="m",
    better="lower",
    formula="sum of |p[k+1] - p[k]|",
    source=SOCNAVBENCH,
    original="leaves out the first and the last step",
    population="completed",
    group="path",
)
def path_length(record: Record) -> float:
    """How far the robot drove."""
    steps = steps_of(record)
    return float(np.hypot(steps[:, 0], steps[:, 1]).sum())


@metric(
    unit="1",
    better="higher",
    formula="|goal - start| / path length",
    source=SOCNAVBENCH + "; Table 3 prints the inverse",
    original="the inverse, from the first step instead of the start",
    population="completed",
    group="path",
)
def path_length_ratio(record: Record) -> float | None:
    """How direct the path was: about 1 for a straight line, which ends at the goal's edge."""
    straight = record.scenario.start.distance_to(record.require_goal())
    length = path_length.function(record)
    assert isinstance(length, float)
    return straight / length if length > 0 else None


@metric(
    unit="1",
    better="lower",
    formula="|goal - end| / |goal - start|, for episodes that did not arrive",
    source=SOCNAVBENCH + "; its wording has it upside down, its text and program do not",
    original="from the first step instead of the start, and for all episodes",
    population="incomplete",
    group="path",
)
def goal_traversal_ratio(record: Record) -> float | None:
    """What share of the way was left when an episode ended without arriving."""
    goal = record.require_goal()
    if record.outcome is Outcome.REACHED_GOAL:
        raise NotAvailable("only for episodes that did not arrive")
    whole = record.scenario.start.distance_to(goal)
    x, y, _ = record.robot[-1]
    return math.hypot(goal.x - x, goal.y - y) / whole if whole > 0 else None


@metric(
    unit="rad",
    better="lower",
    formula="mean over states of |angle between heading and goal - p|",
    source=SOCNAVBENCH,
    original="the angle between goal - p and p itself, which depends on the map's origin",
    group="path",
)
def path_irregularity(record: Record) -> float | None:
    """How far the robot faced away from its goal, on average."""
    goal = record.require_goal()
    dx, dy = goal.x - record.robot[:, 0], goal.y - record.robot[:, 1]
    away = np.hypot(dx, dy) > 1e-9  # at the goal itself there is no direction to it
    if not away.any():
        return None
    turns = np.arctan2(dy[away], dx[away]) - record.robot[away, 2]
    return float(np.abs(np.arctan2(np.sin(turns), np.cos(turns))).mean())


@metric(
    unit="s",
    better="lower",
    formula="time of the last state",
    source=SOCNAVBENCH,
    original="one step longer: the ending is noticed late",
    population="completed",
    group="path",
)
def path_traversal_time(record: Record) -> float:
    """How long the episode took, however it ended."""
    return float(record.times[-1])


@metric(
    unit="1",
    better="lower",
    formula=f"number of times that {PATIENCE:g} s went by without {PROGRESS:g} m less of "
    "|goal - p|; then both count anew",
    source=f"{GUIDELINES}, failure to progress (FP); thresholds ours",
    per_minute=True,
)
def failure_to_progress(record: Record) -> float:
    """How often the robot came no nearer to its goal for five seconds, as the crow flies."""
    goal, patience = record.require_goal(), round(PATIENCE / record.scenario.dt)
    left = np.hypot(goal.x - record.robot[:, 0], goal.y - record.robot[:, 1]).tolist()
    failures, since, best = 0, 0, left[0]
    for state, distance in enumerate(left):
        if distance <= best - PROGRESS:
            since, best = state, distance
        elif state - since >= patience:
            failures, since, best = failures + 1, state, distance
    return float(failures)


@metric(
    unit="rad",
    better="lower",
    formula="sum of |heading[k+1] - heading[k]|, each wrapped",
    source="Okal and Arras 2016, Learning Socially Normative Robot Navigation Behaviors with "
    "Bayesian Inverse Reinforcement Learning, cumulative heading changes",
    population="completed",
)
def heading_change(record: Record) -> float:
    """How much the robot turned, all turns added up."""
    turns = np.diff(record.robot[:, 2])
    return float(np.abs(np.arctan2(np.sin(turns), np.cos(turns))).sum())


@metric(
    unit="1",
    better="higher",
    formula="S * l / max(p, l): S success, p path length, l shortest way around the walls",
    source="Anderson et al. 2018, On Evaluation of Embodied Navigation Agents, Eq. 1",
    population="every",
    share=True,
)
def spl(record: Record) -> float | None:
    """Success weighted by path length; 1 for a success along the shortest way."""
    shortest = _shortest(record)
    driven = path_length.function(record)
    assert isinstance(driven, float)
    return _weighted(record, shortest, driven)


@metric(
    unit="1",
    better="higher",
    formula="S * T / max(C, T): C the time taken, T the shortest way at the robot's top speed",
    source="Yokoyama et al. 2021, Success Weighted by Completion Time, definition of SCT",
    population="every",
    share=True,
)
def success_weighted_by_time(record: Record) -> float | None:
    """Success weighted by completion time; 1 for a success as fast as the robot can be."""
    fastest = _shortest(record) / record.require_top_speed()
    return _weighted(record, fastest, float(record.times[-1]))


def _shortest(record: Record) -> float:
    """To the goal's edge, which is where an episode ends."""
    goal, start = record.require_goal(), record.scenario.start
    length = shortest_path_length(record.require_floorplan(), start, goal)
    return max(length - record.scenario.goal_radius, 0.0)


def _weighted(record: Record, best: float, actual: float) -> float | None:
    record.require_people()
    if not record.is_success:
        return 0.0
    worst = max(best, actual)
    return best / worst if worst > 0 else None
