"""A Scene: two and a half seconds of what a robot saw, with the people in it numbered."""

import re
from dataclasses import dataclass

import numpy as np

from paseo.errors import BadValue
from paseo.world.arrays import FloatArray

FRAMES = 10
DT = 0.25  # seconds from one frame to the next
# A scene's id becomes a file name: no separators, nothing that starts with a dot.
SCENE_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")


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
            if array.shape != (FRAMES, width) or np.isinf(array).any():
                raise BadValue(
                    f"person {self.number}: {name} must be finite or NaN, ({FRAMES}, {width}), "
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
    frames: tuple[bytes, ...]  # FRAMES front views as JPEG or PNG, nothing drawn on them
    robot: FloatArray  # (frames, 3), x, y, heading in the robot's first frame
    goal: tuple[float, float]  # x, y in the robot's first frame
    people: tuple[NumberedPerson, ...]  # by number
    camera: Camera | None = None
    # What its source drew, front view above bird's-eye view; FRAMES of them or none.
    composites: tuple[bytes, ...] = ()

    def __post_init__(self) -> None:
        if not SCENE_ID.fullmatch(self.id):
            raise BadValue(
                f"scene '{self.id[:100]}': an id is made of letters, digits, '_', '-' and '.', "
                "at most 100, the first a letter or digit"
            )
        if len(self.frames) != FRAMES or len(self.composites) not in (0, FRAMES):
            raise BadValue(f"scene {self.id}: has {len(self.frames)} frames, expected {FRAMES}")
        if self.robot.shape != (FRAMES, 3) or not np.isfinite(self.robot).all():
            raise BadValue(f"scene {self.id}: the robot's poses must be finite, ({FRAMES}, 3)")
        if not np.isfinite(self.goal).all():
            raise BadValue(f"scene {self.id}: the goal must be two finite numbers")
        numbers = [person.number for person in self.people]
        if numbers != sorted(set(numbers)):
            raise BadValue(f"scene {self.id}: people must be in order of their numbers, each once")
