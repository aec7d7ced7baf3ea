"""New episodes sampled from a recording and a map, the same ones for the same seed."""

import os
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path

import numpy as np

from paseo.data.maps.floorplans import map_file
from paseo.data.store.locations import DataFolder, data_folder
from paseo.data.suites.suite_file import PlacedRecording, SuiteFile
from paseo.data.suites.suite_writing import robot_entry, suite_bytes
from paseo.errors import BadValue
from paseo.files import write_whole
from paseo.suite.sampling.judging import SampledEpisode, Unfit, flow_word, judged
from paseo.suite.sampling.tasks import (
    Ground,
    Needs,
    Task,
    ground_of,
    task_anywhere,
    task_between_places,
)
from paseo.suite.sampling.telling import description_of, entry_of, refusal
from paseo.suite.sampling.windows import Window, Windows, window_of, windows_of
from paseo.suite.sampling.wishes import PlacedCrowd, SamplingOptions
from paseo.world.arrays import IntArray
from paseo.world.motion import Pose
from paseo.world.scenarios import Scenario

WINDOWS, TASKS = 50, 8  # stretches of the recording tried for an episode, and tasks in each
AT_PLACES = 0.8  # share of episodes between named places
OFF_WALLS = 0.2  # metres that start and goal leave between the robot and walls


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Search:
    """All that stays the same from draw to draw."""

    crowd: PlacedCrowd
    wishes: SamplingOptions
    ground: Ground
    windows: Windows
    first_frames: IntArray  # (windows,), of those with somebody there, where that is wished
    nobody: Scenario  # an episode but for its people and its task


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
    episodes: list[SampledEpisode] = []
    generators = np.random.default_rng(seed).spawn(wishes.count)
    for rng, flow in zip(generators, cycle(wishes.flows or ("",)), strict=False):
        episodes.append(_sampled(search, flow, rng, episodes))
    name = re.sub(r"[^\w.+-]+", "_", crowd.name)[-60:]
    return SuiteFile(
        format="paseo-suite",
        version=1,
        name=f"{name}-sampled-{seed}",
        description=description_of(crowd, wishes, seed),
        episodes=[
            entry_of(
                episode,
                name=f"{name}_{flow_word(episode.meetings)}_{k:02d}",
                map=crowd.map,
                ends_after=search.windows.ends_after,
            )
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
    first_frames, there = windows.first_frames, windows.mean_at_once > 0.0
    if wishes.somebody and there.any():
        first_frames = first_frames[there]
    return _Search(
        crowd=crowd,
        wishes=wishes,
        ground=ground,
        windows=windows,
        first_frames=first_frames,
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
    search: _Search, flow: str, rng: np.random.Generator, earlier: Collection[SampledEpisode]
) -> SampledEpisode:
    """The first draw that fits and is not there yet."""
    taken = {each.key for each in earlier}
    unfit = []
    for window, task in _draws(search, rng):
        try:
            episode = judged(window, task, flow, search.wishes)
            if episode.key in taken:
                raise Unfit("were taken already")
        except Unfit as reason:
            unfit.append(reason)
            continue
        return episode
    raise refusal(unfit, flow, search.wishes, found=len(earlier))


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
