"""Frames into films: .mp4 and .gif, by PyAV; needs the extra `video`."""

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from paseo.errors import BadValue, require
from paseo.files import draft
from paseo.progress import Progress, silent
from paseo.render.raster.gif_colours import GifColours
from paseo.render.raster.strokes import Frame
from paseo.render.raster.yuv import planes

if TYPE_CHECKING:
    from av import VideoFrame
    from av.container import OutputContainer
    from av.video.stream import VideoStream

QUALITY = 20  # x264's constant rate factor: 18 is hard to tell from the frames, 28 is blurred
FASTEST_GIF = 50  # frames per second: browsers show shorter pauses as long ones
SAMPLED = 24  # frames that a GIF's colours are taken from


def write_film(
    path: Path,
    frames: Sequence[Frame],
    fps: float,
    *,
    progress: Progress = silent,
    threads: int = 0,
) -> None:
    """Write frames of one size as .mp4 (H.264) or .gif; the file appears when it is complete.

    `threads` of the encoder, 0: as it likes.
    """
    encode = {".mp4": _mp4, ".gif": _gif}.get(path.suffix.lower())
    if encode is None:
        raise BadValue(
            f"{path}: no film can be saved as '{path.suffix}', expected .mp4 or .gif; rename it"
        )
    if len(frames) == 0:
        raise BadValue(f"{path}: there are no frames to make a film of")
    av = require_av()
    with draft(path) as beside:
        form = path.suffix.lower()[1:]
        options = {"movflags": "+faststart"} if form == "mp4" else {"loop": "0"}
        with av.open(str(beside), "w", format=form, options=options) as container:
            encode(container, frames, Fraction(fps).limit_denominator(1000), progress, threads)


def require_av() -> Any:
    """PyAV, or a sentence on how to get it."""
    return require("av", "video", "writes films", package="PyAV")


def _mp4(
    container: "OutputContainer",
    frames: Sequence[Frame],
    fps: Fraction,
    progress: Progress,
    threads: int,
) -> None:
    from av import VideoFrame
    from av.video.reformatter import ColorRange, Colorspace

    stream = container.add_stream("libx264", rate=fps)
    height, width = (side - side % 2 for side in frames[0].shape[:2])
    stream.width, stream.height, stream.pix_fmt = width, height, "yuv420p"
    stream.options = {
        "preset": "veryfast",
        "crf": str(QUALITY),
        "g": str(round(4 * fps)),
        # With AVX-512, x264's tree of macroblocks reads memory that nobody wrote: the same frames
        # would make other bytes every time.
        "x264-params": "mbtree=0",
    }
    context = stream.codec_context
    context.thread_count = threads
    context.color_range, context.colorspace = ColorRange.MPEG, Colorspace.ITU709
    context.color_primaries = context.color_trc = Colorspace.ITU709
    pictures = (
        VideoFrame.from_ndarray(planes(frame[:height, :width]), format="yuv420p")
        for frame in _told(frames, progress)
    )
    _encode(container, stream, pictures, fps)


def _gif(
    container: "OutputContainer",
    frames: Sequence[Frame],
    fps: Fraction,
    progress: Progress,
    threads: int,
) -> None:
    from av import VideoFrame

    if fps > FASTEST_GIF:
        raise BadValue(
            f"a GIF of {float(fps):g} frames per second is shown slowly by browsers, expected at "
            f"most {FASTEST_GIF}; lower fps or make an .mp4",
            parameters=("fps",),
        )
    colours = GifColours(_samples(frames))
    stream = container.add_stream("gif", rate=fps)
    stream.height, stream.width = frames[0].shape[:2]
    stream.pix_fmt = "pal8"
    told = _told(frames, progress)
    drawn: Iterator[Any] = ((colours.indices(frame), colours.table) for frame in told)
    pictures = (VideoFrame.from_ndarray(each, format="pal8") for each in drawn)
    _encode(container, stream, pictures, fps)


def _encode(
    container: "OutputContainer",
    stream: "VideoStream",
    pictures: "Iterable[VideoFrame]",
    fps: Fraction,
) -> None:
    for number, picture in enumerate(pictures):
        picture.pts, picture.time_base = number, 1 / fps
        container.mux(stream.encode(picture))
    container.mux(stream.encode(None))


def _told(frames: Sequence[Frame], progress: Progress) -> Iterator[Frame]:
    """The frames, telling how many were asked for."""
    for number, frame in enumerate(frames):
        progress("frame", number, len(frames))
        yield frame
    progress("frame", len(frames), len(frames))


def _samples(frames: Sequence[Frame]) -> Iterator[NDArray[np.uint8]]:
    """Frames from the first to the last, evenly."""
    for place in sorted(set(np.linspace(0, len(frames) - 1, SAMPLED).round().astype(int).tolist())):
        yield frames[place]
