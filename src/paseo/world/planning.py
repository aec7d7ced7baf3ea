"""The seams of a simulation: who drives the robot, who moves the people, and what each is told."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, runtime_checkable

from msgspec import Struct

from paseo.errors import BadValue
from paseo.world.cameras import Camera, RgbdImage
from paseo.world.motion import Command, Control, Pose, Robot, RobotState
from paseo.world.people import Crowd, Snapshot
from paseo.world.scenarios import Scenario
from paseo.world.space.floorplan import FloorPlan

MOST_NOTED = 32 << 20  # bytes that a planner may note of its decisions in an episode


@dataclass(frozen=True, slots=True, kw_only=True)
class Briefing:
    """Everything a planner knows before the episode starts.

    The seed is the planner's own: made from the scenario's name and seed, but not the same, so
    that what the sensor gets wrong cannot be computed from it.
    """

    start: Pose
    goal: Pose  # arriving within goal_radius is enough; its heading is not required
    goal_radius: float
    floorplan: FloorPlan
    time_limit: float
    dt: float
    robot: Robot
    control: Control
    seed: int
    camera: Camera | None = None  # on the robot, where it has to see for itself


class Observation(Struct, frozen=True, eq=False):
    """What the robot senses at one moment."""

    time: float
    robot: RobotState
    crowd: Crowd  # where the robot has to see for itself, only whom a perception found
    image: RgbdImage | None = None  # what its camera shows, if it has one


@runtime_checkable
class Planner(Protocol):
    """How the robot decides.

    A planner says with an attribute `control` which mode its method was published with;
    one that does not is taken to steer by velocity. One that looks at pictures says so with
    `looks: ClassVar[bool] = True`, one that heeds nobody with `False`; one that says neither goes
    by the people it is told of. One that plans several steps ahead may have a method `upcoming()`,
    one that waits for others `thought_s()`, one that explains itself `decisions()`, and one that
    keeps something for other episodes `keep_in()`; see below.
    """

    def begin(self, briefing: Briefing) -> None:
        """Prepare for one episode; forget the one before."""

    def plan(self, observation: Observation) -> Command:
        """What to do for the next `dt`: a `Twist`, or the `Pose` to go to."""


class Perception(Protocol):
    """How people are found in what a camera shows, before a planner is asked.

    One that needs the true ids of pixels says so with `needs_ids: ClassVar[bool] = True`; one that
    can do without shadows and smooth edges with `needs_colours: ClassVar[bool] = False`.
    """

    def begin(self, briefing: Briefing) -> None:
        """Prepare for one episode; forget the one before."""

    def people(self, observation: Observation) -> Crowd:
        """Who is where at the time of the observation, whose crowd is empty; asked every step.

        A picture is shown again until there is a new one: its `time` tells.
        """


class PedestrianModel(Protocol):
    """How people move: told the scenario once, then asked step by step."""

    def begin(self, scenario: Scenario) -> Crowd:
        """The people present at time 0."""

    def step(self, snapshot: Snapshot, dt: float) -> Crowd:
        """The people present `dt` after `snapshot`."""


def declared_control(planner: object) -> Control:
    """The mode a planner, or its class, was published with."""
    control = getattr(planner, "control", Control.VELOCITY)
    try:
        return Control(control)
    except ValueError as error:
        raise BadValue(
            f"a planner's control is {control!r}, expected Control.VELOCITY or Control.POSITION"
        ) from error


def declared_looks(planner: object) -> bool | None:
    """Whether a planner, or its class, looks at pictures; None: it does not say."""
    looks = getattr(planner, "looks", None)
    if looks is None or isinstance(looks, bool):
        return looks
    raise BadValue(
        f"a planner's looks is {looks!r:.80}, expected True if it looks at pictures, or False if "
        "it needs to know of nobody"
    )


class RunPlace(Struct, frozen=True):
    """Where a run is, and what its planners may use together: those that ask models by the net."""

    folder: Path
    max_usd: float | None = None
    max_tokens_total: int | None = None
    rate_limit_rpm: float | None = None  # requests per minute


def keep_in(planner: object, place: RunPlace | None) -> None:
    """Tell a planner that wants to know in which run it drives, before it begins.

    It wants to know if it has a method of this name. Planners of other processes share the folder.
    """
    settle = getattr(planner, "keep_in", None)
    if settle is not None and place is not None:
        settle(place)


def thought_s(planner: object) -> float | None:
    """Seconds that its last answer took, if the planner knows better than a clock; else None.

    A planner says it with a method of this name, so that an answer that was kept from before
    takes as long as it took then.
    """
    told = getattr(planner, "thought_s", None)
    seconds = None if told is None else told()
    if seconds is None:
        return None
    if not isinstance(seconds, int | float) or not 0 <= seconds < math.inf:
        raise BadValue(f"thought_s() is {seconds!r:.80}, expected seconds of 0 or more")
    return float(seconds)


def decisions_of(planner: object) -> bytes:
    """What a planner noted of its decisions, as lines of JSON for a file beside the record.

    A planner says it with a method `decisions()`; what is no such text, or too much of it, is left
    out.
    """
    told = getattr(planner, "decisions", None)
    try:
        noted = b"" if told is None else told()
    except Exception:  # the episode is over: nothing that it says of itself may change that
        return b""
    return noted if isinstance(noted, bytes) and len(noted) <= MOST_NOTED else b""


def upcoming(planner: object) -> Sequence[Command] | None:
    """The commands for the steps after the one last answered; None if the planner does not say.

    A planner says it with a method of this name, which is called right after `plan()` where the
    robot may have to go on without an answer.
    """
    plan = getattr(planner, "upcoming", None)
    commands: Sequence[Command] | None = None if plan is None else plan()
    return commands
