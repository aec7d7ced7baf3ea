"""The words of the protocol, and what is told of those that are none."""

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paseo.errors import BadScenario
from paseo.remote.joystick.messages import (
    Commands,
    Named,
    Signal,
    Unreadable,
    read_message,
)
from paseo.remote.joystick.session import fitting_name, one_step
from paseo.remote.joystick.states import State, first_state, next_state
from paseo.remote.joystick.telling import Telling, wire_map
from paseo.sim.episode import EpisodeRun
from paseo.world.motion import Control, Pose, Robot, Twist
from paseo.world.space.floorplan import FloorPlan
from worlds import plan, scenario, walk

POSITION, VELOCITY = Control.POSITION, Control.VELOCITY


@pytest.mark.parametrize(
    ("text", "control", "message"),
    [
        ("sense", POSITION, Signal.SENSE),
        ("ready\0", POSITION, Signal.READY),
        (" abandon\n", POSITION, Signal.ABANDON),
        ("algo: social_force", POSITION, Named("social_force")),
        ('{\n "j_input": [\n  [1, 2.5, 0.5, 1]]}', POSITION, Commands((Pose(1.0, 2.5, 0.5),))),
        ('{"j_input":[[1.03,0.76],[0,0]]}', VELOCITY, Commands((Twist(1.03, 0.76), Twist(0, 0)))),
    ],
)
def test_what_clients_say(text: str, control: Control, message: object) -> None:
    assert read_message(text.encode(), control) == message


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "'' is no message"),
        ("Sense", "'Sense' is no message"),
        ('{"j_input": []}', "j_input holds no command"),
        ('{"j_input": [[1, 2, 3, 4], [1, 2]]}', "j_input[1] has 2 numbers, expected [x, y, theta"),
        ('{"j_input": [[1, 2, 3, 1e300]]}', "expected numbers below 1e+09"),
        ('{"j_input": [[1, 2, 3, NaN]]}', "is no message"),
        ('{"j_input": [[1, 2, 3, "4"]]}', "Expected `float`, got `str` - at `$.j_input[0][3]`"),
        ("[" * 60_000, "is no message"),
    ],
)
def test_what_cannot_be_used_is_told(text: str, words: str) -> None:
    found = read_message(text.encode(), POSITION)
    assert isinstance(found, Unreadable)
    assert words in found.fault
    assert len(found.fault) < 250


@given(st.binary(max_size=200), st.sampled_from(Control))
def test_nothing_that_is_said_raises(content: bytes, control: Control) -> None:
    read_message(content, control)


def test_a_name_is_one_word_of_a_table() -> None:
    assert fitting_name("RVO w/ ckpt\n\x1b[31m") == r"RVO_w/_ckpt_\x1b[31m"
    assert fitting_name("") == "UnknownAlgo"
    assert len(fitting_name("x" * 5000)) == 100


def test_a_step_of_several_commands_is_the_last_position_or_the_mean_velocity() -> None:
    robot, here = Robot(), Pose(2.0, 5.0, 1.0)
    near = Pose(2.05, 5.0, 0.3)
    assert one_step([Pose(2.02, 5.0), near], here, robot, 0.05) == near
    assert one_step([Twist(1.0, 0.2), Twist(0.0, 0.4)], here, robot, 0.05) == Twist(
        0.5, pytest.approx(0.3)
    )


def test_a_position_out_of_reach_by_rounding_keeps_its_heading() -> None:
    robot, here = Robot(max_speed=1.2), Pose(2.0, 5.0, 0.0)
    assert one_step([Pose(2.0604, 5.0, 0.3)], here, robot, 0.05) == Pose(
        pytest.approx(2.06, abs=1e-12), 5.0, 0.3
    )
    far = Pose(2.5, 5.0, 0.3)
    assert one_step([far], here, robot, 0.05) == far, "the simulation turns the robot there"


def test_the_map_begins_at_the_origin_in_cells_of_five_centimetres() -> None:
    cells = wire_map(plan("off", (0.2, 0.4, 1.2, 1.4)))
    assert cells.shape == (28, 24)
    assert cells[8:, 4:].all()
    assert not cells[:8].any()
    assert not cells[:, :4].any()
    coarse = FloorPlan(
        name="coarse",
        walls=plan("", (0, 0, 1, 1)).walls,
        free=np.array([[True, False], [True, True]]),
        cell_size=0.5,
        origin=(0.0, 0.0),
    )
    assert wire_map(coarse).shape == (20, 20)
    assert wire_map(coarse).sum() == 300
    with pytest.raises(BadScenario, match=r"'west' begins at \(-3, 0\), but the map of the"):
        wire_map(plan("west", (-3, 0, 3, 3)))


def states(run: EpisodeRun, commands: list[Pose], dt: float) -> list[State]:
    found = [first_state(run.observation)]
    for command in commands:
        before = run.observation
        run.advance(command)
        found.append(next_state(found[-1], before, run.observation, dt))
    return found


def test_who_is_touched_rests_for_a_second_and_can_then_be_touched_again() -> None:
    """Worked by hand from 1.2: touched in s_0, 19 in s_1, 0 in s_20, touched again in s_20."""
    world = scenario(walk(3, (0, 2.3, 5), (10, 2.3, 5)))
    run = EpisodeRun(world, POSITION)
    found = states(run, [Pose(2.0, 5.0)] * 25, world.dt)
    cooldowns = [state.touches.cooldowns.get(3, 0) for state in found]
    assert cooldowns[:3] == [0, 19, 18]
    assert cooldowns[19:23] == [1, 0, 19, 18]
    assert found[1].touches.people == {3: 0.0}
    assert found[21].touches.robot == found[21].touches.people[3] == found[20].time
    text = json.loads(Telling(world).state(found[1]))
    assert text["pedestrians"]["prerec_0000"]["collision_cooldown"] == 19
    assert text["robots"]["robot_agent"]["last_collision_t"] == 0.0


def test_who_appears_on_top_of_the_robot_is_not_touched_by_it() -> None:
    world = scenario(walk(3, (0.1, 2.3, 5), (10, 2.3, 5)))
    found = states(EpisodeRun(world, POSITION), [Pose(2.0, 5.0)] * 4, world.dt)
    assert [state.touches.cooldowns.get(3, 0) for state in found] == [0, 0, 0, 19, 18]
    assert found[-1].touches.robot is None


def test_people_are_listed_as_they_appear_and_named_by_their_ids() -> None:
    world = scenario(walk(11, (0.1, 1, 1), (9, 9, 1)), walk(14, (0, 1, 2), (9, 9, 2)))
    found = states(EpisodeRun(world, POSITION), [Pose(2.0, 5.0)] * 4, world.dt)
    text = json.loads(Telling(world).state(found[-1]))
    assert list(text["pedestrians"]) == ["prerec_0003", "prerec_0000"]
    told = json.loads(Telling(world).metadata(found[0]))
    assert told["pedestrians"]["prerec_0003"]["goal_config"] == [9.0, 2.0, 0.0]
    assert told["robots"]["robot_agent"]["goal_config"] == [8.0, 5.0, 0.0]
    assert not math.isnan(told["pedestrians"]["prerec_0003"]["start_config"][2])
