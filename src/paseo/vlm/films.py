"""Frames to a film in memory, for models that watch films."""

import io
from fractions import Fraction
from functools import lru_cache
from threading import Lock
from typing import Any

from PIL import Image

from paseo.errors import MissingExtra, require
from paseo.vlm.failures import ModelError
from paseo.vlm.models import Picture

QUALITY = 18  # x264's constant rate factor: hard to tell from the frames
_encoding = Lock()


def film(frames: tuple[Picture, ...], fps: float) -> Picture:
    """The frames as an MP4, made once for all questions of a scene; the same bytes every time."""
    with _encoding:  # threads that ask about the same scene wait for the first
        return _film(frames, fps)


@lru_cache(maxsize=8)
def _film(frames: tuple[Picture, ...], fps: float) -> Picture:
    av = _require_av()
    try:
        images = [Image.open(io.BytesIO(each.content)).convert("RGB") for each in frames]
    except OSError as error:
        raise ModelError(f"a frame of the film is no picture: {error}") from error
    if len({image.size for image in images}) != 1:
        raise ModelError("the frames of a film must have one size; these have several")
    width, height = (side - side % 2 for side in images[0].size)  # H.264 halves the colours
    file = io.BytesIO()
    with av.open(file, "w", format="mp4") as container:
        stream = container.add_stream("libx264", rate=Fraction(fps).limit_denominator(1000))
        stream.width, stream.height, stream.pix_fmt = width, height, "yuv420p"
        stream.options = {"preset": "veryfast", "crf": str(QUALITY)}
        stream.codec_context.thread_count = 1
        for image in images:
            frame = av.VideoFrame.from_image(image.crop((0, 0, width, height)))
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    return Picture(file.getvalue(), "video/mp4")


def _require_av() -> Any:
    try:
        return require("av", "video", "makes films for models that watch them", package="PyAV")
    except MissingExtra as error:
        raise ModelError(str(error)) from error
