"""What a Joystick client says: its texts as our values."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

import msgspec

from paseo.world.motion import Command, Control, Pose, Twist

LARGEST = 1e9  # a number beyond it is nonsense
NAMED = "algo: "
SHAPES = {Control.POSITION: "[x, y, theta, v]", Control.VELOCITY: "[v, w]"}


class Signal(Enum):
    """What a client says in one word."""

    READY = "ready"
    SENSE = "sense"
    ABANDON = "abandon"


@dataclass(frozen=True, slots=True)
class Named:
    """The client says what it is called."""

    name: str


@dataclass(frozen=True, slots=True)
class Commands:
    """What the robot is to do in one step, one after the other."""

    commands: tuple[Command, ...]


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A message that is none, and what is wrong with it."""

    fault: str


WORDS = {each.value.encode(): each for each in Signal}
Message = Signal | Named | Commands | Unreadable


class _Input(msgspec.Struct):
    j_input: list[list[float]]


def read_message(content: bytes, control: Control) -> Message:
    """What a client has said, the commands being of this mode."""
    if content in WORDS:
        return WORDS[content]
    try:
        text = content.decode().strip("\0 \t\r\n")
    except UnicodeDecodeError as error:
        return Unreadable(f"byte {error.start} is not UTF-8")
    if NAMED in text:
        return Named(text.partition(NAMED)[2].strip())
    if text.encode() in WORDS:
        return WORDS[text.encode()]
    try:
        rows = msgspec.json.decode(text, type=_Input).j_input
    except (msgspec.DecodeError, RecursionError) as error:
        return Unreadable(f"{_excerpt(text)} is no message: {error}")
    return _commands(rows, control)


def _commands(rows: Sequence[Sequence[float]], control: Control) -> Commands | Unreadable:
    width = 4 if control is Control.POSITION else 2
    if not rows:
        return Unreadable("j_input holds no command, expected at least one")
    for k, row in enumerate(rows):
        if len(row) != width:
            return Unreadable(
                f"j_input[{k}] has {len(row)} numbers, expected {SHAPES[control]}: "
                f"the robot is driven by {control}"
            )
        if not all(abs(number) < LARGEST for number in row):
            return Unreadable(f"j_input[{k}] is {list(row)}, expected numbers below {LARGEST:g}")
    if control is Control.POSITION:
        return Commands(tuple(Pose(x, y, heading) for x, y, heading, _ in rows))
    return Commands(tuple(Twist(forward, turn) for forward, turn in rows))


def _excerpt(text: str) -> str:
    return f"{text[:60]!r}{'...' * (len(text) > 60)}"
