"""How crowded an episode is, and which way its people walk."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from paseo.world.arrays import FloatArray, IntArray
from paseo.world.motion import Pose
from paseo.world.scenarios import Scenario
from paseo.world.tracks import INSTANT, Track

WALKING_SPEED = 0.2  # m/s; slower people stand, and standing has no direction
FLOWS = ("along", "across", "against")


@dataclass(frozen=True, slots=True, kw_only=True)
class Flow:
    """Which way people walk near a robot: shares of all their moments there, which sum to 1."""

    along: float  # less than 45 degrees from the robot's heading
    across: float
    against: float  # more than 135 degrees from it

    @property
    def main(self) -> str:
        """The largest share's name if that is at least half and alone at it, else "mixed"."""
        shares = [getattr(self, name) for name in FLOWS]
        largest = max(shares)
        clear = largest >= 0.5 and shares.count(largest) == 1
        return FLOWS[shares.index(largest)] if clear else "mixed"


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


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CrowdSteps:
    """An episode's people on its clock; a moment is one step of one person."""

    at_once: IntArray  # (times,), how many people are there
    velocities: FloatArray  # (moments, 2)
    speeds: FloatArray  # (moments,)


def crowd_statistics(scenario: Scenario) -> CrowdStatistics:
    """The statistics of a scenario's recorded people; nobody needs to run it."""
    people = crowd_moments(scenario)
    mean_at_once = float(people.at_once.mean())
    return CrowdStatistics(
        people=len(scenario.tracks),
        most_at_once=int(people.at_once.max()),
        mean_at_once=mean_at_once,
        density_per_m2=mean_at_once / scenario.floorplan.area,
        mean_speed_mps=float(people.speeds.mean()) if len(people.speeds) else None,
        flow_against=_flow_against(people, scenario.start, scenario.goal),
        start_goal_distance_m=scenario.start.distance_to(scenario.goal),
    )


def crowd_moments(scenario: Scenario) -> CrowdSteps:
    """The scenario's people at each step up to its time limit; its start and goal play no part."""
    times = np.arange(scenario.steps + 1, dtype=np.float64) * scenario.dt
    at_once = np.zeros(len(times), np.int64)
    walks = []
    for track in scenario.tracks:
        here = _span(track, times)
        walks.append(track.positions_at(times[here]))
        at_once[here] += ~np.isnan(walks[-1][:, 0])
    steps = _joined([np.diff(walk, axis=0) for walk in walks])
    there = ~np.isnan(steps[:, 0])
    velocities = steps[there] / scenario.dt
    return CrowdSteps(
        at_once=at_once,
        velocities=velocities,
        speeds=np.hypot(velocities[:, 0], velocities[:, 1]),
    )


def _span(track: Track, times: FloatArray) -> slice:
    """The part of the clock, (times,), from the person's first to last sighting."""
    first = np.searchsorted(times, track.times[0] - INSTANT, side="left")
    past = np.searchsorted(times, track.times[-1] + INSTANT, side="right")
    return slice(int(first), int(past))


def _joined(tables: Sequence[FloatArray]) -> FloatArray:
    return np.concatenate([np.empty((0, 2)), *tables])


def _flow_against(people: CrowdSteps, start: Pose, goal: Pose) -> float | None:
    """1 where everybody walks against the robot's route, -1 along it, 0 across or balanced."""
    walking = people.speeds > WALKING_SPEED
    if start.distance_to(goal) == 0.0 or not walking.any():
        return None
    route = np.array([goal.x - start.x, goal.y - start.y]) / start.distance_to(goal)
    return float(-(people.velocities[walking] @ route / people.speeds[walking]).mean())
