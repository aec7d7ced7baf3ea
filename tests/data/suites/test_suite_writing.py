import json
import math
import tomllib
from pathlib import Path

import msgspec
import pytest

from paseo.data.settings_file import read_settings
from paseo.data.suites.suite_file import (
    EpisodeEntry,
    PauseEntry,
    PlacedRecording,
    PoseEntry,
    RobotEntry,
    ScriptedPerson,
    SensorEntry,
    Settings,
    SuiteFile,
    read_suite,
    shipped_suites,
)
from paseo.data.suites.suite_writing import robot_entry, suite_bytes
from paseo.errors import BadValue
from paseo.world.motion import Control, Robot
from paseo.world.scenarios import Rule

each_suffix = pytest.mark.parametrize("suffix", [".toml", ".yaml", ".yml", ".json", ".TOML"])

PLAIN = SuiteFile(
    format="paseo-suite",
    version=1,
    name="eth-sampled-1",
    description="Two places: 'here' and \"there\" [\n1,\n2,\n], 3 m²",
    episodes=[
        EpisodeEntry(
            name="eth_along_01",
            map="ETH",
            start=PoseEntry(x_m=7.0, y_m=1.5, heading_rad=1.571),
            goal=PoseEntry(x_m=6.9, y_m=18.0),
            time_limit_s=float("60"),
            recordings=[
                PlacedRecording(
                    recording="eth", first_frame=780, transform=((0.0, 1.0, 1.4), (-1.0, 0.0, 1e-7))
                )
            ],
            note="yes",
        )
    ],
)
RICH = msgspec.structs.replace(
    PLAIN,
    planners=["straight", "stop"],
    seeds=(3, 4),
    control=Control.POSITION,
    rule=Rule.SOCNAVBENCH,
    robot=RobotEntry(name="cart", radius_m=0.5, max_acceleration_mps2=0.7),
    settings=Settings(
        dt_s=0.1,
        stop_on_contact=True,
        pause=PauseEntry(),
        sensor=SensorEntry(range_m=8.0, occlusion=True),
    ),
    episodes=[
        msgspec.structs.replace(
            PLAIN.episodes[0],
            people=[ScriptedPerson(id=900, path=[(0.0, 5.0, 1.0), (6.0, 5.0, 7.0)])],
        )
    ],
)


def written(suite: SuiteFile, folder: Path, suffix: str) -> Path:
    path = folder / f"suite{suffix}"
    path.write_bytes(suite_bytes(suite, suffix))
    return path


@each_suffix
@pytest.mark.parametrize("suite", [PLAIN, RICH], ids=["plain", "rich"])
def test_what_is_written_is_read_again_the_same(
    suite: SuiteFile, suffix: str, tmp_path: Path
) -> None:
    assert read_suite(written(suite, tmp_path, suffix)) == suite


@each_suffix
@pytest.mark.parametrize("name", shipped_suites())
def test_the_shipped_suites_survive(name: str, suffix: str, tmp_path: Path) -> None:
    suite = shipped_suites()[name]
    assert read_settings(written(suite, tmp_path, suffix), SuiteFile) == suite


@each_suffix
def test_what_is_as_by_default_is_not_written(suffix: str) -> None:
    text = suite_bytes(PLAIN, suffix).decode()
    for key in ("planners", "seeds", "settings", "robot", "time_limit_s", "people", "fps", "rule"):
        assert key not in text
    assert text.count("heading_rad") == 1


def test_toml_has_rows_of_numbers_on_one_line() -> None:
    text = suite_bytes(RICH, ".toml").decode()
    assert "    [0.0, 1.0, 1.4],\n    [-1.0, 0.0, 1e-07],\n" in text
    assert "seeds = [3, 4]\n" in text
    assert tomllib.loads(text)["description"] == RICH.description


def test_json_and_yaml_keep_the_order_of_the_keys() -> None:
    assert list(json.loads(suite_bytes(PLAIN, ".json")))[:3] == ["format", "version", "name"]
    assert suite_bytes(PLAIN, ".yaml").startswith(b"format: paseo-suite\nversion: 1\nname: ")


@pytest.mark.parametrize("suffix", ["", ".txt", ".toml.gz"])
def test_other_kinds_of_file_are_refused(suffix: str) -> None:
    with pytest.raises(BadValue, match=rf"'{suffix}' is no ending of a suite file, expected .toml"):
        suite_bytes(PLAIN, suffix)


@pytest.mark.parametrize(
    "robot",
    [
        Robot(),
        Robot(name="cart", radius=0.5, max_speed=1.0, max_reverse_speed=0.2, max_turn=2.0),
        Robot(max_acceleration=0.8, max_turn_acceleration=2.0, sensor_height=0.3),
        Robot(wall_radius=0.0),
        Robot(wall_radius=0.5),
    ],
)
def test_a_robot_comes_back_from_its_entry(robot: Robot) -> None:
    assert robot_entry(robot).robot() == robot


def test_the_usual_robot_is_the_default_entry() -> None:
    assert robot_entry(Robot()) == RobotEntry()
    assert robot_entry(Robot(max_acceleration=math.inf)).max_acceleration_mps2 is None
