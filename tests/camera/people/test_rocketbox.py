"""Avatars of the Rocketbox pack as bodies, with the bones that all people have."""

import struct
from pathlib import Path

import numpy as np
import pytest

from paseo.camera.meshes import Age, Body, Sex
from paseo.camera.people.library import Library, body_for, rocketbox
from paseo.camera.people.rocketbox.fbx import MAGIC, read_fbx
from paseo.camera.people.rocketbox.takes import our_bone
from paseo.errors import BadFile


@pytest.fixture(scope="module")
def avatars(data_dir: Path) -> tuple[Body, ...]:
    folder = data_dir / "rocketbox"
    if not folder.is_dir():
        pytest.skip("the Rocketbox avatars are not there")
    pack = rocketbox(folder)
    return tuple(pack.body(place) for place in range(len(pack)))


def test_avatars_have_the_bones_of_the_library(avatars: tuple[Body, ...]) -> None:
    ours = Library().body(0).skeleton
    for body in avatars:
        assert body.skeleton.names == ours.names
        np.testing.assert_array_equal(body.skeleton.parents, ours.parents)


def test_avatars_stand_on_the_ground_and_face_forward(avatars: tuple[Body, ...]) -> None:
    for body in avatars:
        points, names = body.levels[0].mesh.points, body.skeleton.names
        assert abs(points[:, 2].min()) < 1e-4
        assert (1.2 if body.age is Age.CHILD else 1.6) < body.height < 2.0
        assert 0.44 < body.leg_length / body.height < 0.58
        joints = dict(zip(names, body.skeleton.joints, strict=True))
        assert joints["ball_l"][0] > joints["foot_l"][0] + 0.05  # toes are ahead of ankles
        assert joints["hand_l"][1] > 0.2 > -0.2 > joints["hand_r"][1]
        assert joints["head"][2] > joints["neck_01"][2] > joints["pelvis"][2]


def test_every_point_hangs_on_bones_near_it(avatars: tuple[Body, ...]) -> None:
    for body in avatars:
        level = body.levels[0]
        np.testing.assert_allclose(level.bone_weights.sum(axis=1), 1, atol=1e-5)
        strongest = body.skeleton.joints[level.bone_indices[:, 0]]
        assert np.linalg.norm(level.mesh.points - strongest, axis=1).max() < 0.6


def test_women_men_and_children_are_told_apart(avatars: tuple[Body, ...]) -> None:
    kinds = {body.name: (body.sex, body.age) for body in avatars}
    assert kinds["Female_Adult_01"] == (Sex.FEMALE, Age.ADULT)
    assert kinds["Male_Child_01"] == (Sex.MALE, Age.CHILD)


def test_who_stands_for_an_id_may_come_from_a_pack(data_dir: Path) -> None:
    if not (data_dir / "rocketbox").is_dir():
        pytest.skip("the Rocketbox avatars are not there")
    pack = rocketbox(data_dir / "rocketbox")
    assert len({body_for(id, people=pack).name for id in range(len(pack))}) == len(pack)


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        ("Bip01 Spine1", "spine_02"),
        ("Bip01 L Finger0", "thumb_01_l"),
        ("Bip02 R Finger42", "pinky_03_r"),
        ("Bip01 R Toe0", "ball_r"),
        ("Bip01 MJaw", None),
    ],
)
def test_bones_are_matched_by_name(theirs: str, ours: str | None) -> None:
    assert our_bone(theirs) == ours


def test_a_folder_without_avatars_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="holds no Rocketbox avatars"):
        len(rocketbox(tmp_path))


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"solid cube", "is no binary FBX file"),
        (MAGIC + struct.pack("<I", 8000), r"is FBX 8, expected 7 at most"),
        (MAGIC + struct.pack("<I", 7400) + struct.pack("<IIIB", 99, 3, 8, 1) + b"A", "is cut off"),
    ],
)
def test_files_that_cannot_be_read_are_named(tmp_path: Path, content: bytes, said: str) -> None:
    (tmp_path / "a.fbx").write_bytes(content)
    with pytest.raises(BadFile, match=said):
        read_fbx(tmp_path / "a.fbx")
