"""The files of a scene, read back with nothing but the standard library and numpy."""

import csv
import json
import math
import pickle
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml

from paseo.data.scenes.socialnavsub import TIMING
from paseo.vqa.synthetic.casting import CAMERA, Staging
from paseo.vqa.synthetic.files import goals, odometry_bytes, scene_list, table_bytes, tracks_bytes
from paseo.vqa.synthetic.motion import Drive
from paseo.vqa.synthetic.stagings import stagings

SCENES = {staging.name: staging for staging in stagings(1)}


def odometry(staging: Staging) -> tuple[Any, Any]:
    content = pickle.loads(odometry_bytes(staging))  # noqa: S301, our own
    return content["position"], content["yaw"]


def tracks(staging: Staging) -> dict[str, list[dict[str, Any]]]:
    return json.loads(tracks_bytes(staging, CAMERA))["track_id_to_object_trajectory"]


@pytest.mark.parametrize("staging", SCENES.values(), ids=lambda staging: staging.id)
def test_the_odometry_seen_from_its_first_frame_is_the_drive(staging: Staging) -> None:
    position, yaw = odometry(staging)
    first, yaw = staging.first_frame, yaw.reshape(-1)
    turn = yaw[first]
    rotation = np.array([[math.cos(turn), -math.sin(turn)], [math.sin(turn), math.cos(turn)]])
    local = (position - position[first]) @ rotation
    for frame in range(TIMING.frames):
        x, y, heading = staging.drive.pose(frame * TIMING.period)
        assert local[first + frame] == pytest.approx((x, y), abs=1e-9)
        assert yaw[first + frame] - turn == pytest.approx(heading)
    assert position[first] == pytest.approx(staging.origin)


def test_the_odometry_spans_the_recording_and_once_just_enough() -> None:
    lengths = {id: len(odometry(staging)[0]) for id, staging in SCENES.items()}
    assert lengths["lone"] == 46 + 11
    assert all(lengths[id] >= SCENES[id].first_frame + 11 for id in SCENES)


def test_yaw_is_a_row_in_some_scenes_and_a_column_in_others() -> None:
    assert {odometry(staging)[1].ndim for staging in SCENES.values()} == {1, 2}


def test_coordinates_are_strings_in_one_scene_and_numbers_in_the_others() -> None:
    words = {id: isinstance(next(iter(tracks(s).values()))[0]["center_x"], str)
             for id, s in SCENES.items()}  # fmt: skip
    assert [id for id, word in words.items() if word] == ["mixed"]


def test_an_observation_is_the_analytic_position_with_its_step_to_the_next() -> None:
    staging = SCENES["gaps"]
    walker, seen = staging.walkers[0], tracks(staging)["40"]
    assert [each["timestep"] for each in seen] == [0, 1, 2, 5, 6, 8, 9]
    for each, follower in pairwise(seen):
        x, y = walker.walk.position(each["timestep"] * TIMING.period)
        assert (each["center_x"], each["center_y"]) == pytest.approx((x, y), abs=1e-6)
        step = math.dist(*((e["center_x"], e["center_y"]) for e in (each, follower)))
        assert each["pos_diff"] == pytest.approx(step, abs=1e-5)
    assert tracks(staging)["47"][0]["pos_diff"] == 0.0


def test_boxes_lie_inside_the_picture() -> None:
    for staging in SCENES.values():
        for track in tracks(staging).values():
            for each in track:
                if each["bbox"] is None:
                    continue
                left, top, right, bottom = each["bbox"]
                assert 0 <= left < right <= 1280 and 0 <= top < bottom <= 720


def test_tracks_that_do_not_count_are_in_the_file_too() -> None:
    assert len(tracks(SCENES["gaps"])) == 4 + 4


def test_a_goal_is_millimetres_as_text_under_the_first_frames_name() -> None:
    told = goals(SCENES.values())
    assert told["synthetic_1_mixed/228.jpg"][1] == "[8000, 0]"
    assert told["synthetic_1_far/367.jpg"][1] == "[ 3000 ,-7500  ]"
    assert len(told) == len(SCENES)


def test_the_list_of_scenes_counts_the_people_asked_about() -> None:
    samples: Any = scene_list(SCENES.values())["samples"]
    assert samples[3] == {"folderpath": "synthetic_1_crowd_94", "n_people": 13}


def test_the_table_lacks_two_scenes_and_its_lists_have_no_quotes() -> None:
    text = table_bytes(SCENES.values()).decode()
    assert '"' not in text
    rows = list(csv.reader(text.splitlines()))
    named = [row[0] for row in rows[1:]]
    assert {each.id for each in SCENES.values()} - set(named) == {
        "synthetic_1_crowd_94",
        "synthetic_1_standing_21",
    }
    assert len(rows[0]) == 9 and len(rows[1]) == 7 + 2 * TIMING.frames


@pytest.mark.extra("camera")
def test_the_settings_are_the_cameras(made: Path) -> None:
    settings = yaml.safe_load((made / "dataset_cfg.yaml").read_text())
    assert (settings["native_resolution_x"], settings["native_resolution_y"]) == (128, 72)
    assert settings["camera_matrix"]["fx"] == pytest.approx(CAMERA.fx / 10)


def test_a_robot_that_stands_stays_where_it_is() -> None:
    standing = replace(SCENES["mixed"], drive=Drive(speed=0.0))
    position, _ = odometry(standing)
    assert np.ptp(position, axis=0) == pytest.approx((0, 0))
