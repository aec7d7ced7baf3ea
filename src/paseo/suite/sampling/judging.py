"""Draws judged: which stretch of a recording and which task make an episode as wished."""

from dataclasses import dataclass, replace

import numpy as np

from paseo.data.suites.suite_file import PlacedRecording
from paseo.errors import BadScenario
from paseo.metrics.crowding import CrowdStatistics, crowd_statistics
from paseo.metrics.encounters import Meetings, meetings
from paseo.suite.sampling.tasks import Task, faced, way_length
from paseo.suite.sampling.windows import Window
from paseo.suite.sampling.wishes import SamplingOptions
from paseo.world.motion import Pose
from paseo.world.scenarios import check_task

OFF_PEOPLE = 0.5  # metres between the robot at its start and people


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SampledEpisode:
    """What a draw that fits has become."""

    placed: PlacedRecording
    task: Task
    start: Pose  # the task's, with a heading
    time_limit: float
    crowd: CrowdStatistics
    meetings: Meetings

    @property
    def key(self) -> tuple[int, Pose, Pose]:
        """What no two episodes of a suite share."""
        return self.placed.first_frame, self.task.start, self.task.goal


class Unfit(Exception):
    """A draw that is no episode, and what it had instead."""


class TooFewMet(Unfit):
    """As wished but for its encounters."""

    def __init__(self, least: int) -> None:
        super().__init__("met too few people")
        self.least = least


class OtherDensity(Unfit):
    """As wished but for its density, and perhaps its encounters."""

    def __init__(self, density: float) -> None:
        super().__init__("had another density")
        self.density = density


def judged(window: Window, task: Task | None, flow: str, wishes: SamplingOptions) -> SampledEpisode:
    """The draw as an episode, judged by what is quick to tell first; `Unfit` if it is none."""
    if task is None:
        raise Unfit("had no start and goal far enough apart")
    away = np.hypot(window.at_start[:, 0] - task.start.x, window.at_start[:, 1] - task.start.y)
    nearest = window.scenario.robot.radius + window.scenario.person_radius + OFF_PEOPLE
    if (away < nearest).any():
        raise Unfit("had somebody at the start")
    scenario = replace(window.scenario, start=task.start, goal=task.goal)
    try:
        met = meetings(scenario, window.people)
        _check_wishes(met, flow, wishes)
        check_task(scenario)
    except BadScenario as error:
        raise Unfit("had no way from start to goal") from error
    if way_length(scenario.floorplan, task) > wishes.reach:
        raise Unfit("had a way too long for the time limit")
    return SampledEpisode(
        placed=window.placed,
        task=task,
        start=faced(scenario.floorplan, task),
        time_limit=scenario.time_limit,
        crowd=crowd_statistics(scenario),
        meetings=met,
    )


def flow_word(met: Meetings) -> str:
    """The way most people walk near the robot, as a word for names."""
    return met.flow.main if met.flow else "empty"


def _check_wishes(met: Meetings, flow: str, wishes: SamplingOptions) -> None:
    if flow and flow_word(met) != flow:
        raise Unfit(f"had flow {flow_word(met)}" if met.flow else "had nobody walking there")
    low, high = wishes.density
    if not low <= met.density_per_m2 <= high:
        raise OtherDensity(met.density_per_m2)
    if met.least < wishes.encounters:
        raise TooFewMet(met.least)
