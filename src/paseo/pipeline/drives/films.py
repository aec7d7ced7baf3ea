"""A film as a drive, with its odometry in a CSV file."""

import io
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from paseo.data.scenes.clip_pictures import FORMATS, QUALITY
from paseo.data.scenes.images import MOST_PIXELS
from paseo.errors import BadFile, MissingData, require
from paseo.files import opened
from paseo.pipeline.drives.clocks import increasing
from paseo.pipeline.drives.odometry_files import read_odometry
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

SUFFIXES = {".mp4", ".mkv", ".webm", ".avi", ".mov", ".m4v", ".ts", ".ogv"}
MOST_FRAMES = 10_000_000


@dataclass(frozen=True, slots=True)
class FilmPictures:
    """The pictures of a film, which are made JPEG."""

    path: Path
    order: FloatArray  # (pictures,), seconds, as they are shown

    def pictures(self, places: IntArray) -> Iterator[bytes]:
        """Pictures as JPEG; what is not asked for is not turned into one."""
        wanted = iter(self.order[places].tolist())
        time = next(wanted, None)
        with _film(self.path) as (container, stream):
            if time is not None and time > 2:
                container.seek(int((time - 1) / stream.time_base), stream=stream)
            for frame in container.decode(stream):
                while time is not None and frame.time is not None and frame.time >= time - 1e-4:
                    buffer = io.BytesIO()
                    shown = Image.fromarray(frame.to_ndarray(format="rgb24"))
                    shown.save(buffer, "JPEG", quality=QUALITY)
                    yield buffer.getvalue()
                    time = next(wanted, None)
                if time is None:
                    return


def film_drive(
    path: Path, opening: Opening, odometry_csv: Path | None, film_start: float
) -> RecordedDrive:
    """The drive of a film; `film_start` is its first picture's time on the odometry's clock."""
    if odometry_csv is None:
        raise MissingData(f"{path}: a film tells no odometry; give it as a CSV file",
                          parameters=("odometry_csv",))  # fmt: skip
    odometry, notes = read_odometry(odometry_csv), list[str]()
    shown, size = film_times(path)
    times = shown - shown[0] + film_start
    check_common(path, times, odometry, "film_start")
    odometry, times = from_first_picture(odometry, times)
    few = sampled(times, opening.fps)
    return RecordedDrive(
        name=path.stem,
        odometry=odometry,
        camera=settled_camera(opening, size, notes),
        frame_times=times[few],
        places=few,
        source=FilmPictures(path, shown),
        start=film_start if film_start > EARLY else 0.0,
        notes=(*notes, *oddities(odometry, times[few])),
    )


def film_times(path: Path) -> tuple[FloatArray, tuple[int, int]]:
    """When the pictures of a film are shown, (pictures,) seconds, and their size."""
    with _film(path) as (container, stream):
        size = stream.codec_context.width, stream.codec_context.height
        told = [float(packet.pts * stream.time_base) for packet in container.demux(stream)
                if packet.pts is not None]  # fmt: skip
    times = np.sort(np.array(told))
    times = times[increasing(times)]
    if not len(times):
        raise BadFile(f"{path}: holds no pictures, expected a film")
    return times, size


@contextmanager
def _film(path: Path) -> Iterator[tuple[Any, Any]]:
    av = require("av", "video", "reads films", package="PyAV")
    try:
        with (
            opened(path) as stream,
            av.open(stream, options={"format_whitelist": FORMATS}) as container,
        ):
            if not container.streams.video or container.streams.video[0].codec_context is None:
                raise BadFile(f"{path}: holds no pictures, expected a film; convert it")
            pictures = container.streams.video[0]
            width, height = pictures.codec_context.width, pictures.codec_context.height
            if not 0 < width * height <= MOST_PIXELS:
                raise BadFile(f"{path}: has {width} x {height} pixels, expected at most "
                              f"{MOST_PIXELS} in all; make it smaller")  # fmt: skip
            pictures.thread_type = "AUTO"
            yield container, pictures
    except (av.FFmpegError, OSError, ValueError) as error:
        what = " ".join(str(error).split())[:120]
        raise BadFile(
            f"{path}: cannot be read as a film ({what}), expected .mp4, .mkv, .webm, .avi or .mov; "
            "convert it, or bring its pictures in a folder"
        ) from error
