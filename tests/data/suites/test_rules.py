import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from paseo.data.store.locations import DataFolder
from paseo.data.suites.episodes import episode
from paseo.data.suites.rules import (
    everyone,
    placed_tracks,
    socnavbench,
    without_name_collisions,
)
from paseo.data.suites.suite_file import PlacedRecording, shipped_episodes, shipped_suites
from paseo.world.tracks import Recording, Track

NAMES = [entry.name for entry in shipped_suites()["socnavbench-33"].episodes]
FACTS = {
    "everyone": "everyone_present_physical_fps",
    "socnavbench": "socnavbench_head",
    "socnavbench, two recordings": "socnavbench_head_with_name_collision",
}


def walker(person: int, start: float, end: float) -> Track:
    """Somebody who walks along x at 1 m/s, so that x is the time in the recording."""
    return Track(person, np.array([start, end]), np.array([[start, 0.0], [end, 0.0]]))


def recording(*tracks: Track, fps: float = 10.0) -> Recording:
    return Recording(name="r", fps=fps, tracks=tracks)


def chosen(rule: Any, tracks: list[Track], time_limit: float = 10.0, **placed: int) -> list[int]:
    place = PlacedRecording(recording="r", **placed)  # type: ignore[arg-type]
    return [track.id for track in rule(recording(*tracks), place, time_limit)]


def test_everyone_filmed_during_the_episode_is_present() -> None:
    tracks = [
        walker(1, 0, 4),  # left before
        walker(2, 0, 5),  # leaves in the moment it starts
        walker(3, 4, 6),  # half way through
        walker(4, 15, 20),  # comes in the last moment
        walker(5, 15.1, 20),  # comes too late
        walker(6, 6, 7),
    ]
    assert chosen(everyone, tracks, first_frame=50) == [3, 4, 6]


def test_time_zero_is_the_first_frame_and_a_walk_under_way_starts_there() -> None:
    place = PlacedRecording(recording="r", first_frame=50)
    under_way, later = everyone(recording(walker(1, 4, 6), walker(2, 5.5, 8)), place, 10.0)
    assert under_way.times.tolist() == [0.0, 1.0]
    assert under_way.positions[:, 0].tolist() == [5.0, 6.0]
    assert later.times.tolist() == [0.5, 3.0]
    assert later.positions[:, 0].tolist() == [5.5, 8.0]


def test_someone_out_of_sight_at_time_zero_appears_with_the_next_sample() -> None:
    nan = float("nan")
    path = np.array([[0, 0], [2, 0], [nan, nan], [8, 0], [9, 0]])
    gap = Track(1, np.array([0.0, 2.0, 5.0, 8.0, 9.0]), path)
    place = PlacedRecording(recording="r", first_frame=40)
    (track,) = everyone(recording(gap), place, 10.0)
    assert (track.times.tolist(), track.positions[:, 0].tolist()) == ([4.0, 5.0], [8.0, 9.0])


def test_socnavbench_stops_at_the_first_id_that_comes_too_late() -> None:
    tracks = [walker(1, 0, 20), walker(2, 6, 20), walker(3, 16, 20), walker(4, 7, 20)]
    assert chosen(socnavbench, tracks, first_frame=50, ids_above=1) == [2]
    assert chosen(everyone, tracks, first_frame=50, ids_above=1) == [1, 2, 4]


def test_socnavbench_leaves_out_the_last_id_only_if_it_begins_with_the_first() -> None:
    tracks = [walker(1, 0, 20), walker(2, 1, 20), walker(3, 2, 20)]
    assert chosen(socnavbench, tracks) == [1, 2]
    assert chosen(socnavbench, tracks, ids_above=1) == [2, 3]


def test_tracks_are_laid_onto_the_map_with_ids_of_their_own() -> None:
    place = PlacedRecording(recording="r", transform=((0, 1, 12), (1, 0, 4.5)))
    (track,) = placed_tracks([walker(7, 1, 3)], place, 100)
    assert track.id == 107
    assert track.positions.tolist() == [[12.0, 5.5], [12.0, 7.5]]


def test_of_two_people_with_one_name_the_later_recordings_is_shown() -> None:
    first = [walker(141, 0, 1), walker(142, 0, 1), walker(150, 0, 1)]
    second = [walker(181, 0, 1), walker(182, 0, 1)]
    kept = without_name_collisions([first, second], [140, 180])
    assert [[track.id for track in tracks] for tracks in kept] == [[150], [181, 182]]


@pytest.fixture(scope="module")
def facts(data_dir: Path) -> dict[str, Any]:
    content: dict[str, Any] = json.loads((data_dir / "episodes.json").read_text())
    return content


@pytest.mark.recordings
@pytest.mark.parametrize("rule", ["everyone", "socnavbench"])
def test_the_people_of_all_33_episodes_are_the_published_ones(
    rule: str, data_dir: Path, facts: dict[str, Any]
) -> None:
    assert [entry["name"] for entry in facts["episodes"]] == NAMES
    for entry in facts["episodes"]:
        rules = entry["pedestrians"]
        wanted = rules.get(FACTS[f"{rule}, two recordings"]) if rule == "socnavbench" else None
        per_recording = (wanted or rules[FACTS[rule]])["ped_ids"]
        expected = [person + 1000 * k for k, ids in enumerate(per_recording) for person in ids]
        tracks = episode(entry["name"], rule=rule, data=data_dir).tracks
        assert [track.id for track in tracks] == sorted(expected), entry["name"]


@pytest.mark.recordings
def test_the_task_of_all_33_episodes_is_the_published_one(
    data_dir: Path, facts: dict[str, Any]
) -> None:
    for entry in facts["episodes"]:
        world = episode(entry["name"], data=data_dir)
        start, goal = entry["robot_start"], entry["robot_goal"]
        assert (world.start.x, world.start.y) == (start["x"], start["y"])
        assert (world.start.heading, world.goal.heading) == (start["theta"], goal["theta"])
        assert (world.goal.x, world.goal.y) == (goal["x"], goal["y"])
        assert world.time_limit == entry["max_time_s"]
        assert world.floorplan.name == entry["map"]
        assert world.start.distance_to(world.goal) == pytest.approx(
            entry["straight_line_m"], abs=2e-3
        )


@pytest.mark.recordings
def test_one_recording_placed_twice_has_48_people_or_108_each_with_an_id_of_their_own(
    data_dir: Path,
) -> None:
    double = episode("t_dhotel_bottopmid", rule="socnavbench", data=data_dir)
    assert len(double.tracks) == 48
    everybody = episode("t_dhotel_bottopmid", data=data_dir)
    assert len({track.id for track in everybody.tracks}) == len(everybody.tracks) == 108
    in_groups = {person for group in everybody.groups for person in group}
    assert in_groups <= {track.id for track in everybody.tracks}
    assert any(person > 1000 for person in in_groups)


@pytest.mark.recordings
@pytest.mark.parametrize(
    ("rule", "key"), [("everyone", FACTS["everyone"]),
                      ("socnavbench", "socnavbench_head_with_name_collision")],
)  # fmt: skip
def test_the_numbers_of_people_are_summed_up_as_published(
    rule: str, key: str, data_dir: Path, facts: dict[str, Any]
) -> None:
    counts = np.array([len(episode(name, rule=rule, data=data_dir).tracks) for name in NAMES])
    summary = facts["pedestrian_count_summary"][key]
    assert counts.mean() == pytest.approx(summary["mean"], abs=0.005)
    assert counts.std(ddof=0) == pytest.approx(summary["sd"], abs=0.005)
    assert (counts.min(), counts.max()) == (summary["min"], summary["max"])


@pytest.mark.recordings
def test_positions_and_times_are_those_of_the_recordings_file(data_dir: Path) -> None:
    hotel = DataFolder(data_dir).recording("hotel")
    (placed,) = shipped_episodes()["t_hotel_cross"].recordings
    matrix = np.array(placed.transform)
    for rule, fps in (("everyone", 25.0), ("socnavbench", 15.0)):
        world = episode("t_hotel_cross", rule=rule, data=data_dir)
        originals = {track.id: track for track in hotel.tracks}
        for track in world.tracks:
            original = originals[track.id]
            frames = placed.first_frame + track.times * fps
            times = np.clip(frames / 25.0, original.times[0], original.times[-1])
            expected = original.positions_at(times)
            moved = expected @ matrix[:, :2].T + matrix[:, 2]
            np.testing.assert_allclose(track.positions, moved, atol=1e-9)
