"""Poses: matrices for every bone, the same whenever they are asked for."""

import numpy as np
import pytest

from paseo.camera.gait.bones.clips import Clip, free_walk
from paseo.camera.gait.bones.poses import poses, rig_poses
from paseo.camera.gait.bones.rig import rig_of
from paseo.camera.gait.bones.sticks import stick_skeleton
from paseo.camera.gait.steps.footwork import walks_of
from paseo.camera.gait.steps.tracker import WalkTracker, walks_at
from paseo.camera.gait.steps.walks import Walks
from paseo.camera.meshes import Skeleton
from paseo.errors import BadValue
from paseo.world.motion import Pose, RobotState, Twist
from paseo.world.people import Crowd, Snapshot
from strolls import LEG, STICK, circle, feet_along, straight

ROBOT = RobotState(Pose(0.0, 0.0, 0.0), Twist(0.0, 0.0), 0.3)


def posed(walks: Walks) -> np.ndarray:
    return rig_poses(rig_of([STICK] * len(walks)), walks, free_walk())


def snapshot(time: float, places: np.ndarray, velocities: np.ndarray) -> Snapshot:
    people = len(places)
    crowd = Crowd(np.arange(1, people + 1), places, velocities, np.full(people, 0.3))
    return Snapshot(time, ROBOT, crowd)


def test_bones_turn_and_move_but_keep_their_length_and_joints() -> None:
    times, places = circle(1.3)
    matrices = posed(feet_along(times, places).at(4.321))[0].astype(np.float64)
    turns, joints = matrices[:, :, :3], STICK.joints.astype(np.float64)
    assert np.allclose(turns @ turns.transpose(0, 2, 1), np.eye(3), atol=1e-5)
    assert np.allclose(np.linalg.det(turns), 1.0, atol=1e-5)
    own = np.einsum("bij,bj->bi", turns, joints) + matrices[:, :, 3]
    parents = STICK.parents
    parent = np.einsum("bij,bj->bi", turns[parents], joints) + matrices[parents, :, 3]
    inner = np.array(STICK.names) != "Root"
    assert np.allclose(own[inner], parent[inner], atol=1e-4), "children hang on their parents"


def test_the_same_walk_gives_the_same_bytes() -> None:
    times, places = circle(1.3)
    one, other = (posed(feet_along(times, places).at(4.321)) for _ in range(2))
    assert one.dtype == np.float32
    assert one.tobytes() == other.tobytes()


def test_a_frame_does_not_depend_on_which_others_are_drawn() -> None:
    times, places = circle(1.3)
    footwork = feet_along(times, places)
    alone = posed(footwork.at(5.0)).tobytes()
    for time in (1.0, 7.0, 3.0):
        footwork.at(time)
    assert posed(footwork.at(5.0)).tobytes() == alone


def test_people_walk_alike_wherever_the_origin_is() -> None:
    times, places = circle(1.3)
    here, there = feet_along(times, places).at(6.0), feet_along(times, places + [3.0, 4.0]).at(6.0)
    assert np.allclose(there.positions - here.positions, [3.0, 4.0])
    assert np.allclose(there.facings, here.facings)


def test_who_is_absent_is_not_there() -> None:
    times, places = straight(1.3)
    gap = places.copy()
    gap[100:140] = np.nan
    footwork = feet_along(times, places, gap)
    assert footwork.at(2.0).ids.tolist() == [1, 2]
    assert footwork.at(6.0).ids.tolist() == [1]
    assert footwork.at(9.0).ids.tolist() == [1, 2]
    assert len(footwork.at(99.0)) == 0


def test_seen_live_feet_stay_where_they_are_put() -> None:
    tracker = WalkTracker(lambda person: LEG)
    planted: dict[tuple[float, ...], int] = {}
    for time in np.arange(0.0, 8.0, 0.05):
        angle = 0.65 * time
        place = 2.0 * np.array([[np.cos(angle), np.sin(angle)]])
        velocity = 1.3 * np.array([[-np.sin(angle), np.cos(angle)]])
        walks = tracker.update(snapshot(float(time), place, velocity))
        assert np.allclose(walks.positions, place, atol=0.02)
        for foot in range(2):
            if not walks.lifted[0, foot]:
                key = tuple(walks.prints[0, foot].round(4))
                planted[key] = planted.get(key, 0) + 1
    assert 12 < len(planted) < 20, "one print for each step"
    assert np.median(list(planted.values())) > 8


def test_seen_live_a_steady_walk_is_the_one_that_is_known_ahead() -> None:
    times, places = straight(1.3)
    known = feet_along(times, places)
    tracker = WalkTracker(lambda person: LEG)
    for time in np.arange(0.0, 6.0, 0.05):
        place = np.array([[1.3 * time, 0.0]])
        walks = tracker.update(snapshot(float(time), place, np.array([[1.3, 0.0]])))
    ahead = known.at(float(walks.times[0]))
    assert np.allclose(walks.phases, ahead.phases, atol=0.02)
    assert np.allclose(walks.prints, ahead.prints, atol=0.02)


def test_single_moments_agree_on_where_feet_stand() -> None:
    prints = [
        walks_at(snapshot(time, np.array([[1.3 * time, 0.0]]), np.array([[1.3, 0.0]]))).prints[0, 0]
        for time in (0.30, 0.35, 0.40)
    ]
    assert np.ptp(prints, axis=0).max() < 0.01


def test_nobody_is_an_empty_pose() -> None:
    walks = walks_at(snapshot(0.0, np.empty((0, 2)), np.empty((0, 2))))
    assert len(walks) == 0
    assert poses([], walks).shape == (0, 0, 3, 4)


def test_children_make_more_steps_than_adults_beside_them() -> None:
    times, places = straight(1.0)
    both = np.stack([places, places + [0.0, 1.0]], axis=1)
    footwork = walks_of(times, both, np.array([1, 2]), leg_lengths=np.array([0.9, 0.55]))
    strides = footwork.at(9.0).phases - footwork.at(3.0).phases
    assert strides[1] > 1.1 * strides[0]
    skeletons = [stick_skeleton(1.75), stick_skeleton(1.1)]
    small = rig_poses(rig_of(skeletons), footwork.at(5.0), free_walk())[1]
    head = skeletons[1].names.index("head")
    assert 0.8 < (small[head, :, :3] @ skeletons[1].joints[head] + small[head, :, 3])[2] < 1.0


def test_wrong_input_is_told_in_a_sentence() -> None:
    times, places = straight(1.3)
    with pytest.raises(BadValue, match="positions of shape"):
        walks_of(times, places, np.array([1]))
    with pytest.raises(BadValue, match="2 people walk, but 0 bodies"):
        poses([], feet_along(times, places, places).at(1.0))
    with pytest.raises(BadValue, match="no bone 'pelvis'"):
        rig_of(
            [
                Skeleton(
                    names=("hips",),
                    parents=np.zeros(1, np.int16),
                    joints=np.zeros((1, 3), np.float32),
                )
            ]
        )
    with pytest.raises(BadValue, match="same number of finite samples"):
        names = ("knee", "ankle", "tilt", "obliquity", "rotation", "out", "inward")
        curves = dict.fromkeys(names, np.zeros(4))
        Clip(
            name="limp",
            hip=np.zeros(3),
            trunk=np.zeros(3),
            shoulder=np.zeros(3),
            elbow=np.zeros(3),
            **curves,
        )
