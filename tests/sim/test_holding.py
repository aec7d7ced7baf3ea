"""What the robot does between two answers, and what a late answer is applied to."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paseo.sim.holding import STANDING, Answer, CommandHold
from paseo.world.clocks import ClockName, Late, Thinking, Timekeeping
from paseo.world.motion import Command, Pose, Twist

HERE = Pose(2.0, 5.0)
DRIVE = Twist(1.0, 0.1)
PLAN = (Twist(0.9, 0.0), Twist(0.8, 0.0), Twist(0.7, 0.0))


def policy(
    thinking: str = "hold", late: str = "here", repeat_limit_s: float | None = None
) -> Timekeeping:
    return Timekeeping(
        clock=ClockName.CHARGED,
        thinking=Thinking(thinking),
        late=Late(late),
        repeat_limit_s=repeat_limit_s,
    )


def commands(hold: CommandHold, first: int, count: int, pose: Pose = HERE) -> list[Command]:
    return [hold.command(step, pose) for step in range(first, first + count)]


def held(answer: Answer, came: int, chosen: Timekeeping) -> CommandHold:
    hold = CommandHold(chosen, 0.05)
    hold.take(answer, came)
    return hold


@pytest.mark.parametrize("thinking", ["hold", "stop", "follow"])
def test_before_the_first_answer_the_robot_stands(thinking: str) -> None:
    assert commands(CommandHold(policy(thinking), 0.05), 0, 3) == [STANDING] * 3


@pytest.mark.parametrize(
    ("thinking", "then"),
    [("hold", [DRIVE] * 4), ("stop", [STANDING] * 4), ("follow", [*PLAN, STANDING])],
)
def test_an_answer_lasts_a_step_and_then_the_policy_decides(
    thinking: str, then: list[Command]
) -> None:
    hold = held(Answer(DRIVE, 2, HERE, PLAN), 5, policy(thinking))
    assert commands(hold, 5, 5) == [DRIVE, *then]


def test_who_follows_without_a_plan_holds_and_who_has_an_empty_one_stands() -> None:
    silent = held(Answer(DRIVE, 0, HERE), 3, policy("follow"))
    assert commands(silent, 3, 3) == [DRIVE] * 3
    at_its_end = held(Answer(DRIVE, 0, HERE, ()), 3, policy("follow"))
    assert commands(at_its_end, 3, 3) == [DRIVE, STANDING, STANDING]


@pytest.mark.parametrize(
    ("thinking", "expected"),
    [
        ("hold", [PLAN[1], PLAN[1], PLAN[1]]),
        ("stop", [PLAN[1], STANDING, STANDING]),
        ("follow", [PLAN[1], PLAN[2], STANDING]),
    ],
)
def test_what_is_over_of_a_plan_is_skipped(thinking: str, expected: list[Command]) -> None:
    hold = held(Answer(DRIVE, 2, HERE, PLAN), 4, policy(thinking, "skip"))
    assert commands(hold, 4, 3) == expected


def test_nothing_is_left_of_a_plan_that_comes_after_its_end() -> None:
    assert held(Answer(DRIVE, 0, HERE, PLAN), 4, policy(late="skip")).command(4, HERE) == STANDING
    without = held(Answer(DRIVE, 0, HERE), 4, policy(late="skip"))
    assert without.command(4, HERE) == DRIVE


STEP = Pose(2.05, 5.01, 0.3)  # seen from (2, 5): 5 cm on and 1 cm aside


def test_a_late_position_is_the_step_that_leads_to_it() -> None:
    hold = held(Answer(STEP, 0, Pose(2.0, 5.0, 0.1)), 3, policy(late="here"))
    moved = hold.command(3, Pose(4.0, 6.0, 0.2))
    assert isinstance(moved, Pose)
    assert (moved.x, moved.y, moved.heading) == pytest.approx((4.05, 6.01, 0.3))


def test_a_late_position_is_a_place_where_that_is_wanted() -> None:
    hold = held(Answer(STEP, 0, Pose(2.0, 5.0)), 3, policy(late="there"))
    assert [hold.command(step, Pose(4.0, 6.0)) for step in (3, 4, 5)] == [STEP] * 3


def test_a_position_that_is_held_is_a_robot_that_goes_on() -> None:
    hold, pose = held(Answer(STEP, 0, Pose(2.0, 5.0)), 0, policy()), Pose(2.0, 5.0)
    for step in range(4):
        command = hold.command(step, pose)
        assert isinstance(command, Pose)
        pose = command
    assert (pose.x, pose.y, pose.heading) == pytest.approx((2.2, 5.04, 0.3))


def test_a_plan_of_positions_is_followed_from_where_the_robot_is_or_to_its_places() -> None:
    places = (Pose(2.1, 5.02), Pose(2.25, 5.03))
    answer = Answer(STEP, 0, Pose(2.0, 5.0), places)
    here = held(answer, 2, policy("follow", "here")).command(4, Pose(7.0, 7.0))
    assert isinstance(here, Pose)
    assert (here.x, here.y) == pytest.approx((7.15, 7.01))  # the step from the first to the second
    assert held(answer, 2, policy("follow", "there")).command(4, Pose(7.0, 7.0)) == places[1]
    assert held(answer, 1, policy("follow", "skip")).command(2, Pose(7.0, 7.0)) == places[1]


def test_an_answer_on_time_is_followed_to_the_letter() -> None:
    exact = Pose(0.1 + 0.2, 1.1, 7.0)
    for late in Late:
        hold = held(Answer(exact, 6, Pose(1 / 3, 0.7)), 6, policy(late=late))
        assert hold.command(6, Pose(1 / 3, 0.7)) is exact


@pytest.mark.parametrize(("limit", "repeats"), [(0.0, 0), (0.1, 2), (0.12, 2), (0.15, 3)])
def test_a_command_is_repeated_no_longer_than_the_limit(limit: float, repeats: int) -> None:
    hold = held(Answer(DRIVE, 0, HERE), 3, policy(repeat_limit_s=limit))
    assert commands(hold, 3, 5) == [DRIVE] * (1 + repeats) + [STANDING] * (4 - repeats)


@given(
    asked=st.integers(0, 5),
    late_by=st.integers(0, 8),
    age=st.integers(0, 8),
    planned=st.none() | st.integers(0, 6),
    thinking=st.sampled_from(Thinking),
    late=st.sampled_from(Late),
    repeats=st.none() | st.integers(0, 6),
)
def test_the_command_is_the_one_that_the_rules_name(
    asked: int,
    late_by: int,
    age: int,
    planned: int | None,
    thinking: Thinking,
    late: Late,
    repeats: int | None,
) -> None:
    """Against the rules, written as a table of speeds: the k-th command of the answer is k m/s."""
    plan = None if planned is None else tuple(Twist(1.0 + k, 0.0) for k in range(planned))
    limit = None if repeats is None else 0.05 * repeats
    hold = held(
        Answer(Twist(0.0, 1.0), asked, HERE, plan),
        asked + late_by,
        policy(thinking, late, limit),
    )
    wanted: float | None = 0.0
    if plan is not None and late == "skip":
        wanted = late_by
    if plan is not None and thinking == "follow":
        wanted += age
    if age and (thinking == "stop" or (repeats is not None and age > repeats)):
        wanted = None
    if wanted is not None and wanted > (0 if plan is None else len(plan)):
        wanted = None
    command = hold.command(asked + late_by + age, HERE)
    if wanted is None:
        assert command == STANDING
    else:
        assert command == Twist(wanted, 0.0 if wanted else 1.0)
