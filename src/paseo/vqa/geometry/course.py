"""A course: where everybody was during a scene and after it, on one clock."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

import numpy as np

from paseo.errors import BadValue
from paseo.vqa.geometry.aftermath import Aftermath
from paseo.world.arrays import FloatArray
from paseo.world.scenes import Scene

SAME_CLOCK = 1e-6  # seconds by which the periods of a scene and its aftermath may differ


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Course:
    """Metres in one frame, x forward and y left of the robot's first pose or any other."""

    period: float  # seconds from one moment to the next
    last: int  # the last moment that a scene shows; what comes later is its aftermath
    robot: FloatArray  # (moments, 3), x, y, heading
    goal: FloatArray  # (2,)
    people: Mapping[int, FloatArray] = field(default_factory=dict)  # by number, (moments, 2), NaN

    @property
    def has_aftermath(self) -> bool:
        """Whether anything is known of what followed."""
        return len(self.robot) > self.last + 1

    def frozen(self) -> "Course":
        """The same course, which nobody can write to."""
        people = {number: _frozen(places) for number, places in self.people.items()}
        robot, goal = _frozen(self.robot), _frozen(self.goal)
        return replace(self, robot=robot, goal=goal, people=MappingProxyType(people))


def _frozen(array: FloatArray) -> FloatArray:
    view = array.view()
    view.flags.writeable = False
    return view


def course_of(scene: Scene, aftermath: Aftermath | None = None) -> Course:
    """A scene and what followed it; who is not told of in the aftermath is absent there."""
    robot = scene.robot
    people = {person.number: person.positions for person in scene.people}
    if aftermath is not None:
        if abs(aftermath.period - scene.period) > SAME_CLOCK:
            raise BadValue(
                f"scene {scene.id}: its frames are {scene.period:g} s apart and the moments after "
                f"it {aftermath.period:g} s, expected the same"
            )
        absent = np.full((len(aftermath.robot), 2), np.nan)
        robot = np.concatenate([robot, aftermath.robot])
        people = {
            number: np.concatenate([places, aftermath.people.get(number, absent)])
            for number, places in people.items()
        }
    return Course(
        period=scene.period,
        last=len(scene.frames) - 1,
        robot=robot,
        goal=np.array(scene.goal),
        people=people,
    )


def velocity(places: FloatArray, at: int, span: int, period: float) -> FloatArray:
    """The mean velocity over `span` moments from `at` on, or before it for a negative span, (2,).

    NaN where the place is not known at both ends.
    """
    other = min(max(at + span, 0), len(places) - 1)
    if other == at:
        return np.full(2, np.nan)
    moved: FloatArray = (places[other] - places[at]) / ((other - at) * period)
    return moved


def bearing(pose: FloatArray, point: FloatArray) -> float:
    """The angle at which a robot (x, y, heading) sees a point, positive to its left."""
    ahead = point - pose[:2]
    return wrapped(math.atan2(ahead[1], ahead[0]) - pose[2])


def angle_between(one: FloatArray, other: FloatArray) -> float:
    """Between two directions, from 0 to pi."""
    return abs(wrapped(math.atan2(one[1], one[0]) - math.atan2(other[1], other[0])))


def wrapped(angle: float) -> float:
    """The same angle from -pi to pi."""
    return math.remainder(float(angle), math.tau)
