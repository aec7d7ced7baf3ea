"""Avatars of the Rocketbox pack as bodies, with the bones that all people have."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from paseo.camera.gait.bones.clips import Clip, free_walk
from paseo.camera.gait.bones.poses import poses
from paseo.camera.gait.bones.recorded import CURVES, clips_for, recorded_walk
from paseo.camera.gait.quality import motion_of, slips
from paseo.camera.gait.steps.footwork import walks_of
from paseo.camera.gait.steps.strides import stride_length
from paseo.camera.meshes import Age, Body, Sex
from paseo.camera.people.library import Library, body_for, rocketbox
from paseo.camera.people.rocketbox.avatars import CLIPS
from paseo.camera.people.rocketbox.takes import our_bone, read_take
from paseo.errors import BadFile
from strolls import straight


@pytest.fixture(scope="module")
def folder(data_dir: Path) -> Path:
    if not (data_dir / "rocketbox").is_dir():
        pytest.skip("the Rocketbox avatars are not there")
    return data_dir / "rocketbox"


@pytest.fixture(scope="module")
def avatars(folder: Path) -> tuple[Body, ...]:
    pack = rocketbox(folder)
    return tuple(pack.body(place) for place in range(len(pack)))


def test_avatars_have_the_bones_of_the_library(avatars: tuple[Body, ...]) -> None:
    ours = Library().body(0).skeleton
    for body in avatars:
        assert body.skeleton.names == ours.names
        np.testing.assert_array_equal(body.skeleton.parents, ours.parents)


def test_avatars_without_pictures_are_plain(avatars: tuple[Body, ...], folder: Path) -> None:
    for body in avatars:
        (textures,) = (each.parents[1] / "Textures" for each in folder.rglob(f"{body.name}.fbx"))
        fetched = len(list(textures.glob("*_color.*")))
        assert sum(not each.plain for each in body.materials) <= fetched
        assert fetched or all(each.plain for each in body.materials)


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


def test_who_stands_for_an_id_may_come_from_a_pack(folder: Path) -> None:
    pack = rocketbox(folder)
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


def test_men_and_women_have_the_clips_of_their_sex(avatars: tuple[Body, ...]) -> None:
    for body in avatars:
        letter = "f" if body.sex is Sex.FEMALE else "m"
        names = [take.name for take in body.takes]
        assert {name[0] for name in names} == {letter}
        assert f"{letter}_walk_neutral" in names and f"{letter}_idle_breathe_01" in names
        assert not any("start" in name or "stop" in name for name in names)


@pytest.mark.parametrize("speed", [0.8, 1.3, 1.7])
def test_avatars_walk_by_their_clips_without_slipping(
    avatars: tuple[Body, ...], speed: float
) -> None:
    for body in avatars[::3]:
        times, places = straight(speed, 6.0)
        legs = np.array([body.leg_length])
        footwork = walks_of(times, places[:, None], np.array([3]), leg_lengths=legs)
        mixed = clips_for([body.takes], footwork.at(3.0))
        clip = Clip(name="own", **{name: getattr(mixed, name)[0] for name in CURVES})
        motion = motion_of(
            footwork.at, np.arange(1.0, 5.0, 0.02), footwork.ids, [body.skeleton], clip
        )
        assert np.median(slips(motion)) < 0.002
        assert np.nanmin(motion.soles[..., 2]) > -0.002
        strides = footwork.at(5.0).phases - footwork.at(1.0).phases
        expected = 4.0 * speed / stride_length(speed, body.leg_length)
        assert strides[0] == pytest.approx(expected, rel=1e-3)
        assert np.degrees(np.nanmax(motion.knees)) == pytest.approx(65, abs=12)


def test_bodies_with_clips_look_where_they_walk(avatars: tuple[Body, ...]) -> None:
    times, places = straight(1.3, 4.0)
    turned = places[:, ::-1]  # along y
    for body in avatars[:4:2]:
        footwork = walks_of(times, turned[:, None], np.array([1]))
        (pose,) = poses([body], footwork.at(2.0))
        for bone in ("pelvis", "spine_03", "head"):
            ahead = pose[body.skeleton.names.index(bone), :, 0]
            assert ahead[1] > 0.95


def test_clips_change_how_somebody_walks_and_stands(avatars: tuple[Body, ...]) -> None:
    body = avatars[0]
    for speed in (0.0, 1.3):
        times, places = straight(speed, 4.0)
        walks = walks_of(times, places[:, None], np.array([1])).at(2.0)
        own, shipped = poses([body], walks), poses([replace(body, takes=())], walks)
        turned = np.abs(own[0, :, :, :3] - shipped[0, :, :, :3]).max(axis=(1, 2))
        assert turned[body.skeleton.names.index("upperarm_l")] > 0.02


def test_people_with_and_without_clips_are_posed_together(avatars: tuple[Body, ...]) -> None:
    times, places = straight(1.3, 4.0)
    both = np.stack([places, places + np.array([0.0, 2.0])], axis=1)
    footwork = walks_of(times, both, np.array([1, 2]))
    plain = replace(avatars[0], takes=())
    together = poses([plain, avatars[0]], footwork.at(2.0))
    np.testing.assert_allclose(together[0], poses([plain, plain], footwork.at(2.0))[0], atol=1e-5)


def test_a_clip_is_a_walk_as_walks_are_measured(folder: Path) -> None:
    for name, speed in (("m_walk_neutral", 1.4), ("f_walk_neutral", 1.3), ("m_walk_slow_01", 0.8)):
        file = folder / CLIPS / "all_animations_max_motextr_xy" / f"{name}.max.fbx"
        walk = recorded_walk(read_take(file))
        assert walk.speed * np.sqrt(9.81 * 0.9) == pytest.approx(speed, abs=0.1)
        for joint, least in (("hip", 0.9), ("knee", 0.85), ("foot", 0.9), ("shoulder", 0.7)):
            ours, norm = getattr(walk.clip, joint), getattr(free_walk(), joint)
            assert np.corrcoef(ours, norm)[0, 1] > least, (name, joint)


def test_a_leg_is_known_before_its_body_is_painted(folder: Path, avatars: tuple[Body, ...]) -> None:
    pack = rocketbox(folder)
    for place, body in enumerate(avatars):
        assert pack.leg_length(place) == body.leg_length


def test_fingers_hang_at_ease_within_the_reach_of_the_hand(avatars: tuple[Body, ...]) -> None:
    for body in avatars:
        joints = dict(zip(body.skeleton.names, body.skeleton.joints, strict=True))
        for side in "lr":
            first, second, third = (joints[f"middle_0{k}_{side}"] for k in (1, 2, 3))
            lower, upper = (second - first), (third - second)
            cosine = lower @ upper / np.linalg.norm(lower) / np.linalg.norm(upper)
            assert 10 < np.degrees(np.arccos(cosine)) < 60


def test_normals_point_out_of_the_body(avatars: tuple[Body, ...]) -> None:
    for body in avatars:
        mesh = body.levels[0].mesh
        sides = mesh.points[mesh.triangles]
        faces = np.cross(sides[:, 1] - sides[:, 0], sides[:, 2] - sides[:, 0])
        agree = (faces * mesh.normals[mesh.triangles[:, 0]]).sum(axis=1) > 0
        assert agree.mean() > 0.97
        np.testing.assert_allclose(np.linalg.norm(mesh.normals, axis=1), 1, atol=1e-4)
