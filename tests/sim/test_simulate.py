"""Episodes from start to ending: the clock, the endings, walls, and planners that fail."""

import math
import sys
from dataclasses import dataclass, field, replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paseo.errors import BadScenario, PlannerFailed
from paseo.planners.stop import Stop
from paseo.planners.straight import Straight
from paseo.sim.episode import briefing
from paseo.sim.simulate import simulate
from paseo.world.motion import Control, Pose, Robot, Twist
from paseo.world.recordfile import record_bytes
from paseo.world.records import Outcome, Verdict
from paseo.world.space.floorplan import floor_plan
from paseo.world.tracks import transformed
from worlds import DIVIDED, ROOM, Driver, crossing, scenario, walk

AHEAD = Twist(1.2, 0.0)


@pytest.mark.parametrize(("dt", "steps"), [(0.05, 1200), (0.1, 600), (1 / 30, 1800)])
def test_a_minute_is_exactly_its_number_of_steps(dt, steps):
    driver = Driver()
    record = simulate(scenario(dt=dt, time_limit=60), driver)
    assert (record.outcome, record.verdict) == (Outcome.OUT_OF_TIME, Verdict.TIMEOUT)
    assert len(record.robot) == steps + 1 == len(record.commands) + 1
    assert record.times[-1] == steps * dt
    assert [o.time for o in driver.observations] == [step * dt for step in range(steps)]
    assert "60.00 s" in record.reason


def test_every_state_of_a_long_drive_is_kept():
    """The tape grows in portions; a circle shows whether a row got lost between them."""
    record = simulate(scenario(time_limit=60), Driver(Twist(0.5, 0.5)))
    angle = 0.5 * record.times
    np.testing.assert_allclose(record.robot[:, 0], 2 + np.sin(angle), atol=1e-9)
    np.testing.assert_allclose(record.robot[:, 1], 6 - np.cos(angle), atol=1e-9)
    np.testing.assert_allclose(np.unwrap(record.robot[:, 2]), angle, atol=1e-9)
    np.testing.assert_array_equal(record.commands, [[0.5, 0.5, np.nan]] * 1200)


def test_the_goal_is_noticed_in_the_very_state_in_which_it_is_reached():
    driver = Driver(AHEAD)
    record = simulate(scenario(goal=Pose(7.97, 5.0)), driver)
    assert (record.outcome, record.verdict) == (Outcome.REACHED_GOAL, Verdict.SUCCESS)
    distances = 7.97 - record.robot[:, 0]
    assert distances[-1] <= 0.3 < distances[-2]
    assert len(driver.observations) == 95  # steps of 0.06 m for 5.67 m
    assert len(record.robot) == 96
    assert record.reason == "the robot reached the goal at (7.70, 5.00) after 4.75 s"


def test_the_rim_of_the_goal_belongs_to_it_and_its_heading_does_not_matter():
    for goal in (Pose(2.5, 5.0, 1.0), Pose(2.0, 4.5, -3.0)):
        record = simulate(scenario(goal=goal, goal_radius=0.5), Stop())
        assert record.outcome is Outcome.REACHED_GOAL


def test_a_robot_that_starts_in_the_goal_is_there_without_being_asked():
    driver = Driver()
    record = simulate(scenario(goal=Pose(2.1, 5.0)), driver)
    assert (record.outcome, len(record.robot), len(record.commands)) == (Outcome.REACHED_GOAL, 1, 0)
    assert driver.briefings == driver.observations == []


def test_a_goal_reached_in_the_last_step_is_reached():
    goal = Pose(7.97, 5.0)
    for limit, outcome in ((4.75, Outcome.REACHED_GOAL), (4.70, Outcome.OUT_OF_TIME)):
        assert simulate(scenario(goal=goal, time_limit=limit), Driver(AHEAD)).outcome is outcome


def test_a_goal_on_the_other_side_of_a_wall_is_not_reached_through_it():
    task = scenario(floorplan=DIVIDED, start=Pose(4.7, 5.0), goal=Pose(5.1, 5.0), goal_radius=0.45)
    assert simulate(task, Stop()).outcome is Outcome.OUT_OF_TIME


@settings(max_examples=25)
@given(st.floats(-3, 3), st.floats(-30, 30), st.floats(-30, 30))
def test_turning_and_moving_the_world_turns_and_moves_the_record(angle, x, y):
    matrix = np.array(
        [[math.cos(angle), -math.sin(angle), x], [math.sin(angle), math.cos(angle), y]]
    )

    def moved(points):
        return points @ matrix[:, :2].T + matrix[:, 2]

    def pose(old):
        return Pose(*moved(np.array([old.x, old.y])).tolist(), old.heading + angle)

    # Timed so that nothing decisive happens just between two states.
    tracks = (walk(1, (0, 9, 5.1), (8, 1, 5)), walk(2, (1, 3, 3), (6, 6.1, 8)))
    old = scenario(*tracks, start=Pose(2.0, 5.0, 0.7))
    new = replace(
        old,
        floorplan=floor_plan("turned", moved(ROOM.walls)),
        start=pose(old.start),
        goal=pose(old.goal),
        tracks=tuple(transformed(track, matrix) for track in tracks),
    )
    before, after = simulate(old, Straight()), simulate(new, Straight())
    assert before.outcome is after.outcome is Outcome.REACHED_GOAL
    np.testing.assert_allclose(after.robot[:, :2], moved(before.robot[:, :2]), atol=1e-9)
    spans = [[(t.person, t.first_step, t.last_step) for t in r.contacts] for r in (before, after)]
    assert spans[0] == spans[1] != []


def test_halving_dt_again_and_again_converges():
    def place(dt):
        task = scenario(start=Pose(2.0, 5.0, 2.0), dt=dt, time_limit=4.0)
        return simulate(task, Straight()).robot[-1, :2]

    places = [place(0.1 / 2**k) for k in range(6)]
    steps = np.linalg.norm(np.diff(places, axis=0), axis=1)
    assert (steps[1:] < 0.7 * steps[:-1]).all()
    assert steps[-1] < 0.005


def test_the_whole_disc_counts_against_walls():
    record = simulate(scenario(goal=Pose(8.0, 1.0)), Driver(AHEAD))
    assert (record.outcome, record.verdict) == (Outcome.HIT_WALL, Verdict.WALL_COLLISION)
    clearances = [ROOM.clearance(x, y) for x, y in record.robot[:, :2]]
    assert clearances[-1] < 0.24 <= min(clearances[:-1])


def test_a_disc_that_just_meets_a_wall_has_not_hit_it():
    task = scenario(start=Pose(2.0, 0.25), goal=Pose(8.0, 0.25), robot=Robot(radius=0.25))
    assert simulate(task, Driver(AHEAD)).outcome is Outcome.REACHED_GOAL


@pytest.mark.parametrize("control", Control)
def test_leaving_the_map_is_hitting_a_wall(control):
    fast = scenario(robot=Robot(max_speed=400.0))
    command = Twist(400.0, 0.0) if control is Control.VELOCITY else Pose(22.0, 5.0)
    record = simulate(fast, Driver(command, control))
    assert (record.outcome, len(record.robot)) == (Outcome.HIT_WALL, 2)


def test_a_very_fast_robot_cannot_jump_a_thin_wall():
    fast = scenario(floorplan=DIVIDED, robot=Robot(max_speed=120.0))
    record = simulate(fast, Driver(Twist(120.0, 0.0)))
    assert record.robot[-1, 0] == 8  # in the goal, but through the wall
    assert record.outcome is Outcome.HIT_WALL


@pytest.mark.parametrize(("y", "outcome"), [(0.9, Outcome.HIT_WALL), (0.7, Outcome.REACHED_GOAL)])
def test_nor_can_it_sweep_its_rim_over_the_end_of_a_wall(y, outcome):
    task = scenario(
        floorplan=DIVIDED, start=Pose(2, y), goal=Pose(8, y), robot=Robot(max_speed=120.0)
    )
    assert simulate(task, Driver(Twist(120.0, 0.0))).outcome is outcome


def test_walls_may_count_from_the_centre_alone():
    task = scenario(goal=Pose(8.0, 1.0), robot=Robot(wall_radius=0.0))
    record = simulate(task, Driver(AHEAD))
    clearances = [ROOM.clearance(x, y) for x, y in record.robot[:, :2]]
    assert clearances[-1] <= 0 <= min(clearances[:-1]) < 0.06
    assert record.outcome is Outcome.HIT_WALL
    assert record.reason.startswith("the robot met a wall or left the map at ")


def test_walls_may_count_from_further_out_than_the_disc():
    task = scenario(start=Pose(2.0, 0.4), goal=Pose(8.0, 0.4), robot=Robot(wall_radius=0.4))
    assert simulate(task, Driver(AHEAD)).outcome is Outcome.REACHED_GOAL
    record = simulate(replace(task, goal=Pose(8.0, 5.0)), Driver(Twist(1.2, -0.1)))
    assert record.outcome is Outcome.HIT_WALL


@pytest.mark.parametrize("speed", [120.0, 400.0])
def test_a_centre_cannot_jump_a_thin_wall_or_leave_the_map_either(speed):
    fast = scenario(floorplan=DIVIDED, robot=Robot(max_speed=speed, wall_radius=0.0))
    record = simulate(fast, Driver(Twist(speed, 0.0)))
    assert (record.outcome, len(record.robot)) == (Outcome.HIT_WALL, 2)


def test_where_walls_count_from_the_centre_people_still_touch_the_whole_disc():
    task = scenario(walk(1, (0, 5, 5.43), (9, 5, 5.43)), robot=Robot(wall_radius=0.0))
    assert simulate(task, Driver(AHEAD)).touches == 1


def test_a_wall_hit_in_the_step_that_reaches_the_goal_is_a_wall_hit():
    task = scenario(goal=Pose(9.9, 5.0), goal_radius=0.2, robot=Robot(max_speed=156.0))
    record = simulate(task, Driver(Twist(156.0, 0.0)))
    assert record.robot[-1, 0] == pytest.approx(9.8)
    assert record.outcome is Outcome.HIT_WALL


def test_a_wall_hit_in_the_step_that_touches_a_person_is_a_wall_hit():
    task = scenario(
        walk(1, (0, 9.5, 5), (9, 9.5, 5)), robot=Robot(max_speed=156.0), stop_on_contact=True
    )
    record = simulate(task, Driver(Twist(156.0, 0.0)))
    assert (record.outcome, record.touches) == (Outcome.HIT_WALL, 1)


def test_a_task_that_cannot_be_done_is_not_begun():
    driver = Driver()
    with pytest.raises(BadScenario, match="the start"):
        simulate(scenario(start=Pose(0.1, 5.0)), driver)
    assert driver.briefings == []


def test_a_planner_gets_a_seed_of_its_own_for_each_episode():
    task = scenario(seed=5)
    others = [replace(task, seed=6), replace(task, name="other")]
    own, again, *rest = (briefing(each, Control.VELOCITY).seed for each in (task, task, *others))
    assert own == again
    assert len({5, own, *rest}) == 4
    assert all(0 <= seed < 2**63 for seed in (own, *rest))


def test_a_planner_is_told_its_task_before_it_is_asked():
    driver = Driver(AHEAD, Control.POSITION)
    task = scenario(crossing(), seed=5, robot=Robot(max_speed=1.3))
    simulate(task, driver)
    (told,) = driver.briefings
    for name in ("start", "goal", "goal_radius", "time_limit", "dt", "robot"):
        assert getattr(told, name) == getattr(task, name)
    assert told.floorplan.walls is task.floorplan.walls
    assert told.control is Control.POSITION


@pytest.mark.parametrize(("control", "x"), [(None, 0.1), ("position", 0.1), ("velocity", 0.0)])
def test_control_is_as_declared_unless_overridden_and_recorded(control, x):
    # The robot faces away: by velocity it has to turn first.
    driver = Driver(Pose(8.0, 5.0), Control.POSITION)
    record = simulate(scenario(start=Pose(2.0, 5.0, 3.0), dt=0.1), driver, control=control)
    assert record.provenance.control == (control or "position")
    assert record.robot[1, 0] == pytest.approx(2 + 1.2 * x)
    np.testing.assert_array_equal(record.commands[0], [8, 5, 0])


class Crash(Exception):
    def __str__(self):
        raise RuntimeError("even this")


class Panic(BaseException):
    """As compiled extensions raise."""


def raising(error):
    def plan(observation):
        raise error

    return plan


FAILURES = {
    "plan() raised ValueError: no way": raising(ValueError("no\nway")),
    "plan() raised ZeroDivisionError": lambda _: 1 / 0,
    "plan() raised SystemExit: 3": lambda _: sys.exit(3),
    "plan() raised RecursionError": lambda _: (lambda f: f(f))(lambda f: f(f)),
    "plan() raised Crash: no words": raising(Crash()),
    "plan() raised Panic": raising(Panic()),
    "given up": raising(PlannerFailed("given up")),
    "plan() answered None, expected a Twist or a Pose": lambda _: None,
    "plan() answered 'left', expected a Twist or a Pose": lambda _: "left",
    "plan() answered (1.0, 0.0), expected": lambda _: (1.0, 0.0),
    "plan() answered <object object>, expected": lambda _: object(),
    "plan() answered Twist(forward=nan, turn=0.0), expected finite numbers": lambda _: Twist(
        math.nan, 0.0
    ),
    "plan() answered Pose(x=inf, y=0.0, heading=0.0), expected": lambda _: Pose(math.inf, 0.0),
    "plan() answered Twist(forward='1', turn=0.0), expected": lambda _: Twist("1", 0.0),
    "plan() raised ValueError: assignment destination is read-only": lambda o: (
        o.crowd.positions.__setitem__(0, 9.0)
    ),
}


@pytest.mark.parametrize("reason", FAILURES)
def test_a_planner_that_fails_ends_the_episode_and_keeps_what_was(reason):
    def plan(observation):
        return AHEAD if observation.time < 0.14 else FAILURES[reason](observation)

    record = simulate(scenario(crossing()), Driver(plan))
    assert (record.outcome, record.verdict) == (Outcome.PLANNER_FAILED, Verdict.PLANNER_FAILED)
    assert record.reason.startswith(reason) and record.reason.endswith(" after 0.15 s")
    np.testing.assert_allclose(record.robot[:, 0], [2, 2.06, 2.12, 2.18])
    np.testing.assert_allclose(record.people[:, 0, 0], [9, 8.95, 8.9, 8.85])
    assert len(record.commands) == 3
    assert record_bytes(record) == record_bytes(simulate(scenario(crossing()), Driver(plan)))


@pytest.mark.parametrize("error", [ValueError("not today"), SystemExit(1), Panic()])
def test_a_planner_may_fail_before_it_begins(error):
    driver = Driver()
    driver.begin = raising(error)
    record = simulate(scenario(), driver)
    assert record.outcome is Outcome.PLANNER_FAILED
    assert record.reason.startswith(f"begin() raised {type(error).__name__}: {error}")
    assert len(record.robot) == 1 and driver.observations == []


@pytest.mark.parametrize("method", ["begin", "plan"])
def test_ctrl_c_is_not_the_planners_failure(method):
    driver = Driver()
    setattr(driver, method, raising(KeyboardInterrupt()))
    with pytest.raises(KeyboardInterrupt):
        simulate(scenario(), driver)


@pytest.mark.parametrize("part", ["walls", "free", "distance"])
def test_a_planner_cannot_move_the_walls(part):
    driver = Driver()
    driver.begin = lambda briefing: getattr(briefing.floorplan, part).fill(0)
    record = simulate(scenario(), driver)
    assert record.outcome is Outcome.PLANNER_FAILED
    assert "read-only" in record.reason


@pytest.mark.parametrize("part", ["ids", "positions", "velocities", "radii"])
def test_a_planner_cannot_move_the_people(part):
    def vandal(observation):
        getattr(observation.crowd, part)[...] = 0
        return AHEAD

    record = simulate(scenario(crossing()), Driver(vandal))
    assert (record.outcome, len(record.robot)) == (Outcome.PLANNER_FAILED, 1)
    assert "read-only" in record.reason


def test_numbers_of_numpy_are_as_good_as_plain_ones():
    one = np.float64(1.0)
    task = scenario(walk(1, (0, 5, 5), (20, 5, 5)))
    numpy_record = simulate(task, Driver(Twist(one, np.float64(0))))
    plain_record = simulate(task, Driver(Twist(1.0, 0.0)))
    assert numpy_record.touches == 1
    assert record_bytes(numpy_record) == record_bytes(plain_record)


def test_integers_in_a_scenario_are_as_good_as_floats():
    def content(number):
        task = scenario(
            crossing(), start=Pose(number(2), number(5)), robot=Robot(radius=number(1)),
            person_radius=number(1), goal_radius=number(1),
        )  # fmt: skip
        return record_bytes(simulate(task, Driver(AHEAD)))

    assert content(int) == content(float)


@dataclass
class Parametrised(Stop):
    gain: float = 2.0
    horizon: float = math.inf
    samples: np.int64 = np.int64(3)  # noqa: RUF009
    name: str | None = None
    model: object = field(default_factory=object)


def test_the_record_says_which_planner_made_it_and_with_what():
    record = simulate(scenario(), Parametrised())
    assert record.provenance.planner == f"{__name__}:Parametrised"
    assert record.provenance.parameters == {
        "gain": 2.0,
        "horizon": math.inf,
        "samples": 3,
        "name": None,
        "model": "<object object>",  # without its place in memory, which differs every time
    }
    assert record_bytes(record) == record_bytes(simulate(scenario(), Parametrised()))


def test_a_planner_cannot_forge_the_walls_or_the_robot():
    class Forger(Driver):
        def begin(self, briefing):
            with pytest.raises(ValueError, match="WRITEABLE"):
                briefing.floorplan.walls.setflags(write=True)
            object.__setattr__(briefing.floorplan, "walls", briefing.floorplan.walls * 9)
            object.__setattr__(briefing.robot, "max_speed", 50.0)

    world = scenario()
    record = simulate(world, Forger(Twist(50.0, 0.0)))
    assert record.outcome is Outcome.REACHED_GOAL
    assert np.hypot(*np.diff(record.robot[:, :2], axis=0).T).max() <= 1.2 * 0.05 + 1e-12
    assert world.floorplan.walls.max() == 10.0
