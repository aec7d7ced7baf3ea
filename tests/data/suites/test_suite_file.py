import json
import math
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from paseo.data.settings_file import converted
from paseo.data.suites.suite_file import (
    ReactionEntry,
    RobotEntry,
    SensorEntry,
    SuiteFile,
    find_robot,
    read_robot,
    read_suite,
    shipped_episodes,
    shipped_robots,
    shipped_suites,
)
from paseo.errors import BadFile, InputError, UnknownName
from paseo.world.motion import Control, Robot
from paseo.world.scenarios import ReactionModel, Sensor

TOML = """
format = "paseo-suite"
version = 1
name = "lobby"
planners = ["straight", "mine.py:Mine:k=1"]
seeds = [3, 4]
control = "position"
rule = "socnavbench"
robot = "cart.toml"
include = ["scripted_eth_along"]

[settings]
dt_s = 0.1
stop_on_contact = true
stall_limit_s = 0.5
sensor = { range_m = 8.0, field_of_view_deg = 180, occlusion = true, position_noise_m = 0.05 }
pause = { duration_s = 2.0 }

[[episodes]]
name = "morning"
map = "maps/room.txt"
start = { x_m = 2.0, y_m = 3.0, heading_rad = 1.5 }
goal = { x_m = 8, y_m = 3 }
time_limit_s = 5.0
recordings = [
    { recording = "lobby.csv", fps = 10.0, first_frame = 2, transform = [[0, 1, 5], [1, 0, 5]] },
    { recording = "eth", first_frame = 780 },
]
people = [{ id = 900, path = [[0.0, 5.0, 1.0], [6.0, 5.0, 7.0]] }]
"""
CART = 'format = "paseo-robot"\nversion = 1\nname = "cart"\nradius_m = 0.5\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with all the files that the suite names."""
    (tmp_path / "maps").mkdir()
    (tmp_path / "maps/room.txt").write_text("0 0\n10 0\n10 10\n0 10\n")
    (tmp_path / "lobby.csv").write_text("frame,ped_id,x_m,y_m\n0,1,0,0\n50,1,0,2\n")
    (tmp_path / "cart.toml").write_text(CART)
    (tmp_path / "lobby.toml").write_text(TOML)
    return tmp_path


def as_dict() -> dict[str, Any]:
    return tomllib.loads(TOML)


def written(folder: Path, content: dict[str, Any]) -> Path:
    path = folder / "lobby.json"
    path.write_text(json.dumps(content))
    return path


def test_a_suite_says_the_same_in_toml_yaml_and_json(folder: Path) -> None:
    (folder / "lobby.yaml").write_text(yaml.safe_dump(as_dict()))
    suites = [
        read_suite(path)
        for path in (folder / "lobby.toml", folder / "lobby.yaml", written(folder, as_dict()))
    ]
    assert suites[0] == suites[1] == suites[2]


def test_a_suite_holds_all_that_its_file_says(folder: Path) -> None:
    suite = read_suite(folder / "lobby.toml")
    assert (suite.name, suite.seeds, suite.rule) == ("lobby", (3, 4), "socnavbench")
    assert suite.control is Control.POSITION
    assert [entry.name for entry in suite.episodes] == ["scripted_eth_along", "morning"]
    assert suite.robot == RobotEntry(name="cart", radius_m=0.5)
    assert (suite.settings.dt_s, suite.settings.stop_on_contact) == (0.1, True)
    assert suite.settings.pause is not None and suite.settings.pause.pause().cooldown == 1.0
    assert suite.settings.sensor.sensor() == Sensor(
        range=8.0,
        field_of_view=math.pi,
        occlusion=True,
        position_noise=0.05,
        velocity_noise=0.05,
    )


def test_files_are_looked_for_beside_the_suite(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder.parent)
    suite = read_suite(Path(folder.name) / "lobby.toml")
    morning = suite.episodes[-1]
    assert morning.map == str(folder / "maps/room.txt")
    assert [r.recording for r in morning.recordings] == [str(folder / "lobby.csv"), "eth"]
    assert suite.planners == ["straight", f"{folder.name}/mine.py:Mine:k=1"]


def test_a_robot_may_stand_in_the_suite_itself(folder: Path) -> None:
    suite = read_suite(written(folder, as_dict() | {"robot": {"radius_m": 0.1}}))
    assert suite.robot == RobotEntry(radius_m=0.1)


def test_what_is_left_out_of_a_robot_is_as_for_the_default_robot() -> None:
    assert RobotEntry().robot() == Robot()
    assert RobotEntry(max_acceleration_mps2=2.0).robot() == Robot(max_acceleration=2.0)
    assert SensorEntry().sensor() == Sensor()
    assert SensorEntry(position_noise_m=0.1, velocity_noise_mps=0.0).sensor() == Sensor(
        position_noise=0.1
    )


def changed(path: str, value: object) -> dict[str, Any]:
    """The suite with one value changed, at a path such as `settings.dt_s`; `...` removes it."""
    content: dict[str, Any] = as_dict()
    place: Any = content
    *parts, last = path.split(".")
    for part in parts:
        place = place[int(part) if part.isdecimal() else part]
    if value is ...:
        del place[last]
    else:
        place[int(last) if last.isdecimal() else last] = value
    return content


@pytest.mark.parametrize(
    ("path", "value", "sentence"),
    [
        ("format", "paseo-robot", "format: invalid enum value 'paseo-robot', expected \"paseo-"),
        ("format", ..., "top level: object missing required field `format`"),
        ("version", 2, "version: invalid enum value 2, expected 1"),
        ("version", "1", "version: expected `int`, got `str`"),
        ("name", "", "name: expected `str` matching regex"),
        ("name", "../up", "name: expected `str` matching regex"),
        ("name", "x" * 101, "name: expected `str` of length <= 100"),
        ("plannrs", ["stop"], "top level: unknown key 'plannrs'; did you mean 'planners'?"),
        ("planners", "stop", "planners: expected `array`, got `str`"),
        ("seeds", [], "seeds: expected `array` of length >= 1"),
        ("seeds", [-1], "seeds[0]: expected `int` >= 0"),
        ("seeds", [0.5], "seeds[0]: expected `int`, got `float`"),
        ("seeds", [2**63], "seeds[0]: expected `int` <= 9223372036854775807"),
        ("seeds", [5, 1, 5], "top level: the seed 5 is there twice, expected unique seeds"),
        ("control", "sideways", "control: invalid enum value 'sideways', expected \"position\" or"),
        ("include", ["scripted-11"], "include: no suite or episode is called 'scripted-11'. Did"),
        ("include", ["scripted-10", "scripted_eth_along"], "'scripted_eth_along' is there twice"),
        ("robot", 3, "robot: expected `str | object`, got `int`"),
        ("robot", "no.toml", "robot: "),
        ("robot", "pionier-3dx", "robot: no robot is called 'pionier-3dx'. Did you mean 'pion"),
        ("robot", {"wall_radius_m": -1}, "robot.wall_radius_m: expected `float` >= 0.0"),
        (
            "robot",
            {"odometry": {"heading_degps": 361}},
            "robot.odometry.heading_degps: expected `float` <= 360.0",
        ),
        ("robot", {"radius_m": 0}, "robot.radius_m: expected `float` > 0.0"),
        ("settings.dt_s", 0, "settings.dt_s: expected `float` > 0.0"),
        ("settings.dt_s", math.nan, "settings.dt_s: expected `float` > 0.0"),
        ("settings.dt_s", math.inf, "settings.dt_s: expected `float` <= 1000000000.0"),
        ("settings.person_radius_m", -0.2, "settings.person_radius_m: expected `float` > 0.0"),
        ("settings.goal_radius_m", "near", "settings.goal_radius_m: expected `float`, got `str`"),
        ("settings.hang_limit_s", 0, "settings.hang_limit_s: expected `float` > 0.0"),
        (
            "settings.sensor.rage_m",
            3,
            "settings.sensor: unknown key 'rage_m'; did you mean 'range_m'?",
        ),
        ("settings.sensor.miss_rate", 1.1, "settings.sensor.miss_rate: expected `float` <= 1.0"),
        ("settings.sensor.field_of_view_deg", 361, "field_of_view_deg: expected `float` <= 360.0"),
        ("settings.sensor.occlusion", 1, "settings.sensor.occlusion: expected `bool`, got `int`"),
        ("settings.sensor.delay_s", math.nan, "settings.sensor.delay_s: expected `float` >= 0.0"),
        ("settings.pause.cooldown_s", -1, "settings.pause.cooldown_s: expected `float` >= 0.0"),
        ("episodes.0.name", "a b", "episodes[0].name: expected `str` matching regex"),
        ("episodes.0.name", "scripted_eth_along", "episodes: 'scripted_eth_along' is there twice"),
        ("episodes.0.goal", ..., "episodes[0]: object missing required field `goal`"),
        (
            "episodes.0.start.x_m",
            math.nan,
            "episodes[0].start.x_m: expected `float` >= -1000000000.0",
        ),
        ("episodes.0.start.y_m", None, "episodes[0].start.y_m: expected `float`, got `null`"),
        ("episodes.0.time_limit_s", -1, "episodes[0].time_limit_s: expected `float` > 0.0"),
        ("episodes.0.map", "ETHH", "episodes[0].map: no map is called 'ETHH'. Did you mean 'ETH'?"),
        ("episodes.0.map", "no.json", "episodes[0].map: there is no file "),
        (
            "episodes.0.recordings.1.recording",
            "etth",
            "recordings[1].recording: no recording is called 'etth'. Did you mean 'eth'?",
        ),
        (
            "episodes.0.recordings.0.recording",
            "no.csv",
            "episodes[0].recordings[0].recording: there is no file ",
        ),
        (
            "episodes.0.recordings.0.first_frame",
            -1,
            "recordings[0].first_frame: expected `int` >= 0",
        ),
        ("episodes.0.recordings.0.fps", 0, "recordings[0].fps: expected `float` > 0.0"),
        (
            "episodes.0.recordings.0.transform",
            [[1, 0], [0, 1]],
            "transform[0]: expected `array` of length 3",
        ),
        ("episodes.0.people.0.path", [], "people[0].path: expected `array` of length >= 1"),
        ("episodes.0.people.0.path", [[1, 2]], "people[0].path[0]: expected `array` of length 3"),
        (
            "episodes.0.people.0.path",
            [[1, 2, 2], [1, 3, 3]],
            "people[0]: the times of person 900 are [1.0, 1.0], expected increasing ones",
        ),
        ("episodes.0.people.0.id", 10**30, "people[0].id: "),
        (
            "episodes.0.people",
            [{"id": 1, "path": [[0, 5, 5]]}] * 2,
            "episodes[0]: two people have the id 1, expected unique ids",
        ),
    ],
)
def test_a_wrong_value_is_refused_with_file_key_and_expectation(
    folder: Path, path: str, value: object, sentence: str
) -> None:
    file = written(folder, changed(path, value))
    with pytest.raises(BadFile) as error:
        read_suite(file)
    assert str(error.value).startswith(f"{file}: ")
    assert sentence in str(error.value)
    assert "\n" not in str(error.value)


def test_a_suite_without_episodes_is_refused(folder: Path) -> None:
    with pytest.raises(BadFile, match="episodes: there are none"):
        read_suite(written(folder, as_dict() | {"episodes": [], "include": []}))


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("radius_m = 0.5", 'expected the lines format = "paseo-robot" and version = 1'),
        (CART + "radius = 1", "unknown key 'radius'; did you mean 'radius_m'?"),
        (CART + "max_speed_mps = 0", "max_speed_mps: expected `float` > 0.0"),
        (CART.replace("= 1", "= 2"), "version: invalid enum value 2, expected 1"),
    ],
)
def test_a_wrong_robot_file_is_refused(tmp_path: Path, text: str, problem: str) -> None:
    (tmp_path / "robot.toml").write_text(text)
    with pytest.raises(InputError) as error:
        read_robot(tmp_path / "robot.toml")
    assert problem in str(error.value)
    assert "robot.toml: " in str(error.value)


def test_the_default_robot_is_shipped_as_a_file_as_well() -> None:
    assert shipped_robots()["pioneer-3dx"] == RobotEntry()


def test_the_robot_of_socnavbench_is_as_its_simulator_really_behaved() -> None:
    robot = shipped_robots()["socnavbench"].robot()
    assert (robot.radius, robot.needed_clearance, robot.max_speed) == (0.2, 0.0, 1.2)


def test_robots_are_found_by_shipped_name_or_by_file(folder: Path) -> None:
    assert find_robot("socnavbench", folder) == shipped_robots()["socnavbench"]
    assert find_robot("cart.toml", folder) == RobotEntry(name="cart", radius_m=0.5)
    with pytest.raises(UnknownName, match="no robot is called 'socnav'. Did you mean 'socnavb"):
        find_robot("socnav", folder)


def test_a_suite_may_name_a_shipped_robot(folder: Path) -> None:
    suite = read_suite(written(folder, as_dict() | {"robot": "socnavbench"}))
    assert suite.robot == shipped_robots()["socnavbench"]


def test_the_shipped_suites_are_the_33_and_the_scripted_ones() -> None:
    suites = shipped_suites()
    assert {name: len(suite.episodes) for name, suite in suites.items()} == {
        "paseo-33": 33,
        "paseo-33-v1": 33,
        "scripted-10": 10,
        "socnavbench-33": 33,
    }
    assert len(shipped_episodes()) == 109, "names are unique over all suites"
    assert not any(entry.recordings for entry in suites["scripted-10"].episodes)
    assert isinstance(suites["scripted-10"], SuiteFile)


def test_what_ships_is_parsed_once() -> None:
    assert shipped_suites() is shipped_suites()
    assert shipped_episodes() is shipped_episodes()
    assert shipped_robots() is shipped_robots()


def test_ids_of_people_are_text_in_the_file_and_numbers_in_the_value() -> None:
    entry = converted({"by": "orca", "of_people": {"3": 0.5, "-1": 0.0}}, ReactionEntry, where="x")
    reaction = entry.reaction()
    assert reaction.by == ReactionModel.ORCA
    assert reaction.of_people == {3: 0.5, -1: 0.0}
    assert (reaction.reactivity_of(3), reaction.reactivity_of(4)) == (0.5, 1.0)
