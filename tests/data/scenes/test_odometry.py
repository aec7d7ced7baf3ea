"""Odometry pickles: arrays come out, and nothing else that they ask for is run."""

import os
import pickle
import struct
import time
from pathlib import Path

import numpy as np
import pytest

from bombs import PICKLES
from paseo.data.scenes.odometry import robot_poses
from paseo.errors import BadFile
from tiny_scenes import odometry

HERE = Path("traj_data.pkl")
CLIP = range(3, 13)


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_every_protocol_gives_the_same_poses(protocol: int) -> None:
    # The oracle is the ordinary unpickler, by way of the default protocol.
    expected = robot_poses(pickle.dumps(odometry()), CLIP, HERE)
    assert (robot_poses(pickle.dumps(odometry(), protocol), CLIP, HERE) == expected).all()


def test_arrays_of_older_numpy_are_read() -> None:
    old = pickle.dumps(odometry(), 2).replace(b"numpy._core.multiarray", b"numpy.core.multiarray")
    assert robot_poses(old, CLIP, HERE).shape == (10, 3)


@pytest.mark.parametrize(
    "changes",
    [
        {"yaw": odometry()["yaw"][:, None]},
        {"position": np.asfortranarray(odometry()["position"])},
        {"position": odometry()["position"].astype(">f8")},
        {"yaw": odometry()["yaw"] + np.pi * 10},
    ],
    ids=["yaw in a column", "by columns", "big-endian", "turns"],
)
def test_the_same_numbers_in_another_form_are_the_same_motion(
    changes: dict[str, np.ndarray],
) -> None:
    expected = robot_poses(pickle.dumps(odometry()), CLIP, HERE)
    found = robot_poses(pickle.dumps(odometry(**changes)), CLIP, HERE)
    np.testing.assert_allclose(found, expected, atol=1e-9)


def test_moving_and_turning_the_world_changes_nothing() -> None:
    turn = np.array([[0.0, -1.0], [1.0, 0.0]])
    moved = odometry()["position"] @ turn.T + [100.0, -7.0]
    turned = pickle.dumps(odometry(position=moved, yaw=odometry()["yaw"] + np.pi / 2))
    expected = robot_poses(pickle.dumps(odometry()), CLIP, HERE)
    np.testing.assert_allclose(robot_poses(turned, CLIP, HERE), expected, atol=1e-9)


@pytest.mark.parametrize("name", PICKLES)
def test_a_short_pickle_that_would_take_for_ever_is_refused_at_once(name: str) -> None:
    begun = time.process_time()
    with pytest.raises(BadFile, match=r"nothing of it was run .it (is more|takes more|has keys)"):
        robot_poses(PICKLES[name], CLIP, HERE)
    assert time.process_time() - begun < 2.0


class Runs:
    """What an attacker would pickle."""

    def __init__(self, command: str) -> None:
        self.command = command

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return os.system, (self.command,)


def test_a_malicious_pickle_is_refused_and_not_run(tmp_path: Path) -> None:
    evil = pickle.dumps(odometry(more=Runs(f"touch {tmp_path}/ran")))
    with pytest.raises(BadFile, match="nothing of it was run .it asks for posix.system."):
        robot_poses(evil, CLIP, HERE)
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "is refused"),
        (pickle.dumps(odometry())[:-40], "is refused"),
        (pickle.dumps([1, 2]), "holds a list"),
        (pickle.dumps({"yaw": np.zeros(13)}), "has no array 'position'"),
        (pickle.dumps(odometry(yaw=[0.0] * 13)), "has no array 'yaw'"),
        (pickle.dumps(odometry(yaw=np.zeros(12))), r"positions \(13, 2\) and yaws \(12,\)"),
        (pickle.dumps(odometry(position=np.zeros((13, 3)))), r"positions \(13, 3\)"),
        (pickle.dumps(odometry(yaw=np.full(13, np.nan))), "no positions and angles"),
        (pickle.dumps(odometry(position=np.full((13, 2), 1e300))), "no positions and angles"),
        (pickle.dumps(odometry(yaw=np.full(13, None))), "it holds arrays of 'O8'"),
        (pickle.dumps(odometry(yaw=np.full(13, 1j))), "it holds arrays of 'c16'"),
        (b"N" + b"r" + struct.pack("<I", 2**32 - 1) + b".", "holds a NoneType"),
        (b"\x8e" + struct.pack("<Q", 2**40) + b".", "is refused"),  # a text of a terabyte
    ],
)
def test_what_is_no_odometry_is_told(content: bytes, sentence: str) -> None:
    with pytest.raises(BadFile, match=sentence):
        robot_poses(content, CLIP, HERE)
