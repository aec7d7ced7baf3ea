"""Logs of real robots: one file format in, a Record out."""

import math
from pathlib import Path

import numpy as np
import pytest

from paseo.data.recordings.robot_log import read_robot_log
from paseo.errors import BadFile, BadScenario, NotAvailable
from paseo.metrics.record.measure import measure
from paseo.report.walk.log import write_csv
from paseo.sim.simulate import simulate
from paseo.world.motion import Pose, Twist
from paseo.world.recordfile import load_record, save_record
from paseo.world.records import Cause, Outcome
from worlds import ROOM, Driver, crossing, scenario

HEADER = "time_s,agent,x_m,y_m,heading_rad,radius_m\n"


def log(folder: Path, *rows: str) -> Path:
    file = folder / "drive.csv"
    file.write_text(HEADER + "\n".join(rows) + "\n")
    return file


def test_a_simulated_episode_taken_through_a_log_measures_the_same(tmp_path: Path) -> None:
    record = simulate(scenario(crossing()), Driver(Twist(1.0, 0.05)))
    with (tmp_path / "drive.csv").open("w") as stream:
        write_csv(record, stream)
    again = read_robot_log(tmp_path / "drive.csv", goal=record.scenario.goal, floorplan=ROOM)
    expected, found = measure(record), measure(again)
    assert record.touches == again.touches == 1
    compared = 0
    needs_limits = {"success_weighted_by_time"} | {
        f"{cause.value.replace(' ', '_')}_contacts" for cause in Cause
    }
    for name, each in expected.items():
        if each.value is not None and name not in needs_limits:
            assert found[name].value == pytest.approx(each.value, rel=1e-9, abs=1e-9), name
            compared += 1
    assert compared > 15


def test_an_uneven_clock_becomes_the_median_one(tmp_path: Path) -> None:
    rows = [
        "0,robot,0,0,0,0.3",
        "0.1,robot,1,0,0,0.3",
        "0.3,robot,3,0,0,0.3",
        "0.4,robot,4,0,0,0.3",
    ]
    record = read_robot_log(log(tmp_path, *rows))
    assert record.scenario.dt == pytest.approx(0.1)
    np.testing.assert_allclose(record.robot[:, 0], [0, 1, 2, 3, 4])


def test_an_empty_heading_is_the_direction_of_motion(tmp_path: Path) -> None:
    record = read_robot_log(log(tmp_path, "0,robot,0,0,,0.3", "1,robot,0,2,,0.3"))
    assert record.robot[0, 2] == pytest.approx(math.pi / 2)


def test_the_log_is_scored_up_to_the_arrival(tmp_path: Path) -> None:
    rows = [f"{k},robot,{k},0,0,0.3" for k in range(6)]
    record = read_robot_log(log(tmp_path, *rows), goal=Pose(3.0, 0.0))
    assert record.outcome is Outcome.REACHED_GOAL
    assert len(record.robot) == 4
    assert read_robot_log(log(tmp_path, *rows), goal=Pose(9.0, 0.0)).outcome is Outcome.OUT_OF_TIME


def test_what_the_log_does_not_tell_is_not_made_up(tmp_path: Path) -> None:
    record = read_robot_log(log(tmp_path, "0,robot,0,0,0,0.3", "1,robot,1,0,0,0.3"))
    with pytest.raises(NotAvailable, match="needs the goal"):
        record.require_goal()
    assert "closest_person_distance" not in [n for n, e in measure(record).items() if e.value]
    notes = {name: each.note for name, each in measure(record).items() if each.value is None}
    assert notes["success"] == notes["spl"] == "not available: needs the goal"
    assert notes["person_collisions"] == "not available: needs people in the log"
    assert notes["minimum_obstacle_clearance"] == "not available: needs the map"
    assert notes["group_intrusion"] == "not available: needs annotated groups"
    assert notes["planning_time"] == "not available: needs measured planning times"


def test_what_is_not_known_stays_unknown_in_a_saved_record(tmp_path: Path) -> None:
    record = read_robot_log(log(tmp_path, "0,robot,0,0,0,0.3", "1,robot,1,0,0,0.3"))
    save_record(record, tmp_path / "drive.npz")
    loaded = load_record(tmp_path / "drive.npz")
    assert loaded.scenario.missing == ("goal", "map", "people", "top speed")
    assert measure(loaded)["path_irregularity"].note == "not available: needs the goal"
    with pytest.raises(BadScenario, match="its goal and map and people and top speed is not known"):
        simulate(loaded.scenario, Driver())


def test_people_are_absent_where_they_were_not_seen(tmp_path: Path) -> None:
    robot = [f"{k},robot,{k},0,0,0.3" for k in range(8)]
    record = read_robot_log(
        log(tmp_path, *robot, "1,5,1,1,,0.2", "2,5,2,1,,0.2", "3,5,3,1,,0.2", "7,5,6,1,,0.4")
    )
    assert record.ids.tolist() == [5]
    assert np.isnan(record.people[:, 0, 0]).tolist() == [1, 0, 0, 0, 1, 1, 1, 0]
    assert record.scenario.person_radius == 0.4


@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        (["0,robot,0,0,0"], "line 2 has 5 columns, expected 6, as the header"),
        (["0,robot,here,0,0,0.3"], "line 2 x_m is 'here', expected a number"),
        (["0,robot,nan,0,0,0.3"], "line 2 x_m is 'nan', expected a finite number"),
        (["0,robot,0,0,inf,0.3"], "line 2 heading_rad is 'inf', expected a finite number"),
        (["0,robot,0,0,0,0"], "the robot's radius is 0 m, expected more than 0"),
        (["0,7,0,0,0,0.3"], "no row has the agent 'robot'; name the robot so"),
        (["0,robot,0,0,0,1", "0,robot,1,0,0,1"], "robot is there twice at one time"),
        (["0,robot,0,0,0,1", "0,Ann,1,0,0,1"], "agent 'Ann', expected 'robot' or a person's"),
        (["0,robot,0,0,0,1", f"0,{'9' * 20},1,0,0,1"], "a person's number of up to 18 digits"),
        (["0,robot,0,0,0,1", f"0,{'9' * 5000},1,0,0,1"], "a person's number of up to 18 digits"),
        (["0,robot,0,0,0,1", "0,\u0663,1,0,0,1"], "a person's number of up to 18 digits"),
        (["0,robot,0,0,0,1", "0,--1,1,0,0,1"], "agent '--1', expected 'robot' or a person's"),
        (["0,robot,0,0,0,1", "0,7,1,0,0,-1"], "a person's radius is -1 m"),
        (["0,robot,0,0,0,1", "1e-8,robot,1,0,0,1", "2e-8,robot,1,0,0,1", "1.5,robot,0,0,0,1"],
         "are too many; thin the log out"),
        (["0,robot,1e7,0,0,1"], "beyond 1000 km; are they in metres?"),
    ],
)  # fmt: skip
def test_malformed_logs_get_one_sentence(rows: list[str], sentence: str, tmp_path: Path) -> None:
    with pytest.raises(BadFile) as caught:
        read_robot_log(log(tmp_path, *rows))
    assert sentence in str(caught.value)
    assert "drive.csv" in str(caught.value)


def test_a_wrong_header_is_quoted(tmp_path: Path) -> None:
    (tmp_path / "drive.csv").write_text("t,agent,x,y\n")
    with pytest.raises(BadFile, match="line 1 is 't,agent,x,y', expected time_s,agent,x_m"):
        read_robot_log(tmp_path / "drive.csv")


def test_a_robot_missing_from_its_own_log_is_said(tmp_path: Path) -> None:
    rows = [f"{k / 10},robot,{k / 10},0,0,0.3" for k in (*range(10), *range(70, 80))]
    with pytest.raises(BadFile, match="not logged for 6.1 s after 0.9 s; cut the log there"):
        read_robot_log(log(tmp_path, *rows))


def test_people_seen_rarely_are_there_in_between(tmp_path: Path) -> None:
    robot = [f"{k / 2},robot,{k / 2},0,0,0.3" for k in range(16)]
    record = read_robot_log(log(tmp_path, *robot, *(f"{t},4,3.5,0,,0.2" for t in (0, 2.5, 5, 7.5))))
    assert not np.isnan(record.people).any()
    assert record.touches == 1


def test_a_log_in_another_frame_than_its_map_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="starts outside the free space of map 'room'"):
        read_robot_log(log(tmp_path, "0,robot,-3,0,0,0.3"), floorplan=ROOM)
