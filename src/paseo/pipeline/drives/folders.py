"""A folder of pictures as a drive, with times from a file or at an even rate."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from PIL import Image, UnidentifiedImageError

from paseo.data.recordings.number_table import is_number
from paseo.data.scenes.clip_pictures import PICTURES, natural
from paseo.data.scenes.images import LARGEST_IMAGE
from paseo.data.textfile import bad_line, quoted, text_lines
from paseo.errors import BadFile, BadValue, MissingData
from paseo.files import bounded, opened
from paseo.pipeline.drives.clocks import increasing
from paseo.pipeline.drives.drive import Odometry
from paseo.pipeline.drives.odometry_files import read_odometry, read_pickled
from paseo.pipeline.drives.recorded import (
    EARLY,
    RecordedDrive,
    check_common,
    from_first_picture,
    oddities,
    sampled,
)
from paseo.pipeline.drives.settling import Opening, settled_camera
from paseo.world.arrays import FloatArray, IntArray

TIMES, WAY, PICKLED = "timestamps.csv", "odometry.csv", "traj_data.pkl"
HEADER = "file,time_s"
VINT_FPS = 4.0  # at which GNM, ViNT and SocialNav-SUB sample bags, unless told otherwise
MOST_PICTURES = 10_000_000
SMALLER = "expected at most that many; make the picture smaller"


@dataclass(frozen=True, slots=True)
class FolderPictures:
    """Files of pictures, in order."""

    files: tuple[Path, ...]

    def pictures(self, places: IntArray) -> Iterator[bytes]:
        """What the files hold."""
        for place in places.tolist():
            yield bounded(self.files[place], LARGEST_IMAGE, remedy="check it", too_large=SMALLER)


def is_folder_of_pictures(path: Path) -> bool:
    """Whether a folder holds a picture."""
    return path.is_dir() and bool(picture_files(path))


def picture_files(folder: Path) -> tuple[Path, ...]:
    """The pictures of a folder, 2.jpg before 10.jpg."""
    try:
        held = [each for each in folder.iterdir() if each.suffix.lower() in PICTURES]
    except OSError as error:
        raise BadFile(f"{folder}: cannot be read ({error.strerror or error})") from error
    return tuple(sorted(held, key=lambda each: natural(each.name)))


def folder_drive(
    folder: Path, opening: Opening, odometry_csv: Path | None, recorded_fps: float | None
) -> RecordedDrive:
    """The drive that a folder holds; `recorded_fps` of its pictures make a second."""
    files, notes = picture_files(folder), list[str]()
    if not files:
        raise MissingData(f"{folder}: holds no pictures, expected .jpg or .png files")
    files, times, rate = folder_times(folder, files, recorded_fps, notes)
    odometry = _odometry(folder, odometry_csv, rate)
    check_common(folder, times, odometry, "recorded_fps")
    start = float(times[0])
    odometry, times = from_first_picture(odometry, times)
    few = sampled(times, opening.fps)
    camera = settled_camera(opening, _size(files[0]), notes)
    return RecordedDrive(
        name=folder.resolve().name,
        odometry=odometry,
        camera=camera,
        frame_times=times[few],
        places=few,
        source=FolderPictures(files),
        start=start if start > EARLY else 0.0,
        notes=(*notes, *oddities(odometry, times[few])),
    )


def folder_times(
    folder: Path, files: tuple[Path, ...], recorded_fps: float | None, notes: list[str]
) -> tuple[tuple[Path, ...], FloatArray, float]:
    """The pictures that have a time, their times, (pictures,), and how many make a second."""
    if recorded_fps is not None and not 0 < recorded_fps < np.inf:
        raise BadValue(f"recorded_fps is {recorded_fps:g}, expected over 0",
                       parameters=("recorded_fps",))  # fmt: skip
    stamped = folder / TIMES
    if recorded_fps is None and stamped.is_file():
        return _stamped(stamped, {each.name: each for each in files}, notes)
    if recorded_fps is None and (folder / PICKLED).is_file():
        recorded_fps = VINT_FPS
        notes.append(f"no times are told; {VINT_FPS:g} pictures are taken to make a second")
    if recorded_fps is None:
        raise MissingData(
            f"{folder}: has no {TIMES} ({HEADER}); write one, or say how many pictures make a "
            "second",
            parameters=("recorded_fps",),
        )
    return files, np.arange(len(files)) / recorded_fps, recorded_fps


def _stamped(
    path: Path, files: dict[str, Path], notes: list[str]
) -> tuple[tuple[Path, ...], FloatArray, float]:
    lines = text_lines(path)
    if [cell.strip() for cell in lines[0].split(",")] != HEADER.split(","):
        raise bad_line(path, "line 1", f"is {quoted(lines[0])}", f"the header {HEADER}")
    times: dict[str, float] = {}
    for number, line in enumerate(lines[1:], 2):
        name, _, time = (cell.strip() for cell in line.rpartition(","))
        if not is_number(time) or not abs(float(time)) < 1e11:
            raise bad_line(path, f"line {number}", f"is {quoted(line)}", HEADER)
        times[name] = float(time)
    held = sorted((each for each in times if each in files), key=lambda each: (times[each], each))
    if len(held) < len(times) or len(held) < len(files):
        notes.append(f"{len(held)} of {len(files)} pictures have a time in {path.name}; no others")
    whens = np.array([times[each] for each in held])
    later = increasing(whens)
    if later.sum() < 2:
        raise BadFile(f"{path}: fewer than two pictures have a time of their own; correct it")
    whens, held = whens[later], [each for each, kept in zip(held, later, strict=True) if kept]
    rate = 1 / float(np.median(np.diff(whens)))
    return tuple(files[each] for each in held), whens, rate


def _odometry(folder: Path, given: Path | None, rate: float) -> Odometry:
    if given is not None:
        return read_odometry(given)
    if (folder / WAY).is_file():
        return read_odometry(folder / WAY)
    if (folder / PICKLED).is_file():
        return read_pickled(folder / PICKLED, rate)
    raise MissingData(
        f"{folder}: has no odometry, expected {WAY} or {PICKLED} in it; give a CSV file",
        parameters=("odometry_csv",),
    )


def _size(file: Path) -> tuple[int, int] | None:
    try:
        with opened(file) as stream, Image.open(stream, formats=("JPEG", "PNG")) as picture:
            return picture.size
    except (OSError, UnidentifiedImageError, ValueError, SyntaxError, Image.DecompressionBombError):
        return None
