"""Scenes cut out of a drive, read again."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import yaml

from handmade_drive import CAMERA, HandmadeDrive, Walker, reconstructed, straight
from paseo.data.scenes.dataset import open_scenes
from paseo.errors import BadFile, BadValue
from paseo.pipeline.mining.cutting import CuttingOptions, SceneLayout, cut_scenes, sequence_name
from paseo.pipeline.mining.goals import GoalRule
from paseo.pipeline.mining.stretches import Stretch
from paseo.vqa.prompts.presentation import wording_in
from paseo.world.scenes import Scene

AHEAD = Walker(person=5, start=(16.0, 1.0))
COMING = Walker(person=9, start=(20.0, -2.0), velocity=(-0.8, 0.1))
DRIVE = HandmadeDrive(walkers=[AHEAD, COMING], way=straight(1.0, heading=0.0))
LAYOUTS = pytest.mark.parametrize("layout", SceneLayout)


def cut(drive: HandmadeDrive, out: Path, **wishes: object) -> list[Scene]:
    options = CuttingOptions(**wishes)  # type: ignore[arg-type]
    cut_scenes(reconstructed(drive), drive, out, wishes=options)
    folder = open_scenes(out)
    return [folder.read(id) for id in folder.ids]


@LAYOUTS
def test_a_cut_scene_is_read_with_people_where_they_were(
    tmp_path: Path, layout: SceneLayout
) -> None:
    scene = cut(DRIVE, tmp_path / "out", layout=layout, count=1)[0]
    begins = int(scene.id.rpartition("_")[2]) * 0.25
    since = begins + np.arange(10) * 0.25
    assert scene.robot == pytest.approx(
        np.column_stack([since - begins, np.zeros(10), np.zeros(10)])
    )
    by_number = {person.number: person for person in scene.people}
    assert sorted(by_number) == [1, 2]
    for number, walker in ((1, AHEAD), (2, COMING)):  # from left to right
        expected = walker.places(since) - (begins, 0.0)
        assert by_number[number].positions == pytest.approx(expected, abs=1e-6)
        assert not np.isnan(by_number[number].boxes).any()
    assert scene.goal == pytest.approx((10.0, 0.0))  # 10 s at 1 m/s


def test_both_layouts_hold_the_same_scenes(tmp_path: Path) -> None:
    ours, theirs = (cut(DRIVE, tmp_path / each, layout=each) for each in SceneLayout)
    assert len(ours) == len(theirs) > 1
    for one, other in zip(ours, theirs, strict=True):
        assert (one.id, one.goal, tuple(one.frames)) == (other.id, other.goal, tuple(other.frames))
        assert one.robot == pytest.approx(other.robot, abs=1e-9)
        for person, same in zip(one.people, other.people, strict=True):
            assert np.array_equal(person.positions, same.positions, equal_nan=True)
            assert np.array_equal(person.boxes, same.boxes, equal_nan=True)


def test_the_same_drive_gives_the_same_bytes(tmp_path: Path) -> None:
    for out in ("a", "b"):
        cut(DRIVE, tmp_path / out, count=2)
    files = {p.relative_to(tmp_path / "a") for p in (tmp_path / "a").rglob("*") if p.is_file()}
    assert len(files) > 40
    for file in files:
        assert (tmp_path / "a" / file).read_bytes() == (tmp_path / "b" / file).read_bytes()


def test_the_layout_of_the_data_set_is_whole_but_for_labels(tmp_path: Path) -> None:
    first = cut(DRIVE, tmp_path / "out", count=1)[0]
    out, id, frame = tmp_path / "out", first.id, first.id.rpartition("_")[2]
    assert len(first.composites) == 10
    assert not (out / "human_labels").exists()
    numbers = json.loads(
        (out / f"front_view/{id}/{frame}_tracking_id_to_obj_label.json").read_text()
    )
    assert numbers == {"5": 1, "9": 2}
    settings = yaml.safe_load((out / "dataset_cfg.yaml").read_text())
    assert settings["camera_height"] == CAMERA.height
    assert settings["camera_x_offset"] == CAMERA.forward
    assert "were recorded" in wording_in(out).introduction
    assert len(id.split("_")) == 4  # the original's code expects so


def test_the_odometry_reaches_a_frame_beyond_the_clip(tmp_path: Path) -> None:
    """Else the original's loader finds nothing."""
    import pickle

    short = replace(DRIVE, walkers=[Walker(person=5, start=(4.0, 0.5))], seconds=2.5)
    (scene,) = cut(short, tmp_path / "out")
    content = (tmp_path / f"out/front_view/{scene.id}/traj_data.pkl").read_bytes()
    assert len(pickle.loads(content)["yaw"]) == 11  # noqa: S301, our own


def test_where_scenes_come_from_is_told(tmp_path: Path) -> None:
    scene = cut(DRIVE, tmp_path / "out", count=1)[0]
    about = json.loads((tmp_path / "out/cut.json").read_text())
    (told,) = about["scenes"]
    assert (about["drive"], about["fitness"], about["labels"]) == ("7_Spot", "socialnav-sub", None)
    first = int(scene.id.rpartition("_")[2])
    assert told["frames"] == [2 * (first + k) for k in range(10)]
    assert told["tracks"] == {"1": 5, "2": 9}
    assert told["goal_at_s"] == pytest.approx(100 + first / 4 + 10)


def test_the_goal_follows_the_rule(tmp_path: Path) -> None:
    scene = cut(DRIVE, tmp_path / "out", count=1, goal=GoalRule(after=4.0))[0]
    assert scene.goal == pytest.approx((4.0, 0.0))


def test_a_fitness_of_ones_own_chooses(tmp_path: Path) -> None:
    mine = tmp_path / "my.py"
    mine.write_text(
        "class Mine:\n"
        "    def fitness(self, candidate):\n"
        "        return -min(abs(track[0, 0] - 3.0) for track in candidate.people)\n"
    )
    scene = cut(DRIVE, tmp_path / "out", count=1, fitness=f"{mine}:Mine")[0]
    assert min(abs(each.positions[0, 0] - 3.0) for each in scene.people) < 0.2


def test_pictures_that_cannot_be_used_cost_their_scene_and_no_other(tmp_path: Path) -> None:
    class Torn(HandmadeDrive):
        def frames(self):  # type: ignore[no-untyped-def]
            for frame in super().frames():
                broken = 70 <= frame.number < 80
                yield replace(frame, picture=frame.picture[:200]) if broken else frame

    torn = Torn(walkers=DRIVE.walkers)
    done = cut_scenes(reconstructed(torn), torn, tmp_path / "out")
    assert len(done.left_out) == 1 and "frame 7" in done.left_out[0].reason
    assert open_scenes(tmp_path / "out").ids == tuple(scene.id for scene in done.scenes)
    told = json.loads((tmp_path / "out/cut.json").read_text())
    assert list(told["left_out"]) == [done.left_out[0].scene]


def test_pictures_of_another_size_are_told(tmp_path: Path) -> None:
    wide = replace(DRIVE, width_px=200)
    with pytest.raises(BadFile, match=r"none can be kept; .*200 x 72 pixels, expected 128 x 72"):
        cut_scenes(reconstructed(DRIVE), wide, tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("other", "sentence"),
    [({"starts": 500.0}, "was taken at"), ({"seconds": 4.0}, "has no frame")],
)
def test_another_drive_than_was_reconstructed_is_refused(
    tmp_path: Path, other: dict[str, float], sentence: str
) -> None:
    with pytest.raises(BadFile, match=f"{sentence}.*give the drive that was reconstructed"):
        cut_scenes(reconstructed(DRIVE), replace(DRIVE, **other), tmp_path / "out")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("drive", "sentence"),
    [
        (replace(DRIVE, seconds=1.0), "known for 2.5 s on end"),
        (replace(DRIVE, walkers=[]), "in none of its clips is anybody near"),
    ],
)
def test_a_drive_without_scenes_says_so(
    tmp_path: Path, drive: HandmadeDrive, sentence: str
) -> None:
    with pytest.raises(BadValue, match=sentence):
        cut_scenes(reconstructed(drive), drive, tmp_path / "out")


def test_no_scenes_at_all_cannot_be_wished_for() -> None:
    with pytest.raises(BadValue, match="count must be between 1 and"):
        CuttingOptions(count=0)


@pytest.mark.parametrize(
    ("drive", "sequence"),
    [
        ("33_Spot", "33_Spot_0"),
        ("my drive", "my-drive_robot_0"),
        ("a_b_c", "a-b-c_robot_0"),
        ("../etc", "etc_robot_0"),
        ("", "drive_robot_0"),
        ("synthetic_0", "drive-synthetic_0_0"),
    ],
)
def test_a_stretch_is_named_in_the_form_of_the_data_set(drive: str, sequence: str) -> None:
    nothing = np.empty(0)
    part = Stretch(
        number=0, frames=nothing.astype(np.int64), times=nothing, robot=np.empty((0, 3)), people=()
    )
    assert sequence_name(drive, part) == sequence
