"""A staged scene as a value: who is in it, where they go, and how its files are written."""

import math
from dataclasses import dataclass, field

import numpy as np

from paseo.camera.lens.presets import preset
from paseo.data.scenes.origin import SYNTHETIC
from paseo.data.scenes.socialnavsub import TIMING
from paseo.vqa.synthetic.motion import NEAREST, Box, Drive, Point, Walk, box_of, from_robot
from paseo.world.scenes import Camera

BODY = 0.22  # metres, half of the width that hides what is behind
HIDDEN = 0.5  # of that width; of whom others hide more, the tracker has no box
_LENS = preset("socialnavsub")
# The intrinsics of the data set's camera.
CAMERA = Camera(
    width_px=_LENS.width_px,
    height_px=_LENS.height_px,
    fx=_LENS.fx,
    fy=_LENS.fy,
    cx=_LENS.cx,
    cy=_LENS.cy,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Acts:
    """What robot and person are staged to do about each other; None: as the paper's rules say."""

    robot: str | None = None
    person: str | None = None
    robot_next: str | None = None  # what the robot should do after the last frame
    person_next: str | None = None  # what the person will do


@dataclass(frozen=True, slots=True, kw_only=True)
class Walker:
    """A staged person, known to the tracker by a name that is not the number drawn on them."""

    track: str
    walk: Walk
    person: int = 0  # whose body they have
    height: float = 1.72
    missed: frozenset[int] = frozenset()  # frames in which the tracker does not see them
    all_around: bool = False  # the tracker knows where they are beside and behind the camera, too
    acts: Acts = field(default_factory=Acts)

    def tracked(self, drive: Drive, camera: Camera = CAMERA) -> dict[int, Box | None]:
        """The box around the person by frame, None out of view; no frame where they are missed."""
        boxes: dict[int, Box | None] = {}
        for frame in sorted(set(range(TIMING.frames)) - self.missed):
            box = box_of(camera, self.from_robot(drive, frame), self.height)
            if box is not None or self.all_around:
                boxes[frame] = box
        return boxes

    def from_robot(self, drive: Drive, frame: int) -> Point:
        """Where the person is in a frame as seen from the robot: ahead of it, and to its left."""
        time = frame * TIMING.period
        return from_robot(self.walk.position(time), drive.pose(time))


@dataclass(frozen=True, slots=True, kw_only=True)
class Stray:
    """A ghost of the tracker, which the data set's rules leave out: nobody is there."""

    track: str
    positions: dict[int, Point]  # by frame
    box: Box = (600.0, 330.0, 620.0, 400.0)  # in pixels of the full picture


@dataclass(frozen=True, slots=True, kw_only=True)
class Staging:
    """One scene, and how its files are written."""

    name: str
    first_frame: int = 0  # its number in the recording that the scene is said to be cut from
    seed: int = 0
    drive: Drive
    goal: Point  # whole millimetres
    walkers: tuple[Walker, ...]
    strays: tuple[Stray, ...] = ()
    origin: Point = (0.0, 0.0)  # of the robot in its odometry at the first frame
    yaw: float = 0.0  # of the robot in its odometry at the first frame
    voters: int = 10
    frames_after: int = 40  # in the odometry, after the last frame of the scene
    goal_text: str = "[{x}, {y}]"
    words_for_numbers: bool = False  # coordinates as strings
    yaw_column: bool = False  # yaw of shape (T, 1) instead of (T,)
    bare_count: bool = False  # n_people.json holds a number instead of an object
    # Numbers as a file of the data set gives them; by the left edges of the first boxes if empty.
    given_numbers: dict[str, int] = field(default_factory=dict)

    @property
    def sequence(self) -> str:
        """The recording it is said to be cut from; no real one is called so."""
        return f"{SYNTHETIC}_{self.seed}_{self.name}"

    @property
    def id(self) -> str:
        """The scene's id, in the form of the data set's."""
        return f"{self.sequence}_{self.first_frame}"

    def boxes(self, walker: Walker, camera: Camera = CAMERA) -> dict[int, Box | None]:
        """The boxes around somebody by frame; None while others hide them, or out of view."""
        tracked = walker.tracked(self.drive, camera)
        return {k: None if self._hidden(walker, k) else box for k, box in tracked.items()}

    def seen(self, walker: Walker, camera: Camera = CAMERA) -> dict[int, Box]:
        """Those boxes by frame that there are."""
        return {k: box for k, box in self.boxes(walker, camera).items() if box is not None}

    def _hidden(self, walker: Walker, frame: int) -> bool:
        """Whether bodies of people nearer to the camera stand before most of somebody's."""
        ahead, left = walker.from_robot(self.drive, frame)
        others = [each.from_robot(self.drive, frame) for each in self.walkers]
        nearer = [(a, aside) for a, aside in others if NEAREST <= a < ahead - BODY]
        whole = np.linspace(-BODY, BODY, 21)
        rays = (left + whole) / ahead if ahead > 0 else whole
        hidden = [np.abs(rays * a - aside) <= BODY for a, aside in nearer]
        return bool(hidden) and float(np.any(hidden, axis=0).mean()) > HIDDEN

    def numbered(self) -> dict[int, Walker]:
        """The people by the number drawn on them."""
        if self.given_numbers:
            numbers = {self.given_numbers[walker.track]: walker for walker in self.walkers}
            return dict(sorted(numbers.items()))
        return dict(enumerate(sorted(self.walkers, key=self._first_left), start=1))

    def _first_left(self, walker: Walker) -> float:
        return next((box[0] for box in self.seen(walker).values()), math.inf)
