"""Odometry in files: CSV with a header, or the pickle of arrays that ViNT and SocialNav-SUB use."""

from pathlib import Path

import numpy as np

from paseo.data.recordings.number_table import number_table
from paseo.data.scenes.odometry import LARGEST_PICKLE, pickled_poses
from paseo.data.textfile import bad_line, quoted, text_lines
from paseo.errors import BadFile
from paseo.files import bounded
from paseo.pipeline.drives.bags.transforms import heading_and_lean
from paseo.pipeline.drives.clocks import increasing
from paseo.pipeline.drives.drive import Odometry
from paseo.world.arrays import FloatArray

PLACE, HEADING, TURN = ("time_s", "x_m", "y_m"), "heading_deg", ("qx", "qy", "qz", "qw")
PITCH = "pitch_down_deg"
EXPECTED = "the columns time_s, x_m, y_m and heading_deg (or qx, qy, qz, qw)"
FARTHEST = 1e7  # metres


def read_odometry(path: Path) -> Odometry:
    """The odometry of a CSV file, its times as they stand there."""
    lines = text_lines(path)
    names = [cell.strip() for cell in lines[0].split(",")]
    needed = {*PLACE, HEADING} if HEADING in names else {*PLACE, *TURN}
    if not needed <= set(names) or len(set(names)) < len(names):
        raise bad_line(path, "line 1", f"is {quoted(lines[0])}", EXPECTED)
    if len(lines) < 3:
        raise bad_line(path, "line 3", "is missing", "two poses at least")
    table = number_table(
        lines[1:], path, columns=len(names), expected=",".join(names), separator=",", first_line=2
    )
    columns = dict(zip(names, table.T, strict=True))
    heading, lean = _angles(columns)
    poses = np.column_stack([columns["x_m"], columns["y_m"], np.unwrap(heading)])
    whole = np.column_stack([columns["time_s"], poses])
    wrong = np.flatnonzero(
        ~(np.abs(whole) <= 1e11).all(axis=1) | (np.abs(poses) > FARTHEST).any(axis=1)
    )
    if len(wrong):
        raise bad_line(path, f"line {wrong[0] + 2}", "has numbers that are no pose", EXPECTED)
    later = increasing(columns["time_s"])
    if later.sum() < 2:
        raise BadFile(f"{path}: its times do not increase, expected seconds; correct them")
    return Odometry(
        times=columns["time_s"][later],
        poses=poses[later],
        pitches=None if lean is None else lean[later],
    )


def _angles(columns: dict[str, FloatArray]) -> tuple[FloatArray, FloatArray | None]:
    lean = np.radians(columns[PITCH]) if PITCH in columns else None
    if HEADING in columns:
        return np.radians(columns[HEADING]), lean
    turn = np.column_stack([columns[each] for each in TURN])
    norms = np.linalg.norm(turn, axis=1)[:, None]
    with np.errstate(all="ignore"):
        heading, told = heading_and_lean(np.where(norms > 0, turn / norms, np.nan))
    return heading, told if lean is None else lean


def read_pickled(path: Path, fps: float) -> Odometry:
    """The odometry of a `traj_data.pkl`, a pose for each picture."""
    poses = pickled_poses(bounded(path, LARGEST_PICKLE), path)
    if len(poses) < 2 or not (np.abs(poses) <= FARTHEST).all():  # not so for NaN either
        raise BadFile(f"{path}: holds no way of a robot, expected two finite poses at least")
    poses[:, 2] = np.unwrap(poses[:, 2])
    return Odometry(times=np.arange(len(poses)) / fps, poses=poses, longest_gap=max(0.5, 2 / fps))
