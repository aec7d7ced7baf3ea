"""New episodes sampled from a recording and a map, the same ones for the same seed."""

import math
import os
import re
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field, replace
from itertools import cycle
from pathlib import Path

import numpy as np

from paseo.data.maps.floorplans import map_file
from paseo.data.store.catalog import Affine
from paseo.data.store.locations import DataFolder, data_folder
from paseo.data.suites.suite_file import EpisodeEntry, PlacedRecording, PoseEntry, SuiteFile
from paseo.data.suites.suite_writing import robot_entry, suite_bytes
from paseo.errors import BadScenario, BadValue, UnknownName
from paseo.files import write_whole
from paseo.metrics.crowding import FLOWS, CrowdStatistics, crowd_statistics, flow_between
from paseo.suite.sampling.tasks import (
    Ground,
    Needs,
    Task,
    faced,
    ground_of,
    task_anywhere,
    task_between_places,
    way_length,
)
from paseo.suite.sampling.windows import Window, Windows, window_of, windows_of
from paseo.version import paseo_version
from paseo.world.arrays import IntArray
from paseo.world.motion import Pose, Robot
from paseo.world.scenarios import Scenario, check_task
from paseo.world.space.floorplan import FloorPlan
from paseo.world.tracks import Recording

MOST_EPISODES = 1000
LONGEST_EPISODE = 3600.0  # seconds
WINDOWS, TASKS = 50, 8  # stretches of the recording tried for an episode, and tasks in each
AT_PLACES = 0.8  # share of episodes between named places
OFF_WALLS = 0.2  # metres that start and goal leave between the robot and walls
OFF_PEOPLE = 0.5  # metres between the robot at its start and people
SLACK = 0.01  # windows are chosen by a mean over time, judged by one over steps
ROUNDING = 1e-9  # people/m2


@dataclass(frozen=True, slots=True, kw_only=True)
class SamplingOptions:
    """What sampled episodes should be like."""

    count: int
    least_distance: float = 8.0  # metres between start and goal, straight
    time_limit: float = 60.0
    density: tuple[float, float] = (0.0, math.inf)  # people at once per free m2, episode's mean
    flows: tuple[str, ...] = ()  # wanted in turn; empty: as it comes
    robot: Robot = field(default_factory=Robot)

    def __post_init__(self) -> None:
        if not 1 <= self.count <= MOST_EPISODES:
            raise BadValue(f"count must be between 1 and {MOST_EPISODES}, not {self.count}")
        if not 0 < self.time_limit <= LONGEST_EPISODE:
            raise BadValue(
                f"the time limit must be more than 0 and at most {LONGEST_EPISODE:g} s, "
                f"not {self.time_limit:g} s"
            )
        if not 0 < self.least_distance <= self.reach:
            raise BadValue(
                "the least distance must be more than 0 and no further than the robot "
                f"'{self.robot.name}' gets in {self.time_limit:g} s, {self.reach:g} m, "
                f"not {self.least_distance:g} m"
            )
        low, high = self.density
        if not 0 <= low <= high or math.isinf(low):
            raise BadValue(
                f"the density must be 0 or more and its least no more than its most, in people "
                f"per square metre, not {low:g} to {high:g}"
            )
        for flow in self.flows:
            if flow not in FLOWS:
                raise UnknownName("flow", flow, FLOWS)

    @property
    def reach(self) -> float:
        """Metres that the robot can drive before the time limit."""
        return self.robot.max_speed * self.time_limit


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PlacedCrowd:
    """A recording and the map it lies on."""

    name: str  # of the recording, as a suite names it
    recording: Recording
    map: str  # as a suite names it
    floorplan: FloorPlan
    transform: Affine  # from the recording's metres to the map's


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Search:
    """All that stays the same from draw to draw."""

    crowd: PlacedCrowd
    wishes: SamplingOptions
    ground: Ground
    windows: Windows
    first_frames: IntArray  # (windows,), of those about as dense as wished
    nobody: Scenario  # an episode but for its people and its task


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Episode:
    """What a draw that fits has become."""

    placed: PlacedRecording
    task: Task
    start: Pose  # the task's, with a heading
    crowd: CrowdStatistics

    @property
    def flow(self) -> str:
        """The way most people walk near the straight line, as a word for names."""
        return self.crowd.flow.main if self.crowd.flow else "empty"


class _Unfit(Exception):
    """A draw that is no episode, and what it had instead."""


def sample_episodes(
    crowd: str,
    options: SamplingOptions,
    *,
    seed: int = 0,
    floorplan: str | None = None,
    out: Path | None = None,
    data: DataFolder | Path | None = None,
) -> SuiteFile:
    """A suite of new episodes from a named crowd, also written to `out` if that is given.

    The floor plan is the crowd's own, or else another in the same frame: a shipped map, a crowd's,
    or a file, which the suite names as it is seen from where the suite lies.
    """
    folder = data_folder(data)
    recording = folder.recording(crowd)
    own, transform = folder.placement(crowd)
    placed = PlacedCrowd(
        name=crowd,
        recording=recording,
        map=_from_suite(floorplan, out) if floorplan else own,
        floorplan=folder.floorplan(floorplan or own),
        transform=transform,
    )
    suite = sampled_suite(placed, options, seed)
    if out is not None:
        write_whole(out, suite_bytes(suite, out.suffix))
    return suite


def _from_suite(floorplan: str, suite: Path | None) -> str:
    """A floor plan as the suite names it: files are looked for beside the suite."""
    if suite is None or not Path(map_file(floorplan)).is_file():
        return floorplan
    return os.path.relpath(floorplan, suite.resolve().parent)


def sampled_suite(crowd: PlacedCrowd, wishes: SamplingOptions, seed: int) -> SuiteFile:
    """A suite of episodes that keep the wishes; `BadValue` tells what the recording offers.

    The same arguments give the same suite, and episode k is the same whatever the count.
    """
    if not 0 <= seed < 2**63:
        raise BadValue(f"the seed must be 0 or more and below 2**63, not {seed}")
    search = _search(crowd, wishes)
    episodes: list[_Episode] = []
    generators = np.random.default_rng(seed).spawn(wishes.count)
    for rng, flow in zip(generators, cycle(wishes.flows or ("",)), strict=False):
        episodes.append(_sampled(search, flow, rng, episodes))
    name = re.sub(r"[^\w.+-]+", "_", crowd.name)[-60:]
    return SuiteFile(
        format="paseo-suite",
        version=1,
        name=f"{name}-sampled-{seed}",
        description=_description(crowd, wishes, seed),
        episodes=[
            _entry(f"{name}_{episode.flow}_{k:02d}", episode, search)
            for k, episode in enumerate(episodes, start=1)
        ],
        robot=robot_entry(wishes.robot),
    )


def _search(crowd: PlacedCrowd, wishes: SamplingOptions) -> _Search:
    if not crowd.recording.tracks:
        raise BadValue(f"there is nobody in the recording '{crowd.name}'; choose another")
    needs = Needs(
        clearance=wishes.robot.needed_clearance + OFF_WALLS,
        least_distance=wishes.least_distance,
        most_distance=wishes.reach,
    )
    ground = ground_of(crowd.floorplan, needs)
    windows = windows_of(crowd.recording, wishes.time_limit)
    densities = windows.mean_at_once / crowd.floorplan.area
    low, high = wishes.density
    fitting = densities >= low * (1 - SLACK) - ROUNDING
    fitting &= densities <= high * (1 + SLACK) + ROUNDING
    if wishes.flows:
        fitting &= densities > ROUNDING  # where nobody is, nobody walks
    if not fitting.any():
        raise BadValue(
            f"{_offer(crowd, wishes, windows)}, never {_wished_density(wishes)}; "
            "wish for what there is"
        )
    return _Search(
        crowd=crowd,
        wishes=wishes,
        ground=ground,
        windows=windows,
        first_frames=windows.first_frames[fitting],
        nobody=Scenario(
            name=crowd.name,
            floorplan=crowd.floorplan,
            start=Pose(0.0, 0.0),
            goal=Pose(0.0, 0.0),
            time_limit=wishes.time_limit,
            robot=wishes.robot,
        ),
    )


def _sampled(
    search: _Search, flow: str, rng: np.random.Generator, earlier: Collection[_Episode]
) -> _Episode:
    """The first draw that fits and is not there yet."""
    taken = {(each.placed.first_frame, each.task.start, each.task.goal) for each in earlier}
    unfit: Counter[str] = Counter()
    for window, task in _draws(search, rng):
        try:
            episode = _judged(window, task, flow, search.wishes)
        except _Unfit as reason:
            unfit[str(reason)] += 1
            continue
        if (window.placed.first_frame, episode.task.start, episode.task.goal) not in taken:
            return episode
        unfit["what another episode has"] += 1
    crowd, wishes = search.crowd, search.wishes
    wanted = f" with flow {flow}" if flow else ""
    had = ", ".join(f"{count} had {what}" for what, count in unfit.most_common())
    raise BadValue(
        f"none of {WINDOWS * TASKS} draws is an episode{wanted} that keeps the wishes: {had}; "
        f"{_offer(crowd, wishes, search.windows)}; wish for less or use another seed"
    )


def _draws(search: _Search, rng: np.random.Generator) -> Iterator[tuple[Window, Task | None]]:
    """Windows and tasks; if places are to be used but none fit, anywhere in the second half."""
    crowd = search.crowd
    at_places = bool(search.ground.pairs) and rng.random() < AT_PLACES
    for k in range(WINDOWS):
        placed = PlacedRecording(
            recording=crowd.name,
            first_frame=int(rng.choice(search.first_frames)),
            transform=crowd.transform,
        )
        window = window_of(placed, crowd.recording, search.nobody)
        drawn = task_between_places if at_places and k < WINDOWS // 2 else task_anywhere
        for _ in range(TASKS):
            yield window, drawn(search.ground, rng)


def _judged(window: Window, task: Task | None, flow: str, wishes: SamplingOptions) -> _Episode:
    """The draw as an episode, judged by what is quick to tell first; `_Unfit` if it is none."""
    if task is None:
        raise _Unfit("no start and goal far enough apart")
    scenario, start, goal = window.scenario, task.start, task.goal
    away = np.hypot(window.at_start[:, 0] - start.x, window.at_start[:, 1] - start.y)
    if (away < scenario.robot.radius + scenario.person_radius + OFF_PEOPLE).any():
        raise _Unfit("somebody at the start")
    if flow:
        found = flow_between(start, goal, window.people)
        if found is None or found.main != flow:
            raise _Unfit(f"flow {found.main}" if found else "nobody walking there")
    scenario = replace(scenario, start=start, goal=goal)
    crowd = crowd_statistics(scenario)
    if not wishes.density[0] <= crowd.density_per_m2 <= wishes.density[1]:
        raise _Unfit("another density")
    try:
        check_task(scenario)
    except BadScenario as error:
        raise _Unfit("no way from start to goal") from error
    if way_length(scenario.floorplan, task) > wishes.reach:
        raise _Unfit("a way too long for the time limit")
    start = faced(scenario.floorplan, task)
    return _Episode(placed=window.placed, task=task, start=start, crowd=crowd)


def _entry(name: str, episode: _Episode, search: _Search) -> EpisodeEntry:
    start, goal = episode.start, episode.task.goal
    return EpisodeEntry(
        name=name,
        map=search.crowd.map,
        start=PoseEntry(x_m=start.x, y_m=start.y, heading_rad=start.heading),
        goal=PoseEntry(x_m=goal.x, y_m=goal.y),
        time_limit_s=search.wishes.time_limit,
        recordings=[episode.placed],
        note=_note(episode, search.windows.ends_after),
    )


def _note(episode: _Episode, ends_after: float | None) -> str:
    task, crowd, flow = episode.task, episode.crowd, episode.crowd.flow
    ends = [
        name or f"({pose.x:.1f}, {pose.y:.1f})"
        for name, pose in ((task.start_name, task.start), (task.goal_name, task.goal))
    ]
    sentences = [
        f"From {ends[0]} to {ends[1]}, {crowd.start_goal_distance_m:.1f} m.",
        f"{crowd.people} people, {crowd.mean_at_once:.1f} at once on average, "
        f"{crowd.density_per_m2:.3f} per free square metre.",
    ]
    if flow is None:
        sentences.append("Nobody walks near the straight line.")
    else:
        sentences.append(
            f"Near the straight line {flow.along:.0%} walk along, {flow.across:.0%} across and "
            f"{flow.against:.0%} against."
        )
    if ends_after is not None:
        sentences.append(f"The recording ends after {ends_after:.1f} s.")
    return " ".join(sentences)


def _description(crowd: PlacedCrowd, wishes: SamplingOptions, seed: int) -> str:
    inferred = ", which is inferred, not measured" if crowd.floorplan.inferred else ""
    return (
        f"Sampled by Paseo {paseo_version()} from the recording {crowd.name} on the map "
        f"{crowd.map}{inferred}: seed {seed}, "
        f"count {wishes.count}, at least {wishes.least_distance:g} m from start to goal, "
        f"{wishes.time_limit:g} s, density {_wished_density(wishes)}, "
        f"flow {', '.join(wishes.flows) or 'as it comes'}, robot {wishes.robot.name} of radius "
        f"{wishes.robot.radius:g} m"
    )


def _wished_density(wishes: SamplingOptions) -> str:
    low, high = wishes.density
    if math.isinf(high):
        return f"of {low:g} people/m2 or more" if low else "as it comes"
    return f"between {low:g} and {high:g} people/m2"


def _offer(crowd: PlacedCrowd, wishes: SamplingOptions, windows: Windows) -> str:
    densities = windows.mean_at_once / crowd.floorplan.area
    return (
        f"the recording '{crowd.name}' has {densities.min():.3g} to {densities.max():.3g} "
        f"people/m2 on the floor plan '{crowd.floorplan.name}' in {len(densities)} stretches of "
        f"{wishes.time_limit:g} s"
    )
