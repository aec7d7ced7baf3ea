"""Where the robot of a scene really went: kept beside the scene, or read from its odometry."""

import re
from pathlib import Path

import numpy as np

from paseo.data.scenes.odometry import LARGEST_PICKLE, robot_poses
from paseo.data.scenes.socialnavsub import TIMING
from paseo.data.scenes.tree import Tree
from paseo.errors import InputError
from paseo.vqa.geometry.aftermath import REMEDY, read_aftermath
from paseo.world.arrays import FloatArray
from paseo.world.scenes import Scene

LONGEST = 2.5  # seconds after the last frame that count, as many as a scene of the data set lasts
SHORTEST = 1.0  # less says too little of where a robot goes

Future = tuple[FloatArray, float]  # a place (2,) in the robot's first frame, and seconds until then


def future_of(folder: Path, scene: Scene) -> Future | None:
    """Where the robot was after the last frame, and when; None where nobody knows.

    From aftermath/<scene>.json its end; else, in SocialNav-SUB's layout, from traj_data.pkl, which
    spans the whole recording, up to 2.5 s after the last frame.
    """
    after = read_aftermath(folder, scene.id)
    if after is not None:
        moments = len(after.robot)
        if moments * after.period < SHORTEST:
            return None
        return after.robot[-1, :2], moments * after.period
    return _from_odometry(folder, scene)


def _from_odometry(folder: Path, scene: Scene) -> Future | None:
    tree, name = Tree(folder, REMEDY), f"front_view/{scene.id}/traj_data.pkl"
    found = re.search(r"_([0-9]{1,9})$", scene.id)
    if found is None or not tree.has(name):
        return None
    first = int(found[1])
    content = tree.content(name, largest=LARGEST_PICKLE)
    most, least = round(LONGEST / TIMING.period), round(SHORTEST / TIMING.period)
    for after in range(most, least - 1, -1):
        clip = range(first, first + TIMING.frames + after)
        try:
            poses = robot_poses(content, clip, folder / name)
        except InputError:
            continue  # it ends before that
        return np.asarray(poses[-1, :2]), after * TIMING.period
    return None
