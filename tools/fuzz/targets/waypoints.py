"""Waypoint selection: what followed scenes, answers by geometry, and where the camera is."""

import json
from pathlib import Path

from fuzz import oracles
from fuzz.target import Example, Target
from fuzz.targets.scenes import make_clip


def make_waypoints(folder: Path) -> None:
    """A scene of one's own with all that a choice of waypoints reads beside it."""
    import numpy as np

    from paseo.vqa.geometry.aftermath import Aftermath, aftermath_bytes

    make_clip(folder)
    scenes = folder / "scenes"
    robot = np.column_stack([3.0 + 0.25 * np.arange(10), np.zeros((10, 2))])
    after = Aftermath(period=0.25, robot=robot, people={2: robot[:, :2] + 1.0})
    labels = scenes / "geometry_labels" / "yard-1"
    for each in (scenes / "aftermath", labels):
        each.mkdir(parents=True)
    (scenes / "aftermath" / "yard-1.json").write_bytes(aftermath_bytes(after))
    key = "q_obstructing_path_p2"
    told = {key: ["no"], f"{key}_probabilities": [1.0], f"{key}_n_answers": 1}
    (labels / "common_answers.json").write_text(json.dumps(told, indent=1))
    (scenes / "dataset_cfg.yaml").write_text("camera_height: 0.5\ncamera_x_offset: 0.1\n")


TARGETS = [
    Target(
        name="waypoints: ask",
        example=Example(name="waypoints", make=make_waypoints),
        damaged=("scenes/aftermath/*", "scenes/geometry_labels/*/*", "scenes/dataset_cfg.yaml"),
        command="ask scripted/first --task waypoints --scenes scenes --context geometry "
        "--images bev --repeats 1 --largest-px 200 --out OUT/exam",
        oracle=oracles.nothing_more,
        told="read to the end; a scene whose way on cannot be read is named and left out",
    ),
]
