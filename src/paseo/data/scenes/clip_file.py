"""Track files: who is where in a clip of one's own."""

from pathlib import Path
from typing import Annotated, Literal

import numpy as np
from msgspec import Meta

from paseo.data.scenes.scene_file import (
    MOST_PEOPLE,
    Box,
    CameraEntry,
    Metres,
    Period,
    PersonNumber,
)
from paseo.data.scenes.socialnavsub import TIMING
from paseo.data.settings_file import Entry, read_settings
from paseo.errors import BadFile
from paseo.world.arrays import FloatArray
from paseo.world.scenes import FEWEST_FRAMES, MOST_FRAMES, SCENE_ID, ClipTiming

MOST_SAMPLES = 100_000

Seconds = Annotated[float, Meta(ge=0, le=1e6)]
Degrees = Annotated[float, Meta(ge=-36_000, le=36_000)]


class RobotSample(Entry, frozen=True):
    """The robot at one moment."""

    time_s: Seconds
    x_m: Metres
    y_m: Metres
    heading_deg: Degrees


class PersonSample(Entry, frozen=True):
    """A person at one moment; without a box they get no mark in the picture."""

    time_s: Seconds
    x_m: Metres
    y_m: Metres
    box_px: Box | None = None


class PersonTrack(Entry, frozen=True):
    """A person and the number they are asked about by."""

    number: PersonNumber
    track: Annotated[list[PersonSample], Meta(min_length=1, max_length=MOST_SAMPLES)]


class ClipFile(Entry, frozen=True):
    """A track file; metres are in any one frame, seconds count from the clip's first picture."""

    format: Literal["paseo-clip"]
    version: Literal[1]
    id: str
    goal_m: tuple[Metres, Metres]
    robot: Annotated[list[RobotSample], Meta(min_length=1, max_length=MOST_SAMPLES)]
    people: Annotated[list[PersonTrack], Meta(max_length=MOST_PEOPLE)]
    start_s: Seconds = 0.0
    frames: Annotated[int, Meta(ge=FEWEST_FRAMES, le=MOST_FRAMES)] = TIMING.frames
    period_s: Period = TIMING.period
    # Of a folder of pictures; as many as frames unless it is told.
    pictures_per_s: Annotated[float, Meta(gt=0, le=1000)] | None = None
    camera: CameraEntry | None = None

    @property
    def timing(self) -> ClipTiming:
        """When the frames of the scene are, from the first on."""
        return ClipTiming(self.frames, self.period_s)

    @property
    def near(self) -> float:
        """Seconds that what is taken for a frame may be off."""
        return self.period_s / 2

    @property
    def times(self) -> FloatArray:
        """When the frames of the scene are in the clip, (frames,)."""
        return self.start_s + self.period_s * np.arange(self.frames, dtype=np.float64)


def read_clip_file(path: Path) -> ClipFile:
    """A track file that is whole: times in order, numbers that differ, an id that names a file."""
    clip = read_settings(path, ClipFile)
    if not SCENE_ID.fullmatch(clip.id):
        raise BadFile(
            f"{path}: id: is {clip.id[:100]!r}, expected at most 100 letters, digits, '_', '-' and "
            "'.', the first a letter or digit; change it"
        )
    # Fewer would leave some frame without a picture of its own.
    if clip.pictures_per_s is not None and clip.pictures_per_s < clip.timing.rate:
        raise BadFile(f"{path}: pictures_per_s: expected `float` >= {clip.timing.rate:g}")
    numbers = [person.number for person in clip.people]
    for number in numbers:
        if numbers.count(number) > 1:
            raise BadFile(f"{path}: people: number {number} is given twice; number them anew")
    for person in clip.people:
        _check_times([sample.time_s for sample in person.track], f"{path}: person {person.number}")
    _check_times([sample.time_s for sample in clip.robot], f"{path}: robot")
    return clip


def _check_times(times: list[float], where: str) -> None:
    if (np.diff(times) <= 0).any():
        raise BadFile(f"{where}: time_s must grow from sample to sample; sort them, each once")
