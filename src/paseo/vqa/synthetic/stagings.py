"""The eight staged scenes of the synthetic data set, each with what is peculiar about it."""

import random
from dataclasses import dataclass, field, replace

from paseo.data.scenes.socialnavsub import TIMING
from paseo.vqa.synthetic.motion import Box, Drive, Point, Walk, box_of, from_robot
from paseo.world.scenes import Camera

# The intrinsics of the data set's camera.
CAMERA = Camera(width_px=1280, height_px=720, fx=623.3087, fy=624.91863, cx=640.0, cy=360.0)
SHAKE = 0.04  # metres by which a seed moves where people start


@dataclass(frozen=True, slots=True, kw_only=True)
class Walker:
    """A staged person, known to the tracker by a name that is not the number drawn on them."""

    track: str
    walk: Walk
    height: float = 1.72
    missed: frozenset[int] = frozenset()  # frames in which the tracker does not see them

    def seen(self, drive: Drive, camera: Camera = CAMERA) -> dict[int, Box]:
        """The boxes around the person by frame; none where they are out of view or missed."""
        boxes: dict[int, Box] = {}
        for frame in sorted(set(range(TIMING.frames)) - self.missed):
            point = from_robot(
                self.walk.position(frame * TIMING.period), drive.pose(frame * TIMING.period)
            )
            box = box_of(camera, point, self.height)
            if box is not None:
                boxes[frame] = box
        return boxes


@dataclass(frozen=True, slots=True, kw_only=True)
class Stray:
    """A track that the data set's rules leave out: without a number, nobody is asked about it."""

    track: str
    positions: dict[int, Point]  # by frame
    box: Box = (600.0, 330.0, 620.0, 400.0)  # in pixels of the full picture


@dataclass(frozen=True, slots=True, kw_only=True)
class Staging:
    """One scene, and how its files are written."""

    id: str
    drive: Drive
    goal: Point  # whole millimetres
    walkers: tuple[Walker, ...]
    strays: tuple[Stray, ...] = ()
    origin: Point = (0.0, 0.0)  # of the robot in the world at the first frame
    yaw: float = 0.0  # of the robot in the world at the first frame
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
        """The recording it is cut from."""
        return self.id.rpartition("_")[0]

    @property
    def first_frame(self) -> int:
        """The number of its first frame in that recording."""
        return int(self.id.rpartition("_")[2])

    def numbered(self) -> dict[int, Walker]:
        """The people by the number drawn on them."""
        if self.given_numbers:
            numbers = {self.given_numbers[walker.track]: walker for walker in self.walkers}
            return dict(sorted(numbers.items()))
        by_left = sorted(self.walkers, key=lambda w: next(iter(w.seen(self.drive).values()))[0])
        return dict(enumerate(by_left, start=1))


def stagings(seed: int) -> tuple[Staging, ...]:
    """The eight scenes; a seed moves and turns the world and shakes where people start."""
    rng = random.Random(f"stagings {seed}")
    return tuple(_shaken(staging, rng) for staging in _PLAN)


def _shaken(staging: Staging, rng: random.Random) -> Staging:
    walkers = []
    for walker in staging.walkers:
        x, y = (at + rng.uniform(-SHAKE, SHAKE) for at in walker.walk.start)
        walkers.append(replace(walker, walk=replace(walker.walk, start=(x, y))))
    origin = rng.uniform(-40, 40), rng.uniform(-40, 40)
    return replace(staging, walkers=tuple(walkers), origin=origin, yaw=rng.uniform(0.5, 5.5))


def _person(
    track: str, start: Point, velocity: Point, *, stops_at: float = 1e9, missed: str = ""
) -> Walker:
    height = 1.6 + 0.05 * (int(track) % 6)
    walk = Walk(start=start, velocity=velocity, stops_at=stops_at)
    return Walker(track=track, walk=walk, height=height, missed=frozenset(map(int, missed)))


_PLAN = (
    Staging(  # as most scenes are: somebody ahead, somebody oncoming, somebody crossing
        id="33_Spot_45_228",
        drive=Drive(speed=1.1),
        goal=(8.0, 0.0),
        walkers=(
            _person("12", (3.2, 0.35), (1.05, -0.3)),
            _person("7", (8.0, 2.1), (-1.1, 0.05)),
            _person("31", (5.2, -3.9), (0.3, 1.85)),
        ),
        words_for_numbers=True,
    ),
    Staging(  # one person, five voters; the odometry ends where the original can just read it
        id="45_Spot_0_46",
        drive=Drive(speed=1.0, stands_at=1.75),
        goal=(6.0, -0.5),
        walkers=(_person("2", (3.5, 2.6), (0.0, -1.6), stops_at=2.0),),
        voters=5,
        frames_after=1,
        bare_count=True,
    ),
    Staging(  # the recording's first frame; a sharp left turn
        id="74_Spot_2_0",
        drive=Drive(speed=1.0, curvature=0.58),
        goal=(2.2, 6.2),
        walkers=(
            _person("5", (5.0, -0.4), (-0.2, 0.0)),
            _person("6", (4.0, 3.7), (-1.15, 0.4)),
            _person("9", (6.5, 4.8), (-0.6, 0.6)),
        ),
        voters=12,
        yaw_column=True,
    ),
    Staging(  # a crowd with numbers of two digits; somebody overtakes the robot
        id="129_Spot_7_94",
        drive=Drive(speed=0.8),
        goal=(9.0, 0.2),
        walkers=(
            _person("1", (9.8, 4.0), (-0.9, 0.25)),
            _person("3", (7.8, 3.4), (-0.5, 0.1)),
            _person("4", (6.0, 4.4), (0.5, 0.2)),
            _person("8", (4.6, 4.0), (1.3, 0.1)),
            _person("10", (5.5, 0.5), (0.9, -0.4)),
            _person("11", (9.2, 1.5), (-0.3, 0.5)),
            _person("13", (3.4, -2.7), (0.75, -0.2)),
            _person("14", (4.6, -3.7), (0.1, 1.85)),
            _person("17", (6.6, -4.8), (0.0, 0.0)),
            _person("20", (8.5, -3.5), (-1.0, -0.1)),
            _person("21", (9.8, -2.0), (-0.9, -0.1)),
            _person("23", (7.4, -1.6), (0.75, -0.2)),
            _person("30", (2.9, 2.4), (1.2, -1.2)),
        ),
        voters=11,
    ),
    Staging(  # a tracker with gaps; tracks that must not be numbered
        id="34_Spot_0_1070",
        drive=Drive(speed=0.9, curvature=-0.24),
        goal=(6.5, -2.4),
        walkers=(
            _person("40", (6.0, -0.3), (0.0, -0.95), missed="347"),
            _person("41", (6.5, 2.6), (0.9, 0.1), missed="6789"),
            _person("44", (9.0, -4.8), (-1.2, 0.0), missed="012"),
            _person("47", (3.6, 0.2), (0.3, 0.2), missed="012356789"),
        ),
        strays=(
            Stray(track="42", positions={k: (14.0 + 0.2 * k, 1.0) for k in range(TIMING.frames)}),
            Stray(track="43", positions={4: (7.0, -1.0), 5: (7.1, -0.9)}),
            Stray(track="45", positions={k: (0.4 - 0.2 * k, 1.5) for k in range(5)}),
            Stray(track="46", positions={k: (6.0, 6.0 + 0.1 * k) for k in range(TIMING.frames)}),
        ),
        voters=9,
        yaw_column=True,
    ),
    Staging(  # a goal and a person outside of the usual extent of the bird's-eye view
        id="56_Spot_1_367",
        drive=Drive(speed=1.2, curvature=-0.2),
        goal=(3.0, -7.5),
        walkers=(
            _person("3", (13.5, 0.6), (-1.7, -0.1)),
            _person("4", (6.5, 2.8), (1.1, 0.1)),
            _person("5", (4.3, -3.5), (-0.4, -0.2)),
        ),
        voters=8,
        goal_text="[ {x} ,{y}  ]",
        bare_count=True,
    ),
    Staging(  # the numbers are given by a file, and not from left to right
        id="101_Spot_1_155",
        drive=Drive(speed=0.7, curvature=0.34),
        goal=(5.0, 4.0),
        walkers=(
            _person("15", (3.6, 3.2), (0.1, -0.4)),
            _person("16", (4.5, -0.4), (0.6, 0.9)),
            _person("18", (8.0, -0.3), (-1.3, -0.6)),
            _person("19", (6.5, -2.0), (0.4, -0.6)),
        ),
        given_numbers={"16": 1, "15": 2, "19": 3, "18": 4},
        voters=9,
    ),
    Staging(  # a robot that stands: motion gives it no heading
        id="64_Spot_3_21",
        drive=Drive(speed=0.0),
        goal=(4.0, 5.5),
        walkers=(
            _person("50", (2.6, 2.3), (0.9, -1.75)),
            _person("51", (7.0, -0.8), (-1.2, 0.0)),
        ),
        voters=7,
        yaw_column=True,
    ),
)
