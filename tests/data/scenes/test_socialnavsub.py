"""Reading the SocialNav-SUB layout: what is right, and a sentence for each thing that is wrong."""

import json
import os
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from paseo.data.scenes.dataset import open_scenes, readable
from paseo.errors import BadFile, InputError, MissingData
from paseo.world.scenes import Scene, Unreadable
from tiny_scenes import TRACKS, odometry, picture, seen, write_json

ID, OTHER = "33_Spot_45_3", "74_Spot_2_0"
FRONT, PROMPTS = f"front_view/{ID}", f"prompts/{ID}"
COORDS = f"{PROMPTS}/{ID}_localized_obj_coords.json"
LIST = "prompts/sample_info.json"


def scene_of(root: Path) -> Scene:
    return open_scenes(root).read(ID)


def tracks_changed(root: Path, **changes: object) -> None:
    content = {"track_id_to_object_trajectory": {**TRACKS, **changes}}
    write_json(root / COORDS, content)


def test_frames_are_the_files_as_they_are(dataset: Path) -> None:
    scene = scene_of(dataset)
    assert scene.frames[0] == (dataset / FRONT / "3.jpg").read_bytes()
    assert scene.frames[9] == (dataset / FRONT / "12.jpg").read_bytes()
    assert (scene.camera.width_px, scene.camera.fx) == (64, 31.2)  # type: ignore[union-attr]
    assert scene.composites == ()


def test_the_robot_starts_at_the_origin_in_time_with_the_images(dataset: Path) -> None:
    robot = scene_of(dataset).robot
    np.testing.assert_allclose(robot[0], 0, atol=1e-12)
    # It drives along world y while facing 0.3 rad to the left of it at first.
    ahead = 0.25 * np.arange(10)
    np.testing.assert_allclose(robot[:, 0], ahead * np.cos(0.3), atol=1e-12)
    np.testing.assert_allclose(robot[:, 1], -ahead * np.sin(0.3), atol=1e-12)
    np.testing.assert_allclose(robot[:, 2], 0.1 * np.arange(10), atol=1e-12)


def test_people_are_numbered_from_left_to_right_and_gaps_stay(dataset: Path) -> None:
    left, right = scene_of(dataset).people
    assert (left.number, right.number) == (1, 2)
    assert left.seen == (2, 3, 8)
    assert left.positions[2].tolist() == [3.5, -1.25]
    assert left.boxes[2].tolist() == [9.5, 5, 17.5, 30]
    assert np.isnan(left.positions[4]).all()
    assert right.seen == tuple(range(10))


def test_numbers_do_not_go_by_the_names_of_tracks(dataset: Path) -> None:
    tracks = {"1": TRACKS["7"], "2": TRACKS["12"]}
    write_json(
        dataset / "prompts/33_Spot_45_3/33_Spot_45_3_localized_obj_coords.json",
        {"track_id_to_object_trajectory": tracks},
    )
    assert [person.seen[0] for person in scene_of(dataset).people] == [2, 0]


@pytest.mark.parametrize(
    ("track", "counts"),
    [
        ([seen(0, 10.0, 5.0), seen(1, 10.0, 5.0), seen(2, 10.0, 5.0)], True),
        ([seen(0, 10.0, 5.0), seen(1, 10.0, 5.0)], False),  # seen twice only, and not near
        ([seen(0, 5.0, -3.0)], True),  # once, but near
        ([seen(0, 0.0, 3.0)], True),
        ([seen(0, 5.1, -3.0)], False),
        ([seen(0, 4.0, 3.1)], False),
        ([seen(0, 4.0, -3.1)], False),
        ([seen(0, 0.0, -5.0), seen(1, 0.0, 0.0), seen(2, 0.0, 0.0)], True),
        ([seen(0, 10.1), seen(1, 10.1), seen(2, 10.1)], False),
        ([seen(0, -0.1), seen(1, 3.0), seen(2, 3.0)], False),  # the smallest x counts
        ([seen(0, 3.0, -5.1), seen(1, 3.0), seen(2, 3.0)], False),
        ([seen(0, 3.0, 60.0), seen(1, 90.0, 5.0), seen(2, 90.0, 60.0)], True),  # no distance
    ],
)
def test_who_counts_is_told_by_the_smallest_coordinates(
    track: list[Any], counts: bool, dataset: Path
) -> None:
    tracks_changed(dataset, **{"99": track})
    samples = [{"folderpath": ID, "n_people": 2 + counts}]
    write_json(dataset / LIST, {"samples": samples})
    assert len(scene_of(dataset).people) == 2 + counts


def test_shipped_numbers_are_preferred(dataset: Path) -> None:
    write_json(dataset / FRONT / "3_tracking_id_to_obj_label.json", {"7": 1, "30": 2})
    near, far = scene_of(dataset).people
    assert (near.positions[0, 0], far.positions[0, 0]) == (4.0, 40.0)


@pytest.mark.parametrize(
    "given", ["[6500, -250]", " [ 6500 ,-250 ] ", "6500.0,-2.5e2", [6500, "-250"], (6500, -250.0)]
)
def test_the_goal_is_in_millimetres_however_it_is_written(given: object, dataset: Path) -> None:
    write_json(dataset / "goal_info.json", {"33_Spot_45/3.jpg": ["a.jpg", given]})
    assert scene_of(dataset).goal == (6.5, -0.25)


def test_composites_are_read_when_all_are_there(dataset: Path) -> None:
    for step in range(10):
        (dataset / PROMPTS / f"sample_with_bev_{step}.png").write_bytes(picture(step, form="PNG"))
    assert len(scene_of(dataset).composites) == 10


def test_a_read_only_data_set_can_be_read_and_nothing_is_added(dataset: Path) -> None:
    before = sorted(dataset.rglob("*"))
    for path in before:
        path.chmod(0o500 if path.is_dir() else 0o400)
    assert all(isinstance(each, Scene) for each in readable(open_scenes(dataset)))
    assert sorted(dataset.rglob("*")) == before
    for path in before:
        path.chmod(0o700)


def removed(name: str) -> Callable[[Path], None]:
    return lambda root: (root / name).unlink()


def replaced(name: str, content: bytes) -> Callable[[Path], Any]:
    return lambda root: (root / name).write_bytes(content)


def odometry_of(**changes: Any) -> Callable[[Path], Any]:
    return replaced(f"{FRONT}/traj_data.pkl", pickle.dumps(odometry(**changes)))


def tracks_of(*track: object) -> Callable[[Path], None]:
    return lambda root: tracks_changed(root, **{"7": list(track)})


def goal_of(value: object) -> Callable[[Path], Any]:
    return replaced("goal_info.json", json.dumps({"33_Spot_45/3.jpg": value}).encode())


def linked_out(root: Path) -> None:
    outside = root.parent / "outside.jpg"
    outside.write_bytes(picture())
    (root / FRONT / "4.jpg").unlink()
    (root / FRONT / "4.jpg").symlink_to(outside)


def pipe_in_place(root: Path) -> None:
    (root / FRONT / "4.jpg").unlink()
    os.mkfifo(root / FRONT / "4.jpg")


def one_composite(root: Path) -> None:
    (root / PROMPTS / "sample_with_bev_3.png").write_bytes(picture(form="PNG"))


SPOILT: dict[str, tuple[Callable[[Path], Any], str]] = {
    "missing frame": (removed(f"{FRONT}/4.jpg"), r"4\.jpg: is not there; get it with `paseo data"),
    "missing odometry": (removed(f"{FRONT}/traj_data.pkl"), "traj_data.pkl: is not there"),
    "missing tracks": (removed(COORDS), "coords.json: is not there"),
    "missing goals": (removed("goal_info.json"), "goal_info.json: is not there"),
    "wrong size": (
        replaced(f"{FRONT}/5.jpg", picture(size=(65, 36))),
        r"5\.jpg: has 65 x 36 pixels, expected 64 x 36",
    ),
    "cut short": (
        replaced(f"{FRONT}/5.jpg", picture()[:-200]), r"5\.jpg: is no whole picture \(.*replace it",
    ),
    "no picture": (replaced(f"{FRONT}/5.jpg", b"<html>"), r"5\.jpg: is no whole picture"),
    "git-lfs": (
        replaced(f"{FRONT}/5.jpg", b"version https://git-lfs.github.com/spec/v1\noid sha256:0\n"),
        "run `git lfs pull` in the data set's folder, or `paseo data fetch socialnav-sub`",
    ),
    "git-lfs odometry": (
        replaced(f"{FRONT}/traj_data.pkl", b"version https://git-lfs.github.com/spec/v1\n"),
        "traj_data.pkl: holds only git-lfs's note",
    ),
    "link": (linked_out, r"4\.jpg: is a link that leads out of .*copy it there"),
    "pipe": (pipe_in_place, r"4\.jpg: is no file"),
    "short odometry": (
        odometry_of(position=np.zeros((12, 2)), yaw=np.zeros(12)),
        "ends after 12 frames, expected at least 13 for a scene that begins at frame 3",
    ),
    "goal missing": (replaced("goal_info.json", b"{}"), "has no goal for '33_Spot_45/3.jpg'"),
    "goal words": (goal_of(["a", "[here, there]"]), r"the goal of '33_Spot_45/3.jpg' is .*here"),
    "goal infinite": (goal_of(["a", "[1e999, 0]"]), "expected a picture's path and"),
    "goal NaN": (goal_of(["a", [float("nan"), 0]]), "expected a picture's path and"),
    "goal bare": (goal_of(7), "expected a picture's path and"),
    "no JSON": (replaced(COORDS, b'{"track'), r"coords.json: is no JSON \("),
    "no text": (replaced(COORDS, b"\xff\xfe\x00"), "line 1 is not text"),
    "deep JSON": (replaced(COORDS, b"[" * 100_000), "coords.json: is no JSON"),
    "no tracks": (replaced(COORDS, b"{}"), "missing required field `track_id_to_object_traj"),
    "tracks a list": (replaced(COORDS, b"[]"), "expected `object`, got `array`"),
    "unsorted": (tracks_of(seen(3, 4.0), seen(2, 4.0)), "track '7': its timesteps are 3, 2"),
    "twice": (tracks_of(seen(3, 4.0), seen(3, 4.0)), "in order, each once"),
    "late": (tracks_of(seen(10, 4.0)), "whole numbers from 0 to 9"),
    "half": (tracks_of(seen(1.5, 4.0)), "whole numbers from 0 to 9"),
    "NaN": (tracks_of(seen(0, float("nan"))), "has 'nan', expected a number between -10000"),
    "huge": (tracks_of(seen(0, 1e9)), "expected a number between -10000 and 10000"),
    "words": (tracks_of(seen(0, "far")), "has 'far', expected a number"),
    "box outside": (tracks_of(seen(0, 4.0, left=64.5)), "the box 64.5, .* is outside the picture"),
    "box reversed": (
        tracks_of({**seen(0, 4.0), "bbox": [20, 5, 10, 30]}), "expected left, top, right, bottom",
    ),
    "box of three": (tracks_of({**seen(0, 4.0), "bbox": [1, 2, 3]}), "3 numbers, expected 4"),
    "other people": (
        tracks_of(seen(0, 40.0)), "1 people count for scene 33_Spot_45_3, but .* says 2",
    ),
    "numbers": (
        replaced(f"{FRONT}/3_tracking_id_to_obj_label.json", b'{"7": 1, "12": 3}'),
        "its numbers are not 1 to 2, each once",
    ),
    "strange track": (
        replaced(f"{FRONT}/3_tracking_id_to_obj_label.json", b'{"7": 1, "8": 2}'),
        "has no track '8', which is numbered",
    ),
    "one composite": (one_composite, "sample_with_bev_0.png: is not there"),
    "listed twice": (
        replaced(LIST, json.dumps({"samples": [{"folderpath": ID}] * 2 + [{"folderpath": OTHER}]})
                 .encode()),
        "names scene 33_Spot_45_3 2 times",
    ),
}  # fmt: skip


@pytest.mark.parametrize("fault", SPOILT)
def test_a_defect_is_named_and_other_scenes_go_on(fault: str, dataset: Path) -> None:
    spoil, sentence = SPOILT[fault]
    spoil(dataset)
    if fault.startswith("goal") or fault == "missing goals":  # one file for all scenes
        with pytest.raises(InputError, match=sentence):
            scene_of(dataset)
        return
    first, second = readable(open_scenes(dataset))
    assert isinstance(second, Scene) and second.id == OTHER
    assert isinstance(first, Unreadable) and first.scene == ID
    with pytest.raises(InputError, match=sentence):
        scene_of(dataset)


def test_what_is_only_missing_is_told_apart_from_what_is_wrong(dataset: Path) -> None:
    (dataset / FRONT / "4.jpg").unlink()
    (dataset / COORDS).unlink()
    with pytest.raises(MissingData, match=r"4\.jpg: is not there.*coords.json: is not there"):
        scene_of(dataset)
    odometry_of(yaw=np.zeros(5))(dataset)
    with pytest.raises(BadFile, match="4.jpg: .*yaws .5,.*coords.json: "):
        scene_of(dataset)


@pytest.mark.parametrize(
    "id", ["../../../etc_1", "/etc/passwd_3", "a\\b_1", ".hidden_1", "Spot", "a_x", "é_1", ""]
)
def test_ids_that_are_paths_or_tell_no_frame_are_defects_of_the_list(
    id: str, dataset: Path
) -> None:
    samples = [{"folderpath": id, "n_people": 1}, {"folderpath": OTHER, "n_people": 1}]
    write_json(dataset / LIST, {"samples": samples})
    first, second = readable(open_scenes(dataset))
    assert isinstance(first, Unreadable) and "such as 33_Spot_45_228" in first.reason
    assert isinstance(second, Scene)


def test_an_id_cannot_command_a_terminal(dataset: Path) -> None:
    write_json(dataset / LIST, {"samples": [{"folderpath": "a\x1b[2J\nb_1"}]})
    (defect,) = readable(open_scenes(dataset))
    assert isinstance(defect, Unreadable)
    assert defect.scene == r"a\x1b[2J b_1" and defect.reason.isprintable()


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        (None, "dataset_cfg.yaml: is not there"),
        ("a: [", "is no YAML"),
        ("camera_matrix: 3", "camera_matrix: expected `object`"),
        ("!!python/object/apply:os.system ['true']", "is no YAML .could not determine a construct"),
    ],
)
def test_bad_settings_are_told(settings: str | None, sentence: str, dataset: Path) -> None:
    path = dataset / "dataset_cfg.yaml"
    path.unlink() if settings is None else path.write_text(settings)
    with pytest.raises(InputError, match=sentence):
        scene_of(dataset)
