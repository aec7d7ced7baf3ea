"""The pictures of a clip at the moments of a scene: out of a film, or a folder of pictures."""

import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PIL import Image

from paseo.data.scenes.images import LARGEST_IMAGE, MOST_PIXELS
from paseo.errors import BadFile, MissingExtra, require
from paseo.files import bounded, opened
from paseo.world.arrays import FloatArray

if TYPE_CHECKING:
    from av import VideoFrame

QUALITY = 95  # of the JPEGs made of a film's pictures
JUST = 1e-6
# Only formats that hold their pictures themselves: playlists make FFmpeg open other files.
FORMATS = "mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,avi,mpegts,ogg,gif"
PICTURES = {".jpg", ".jpeg", ".png"}


def clip_pictures(
    clip: Path, times: FloatArray, *, near: float, per_second: float
) -> list[tuple[Path, bytes]]:
    """The picture nearest to each time (s from the first one) as JPEG or PNG, and its file.

    None is further off than `near` seconds. `per_second` is how many pictures of a folder make a
    second; a film tells its own times.
    """
    if clip.is_dir():
        return _of_folder(clip, times, near, per_second)
    if not clip.is_file():
        raise BadFile(f"{clip}: is not there, expected a film or a folder of pictures")
    return [(clip, picture) for picture in _of_film(clip, times, near)]


def _of_folder(
    folder: Path, times: FloatArray, near: float, per_second: float
) -> list[tuple[Path, bytes]]:
    paths = [
        path for path in folder.iterdir() if path.suffix.lower() in PICTURES and path.is_file()
    ]
    paths.sort(key=lambda path: natural(path.name))
    last = (len(paths) - 1) / per_second
    if not paths or times[-1] > last + near + JUST:
        raise BadFile(
            f"{folder}: has {len(paths)} pictures (.jpg, .png), which at {per_second:g} a second "
            f"end before {times[-1]:g} s; add some, or correct start_s or pictures_per_s"
        )
    chosen = [paths[min(round(time * per_second), len(paths) - 1)] for time in times]
    smaller = "expected at most that many; make the picture smaller"
    return [
        (path, bounded(path, LARGEST_IMAGE, remedy="check it", too_large=smaller))
        for path in chosen
    ]


def natural(name: str) -> list[tuple[int, str]]:
    """Sorts frame_2 before frame_10."""
    parts = re.findall(r"(\d{1,18})|(\D+)", name)
    return [(int(digits), "") if digits else (-1, text) for digits, text in parts]


def _of_film(film: Path, times: FloatArray, near: float) -> tuple[bytes, ...]:
    found: dict[int, VideoFrame] = {}
    off = [near + JUST] * len(times)
    for at, frame in _film_frames(film, float(times[0])):
        for index, time in enumerate(times):
            if abs(at - time) < off[index]:
                found[index], off[index] = frame, abs(at - time)
        if at > times[-1] + near:
            break
    missing = [time for index, time in enumerate(times) if index not in found]
    if missing:
        raise BadFile(
            f"{film}: has no picture within {near:g} s of {missing[0]:g} s, expected at least "
            f"{0.5 / near:g} a second until {times[-1]:g} s; change start_s, or bring a longer film"
        )
    return tuple(_jpeg(found[index]) for index in range(len(times)))


def _film_frames(film: Path, start: float) -> "Iterator[tuple[float, VideoFrame]]":
    """Pictures of a film from somewhere before `start`, with seconds since its first one."""
    av = _av()
    try:
        with (
            opened(film) as stream,
            av.open(stream, options={"format_whitelist": FORMATS}) as container,
        ):
            if not container.streams.video:
                raise BadFile(f"{film}: holds no pictures, expected a film")
            pictures = container.streams.video[0]
            if pictures.codec_context is None:
                raise BadFile(f"{film}: its pictures are in a code that is not known; convert it")
            width, height = pictures.codec_context.width, pictures.codec_context.height
            if width * height > MOST_PIXELS:
                raise BadFile(
                    f"{film}: has {width} x {height} pixels, expected at most {MOST_PIXELS} in "
                    "all; make it smaller"
                )
            beginning = float((pictures.start_time or 0) * pictures.time_base)
            if start > 1.0:
                before = int((beginning + start - 1.0) / pictures.time_base)
                container.seek(before, stream=pictures)
            for frame in container.decode(pictures):
                if frame.time is not None:
                    yield frame.time - beginning, frame
    except (av.FFmpegError, OSError, ValueError) as error:
        what = " ".join(str(error).split())[:120]
        raise BadFile(
            f"{film}: cannot be read as a film ({what}), expected .mp4, .mkv, .webm, .avi or .mov; "
            "convert it, or bring its pictures in a folder"
        ) from error


def _av() -> Any:
    try:
        return require("av", "video", "reads films", package="PyAV")
    except MissingExtra as error:
        raise MissingExtra(f"{error}, or bring the clip as a folder of pictures") from error


def _jpeg(frame: "VideoFrame") -> bytes:
    buffer = io.BytesIO()
    Image.fromarray(frame.to_ndarray(format="rgb24")).save(buffer, "JPEG", quality=QUALITY)
    return buffer.getvalue()
