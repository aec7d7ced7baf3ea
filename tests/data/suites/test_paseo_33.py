"""The suite that ships with its own crowds: no download, and as much like people as is claimed."""

import json
from pathlib import Path

import numpy as np
import pytest

from paseo.crowd_check.placement import in_walls
from paseo.crowd_check.real_crowds import (
    PLACE_OF_MAP,
    likeness,
    recorded_profile,
    shipped_real_crowds,
)
from paseo.crowd_check.realism import crowd_profile, pooled
from paseo.data.maps.floorplans import shipped_floorplan
from paseo.data.store.locations import DataFolder
from paseo.data.store.synthetic import synthetic_crowds
from paseo.data.suites.episodes import Choices, recording_ends, scenario
from paseo.data.suites.suite_file import shipped_suites
from paseo.metrics.crowding import crowd_moments, crowd_statistics
from paseo.world.scenarios import Rule, Scenario, check_task
from paseo.world.tracks import Recording

NOWHERE = Path("no such folder")
PINNED = Path(__file__).parents[2] / "reference" / "paseo_33_realism.json"
ENTRIES = shipped_suites()["paseo-33"].episodes
BEYOND = {
    # Two crowds like that of hotel at once, as in the real episodes there.
    ("DoubleHotel", "people_at_once"),
    # Made before these were measured.
    *((place, "imminent_conflicts") for place in ("ETH", "HotelSmall", "Univ")),
    *((place, "speed_variation") for place in ("HotelSmall", "DoubleHotel", "Univ")),
    ("ETH", "path_efficiency"),
}
MAPS = {"ETH": 6, "HotelSmall": 5, "DoubleHotel": 3, "Univ": 8, "Zara": 11}
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
def test_every_task_can_be_done_without_any_data(entry) -> None:  # type: ignore[no-untyped-def]
    task = world(entry.name)
    check_task(task)
    here = [track.positions_at(np.zeros(1))[0] for track in task.tracks]
    apart = [np.hypot(x - task.start.x, y - task.start.y) for x, y in here if not np.isnan(x)]
    assert min(apart, default=9.0) > 0.5


def test_flows_are_what_the_names_say_and_all_are_there() -> None:
    mains = set()
    for entry in ENTRIES:
        flow = crowd_statistics(world(entry.name)).flow
        assert flow is not None
        mains.add(flow.main)
        for word, main in (("against", "against"), ("along", "along"), ("crossing", "across")):
            if word in entry.name:
                assert flow.main == main, entry.name
        if "around_corner" in entry.name:
            task = world(entry.name)
            assert not task.floorplan.sees(task.start, task.goal)
    assert {"against", "along", "across"} <= mains


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.name)
def test_the_note_tells_who_is_there_and_when_nobody_is(entry) -> None:  # type: ignore[no-untyped-def]
    task = world(entry.name)
    crowd = crowd_statistics(task)
    flow = crowd.flow
    assert flow is not None
    facts = (
        f"{crowd.start_goal_distance_m:.1f} m. {crowd.people} people, {crowd.mean_at_once:.1f} at "
        f"once on average, {crowd.density_per_m2:.3f} per free square metre. "
        f"Near the straight line {flow.along:.0%} walk along, {flow.across:.0%} across "
        f"and {flow.against:.0%} against."
    )
    present = crowd_moments(task).at_once > 0
    comes, *_, goes = (np.flatnonzero(present) * task.dt).tolist()
    quiet = f" Nobody is there before {comes:.1f} s." if comes > 0.0 else ""
    quiet += f" Nobody is there after {goes:.1f} s." if goes < 60.0 else ""
    assert entry.note.endswith(facts + quiet)
    assert (
        recording_ends(entry, DataFolder(NOWHERE), Rule.EVERYONE) is None
    )  # it goes on, beyond a quiet spell


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
