"""A drive from whatever it was recorded as."""

from pathlib import Path

from paseo.errors import BadFile
from paseo.pipeline.drives.bagdrives import bag_drive
from paseo.pipeline.drives.bags.opening import is_bag, open_bag
from paseo.pipeline.drives.films import SUFFIXES, film_drive
from paseo.pipeline.drives.folders import folder_drive, is_folder_of_pictures
from paseo.pipeline.drives.odometry_files import read_odometry
from paseo.pipeline.drives.recorded import RecordedDrive
from paseo.pipeline.drives.settling import Opening


def open_drive(
    path: Path,
    opening: Opening | None = None,
    *,
    odometry_csv: Path | None = None,
    recorded_fps: float | None = None,
    film_start: float = 0.0,
) -> RecordedDrive:
    """The drive that a bag, a film or a folder of pictures holds.

    A film needs `odometry_csv`; so does a bag or a folder without odometry of its own.
    `recorded_fps` says how many pictures of a folder without times make a second, and `film_start`
    when the first picture of a film was taken on the clock of its odometry. Whatever was assumed
    or left out is in the drive's `notes`.
    """
    opening = opening or Opening()
    if is_bag(path):
        odometry = read_odometry(odometry_csv) if odometry_csv else None
        return bag_drive(open_bag(path), opening, odometry)
    if is_folder_of_pictures(path):
        return folder_drive(path, opening, odometry_csv, recorded_fps)
    if path.suffix.lower() in SUFFIXES:
        return film_drive(path, opening, odometry_csv, film_start)
    raise unknown_drive(path)


def unknown_drive(path: Path) -> BadFile:
    """The sentence for what is no drive."""
    there = "holds no bag and no pictures" if path.is_dir() else "is no drive by its name"
    problem = there if path.exists() else "is not there"
    return BadFile(
        f"{path}: {problem}, expected a bag (.bag, .mcap, .db3 or a folder of ROS 2), a film "
        f"({', '.join(sorted(SUFFIXES))}) or a folder of .jpg or .png files"
    )
