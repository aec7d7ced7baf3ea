import csv
import io
import json
import math
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from paseo.report.walk.log import csv_rows, json_lines, readable_log, walking_directions, write_csv
from paseo.sim.simulate import simulate
from paseo.world.clocks import Timekeeping
from paseo.world.motion import Control, Pose, Twist
from paseo.world.records import Record
from paseo.world.scenarios import Sensor
from worlds import Driver, crossing, scenario, walk


@pytest.fixture
def met() -> Record:
    """The robot stands; person 1 walks over it, person 2 appears on top of it and stays."""
    appears = walk(2, (1, 2.1, 5), (3, 2.1, 5))
    return simulate(scenario(crossing(), appears, rule="everyone"), Driver(Twist(0.0, 0.0)))


def fields(text: str) -> dict[str, str]:
    return {line[:11].strip(): line[12:] for line in text.split("\n")}


def test_the_log_tells_where_walls_count_from(met: Record) -> None:
    robot = replace(met.scenario.robot, wall_radius=0.0)
    told = fields(readable_log(replace(met, scenario=replace(met.scenario, robot=robot))))
    assert told["robot"] == "pioneer-3dx, radius 0.24 m (walls from 0 m), at most 1.2 m/s"


def test_the_log_tells_settings_start_goal_and_ending(met: Record) -> None:
    told = fields(readable_log(met))
    assert told["episode"] == "test (rule everyone)"
    assert told["planner"] == "worlds:Driver"
    assert told["control"] == "velocity"
    assert told["robot"] == "pioneer-3dx, radius 0.24 m, at most 1.2 m/s"
    assert told["floor plan"] == "room, 100.0 m2 free"
    assert told["people"] == "2, radius 0.2 m"
    assert told["sensing"] == "everybody, exactly"
    assert told["clock"] == "steps of 0.05 s, time limit 10 s"
    assert (told["start"], told["goal"]) == ("(2.00, 5.00)", "(8.00, 5.00), radius 0.3 m")
    assert told["contacts"] == "1 counted"
    assert told["ending"].startswith("out of time: the time limit was up at (2.00, 5.00)")
    assert told["verdict"] == "T"
    assert "wall clock" not in readable_log(met)


def test_every_contact_is_told_with_time_person_and_place(met: Record) -> None:
    contacts = [line for line in readable_log(met).split("\n") if line.startswith("contact  ")]
    assert len(contacts) == 2
    on_top = next(line for line in contacts if "person 2" in line)
    assert "at 1.00 s with person 2, robot at (2.00, 5.00), for " in on_top
    assert on_top.endswith("not counted: the person appeared on top of the robot")
    walked_in = next(line for line in contacts if "person 1" in line)
    # From 9 m at 1 m/s the discs meet 0.44 m before the robot at 2 m.
    assert "at 6.60 s with person 1" in walked_in
    assert "not counted" not in walked_in


def test_a_contact_is_told_with_its_cause(met: Record) -> None:
    lines = readable_log(met).split("\n")
    (cause,) = (after for line, after in pairwise(lines) if "at 6.60 s with person 1" in line)
    assert cause.strip() == (
        "walked into: robot 0.00 m/s, person 1.00 m/s, closing at 1.00 m/s; in the last second the "
        "robot came 0.00 m nearer, the person 1.00 m; could have been avoided until 1.5 s before"
    )


def test_the_log_tells_what_sensing_and_the_clock_did() -> None:
    sensor = Sensor(range=6.0, occlusion=True, miss_rate=0.1, field_of_view=math.pi)
    record = simulate(scenario(sensor=sensor, time_limit=0.1), Driver())
    assert fields(readable_log(record))["sensing"] == (
        "range 6 m, field of view 180 degrees, occlusion, noise 0 m and 0 m/s, missed 10%, "
        "swapped 0%, delay 0 s"
    )
    made = replace(record.provenance, clock="it hung", parameters={"k": 1, "name": "a"})
    told = readable_log(replace(record, provenance=made))
    assert "planner     worlds:Driver (k=1, name=a)" in told
    assert told.endswith("depends on the wall clock: it hung")


@pytest.mark.parametrize(
    ("kept", "words"),
    [
        ({"clock": "charged", "latency_s": 0.2},
         "charged with 0.2 s; meanwhile hold, late answers here"),
        ({"clock": "charged", "late": "skip", "thinking": "follow"},
         "charged with as long as was measured; meanwhile follow, late answers skip"),
        ({"clock": "async", "repeat_limit_s": 2.5},
         "while time ran; meanwhile hold for at most 2.5 s, late answers here"),
    ],
)  # fmt: skip
def test_the_log_tells_how_time_passed_while_the_planner_thought(
    met: Record, kept: dict[str, Any], words: str
) -> None:
    made = replace(met.provenance, timekeeping=Timekeeping(**kept))
    assert fields(readable_log(replace(met, provenance=made)))["thinking"] == words
    assert "thinking" not in readable_log(met)


def test_every_step_of_every_agent_is_a_row(met: Record) -> None:
    header, *rows = csv_rows(met)
    assert header == ["time_s", "agent", "x_m", "y_m", "heading_rad", "radius_m"]
    states = len(met.robot)
    present = int((~np.isnan(met.people[..., 0])).sum())
    assert len(rows) == states + present
    assert rows[0] == ["0", "robot", "2.0", "5.0", "0.0", "0.24"]
    assert rows[1] == ["0", "1", "9.0", "5.0", "", "0.2"]
    assert rows[3][:3] == ["0.05", "1", repr(float(met.people[1, 0, 0]))]
    assert float(rows[3][4]) == pytest.approx(math.pi)


def test_the_rows_read_back_to_the_very_numbers(met: Record) -> None:
    text = io.StringIO()
    write_csv(met, text)
    rows = list(csv.DictReader(io.StringIO(text.getvalue())))
    robot = [(float(r["x_m"]), float(r["y_m"])) for r in rows if r["agent"] == "robot"]
    np.testing.assert_array_equal(np.array(robot), met.robot[:, :2])
    assert "\r" not in text.getvalue()


def test_every_step_is_one_json_object(met: Record) -> None:
    steps = [json.loads(line) for line in json_lines(met)]
    assert len(steps) == len(met.robot)
    assert steps[0] == {
        "time_s": 0.0,
        "robot": {"x_m": 2.0, "y_m": 5.0, "heading_rad": 0.0},
        "command": {"forward_mps": 0.0, "turn_radps": 0.0},
        "people_m": {"1": [9.0, 5.0]},
        "touching": [],
    }
    assert steps[-1]["command"] is None
    assert steps[20]["touching"] == [2]
    assert steps[3]["time_s"] == 0.15, "no 0.15000000000000002"


def test_a_command_for_a_position_is_told_as_one() -> None:
    driver = Driver(Pose(2.01, 5.0, 0.5), Control.POSITION)
    (first, *_) = json_lines(simulate(scenario(time_limit=0.1), driver))
    assert json.loads(first)["command"] == {"x_m": 2.01, "y_m": 5.0, "heading_rad": 0.5}


def test_a_person_faces_where_they_last_walked() -> None:
    nan = float("nan")
    path = [[0, 0], [0, 1], [0, 1], [nan, nan], [5, 5], [4, 5]]
    headings = walking_directions(np.array(path, float)[:, None, :])[:, 0]
    np.testing.assert_allclose(headings, [nan, math.pi / 2, math.pi / 2, nan, nan, math.pi])


def test_an_empty_world_has_a_log_too() -> None:
    record = simulate(scenario(time_limit=0.1), Driver())
    assert fields(readable_log(record))["people"] == "0, radius 0.2 m"
    assert len(list(csv_rows(record))) == 1 + len(record.robot)
    assert json.loads(next(json_lines(record)))["people_m"] == {}
