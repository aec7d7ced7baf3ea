import hashlib
import json
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from paseo.data.store.locations import DataFolder
from paseo.data.suites.episodes import Choices, check_data, episode, recording_ends, scenario
from paseo.data.suites.suite_file import (
    EpisodeEntry,
    PauseEntry,
    PlacedRecording,
    PoseEntry,
    RobotEntry,
    ScriptedPerson,
    SensorEntry,
    Settings,
    read_suite,
    shipped_episodes,
    shipped_suites,
)
from paseo.errors import BadScenario, BadValue, InputError, MissingData, UnknownName
from paseo.world.scenarios import Gait, Rule, Sensor, check_task
from runs import suite

ROWS = "frame,ped_id,x_m,y_m\n0,1,1,1\n20,1,1,3\n0,2,2,1\n15,2,2,9\n"


@pytest.fixture
def room(tmp_path: Path) -> EpisodeEntry:
    """An episode in a room, with two people from a file and a third by script."""
    (tmp_path / "room.txt").write_text("0 0\n10 0\n10 10\n0 10\n")
    (tmp_path / "walks.csv").write_text(ROWS)
    return EpisodeEntry(
        name="room",
        map=str(tmp_path / "room.txt"),
        start=PoseEntry(x_m=2.0, y_m=5.0, heading_rad=1.0),
        goal=PoseEntry(x_m=8.0, y_m=5.0),
        time_limit_s=8.0,
        recordings=[PlacedRecording(recording=str(tmp_path / "walks.csv"), fps=10.0)],
        people=[ScriptedPerson(id=900, path=[(0.0, 5.0, 1.0), (4.0, 5.0, 9.0)])],
    )


def changed(entry: EpisodeEntry, **changes: Any) -> EpisodeEntry:
    return msgspec.structs.replace(entry, **changes)


def test_an_episode_becomes_a_scenario_with_all_that_was_chosen(room: EpisodeEntry) -> None:
    settings = Settings(
        dt_s=0.1,
        person_radius_m=0.25,
        goal_radius_m=0.5,
        stop_on_contact=True,
        pause=PauseEntry(duration_s=2.0),
        sensor=SensorEntry(range_m=3.0),
    )
    choices = Choices(robot=RobotEntry(name="cart", radius_m=0.3), settings=settings)
    world = scenario(room, choices, DataFolder(Path()), seed=7)
    assert [track.id for track in world.tracks] == [1, 2, 900]
    assert (world.start.heading, world.goal.heading) == (1.0, 0.0)
    assert (world.dt, world.person_radius, world.goal_radius) == (0.1, 0.25, 0.5)
    assert (world.stop_on_contact, world.seed, world.rule) == (True, 7, "everyone")
    assert (world.robot.name, world.robot.radius) == ("cart", 0.3)
    assert world.pause is not None and world.pause.duration == 2.0
    assert world.sensor == Sensor(range=3.0)
    digest = hashlib.sha256(ROWS.encode()).hexdigest()
    assert world.data_hashes == {"walks.csv": digest}
    np.testing.assert_allclose(world.tracks[0].positions_at(np.array([1.5])), [[1.0, 2.5]])


def test_recorded_people_can_be_given_a_natural_gait_and_scripted_ones_keep_theirs(
    room: EpisodeEntry,
) -> None:
    recorded = scenario(room, Choices(), DataFolder(Path()))
    choices = Choices(settings=Settings(gait=Gait.NATURAL))
    one, again, other = (scenario(room, choices, DataFolder(Path()), seed=k) for k in (0, 0, 1))
    assert (recorded.gait, one.gait) == (Gait.RECORDED, Gait.NATURAL)
    times = np.arange(30) * one.dt
    places = [[track.positions_at(times) for track in each.tracks] for each in (one, again, other)]
    for person, track in enumerate(recorded.tracks):
        natural, same, seeded = (each[person] for each in places)
        assert natural.tobytes() == same.tobytes()
        off = np.abs(natural - track.positions_at(times)).max()
        assert off == 0 if track.id == 900 else 0.005 < off < 0.1
        assert (natural.tobytes() == seeded.tobytes()) == (track.id == 900)


def test_without_recordings_no_gait_is_at_work(room: EpisodeEntry) -> None:
    choices = Choices(settings=Settings(gait=Gait.NATURAL))
    assert scenario(changed(room, recordings=[]), choices, DataFolder(Path())).gait is Gait.RECORDED


def test_without_recordings_no_rule_is_at_work(room: EpisodeEntry) -> None:
    world = scenario(changed(room, recordings=[]), Choices(), DataFolder(Path()))
    assert (world.rule, world.data_hashes, len(world.tracks)) == ("", {}, 1)


def test_an_episode_may_be_empty_of_people(room: EpisodeEntry) -> None:
    assert (
        scenario(changed(room, recordings=[], people=[]), Choices(), DataFolder(Path())).tracks
        == ()
    )


def test_a_recording_placed_twice_gives_ids_that_tell_the_placements_apart(
    room: EpisodeEntry, tmp_path: Path
) -> None:
    (tmp_path / "walks.csv").write_text(ROWS.replace(",2,2,", ",-95,2,") + "0,95,3,3\n9,95,3,4\n")
    twice = changed(room, recordings=room.recordings * 2)
    ids = [track.id for track in scenario(twice, Choices(), DataFolder(Path())).tracks]
    assert ids == [-95, 1, 95, 900, 905, 1001, 1095]


def test_a_scripted_person_with_the_id_of_a_recorded_one_is_refused(room: EpisodeEntry) -> None:
    clash = [ScriptedPerson(id=2, path=[(0.0, 5.0, 5.0)])]
    with pytest.raises(BadScenario, match="episode 'room': two people have the id 2; change one"):
        scenario(changed(room, people=clash), Choices(), DataFolder(Path()))


def test_unknown_episodes_and_rules_are_refused_with_a_hint() -> None:
    with pytest.raises(UnknownName, match=r"no episode is called 't_ETH3'. Did you mean 't_ETH2'"):
        episode("t_ETH3")
    with pytest.raises(
        UnknownName, match=r"no rule is called 'everybody'. Did you mean 'everyone'"
    ):
        episode("t_ETH2", rule="everybody")


def test_a_missing_recording_is_said_to_be_missing_with_a_remedy(tmp_path: Path) -> None:
    with pytest.raises(MissingData, match=r"'eth' is not in .*set PASEO_DATA or pass data"):
        episode("t_ETH1", data=tmp_path)
    with pytest.raises(MissingData, match="'eth'"):
        check_data(shipped_episodes()["t_ETH1"], Choices(), DataFolder(tmp_path))


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"start": PoseEntry(x_m=0.1, y_m=5.0)}, "the start (0.1, 5) is 0.10 m from a wall"),
        ({"start": PoseEntry(x_m=-1.0, y_m=5.0)}, "the start (-1, 5) is inside a wall"),
        ({"goal": PoseEntry(x_m=11.0, y_m=5.0)}, "the goal (11, 5) is inside a wall"),
        ({"map": "ETHH"}, "no map is called 'ETHH'. Did you mean 'ETH'?"),
        ({"time_limit_s": 0.01}, "is 0 steps, expected between 1 and"),
        ({"time_limit_s": 1e6}, "steps, expected between 1 and 1000000"),
        ({"recordings": [PlacedRecording(recording="no.csv")]}, "recording no.csv is neither"),
    ],
)
def test_an_episode_that_cannot_be_run_is_found_out_before_it_runs(
    room: EpisodeEntry, changes: dict[str, Any], problem: str
) -> None:
    with pytest.raises(InputError) as error:
        check_data(changed(room, **changes), Choices(), DataFolder(Path()))
    assert problem in str(error.value)


@pytest.mark.parametrize(
    ("rows", "fps", "problem"),
    [
        (ROWS, None, "this csv file does not tell its frame rate; give fps"),
        (ROWS + "1,1,x,2\n", 10.0, "line 6 has 'x'"),
    ],
)
def test_a_users_recording_that_cannot_be_read_is_found_out_before_it_runs(
    room: EpisodeEntry, tmp_path: Path, rows: str, fps: float | None, problem: str
) -> None:
    (tmp_path / "other.csv").write_text(rows)
    placed = PlacedRecording(recording=str(tmp_path / "other.csv"), fps=fps)
    with pytest.raises((BadValue, InputError)) as error:
        check_data(changed(room, recordings=[placed]), Choices(), DataFolder(Path()))
    assert problem in str(error.value)


def test_every_scripted_episode_can_be_run() -> None:
    for entry in shipped_suites()["scripted-10"].episodes:
        check_data(entry, Choices(), DataFolder(Path()))


def test_a_suite_can_be_run_from_anywhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = suite(tmp_path)
    monkeypatch.chdir("/")
    for entry in read_suite(path).episodes:
        check_data(entry, Choices(), DataFolder(Path()))


@pytest.mark.recordings
def test_every_curated_episode_can_be_run(data_dir: Path) -> None:
    for entry in shipped_suites()["socnavbench-33"].episodes:
        check_task(scenario(entry, Choices(), DataFolder(data_dir)))


@pytest.mark.recordings
def test_three_episodes_run_out_of_recording(data_dir: Path) -> None:
    entries = shipped_suites()["socnavbench-33"].episodes
    ends = {
        entry.name: recording_ends(entry, DataFolder(data_dir), Rule.EVERYONE) for entry in entries
    }
    short = {name: round(seconds, 1) for name, seconds in ends.items() if seconds is not None}
    assert short == {"t_univ_trapTR": 36.6, "t_univ_trapTL": 21.8, "t_univ_trapBL": 21.8}
    slower = {
        entry.name: recording_ends(entry, DataFolder(data_dir), Rule.SOCNAVBENCH)
        for entry in entries
    }
    assert round(slower["t_univ_trapTL"] or 0, 1) == 36.3
    assert slower["t_univ_trapTR"] is None, "61.1 s at 15 fps outlast the episode"


@pytest.mark.recordings
def test_an_episode_carries_the_hashes_of_what_it_was_made_from(data_dir: Path) -> None:
    content = (data_dir / "ethucy/eth.csv.gz").read_bytes()
    world = episode("t_ETH1", data=data_dir)
    assert world.data_hashes == {"eth": hashlib.sha256(content).hexdigest()}
    assert json.dumps(dict(world.data_hashes))


def test_a_vsp_file_in_a_suite_is_taken_to_metres_first(tmp_path: Path) -> None:
    (tmp_path / "walk.vsp").write_text(
        "1 - the number of splines\n2 - Num of control points\n"
        "100.0 200.0 0 0.0 - (2D point, m_id)\n300.0 200.0 50 0.0 - (2D point, m_id)\n"
    )
    placed = PlacedRecording(
        recording=str(tmp_path / "walk.vsp"),
        fps=25.0,
        to_metres=((0.01, 0.0, 0.0), (0.0, 0.01, 0.0)),
        transform=((1.0, 0.0, 3.0), (0.0, 1.0, 1.0)),
    )
    along = shipped_episodes()["scripted_eth_along"]
    entry = msgspec.structs.replace(along, people=[], recordings=[placed])
    (track,) = scenario(entry, Choices(), DataFolder(tmp_path)).tracks
    assert track.positions.tolist() == [[4.0, 3.0], [6.0, 3.0]]
    unscaled = msgspec.structs.replace(placed, to_metres=None)
    with pytest.raises(BadValue, match="to_metres in a suite"):
        scenario(
            msgspec.structs.replace(entry, recordings=[unscaled]), Choices(), DataFolder(tmp_path)
        )
