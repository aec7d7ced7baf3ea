"""The suite with crowds of its own: no download, encounters as named, people as real as claimed."""

import gzip
import json
import math
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from paseo.crowd.generator.generator import generate_crowd
from paseo.crowd_check.placement import in_walls
from paseo.crowd_check.real_crowds import (
    PLACE_OF_MAP,
    likeness,
    recorded_profile,
    shipped_real_crowds,
)
from paseo.crowd_check.realism import crowd_profile, pooled
from paseo.data.maps.floorplans import shipped_floorplan
from paseo.data.recordings.csv_tracks import csv_bytes
from paseo.data.store.locations import DataFolder
from paseo.data.store.synthetic import SyntheticCrowd, synthetic_crowds
from paseo.data.suites.crowd_recipe import shipped_recipe
from paseo.data.suites.episodes import Choices, episode, recording_ends, scenario
from paseo.data.suites.suite_file import EpisodeEntry, shipped_suite, shipped_suites
from paseo.metrics.crowding import crowd_statistics
from paseo.metrics.encounters import Direction, meetings
from paseo.metrics.reference_drives import TICK, Drive, ReferenceDrive, reference_drives
from paseo.suite.runs.planning import RunOptions, plan_run
from paseo.world.recipes import Habit
from paseo.world.scenarios import Rule, Scenario, check_task
from paseo.world.tracks import Recording

NOWHERE = Path("no such folder")
PINNED = Path(__file__).parents[2] / "reference" / "paseo_33_realism.json"
ENTRIES = shipped_suites()["paseo-33"].episodes
# Two crowds like that of hotel at once, as in the real episodes there.
BEYOND = {("DoubleHotel", "people_at_once")}
MAPS = {"ETH": 6, "HotelSmall": 5, "DoubleHotel": 3, "Univ": 8, "Zara": 11}
NAMED_AFTER = {
    "against": Direction.AGAINST,
    "along": Direction.ALONG,
    "crossing": Direction.ACROSS,
}
each_crowd = pytest.mark.parametrize("name", synthetic_crowds())


def world(name: str) -> Scenario:
    entry = next(entry for entry in ENTRIES if entry.name == name)
    return scenario(entry, Choices(), DataFolder(NOWHERE))


def test_it_has_33_episodes_of_a_minute_on_the_five_maps() -> None:
    assert len({entry.name for entry in ENTRIES}) == 33
    assert {name: [e.map for e in ENTRIES].count(name) for name in MAPS} == MAPS
    assert {entry.time_limit_s for entry in ENTRIES} == {60.0}


def test_no_two_episodes_share_their_minute() -> None:
    minutes = [(e.recordings[0].recording, e.recordings[0].first_frame) for e in ENTRIES]
    assert len(set(minutes)) == 33
    assert all(frame % 600 == 0 for _, frame in minutes)


def test_it_is_small() -> None:
    folder = next(iter(synthetic_crowds().values())).file.parent
    assert sum(file.stat().st_size for file in folder.iterdir()) < 6_000_000


def test_it_is_labelled_synthetic() -> None:
    assert "synthetic" in shipped_suites()["paseo-33"].description
    for entry in ENTRIES:
        assert entry.note.startswith("Synthetic crowd.")
        assert entry.recordings[0].recording.startswith("synthetic-")


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.name)
def test_every_task_can_be_done_without_any_data(entry: EpisodeEntry) -> None:
    task = world(entry.name)
    check_task(task)
    here = [track.positions_at(np.zeros(1))[0] for track in task.tracks]
    apart = [np.hypot(x - task.start.x, y - task.start.y) for x, y in here if not np.isnan(x)]
    assert min(apart, default=9.0) > 0.5


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.name)
def test_every_reference_drive_meets_what_the_name_says(entry: EpisodeEntry) -> None:
    task = world(entry.name)
    met, drives = meetings(task), reference_drives(task)
    assert met.least >= 2
    everybody_met = Counter(e.direction for each in met.drives.values() for e in each.met)
    for word, direction in NAMED_AFTER.items():
        if word in entry.name:
            assert everybody_met[direction] > everybody_met.total() / 2
            assert all(each.of(direction) for each in met.drives.values())
    if "mixed" in entry.name:
        assert max(everybody_met.values()) <= everybody_met.total() / 2 or any(
            not each.of(everybody_met.most_common(1)[0][0]) for each in met.drives.values()
        )
    if "dense" in entry.name:
        assert met.density_per_m2 >= 0.1 and met.least >= 4
    if "around_corner" in entry.name:
        assert not task.floorplan.sees(task.start, task.goal)
    if "through_group" in entry.name:
        assert any(goes_through(group, task) for group in task.groups)
    if "past_queue" in entry.name:
        assert all(passes_queue(task, drive) for drive in drives.values())


def goes_through(group: tuple[int, ...], task: Scenario) -> bool:
    """Whether two of the group are met on every drive, and pass the direct one on both sides."""
    for each in meetings(task).drives.values():
        if len([e for e in each.met if e.person in group]) < 2:
            return False
    drive = reference_drives(task)[ReferenceDrive.DIRECT]
    times = np.arange(len(drive.positions)) * TICK
    members = [track.positions_at(times) for track in task.tracks if track.id in group]
    for tick, (robot, ahead) in enumerate(zip(drive.positions, drive.headings, strict=True)):
        apart = [member[tick] - robot for member in members]
        sides = {bool(ahead[0] * y - ahead[1] * x > 0) for x, y in apart}
        if len(sides) == 2 and math.hypot(*np.mean(apart, axis=0)) < 1.0:
            return True
    return False


def passes_queue(task: Scenario, drive: Drive) -> bool:
    """Whether at some time two stand in line and the robot is within 2.5 m of one of them."""
    recipe = shipped_recipe(task.floorplan.name).recipe(task.floorplan)
    (front,) = [(stay.x, stay.y) for stay in recipe.stays if stay.habit is Habit.QUEUE]
    for tick, robot in enumerate(drive.positions):
        clock = np.array([tick * TICK, (tick + 1) * TICK])
        line = [
            place
            for place, later in (track.positions_at(clock) for track in task.tracks)
            if math.dist(place, front) < 2.5 and math.dist(place, later) < 0.2 * TICK
        ]
        if len(line) >= 2 and min(math.dist(place, robot) for place in line) < 2.5:
            return True
    return False


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.name)
def test_nobody_stands_at_the_start_or_appears_beside_a_drive(entry: EpisodeEntry) -> None:
    task = world(entry.name)
    start, soon = (task.start.x, task.start.y), np.arange(0.0, 2.01, 0.1)
    for track in task.tracks:
        assert not any(math.dist(start, place) < 1.5 for place in track.positions_at(soon))
    for drive in reference_drives(task).values():
        for track in task.tracks:
            tick = round(track.times[0] / TICK)
            if 0 < tick < len(drive.positions):
                assert math.dist(drive.positions[tick], track.positions[0]) >= 1.5


def test_all_that_names_promise_is_there() -> None:
    names = " ".join(entry.name for entry in ENTRIES)
    words = ("against", "along", "crossing", "dense", "past_queue", "through_group", "mixed")
    assert all(word in names for word in words)
    assert all(names.count(word) >= 5 for word in NAMED_AFTER)


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.name)
def test_the_note_tells_whom_a_robot_meets(entry: EpisodeEntry) -> None:
    task = world(entry.name)
    crowd, met = crowd_statistics(task), meetings(task)
    assert met.flow is not None
    count = f"{met.least} to {met.most}" if met.least < met.most else f"{met.least}"
    assert entry.note.endswith(
        f"{crowd.start_goal_distance_m:.1f} m. {crowd.people} people, {crowd.mean_at_once:.1f} at "
        f"once on average. Encounters on reference drives: {count}. Within 3 m of the robot are "
        f"{met.density_per_m2:.3f} people per free square metre; {met.flow.along:.0%} of those who "
        f"walk go along, {met.flow.across:.0%} across and {met.flow.against:.0%} against."
    )
    assert recording_ends(entry, DataFolder(NOWHERE), Rule.EVERYONE) is None


def test_version_1_is_loaded_by_its_name_and_shares_no_episode() -> None:
    first, second = shipped_suite("paseo-33-v1"), shipped_suite("paseo-33")
    assert first is not None and second is not None
    assert (first.full_name, second.full_name) == ("paseo-33-v1", "paseo-33-v2")
    assert shipped_suite("paseo-33-v2") is second
    assert len(first.episodes) == 33
    assert not {each.name for each in first.episodes} & {each.name for each in second.episodes}
    assert episode("eth_mixed", data=NOWHERE).floorplan.name == "ETH"


@pytest.mark.parametrize(("name", "said"), [("paseo-33", "-v2"), ("paseo-33-v1", "-v1")])
def test_a_run_says_which_version_was_run(name: str, said: str) -> None:
    assert plan_run(name, "straight", RunOptions()).name == f"paseo-33{said}"


@pytest.mark.slow
@pytest.mark.parametrize("about", [c for c in synthetic_crowds().values() if c.is_current],
                         ids=lambda about: about.name)  # fmt: skip
def test_its_crowds_can_be_made_again_byte_for_byte(about: SyntheticCrowd) -> None:
    plan = shipped_floorplan(about.map)
    recipe = shipped_recipe(about.recipe).recipe(plan)
    again = generate_crowd(plan, recipe, duration=about.duration_s, seed=about.seed)
    assert csv_bytes(again) == gzip.decompress(about.file.read_bytes())
    assert again.groups == about.groups


def everybody(recording: Recording) -> tuple[np.ndarray, np.ndarray]:
    """Times and positions of all, on a clock of 0.1 s, (times, people, 2)."""
    last = max(track.times[-1] for track in recording.tracks)
    times = np.arange(0.0, last + 1e-6, 0.1)
    return times, np.stack([track.positions_at(times) for track in recording.tracks], axis=1)


@each_crowd
def test_nobody_walks_through_anybody(name: str) -> None:
    _, people = everybody(DataFolder(NOWHERE).recording(name))
    close_since: dict[tuple[int, int], int] = {}
    for moment in people:
        here = np.nonzero(~np.isnan(moment[:, 0]))[0]
        gaps = np.hypot(*(moment[here][:, None] - moment[here][None]).transpose(2, 0, 1))
        np.fill_diagonal(gaps, np.inf)
        assert gaps.min(initial=np.inf) >= 0.2
        a, b = np.nonzero(np.triu(gaps < 0.3))
        near = {(int(here[i]), int(here[j])) for i, j in zip(a, b, strict=True)}
        close_since = {pair: close_since.get(pair, 0) + 1 for pair in near}
        assert max(close_since.values(), default=0) <= 6  # moments of 0.1 s: 0.5 s


@each_crowd
def test_nobody_walks_through_walls(name: str) -> None:
    crowd, plan = (
        DataFolder(NOWHERE).recording(name),
        shipped_floorplan(synthetic_crowds()[name].map),
    )
    _, people = everybody(crowd)
    places = people[~np.isnan(people[..., 0])]
    assert not in_walls(places, plan).any()
    row, column = np.floor((places - plan.origin) / plan.cell_size).astype(int)[:, ::-1].T
    assert plan.free[row, column].all()


@pytest.mark.recordings
@pytest.mark.parametrize("place", MAPS)
def test_realism_is_no_worse_than_the_table_in_the_docs(place: str, data_dir: Path) -> None:
    pinned = json.loads(PINNED.read_text())[place]
    worlds = [world(entry.name) for entry in ENTRIES if entry.map == place]
    parts = [crowd_profile(w.tracks, groups=w.groups, window=(0.0, 60.0)) for w in worlds]
    there = shipped_real_crowds().place(PLACE_OF_MAP[place])
    real = pooled([recorded_profile(DataFolder(data_dir).recording(r)) for r in there.recordings])
    found = likeness(parts, there, shipped_real_crowds().bars, real=real)
    assert {each.statistic.name for each in found.judgements} == pinned.keys()
    for each in found.judgements:
        assert each.distance is not None
        grown = each.distance - pinned[each.statistic.name]
        assert grown <= 0.04 * each.bar, each.statistic.name
        if (place, each.statistic.name) not in BEYOND:
            assert each.distance <= each.bar, each.statistic.name
