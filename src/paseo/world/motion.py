"""Poses, commands and what a robot can do. Metres, seconds, radians; heading from +x."""

import math
from dataclasses import dataclass
from enum import StrEnum

from msgspec import Struct

from paseo.errors import BadValue
from paseo.world.ranges import FASTEST, WIDEST

# What is made anew in every step is a msgspec Struct: like a frozen dataclass, made in a
# quarter of the time.


class Pose(Struct, frozen=True, gc=False):
    """Where something is and where it faces; as a command, where the robot should go."""

    x: float
    y: float
    heading: float = 0.0

    def distance_to(self, other: "Pose") -> float:
        """Metres between the two positions; headings play no part."""
        return math.hypot(self.x - other.x, self.y - other.y)


class Twist(Struct, frozen=True, gc=False):
    """A velocity command: forward speed and anticlockwise turn rate."""

    forward: float
    turn: float


Command = Pose | Twist


class Control(StrEnum):
    """How a robot is driven: as a unicycle by `Twist`, or freely to a `Pose`."""

    VELOCITY = "velocity"
    POSITION = "position"


@dataclass(frozen=True, slots=True, kw_only=True)
class Robot:
    """A disc-shaped robot and its limits; `math.inf` means no limit."""

    name: str = "pioneer-3dx"
    radius: float = 0.24
    max_speed: float = 1.2
    max_reverse_speed: float = 0.0
    max_turn: float = 1.1
    max_acceleration: float = math.inf
    max_turn_acceleration: float = math.inf
    sensor_height: float = 0.8
    wall_radius: float | None = None  # walls count from here; None: from the robot's radius

    def __post_init__(self) -> None:
        for key in ("radius", "max_speed", "max_turn", "max_acceleration", "max_turn_acceleration"):
            if not getattr(self, key) > 0:
                raise BadValue(f"robot '{self.name}': {key} must be more than 0")
        for key in ("max_reverse_speed", "sensor_height"):
            if not getattr(self, key) >= 0:
                raise BadValue(f"robot '{self.name}': {key} must be 0 or more")
        if not (math.isfinite(self.radius) and math.isfinite(self.max_speed)):
            raise BadValue(f"robot '{self.name}': radius and max_speed must be finite")
        for key, most in (("radius", WIDEST), ("max_speed", FASTEST)):
            if getattr(self, key) > most:
                raise BadValue(
                    f"robot '{self.name}': {key} is {getattr(self, key):g}, expected at most "
                    f"{most:g}; correct it"
                )
        if self.wall_radius is not None and not 0 <= self.wall_radius <= WIDEST:
            raise BadValue(
                f"robot '{self.name}': wall_radius must be 0 or more, or None; at most {WIDEST:g}"
            )

    @property
    def needed_clearance(self) -> float:
        """How near its centre may come to a wall; with 0 only the centre meets walls."""
        return self.radius if self.wall_radius is None else self.wall_radius


class RobotState(Struct, frozen=True):
    """The robot at one moment."""

    pose: Pose
    twist: Twist
    radius: float


def wrapped(angle: float) -> float:
    """The same direction, in [-pi, pi]."""
    return math.remainder(angle, math.tau)
