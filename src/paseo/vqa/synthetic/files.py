"""The files of the synthetic data set: what is staged, in the form the original's files have."""

import math
from collections.abc import Iterable, Mapping

import numpy as np

from paseo.data.scenes import writing
from paseo.data.scenes.socialnavsub import TIMING
from paseo.vqa.synthetic.casting import CAMERA, Staging
from paseo.vqa.synthetic.motion import Box, Point
from paseo.world.scenes import Camera

LEFT_OUT_OF_TABLE = ("crowd", "standing")  # test.csv lacks two scenes
COLUMNS = (
    "sample_name", "human_answers_filepath", "human_raw_answers_filepath", "n_people_filepath",
    "human_tracking_filepath", "tracking_id_to_obj_label_filepath", "odometry_filepath",
    "raw_img_filepaths", "bev_img_filepaths",
)  # fmt: skip


def odometry_bytes(staging: Staging) -> bytes:
    """traj_data.pkl: the robot in the world, from the recording's frame 0 on."""
    total = staging.first_frame + TIMING.frames + staging.frames_after
    times = [(frame - staging.first_frame) * TIMING.period for frame in range(total)]
    cos, sin = math.cos(staging.yaw), math.sin(staging.yaw)
    local = np.array([staging.drive.pose(time) for time in times])  # (frames, 3)
    position = local[:, :2] @ np.array([[cos, sin], [-sin, cos]]) + np.array(staging.origin)
    yaw = local[:, 2] + staging.yaw
    if staging.yaw_column:
        yaw = yaw[:, None]
    return writing.odometry_bytes(position, yaw)


def tracks_bytes(staging: Staging, camera: Camera) -> bytes:
    """<scene>_localized_obj_coords.json: people as the tracker has them, with those left out."""
    tracks: dict[str, list[dict[str, object]]] = {}
    for walker in staging.walkers:
        boxes = staging.boxes(walker, camera)
        positions = {frame: walker.walk.position(frame * TIMING.period) for frame in boxes}
        tracks[walker.track] = _observations(staging, positions, boxes)
    share = camera.width_px / CAMERA.width_px
    for stray in staging.strays:
        left, top, right, bottom = (round(side * share, 2) for side in stray.box)
        ghosts = dict.fromkeys(stray.positions, (left, top, right, bottom))
        tracks[stray.track] = _observations(staging, stray.positions, ghosts)
    return writing.tracks_bytes(tracks)


def _observations(
    staging: Staging, positions: Mapping[int, Point], boxes: Mapping[int, Box | None]
) -> list[dict[str, object]]:
    def number(value: float) -> object:
        return f"{value:.6f}" if staging.words_for_numbers else round(value, writing.ROUNDED)

    return writing.observations(positions, boxes, number)


def scene_list(stagings: Iterable[Staging]) -> dict[str, object]:
    """sample_info.json."""
    return writing.scene_list({staging.id: len(staging.walkers) for staging in stagings})


def goals(stagings: Iterable[Staging]) -> dict[str, list[str]]:
    """goal_info.json: whole millimetres, written as text."""
    entries = {}
    for staging in stagings:
        place = f"{staging.sequence}/{staging.first_frame}.jpg"
        ahead = f"{staging.sequence}/{staging.first_frame + 2 * TIMING.frames}.jpg"
        entries[place] = [ahead, writing.goal_text(staging.goal, staging.goal_text)]
    return entries


def table_bytes(stagings: Iterable[Staging]) -> bytes:
    """test.csv: lists of paths in brackets and without quotes, so no CSV reader can split it."""
    lines = [",".join(COLUMNS)]
    for staging in stagings:
        if staging.name in LEFT_OUT_OF_TABLE:
            continue
        id, first = staging.id, staging.first_frame
        views = [f"front_view/{id}/{first + k}.jpg" for k in range(TIMING.frames)]
        pictures = [f"prompts/{id}/sample_with_bev_{k}.png" for k in range(TIMING.frames)]
        cells = (
            id,
            f"human_labels/{id}/common_answers.json",
            f"human_labels/{id}/raw_answers.json",
            f"prompts/{id}/n_people.json",
            f"prompts/{id}/{id}_localized_obj_coords.json",
            f"front_view/{id}/{first}_tracking_id_to_obj_label.json",
            f"front_view/{id}/traj_data.pkl",
            f"[{', '.join(views)}]",
            f"[{', '.join(pictures)}]",
        )
        lines.append(",".join(cells))
    return ("\n".join(lines) + "\n").encode()
