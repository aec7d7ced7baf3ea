"""The files of a data set in SocialNav-SUB's layout, byte for byte in the form the original's are.

`socialnavsub` reads them; so does the original's own code.
"""

import json
import math
import pickle
from collections.abc import Callable, Mapping
from pathlib import Path

from paseo.world.arrays import FloatArray
from paseo.world.scenes import Camera

Point = tuple[float, float]
Box = tuple[float, float, float, float]  # left, top, right, bottom in pixels
Files = dict[str, bytes]  # by path below the data set
ROUNDED = 6  # digits after the point of a coordinate


def json_bytes(content: object) -> bytes:
    """The content as indented JSON, in the order it has."""
    return json.dumps(content, indent=2).encode() + b"\n"


def settings_bytes(name: str, camera: Camera, *, further: str = "") -> bytes:
    """dataset_cfg.yaml; `further` are lines that no reader needs."""
    return (
        f"dataset_name: {name}\n\n# Pinhole camera, in pixels\ncamera_matrix:\n"
        f"    fx: {camera.fx}\n    fy: {camera.fy}\n    cx: {camera.cx:g}\n    cy: {camera.cy:g}\n"
        f"\nnative_resolution_x: {camera.width_px}\nnative_resolution_y: {camera.height_px}\n"
        f"{further}"
    ).encode()


def odometry_bytes(position: FloatArray, yaw: FloatArray) -> bytes:
    """traj_data.pkl: the robot in the world, from the recording's frame 0 on."""
    return pickle.dumps({"position": position, "yaw": yaw}, protocol=4)


def observations(
    positions: Mapping[int, Point],
    boxes: Mapping[int, Box | None],
    number: Callable[[float], object] = lambda value: round(value, ROUNDED),
) -> list[dict[str, object]]:
    """A track of <scene>_localized_obj_coords.json, by frame; `number` spells coordinates."""
    frames = list(positions)
    followers = dict(zip(frames, frames[1:] or frames, strict=False))
    found: list[dict[str, object]] = []
    step, yaw = 0.0, 0.0  # the last observation repeats the one before it
    for frame in frames:
        (x, y), box = positions[frame], boxes[frame]
        if frame in followers:
            dx, dy = (b - a for a, b in zip((x, y), positions[followers[frame]], strict=True))
            step, yaw = math.hypot(dx, dy), math.atan2(dy, dx)
        found.append(
            {
                "center_x": number(x),
                "center_y": number(y),
                "yaw": number(yaw),
                "timestep": frame,
                "bbox": None if box is None else list(box),
                "pos_diff": round(step, ROUNDED),
            }
        )
    return found


def tracks_bytes(tracks: Mapping[str, list[dict[str, object]]]) -> bytes:
    """<scene>_localized_obj_coords.json: people as the tracker has them."""
    return json_bytes({"track_id_to_object_trajectory": tracks})


def scene_list(people: Mapping[str, int]) -> dict[str, object]:
    """sample_info.json: by id, how many people of a scene are asked about."""
    return {"samples": [{"folderpath": id, "n_people": count} for id, count in people.items()]}


def goal_text(goal: Point, text: str = "[{x}, {y}]") -> str:
    """A goal as goal_info.json tells it: whole millimetres, as text."""
    x, y = (round(1000 * part) for part in goal)
    return text.format(x=x, y=y)


def write_all(folder: Path, found: Files) -> None:
    """Write files below a folder, which nobody looks into yet."""
    for name, content in found.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
