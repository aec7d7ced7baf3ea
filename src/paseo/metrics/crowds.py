"""How crowded an episode is, and which way its people walk."""

import math
from dataclasses import dataclass

import numpy as np

from paseo.world.people import FloatArray
from paseo.world.scenarios import Scenario

WALKING_SPEED = 0.2  # m/s; slower people stand, and standing has no direction


@dataclass(frozen=True, slots=True, kw_only=True)
class CrowdStatistics:
    """Who is in an episode from its start to its time limit, sampled on its clock."""

    people: int
    most_at_once: int
    mean_at_once: float
    density_per_m2: float  # mean_at_once on the floor plan's free area
    mean_speed_mps: float | None  # over all moments of all people; None without people
    flow_against: float | None  # mean of -cos(walking direction, start to goal), -1 to 1
    start_goal_distance_m: float


def crowd_statistics(scenario: Scenario) -> CrowdStatistics:
    """The statistics of a scenario's recorded people; nobody needs to run it."""
    times = np.arange(scenario.steps + 1, dtype=np.float64) * scenario.dt
    positions = [track.positions_at(times) for track in scenario.tracks]
    at_once = np.zeros(len(times), np.int64)
    for each in positions:
        at_once += ~np.isnan(each[:, 0])
    steps = np.concatenate([np.empty((0, 2))] + [np.diff(each, axis=0) for each in positions])
    velocities = steps[~np.isnan(steps[:, 0])] / scenario.dt  # (moments, 2)
    speeds = np.hypot(velocities[:, 0], velocities[:, 1])
    mean_at_once = float(at_once.mean())
    return CrowdStatistics(
        people=len(scenario.tracks),
        most_at_once=int(at_once.max()),
        mean_at_once=mean_at_once,
        density_per_m2=mean_at_once / scenario.floorplan.area,
        mean_speed_mps=float(speeds.mean()) if len(speeds) else None,
        flow_against=_flow_against(velocities, speeds, scenario),
        start_goal_distance_m=scenario.start.distance_to(scenario.goal),
    )


def _flow_against(velocities: FloatArray, speeds: FloatArray, scenario: Scenario) -> float | None:
    """1 where everybody walks against the robot's route, -1 along it, 0 across or balanced."""
    walking = speeds > WALKING_SPEED
    length = scenario.start.distance_to(scenario.goal)
    if not walking.any() or math.isclose(length, 0.0):
        return None
    route = np.array([scenario.goal.x - scenario.start.x, scenario.goal.y - scenario.start.y])
    cosines = velocities[walking] @ (route / length) / speeds[walking]
    return float(-cosines.mean())
