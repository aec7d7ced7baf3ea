"""A Scene: a few seconds of what a robot saw, with the people in it numbered."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from paseo.errors import BadValue
from paseo.world.arrays import FloatArray

FEWEST_FRAMES, MOST_FRAMES = 2, 1000
# A scene's id becomes a file name: no separators, nothing that starts with a dot.
SCENE_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")


@dataclass(frozen=True, slots=True)
class ClipTiming:
    """When the frames of a clip were taken."""

    frames: int
    period: float  # seconds from one frame to the next

    @property
    def rate(self) -> float:
        """Frames per second."""
        return 1 / self.period

    @property
    def duration(self) -> float:
        """Seconds, a period for each frame."""
        return self.frames * self.period


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A scene that cannot be used, and why: a sentence for each fault."""

    scene: str
    faults: tuple[str, ...]

    @property
    def reason(self) -> str:
        """The first fault."""
        return self.faults[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class Camera:
    """A pinhole camera; focal lengths and the image centre in pixels."""

    width_px: int
    height_px: int
    fx: float
    fy: float
    cx: float
    cy: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class NumberedPerson:
    """A person of a scene, known by the number drawn on them; NaN in frames without them."""

    number: int  # from 1
    positions: FloatArray  # (frames, 2), metres in the robot's first frame: x forward, y left
    boxes: FloatArray  # (frames, 4), left, top, right, bottom in pixels of the front view

    def __post_init__(self) -> None:
        if self.number < 1:
            raise BadValue(f"person {self.number}: people are numbered from 1")
        for name, array, width in (("positions", self.positions, 2), ("boxes", self.boxes, 4)):
            if array.shape != (len(self.positions), width) or np.isinf(array).any():
                raise BadValue(
                    f"person {self.number}: {name} must be finite or NaN, (frames, {width}), "
                    f"not {array.shape}"
                )
        if np.isnan(self.positions[:, 0]).all():
            raise BadValue(f"person {self.number}: is in no frame of the scene")

    @property
    def seen(self) -> tuple[int, ...]:
        """The frames in which the person has a position."""
        return tuple(int(frame) for frame in np.nonzero(~np.isnan(self.positions[:, 0]))[0])


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Scene:
    """What a question is about. It does not know where it came from."""

    id: str
    frames: Sequence[bytes]  # front views as JPEG or PNG, nothing drawn on them
    period: float  # seconds from one frame to the next
    robot: FloatArray  # (frames, 3), x, y, heading in the robot's first frame
    goal: tuple[float, float]  # x, y in the robot's first frame
    people: tuple[NumberedPerson, ...]  # by number
    camera: Camera | None = None
    # What its source drew, front view above bird's-eye view; one for each frame, or none.
    composites: Sequence[bytes] = ()

    def __post_init__(self) -> None:
        if not SCENE_ID.fullmatch(self.id):
            raise BadValue(
                f"scene '{self.id[:100]}': an id is made of letters, digits, '_', '-' and '.', "
                "at most 100, the first a letter or digit"
            )
        self._check_frames()
        if not np.isfinite(self.goal).all():
            raise BadValue(f"scene {self.id}: the goal must be two finite numbers")
        numbers = [person.number for person in self.people]
        if numbers != sorted(set(numbers)):
            raise BadValue(f"scene {self.id}: people must be in order of their numbers, each once")

    @property
    def timing(self) -> ClipTiming:
        """When its frames were taken."""
        return ClipTiming(len(self.frames), self.period)

    def _check_frames(self) -> None:
        """Whether everything is told of every frame."""
        frames = len(self.frames)
        if not FEWEST_FRAMES <= frames <= MOST_FRAMES or not 0 < self.period < math.inf:
            raise BadValue(
                f"scene {self.id}: has {frames} frames, {self.period:g} s apart, expected "
                f"{FEWEST_FRAMES} to {MOST_FRAMES} and a time above 0"
            )
        if len(self.composites) not in (0, frames):
            raise BadValue(
                f"scene {self.id}: has {frames} frames and {len(self.composites)} pictures drawn "
                "by others, expected as many, or none"
            )
        if self.robot.shape != (frames, 3) or not np.isfinite(self.robot).all():
            raise BadValue(f"scene {self.id}: the robot's poses must be finite, ({frames}, 3)")
        for person in self.people:
            if len(person.positions) != frames:
                raise BadValue(
                    f"scene {self.id}: person {person.number} is told of in "
                    f"{len(person.positions)} frames, expected {frames}"
                )
