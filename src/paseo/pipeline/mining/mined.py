"""A scene that was mined: everything of it but its pictures."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec
import numpy as np

from paseo.data.scenes.images import Size
from paseo.data.scenes.pedestrians import TracksFile, dataset_numbers, numbered_people
from paseo.data.scenes.robot_frame import from_the_first, seen_from
from paseo.data.scenes.socialnavsub import TIMING
from paseo.data.scenes.writing import Point, observations
from paseo.pipeline.mining.clips import Clip, Found
from paseo.pipeline.mining.goals import GoalRule, goal_on_way
from paseo.pipeline.mining.stretches import Passing
from paseo.world import cameras
from paseo.world.arrays import FloatArray, IntArray
from paseo.world.scenes import Camera, NumberedPerson, Scene

DIGITS = 3  # of metres, of a goal: the data set has whole millimetres


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class MinedScene:
    """A clip of a drive as a scene, without its pictures."""

    sequence: str
    clip: Clip
    fitness: float
    goal: Point  # in the robot's first frame
    goal_time: float  # when the robot was there
    tracks: Mapping[str, list[dict[str, object]]]  # as the data set has them, all who are shown
    numbers: Mapping[str, int]  # of the tracks that count
    people: tuple[NumberedPerson, ...]
    period: float = TIMING.period  # seconds from one frame to the next

    @property
    def id(self) -> str:
        """In the form of the data set's."""
        return f"{self.sequence}_{self.clip.first}"

    @property
    def frames(self) -> IntArray:
        """The numbers of its frames in the drive, (frames,)."""
        return self.clip.stretch.frames[self.clip.span]

    @property
    def times(self) -> FloatArray:
        """When they were taken, (frames,)."""
        return self.clip.stretch.times[self.clip.span]

    def scene(self, pictures: Sequence[bytes], camera: cameras.Camera) -> Scene:
        """With its pictures, which must be of the camera's size."""
        return Scene(
            id=self.id,
            frames=tuple(pictures),
            period=self.period,
            robot=from_the_first(self.clip.stretch.robot[self.clip.span]),
            goal=self.goal,
            people=self.people,
            camera=pinhole(camera),
        )

    def told(self) -> dict[str, object]:
        """Where it comes from."""
        return {
            "id": self.id,
            "fitness": round(self.fitness, 6),
            "frames": self.frames.tolist(),
            "times_s": [round(time, 6) for time in self.times.tolist()],
            "goal_at_s": round(self.goal_time, 6),
            "tracks": {str(number): int(track) for track, number in self.numbers.items()},
        }


def pinhole(camera: cameras.Camera) -> Camera:
    """The camera as scenes know one."""
    return Camera(
        width_px=camera.width_px,
        height_px=camera.height_px,
        fx=camera.fx,
        fy=camera.fy,
        cx=camera.cx,
        cy=camera.cy,
    )


def mined_scene(found: Found, sequence: str, camera: cameras.Camera, rule: GoalRule) -> MinedScene:
    """The scene of a clip; its people are chosen and numbered as the data set does."""
    clip, pose = found.clip, found.clip.stretch.robot[found.clip.first]
    stretch, last = clip.stretch, clip.frames - 1
    tracks = {str(person.person): _track(clip, person) for person in clip.people}
    numbers, people = _numbered(tracks, (camera.width_px, camera.height_px), Path(sequence))
    way = stretch.robot[clip.first :, :2]
    goal = goal_on_way(stretch.times[clip.first :], way, last, rule)
    x, y = seen_from(pose, np.array([goal.x, goal.y])).tolist()
    return MinedScene(
        sequence=sequence,
        clip=clip,
        fitness=found.fitness,
        goal=(round(x, DIGITS), round(y, DIGITS)),
        goal_time=goal.time,
        tracks=tracks,
        numbers=numbers,
        people=people,
    )


def _track(clip: Clip, passing: Passing) -> list[dict[str, object]]:
    """What the data set's file tells of somebody: places from the robot's first frame, boxes."""
    places = seen_from(clip.stretch.robot[clip.first], passing.positions[clip.span]).tolist()
    boxes = passing.boxes[clip.span].tolist()
    shown = [frame for frame, (x, _) in enumerate(places) if x == x]
    return observations(
        {frame: (places[frame][0], places[frame][1]) for frame in shown},
        {frame: tuple(boxes[frame]) for frame in shown},
    )


def _numbered(
    tracks: Mapping[str, object], size: Size, where: Path
) -> tuple[dict[str, int], tuple[NumberedPerson, ...]]:
    """Who counts: the number of each track, and the people by number."""
    file = msgspec.convert({"track_id_to_object_trajectory": tracks}, TracksFile)
    numbers = dataset_numbers(file, frames=TIMING.frames, where=where)
    people = numbered_people(file, numbers, frames=TIMING.frames, size=size, where=where)
    return numbers, people
