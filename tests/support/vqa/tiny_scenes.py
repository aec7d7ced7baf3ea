"""Parts of a data set in the original's layout and of a clip of one's own, as small as can be."""

import io
import json
import pickle
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

SIZE = (64, 36)
SETTINGS = """
dataset_name: tiny
camera_matrix: {fx: 31.2, fy: 31.2, cx: 32, cy: 18}
native_resolution_x: 64
native_resolution_y: 36
"""
# The robot drives along world y at 1 m/s from (5, 1), turning left.
HEADINGS = np.pi / 2 + 0.1 * np.arange(13)


def picture(shade: int = 0, *, size: tuple[int, int] = SIZE, form: str = "JPEG") -> bytes:
    buffer = io.BytesIO()
    Image.new("RGB", size, (shade, 80, 120)).save(buffer, form)
    return buffer.getvalue()


def odometry(**changes: Any) -> dict[str, Any]:
    """Frames 0 to 12: exactly enough for a scene that begins at 3."""
    positions = np.column_stack([np.full(13, 5.0), 1 + 0.25 * np.arange(13)])
    return {"position": positions, "yaw": HEADINGS, **changes}


def seen(step: Any, x: Any, y: Any = 0.0, left: Any = 10) -> dict[str, Any]:
    """One observation, as the data set writes them."""
    box = [left, 5, float(left) + 8, 30]
    return {"center_x": x, "center_y": y, "yaw": 0, "timestep": step, "bbox": box, "pos_diff": 0.1}


TRACKS = {
    "7": [seen(step, 4 + 0.1 * step, 1.0, left=40) for step in range(10)],
    "12": [seen(2, "3.5", "-1.25", left="9.5"), seen(3, "3.4", "-1.25"), seen(8, "3.0", "-1.25")],
    "30": [seen(step, 40.0, left=1) for step in range(10)],  # too far to count
}


def write_json(path: Path, content: object) -> None:
    path.write_text(json.dumps(content))


def write_scene_files(root: Path, id: str, tracks: Mapping[str, Any], first: int) -> None:
    front, prompts = root / "front_view" / id, root / "prompts" / id
    front.mkdir(parents=True)
    prompts.mkdir(parents=True)
    for step in range(10):
        (front / f"{first + step}.jpg").write_bytes(picture(10 * step))
    (front / "traj_data.pkl").write_bytes(pickle.dumps(odometry()))
    write_json(
        prompts / f"{id}_localized_obj_coords.json", {"track_id_to_object_trajectory": tracks}
    )


def clip_content(**changes: Any) -> dict[str, Any]:
    """A track file: the robot drives north from (2, 3), person 2 walks 1 m to the left of it."""
    robot = [
        {"time_s": time / 2, "x_m": 2.0, "y_m": 3.0 + time / 2, "heading_deg": 90.0}
        for time in range(6)
    ]
    track = [
        {"time_s": time, "x_m": 1.0, "y_m": 3.0 + time, "box_px": [20, 5, 30, 30]}
        for time in (0.5, 0.75, 1.0)
    ]
    people = [{"number": 2, "track": track}]
    clip = {"format": "paseo-clip", "version": 1, "id": "yard-1", "goal_m": [2.0, 9.0]}
    return {**clip, "robot": robot, "people": people, **changes}
