"""What people hold becomes commands, always the same ones."""

import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paseo.errors import BadFile
from paseo.remote.play.inputs import (
    LET_GO,
    Device,
    Held,
    Pressed,
    commands,
    inputs_bytes,
    inputs_file,
    read_inputs,
    twist,
)
from paseo.world.motion import Pose, Robot, RobotState, Twist
from worlds import scenario

ROBOT = Robot(max_speed=1.2, max_turn=1.1)
DT = 0.05


def state(x: float = 0.0, y: float = 0.0, heading: float = 0.0, speed: float = 0.0) -> RobotState:
    return RobotState(Pose(x, y, heading), Twist(speed, 0.0), ROBOT.radius)


def told(held: Held, robot: RobotState) -> tuple[float, float]:
    command = twist(held, robot, ROBOT, DT)
    return command.forward, command.turn


def test_a_stick_ahead_speeds_up_gently_to_the_top_speed() -> None:
    ahead = Held(Device.KEYS, 1.0, 0.0)
    assert told(ahead, state()) == (2.0 * DT, 0.0)
    assert told(ahead, state(speed=1.15)) == (1.2, 0.0)


def test_half_a_stick_is_half_the_top_speed() -> None:
    assert told(Held(Device.GAMEPAD, 0.5, 0.0), state(speed=0.6)) == (0.6, 0.0)


def test_who_lets_go_brakes_and_does_not_turn() -> None:
    assert told(LET_GO, state(heading=1.0, speed=1.0)) == (1.0 - 4.0 * DT, 0.0)
    assert told(LET_GO, state(speed=0.1)) == (0.0, 0.0)


def test_a_stick_to_the_side_or_back_turns_on_the_spot() -> None:
    forward, turn = told(Held(Device.TOUCH, 0.0, 1.0), state())
    assert (forward, turn) == (pytest.approx(0.0), 1.1)
    assert told(Held(Device.TOUCH, -1.0, -0.001), state()) == (0.0, -1.1)


def test_a_small_error_of_heading_is_turned_away_without_shooting_over() -> None:
    _, turn = told(Held(Device.KEYS, 1.0, 0.0), state(heading=0.1))
    assert turn == pytest.approx(-0.4)
    assert abs(turn) * DT < 0.1


def test_the_mouse_names_a_place_at_which_the_robot_slows_and_stands() -> None:
    place = Held(Device.MOUSE, 5.0, 5.0)
    assert told(place, state(3.0, 5.0, speed=1.2)) == (1.2, 0.0)
    assert told(place, state(4.5, 5.0, speed=0.6)) == (pytest.approx(0.6), 0.0)
    assert told(place, state(4.9, 5.0)) == (0.0, 0.0)


@given(
    angle=st.floats(-3.0, 3.0),
    x=st.floats(-1.0, 1.0),
    y=st.floats(-1.0, 1.0),
    turned=st.floats(-3.0, 3.0),
)
def test_a_turned_map_makes_no_difference(angle: float, x: float, y: float, turned: float) -> None:
    cos, sin = math.cos(turned), math.sin(turned)
    one = told(Held(Device.GAMEPAD, x, y), state(heading=angle))
    held = Held(Device.GAMEPAD, x * cos - y * sin, x * sin + y * cos)
    other = told(held, state(heading=angle + turned))
    away = abs(math.remainder(math.atan2(y, x) - angle, math.tau))
    if away < math.pi - 1e-6:  # there, either way is as good
        assert other == pytest.approx(one, abs=1e-6)


def test_an_input_decides_from_its_step_on() -> None:
    pressed = [
        Pressed(0.0, 0, Device.KEYS, 1.0, 0.0),
        Pressed(101.0, 3, Device.KEYS, 0.0, 1.0),
        Pressed(102.0, 3, Device.NOTHING, 0.0, 0.0),
    ]
    forward = [each.forward for each in commands(scenario(), pressed, 5)]
    assert forward == pytest.approx([0.1, 0.2, 0.3, 0.1, 0.0])


def test_inputs_are_read_as_they_were_written(tmp_path: Path) -> None:
    pressed = (Pressed(12.5, 1, Device.MOUSE, 0.1 + 0.2, -3.0), Pressed(80.0, 2, *_let_go()))
    record = tmp_path / "one--person--0.npz"
    inputs_file(record).write_bytes(inputs_bytes(pressed))
    assert read_inputs(record) == pressed


def _let_go() -> tuple[Device, float, float]:
    return LET_GO.by, LET_GO.x, LET_GO.y


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        (b"{", "holds no inputs of a drive"),
        (b'{"format": "paseo-inputs", "version": 2, "inputs": []}', "expected paseo-inputs 1"),
        (None, "cannot be read"),
    ],
)
def test_a_file_that_holds_no_inputs_is_told(
    tmp_path: Path, content: bytes | None, fault: str
) -> None:
    record = tmp_path / "one.npz"
    if content is not None:
        inputs_file(record).write_bytes(content)
    with pytest.raises(BadFile, match=fault):
        read_inputs(record)
