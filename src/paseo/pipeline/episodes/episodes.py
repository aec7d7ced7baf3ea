"""Episodes in which a planner drives where a person drove the robot, among the same people."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from paseo.data.store.locations import DataFolder, data_folder
from paseo.data.suites.suite_file import (
    EpisodeEntry,
    PlacedRecording,
    PoseEntry,
    RobotEntry,
    SuiteFile,
)
from paseo.data.suites.suite_writing import suite_bytes
from paseo.errors import BadScenario, BadValue
from paseo.files import write_whole
from paseo.pipeline.drives.drive import Odometry
from paseo.pipeline.episodes.walking import FPS, crowd_start
from paseo.pipeline.reconstruction import Reconstruction
from paseo.world.arrays import FloatArray
from paseo.world.motion import Pose
from paseo.world.scenarios import Scenario, check_task
from paseo.world.space.floorplan import FloorPlan
from paseo.world.tracks import Recording

DRIVEN_RATE = 5.0  # rows a second that tell how the robot was driven
NEAR = 3.0  # metres within which somebody is met
BETWEEN = 1.0  # seconds from where one window begins to where the next does
SPEED_OVER = 0.5  # seconds over which the robot's speed is measured
LEAST_SPEED, LEAST_TURN = 0.1, 1.0  # m/s and rad/s: who drove straight could have turned
DECIMALS = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class EpisodeOptions:
    """What episodes of a drive should be like."""

    count: int = 10  # at most
    seconds: float = 20.0  # that the robot was driven
    least_distance: float = 5.0  # metres from start to goal, straight
    met: int = 1  # people who came within 3 m of the robot, at least
    time_limit: float = 2.0  # times the seconds that the person took
    robot: RobotEntry | None = None  # None: as fast as it was driven
    radius: float = 0.3  # metres, of such a robot: a drive does not tell it

    def __post_init__(self) -> None:
        for name, least in (("count", 1), ("met", 0)):
            if getattr(self, name) < least:
                raise BadValue(
                    f"{name} must be {least} or more, not {getattr(self, name)}",
                    parameters=(name,),
                )
        for name in ("seconds", "least_distance", "radius"):
            if not 0 < getattr(self, name) < math.inf:
                raise BadValue(
                    f"{name} must be more than 0, not {getattr(self, name):g}", parameters=(name,)
                )
        if not 1 <= self.time_limit < math.inf:
            raise BadValue(
                f"planners get {self.time_limit:g} times what the person took, expected 1 or more",
                parameters=("time_limit",),
            )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Window:
    """Some seconds of a drive."""

    first_frame: int  # of the crowd
    way: FloatArray  # (rows, 4): time since its start, x, y, heading
    met: int  # people

    @property
    def distance(self) -> float:
        return math.dist(self.way[0, 1:3], self.way[-1, 1:3])


def drive_episodes(
    reconstruction: Reconstruction,
    crowd: str,
    wishes: EpisodeOptions | None = None,
    *,
    out: Path | None = None,
    data: DataFolder | Path | None = None,
) -> SuiteFile:
    """A suite in which planners drive where the robot of a drive was driven, written to `out`.

    `crowd` was made of this drive. No two episodes share time, and those in which most people
    were met come first. Each tells how the robot was driven, which the reference `human` repeats.
    """
    wishes, folder = wishes or EpisodeOptions(), data_folder(data)
    recording, plan = folder.recording(crowd), folder.floorplan(crowd)
    robot = wishes.robot or driven_robot(reconstruction.odometry, wishes.radius)
    windows = list(_windows(reconstruction, recording, wishes))
    chosen = _apart(_usable(windows, plan, robot, wishes), wishes)
    if not chosen:
        raise _refusal(windows, reconstruction, wishes)
    suite = SuiteFile(
        format="paseo-suite",
        version=1,
        name=f"{crowd}-driven"[-100:],
        description=_description(reconstruction, wishes),
        episodes=[_entry(crowd, k, each, wishes) for k, each in enumerate(chosen, start=1)],
        robot=robot,
    )
    if out is not None:
        write_whole(out, suite_bytes(suite, out.suffix))
    return suite


def driven_robot(odometry: Odometry, radius: float) -> RobotEntry:
    """A robot that can do what it was seen to do over half a second, and turn at 1 rad/s."""
    later = odometry.at(odometry.times + SPEED_OVER)
    steps = (later - odometry.poses)[~np.isnan(later[:, 0])]
    if not len(steps):
        raise BadValue("the odometry is too short to tell how fast the robot is; name a robot")
    ahead = np.column_stack([np.cos(odometry.poses[:, 2]), np.sin(odometry.poses[:, 2])])
    along = np.einsum("ij,ij->i", steps[:, :2], ahead[~np.isnan(later[:, 0])])
    speed, turn = np.hypot(*steps[:, :2].T).max(), np.abs(steps[:, 2]).max()
    return RobotEntry(
        name="as-driven",
        radius_m=radius,
        max_speed_mps=max(round(float(speed) / SPEED_OVER, 3), LEAST_SPEED),
        max_reverse_speed_mps=round(max(0.0, -float(along.min())) / SPEED_OVER, 3),
        max_turn_radps=max(round(float(turn) / SPEED_OVER, 3), LEAST_TURN),
    )


def _windows(
    reconstruction: Reconstruction, recording: Recording, wishes: EpisodeOptions
) -> Iterator[_Window]:
    """Every second another one, where the robot's way is known throughout."""
    odometry, start = reconstruction.odometry, crowd_start(reconstruction)
    since = np.arange(round(wishes.seconds * DRIVEN_RATE) + 1) / DRIVEN_RATE
    last = float(odometry.times[-1]) - start - wishes.seconds
    for begins in np.arange(0.0, max(last, -1.0) + 1e-9, BETWEEN).tolist():
        frame = round(begins * FPS)
        poses = odometry.at(start + frame / FPS + since)
        if not np.isnan(poses).any():
            way = np.column_stack([since, poses])
            yield _Window(first_frame=frame, way=way, met=_met(way, frame / FPS, recording))


def _met(way: FloatArray, begins: float, recording: Recording) -> int:
    """How many people came near the robot."""
    count = 0
    for track in recording.tracks:
        if track.times[0] <= begins + way[-1, 0] and track.times[-1] >= begins:
            places = track.positions_at(begins + way[:, 0])
            away = np.hypot(*(places - way[:, 1:3]).T)
            count += bool((away <= NEAR).any())  # not so for NaN
    return count


def _usable(
    windows: Sequence[_Window], plan: FloorPlan, robot: RobotEntry, wishes: EpisodeOptions
) -> Iterator[_Window]:
    """Those that keep the wishes, and whose task the robot can do on the floor plan."""
    for each in windows:
        if each.distance >= wishes.least_distance and each.met >= wishes.met:
            start, goal = (Pose(*row.tolist()) for row in each.way[[0, -1], 1:])
            try:
                check_task(
                    Scenario(name="", floorplan=plan, start=start, goal=goal, robot=robot.robot())
                )
            except BadScenario:
                continue
            yield each


def _apart(windows: Iterator[_Window], wishes: EpisodeOptions) -> list[_Window]:
    """The best that share no time, in the order of the drive."""
    taken: list[_Window] = []
    for each in sorted(windows, key=lambda window: -window.met):
        away = (abs(each.first_frame - other.first_frame) for other in taken)
        if all(frames >= wishes.seconds * FPS for frames in away) and len(taken) < wishes.count:
            taken.append(each)
    return sorted(taken, key=lambda window: window.first_frame)


def _refusal(
    windows: Sequence[_Window], reconstruction: Reconstruction, wishes: EpisodeOptions
) -> BadValue:
    if not windows:
        return BadValue(
            f"{reconstruction.name}: nowhere is the robot's way known for {wishes.seconds:g} s on "
            "end; wish for fewer seconds",
            parameters=("seconds",),
        )
    farthest, most = max(each.distance for each in windows), max(each.met for each in windows)
    return BadValue(
        f"{reconstruction.name}: no {wishes.seconds:g} s of it lead {wishes.least_distance:g} m "
        f"from start to goal through free space and meet {wishes.met} people; at most it got "
        f"{farthest:.1f} m away, and met {most}",
        parameters=("seconds", "least_distance", "met"),
    )


def _entry(crowd: str, number: int, window: _Window, wishes: EpisodeOptions) -> EpisodeEntry:
    rows = np.round(window.way, DECIMALS)
    start, goal = (
        PoseEntry(x_m=x, y_m=y, heading_rad=turn) for _, x, y, turn in rows[[0, -1]].tolist()
    )
    return EpisodeEntry(
        name=f"{crowd[-80:]}_driven_{number:02d}",
        map=crowd,
        start=start,
        goal=goal,
        time_limit_s=wishes.seconds * wishes.time_limit,
        recordings=[PlacedRecording(recording=crowd, first_frame=window.first_frame)],
        driven=[(time, x, y, turn) for time, x, y, turn in rows.tolist()],
        note=f"People met within {NEAR:g} m: {window.met}.",
    )


def _description(reconstruction: Reconstruction, wishes: EpisodeOptions) -> str:
    robot = "as fast as it was driven" if wishes.robot is None else f"a {wishes.robot.name}"
    return (
        f"Cut out of the drive {reconstruction.name}: from where the robot was to where a person "
        f"had driven it {wishes.seconds:g} s later, {robot}. People are where they were located, "
        "as long as its camera saw them and some seconds more, and do not answer another robot "
        "unless they are told to."
    )
