"""What a person holds and presses, as commands of the robot; and the file that tells it again."""

import math
from collections.abc import Iterator, Sequence
from enum import StrEnum
from pathlib import Path

import msgspec
from msgspec import Struct

from paseo.errors import BadFile
from paseo.files import bounded
from paseo.sim.episode import EpisodeRun
from paseo.world.motion import Control, Robot, RobotState, Twist, wrapped
from paseo.world.scenarios import Scenario

FORMAT, VERSION = "paseo-inputs", 1
SPEEDING_UP, BRAKING = 2.0, 4.0  # m/s^2, where the robot can: nobody wants to be jerked
LARGEST = 64 << 20  # bytes of a file
TURNING = 0.25  # seconds in which a wrong heading would be gone, at the rate of the first moment
NEAR = 1.0  # metres before a place pointed to from where on the robot goes slower
THERE = 0.15  # metres from it at which the robot is there


class Device(StrEnum):
    """What a person drives with."""

    KEYS = "keys"
    MOUSE = "mouse"
    GAMEPAD = "gamepad"
    TOUCH = "touch"
    NOTHING = "nothing"  # all is let go


class Held(Struct, frozen=True):
    """What a person wants now: of a mouse, the place to go to; else a stick, at most 1 long.

    Both are in the directions of the map, x to the right and y up, whatever the robot faces.
    """

    by: Device
    x: float
    y: float


class Pressed(Struct, frozen=True):
    """Something that was held from a step on."""

    ms: float  # since the start, when it came; before the start: 0
    step: int  # the first that it decided
    by: Device
    x: float
    y: float

    @property
    def held(self) -> Held:
        """What it says, whenever."""
        return Held(self.by, self.x, self.y)


class _InputFile(Struct, frozen=True):
    format: str
    version: int
    inputs: tuple[Pressed, ...]


LET_GO = Held(Device.NOTHING, 0.0, 0.0)


def twist(held: Held, state: RobotState, robot: Robot, dt: float) -> Twist:
    """What the robot is told for one step: it turns to where it should go, and goes as it faces it.

    It speeds up and brakes gently; the robot's own limits hold besides.
    """
    x, y = _stick(held, state)
    share = min(1.0, math.hypot(x, y))
    error = wrapped(math.atan2(y, x) - state.pose.heading) if share > 0 else 0.0
    wanted = share * robot.max_speed * max(0.0, math.cos(error))
    forward, turn = state.twist.forward, error / TURNING
    return Twist(
        min(max(wanted, forward - BRAKING * dt), forward + SPEEDING_UP * dt),
        min(max(turn, -robot.max_turn), robot.max_turn),
    )


def _stick(held: Held, state: RobotState) -> tuple[float, float]:
    """Where to, and how fast as a share of the top speed."""
    if held.by is not Device.MOUSE:
        return held.x, held.y
    x, y = held.x - state.pose.x, held.y - state.pose.y
    distance = math.hypot(x, y)
    if distance < THERE:
        return 0.0, 0.0
    return x / max(distance, NEAR), y / max(distance, NEAR)


def commands(world: Scenario, inputs: Sequence[Pressed], steps: int) -> Iterator[Twist]:
    """The commands of a drive made again from what was pressed, for so many steps."""
    run, held, left = EpisodeRun(world, Control.VELOCITY), LET_GO, list(inputs)
    for step in range(steps):
        while left and left[0].step <= step:
            held = left.pop(0).held
        command = twist(held, run.snapshot.robot, world.robot, world.dt)
        run.advance(command)
        yield command


def inputs_file(record: Path) -> Path:
    """The file of inputs beside a record."""
    return record.with_suffix(".inputs.json")


def inputs_bytes(inputs: Sequence[Pressed]) -> bytes:
    """The content of a file of inputs."""
    return msgspec.json.encode(_InputFile(FORMAT, VERSION, tuple(inputs)))


def read_inputs(record: Path) -> tuple[Pressed, ...]:
    """What was pressed in the drive of a record."""
    path = inputs_file(record)
    try:
        content = msgspec.json.decode(bounded(path, LARGEST), type=_InputFile)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise BadFile(
            f"{path}: holds no inputs of a drive ({error}), expected what `paseo play` wrote; "
            "restore it from a copy"
        ) from error
    if (content.format, content.version) != (FORMAT, VERSION):
        raise BadFile(f"{path}: is {content.format} {content.version}, expected {FORMAT} {VERSION}")
    return content.inputs
