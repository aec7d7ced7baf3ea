"""The contract check passes good planners and names what bad ones do wrong."""

import math
import random
import re
import time
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest

from paseo.checks import ContractBroken, check_metric, check_planner
from paseo.metrics.record.catalog import METRICS
from paseo.metrics.record.metric import Function, Metric, metric
from paseo.planners.names import PLANNERS
from paseo.planners.stop import Stop
from paseo.planners.straight import Straight
from paseo.world.motion import Command, Control, Pose, Robot, Twist
from paseo.world.planning import Briefing, Observation
from paseo.world.records import Record

# Not how many: on a busy machine 0.12 s of work are more by the clock.
SLOW = r"with nobody under velocity control: plan\(\) takes \d{3,} ms on average"


def words(make: Any, **limits: float) -> str:
    """What the check says about a bad planner."""
    with pytest.raises(ContractBroken) as caught:
        check_planner(make, **limits)
    return str(caught.value)


def burn(seconds: float) -> None:
    """Keep the processor busy."""
    until = time.process_time() + seconds
    while time.process_time() < until:
        pass


@pytest.mark.parametrize("name", sorted(set(PLANNERS.shipped) - {"human"}))
@pytest.mark.filterwarnings("error")
def test_shipped_planners_keep_the_contract(name: str) -> None:
    check_planner(PLANNERS.find(name))


def test_a_planner_must_be_made_anew_and_without_arguments() -> None:
    class Needy(Stop):
        def __init__(self, speed: float) -> None:
            pass

    only = Stop()
    assert "expected the planner's class or a function" in words(only)
    assert "cannot be made without arguments (TypeError" in words(Needy)
    assert words(lambda: only) == "the same planner was made twice; make a new one every time"
    check_planner(lambda: Straight(speed=0.5))


def test_who_turns_the_long_way_round_is_told_to_wrap_angles() -> None:
    @dataclass
    class Seeker:
        """Faces the goal; what is left to turn is as long as it was computed."""

        speed: float = 1.0
        wraps: bool = False

        def begin(self, briefing: Briefing) -> None:
            self._goal, self._dt = briefing.goal, briefing.dt
            self._by_pose = briefing.control is Control.POSITION

        def plan(self, observation: Observation) -> Command:
            pose = observation.robot.pose
            x, y = self._goal.x - pose.x, self._goal.y - pose.y
            reach = min(self.speed * self._dt / math.hypot(x, y), 1.0) if x or y else 0.0
            if self._by_pose:
                return Pose(pose.x + reach * x, pose.y + reach * y, pose.heading)
            left = math.atan2(y, x) - pose.heading
            return Twist(
                self.speed, turn=2.0 * (math.remainder(left, math.tau) if self.wraps else left)
            )

    said = words(Seeker)
    assert re.fullmatch(r"to a goal behind the angle pi it turned by [4-9]\.\d rad, where .*", said)
    assert "math.remainder(angle, math.tau)" in said
    assert "turned by" in words(lambda: Seeker(speed=0.3))
    check_planner(lambda: Seeker(wraps=True))


def test_what_is_no_planner_is_named() -> None:
    class Half:
        def begin(self, briefing: Briefing) -> None:
            pass

    class Odd(Stop):
        control = "sideways"  # type: ignore[assignment, misc]

    assert words(Half) == "Half has no method plan()"
    assert "control is 'sideways', expected Control.VELOCITY" in words(Odd)


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (None, "plan() answered None, expected a Twist or a Pose"),
        ((1.0, 0.0), "plan() answered (1.0, 0.0), expected a Twist or a Pose"),
        (Twist(float("nan"), 0.0), "expected finite numbers"),
        (Twist(np.ones(2), 0.0), "expected finite numbers"),  # type: ignore[arg-type]
        (Pose("1", 0.0), "expected finite numbers"),  # type: ignore[arg-type]
    ],
)
def test_answers_of_a_wrong_type_or_shape_are_named(answer: Any, expected: str) -> None:
    class Silent(Stop):
        def plan(self, observation: Observation) -> Command:
            return answer

    said = words(Silent)
    assert said.startswith("with nobody under velocity control: plan() answered ")
    assert expected in said


def test_exceptions_are_named_with_where_they_happen() -> None:
    class Crowded(Stop):
        def plan(self, observation: Observation) -> Command:
            return Twist(1.0 / (4 - len(observation.crowd)), 0.0)

    class Quitter(Stop):
        def begin(self, briefing: Briefing) -> None:
            if briefing.control is Control.POSITION:
                raise SystemExit(3)

    assert words(Crowded) == (
        "with people crossing under velocity control: plan() raised ZeroDivisionError: "
        "float division by zero after 0.00 s"
    )
    assert words(Quitter) == (
        "with nobody under position control: begin() raised SystemExit: 3 after 0.00 s"
    )


def test_an_interrupt_from_the_keyboard_is_no_fault_of_the_planner() -> None:
    class Interrupted(Stop):
        def plan(self, observation: Observation) -> Command:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        check_planner(Interrupted)


def test_who_changes_the_people_is_named() -> None:
    class Pushy(Stop):
        def plan(self, observation: Observation) -> Command:
            observation.crowd.positions[:, 0] += 1.0
            return Twist(0.0, 0.0)

    class Hoarder(Stop):
        def begin(self, briefing: Briefing) -> None:
            self.kept: list[Observation] = []

        def plan(self, observation: Observation) -> Command:
            if self.kept:
                self.kept[-1].crowd.velocities[:] = 0.0
            self.kept.append(observation)
            return Twist(0.0, 0.0)

    where = "with people crossing under velocity control: plan() changed crowd."
    assert words(Pushy) == where + "positions of its observation; copy what you want to change"
    assert words(Hoarder).startswith(where + "velocities of an observation it had kept")


def test_who_changes_the_briefing_is_named() -> None:
    class Tuner(Stop):
        def begin(self, briefing: Briefing) -> None:
            object.__setattr__(briefing.robot, "max_speed", 9.0)

    class Builder(Stop):
        def begin(self, briefing: Briefing) -> None:
            object.__setattr__(briefing.floorplan, "walls", briefing.floorplan.walls[:2])
            object.__setattr__(briefing, "robot", Robot(radius=0.1))

    class Seeder(Stop):
        def begin(self, briefing: Briefing) -> None:
            object.__setattr__(briefing, "seed", 3)
            object.__setattr__(briefing, "goal_radius", 5.0)

    where = "with nobody under velocity control: begin() or plan() changed "
    assert words(Tuner).startswith(where + "robot of its briefing; copy")
    assert words(Builder).startswith(where + "robot and floorplan of its briefing")
    assert words(Seeder).startswith(where + "goal_radius and seed of its briefing")


def test_who_needs_arrays_that_can_be_written_to_is_named() -> None:
    class Writer(Stop):
        def plan(self, observation: Observation) -> Command:
            observation.crowd.positions.flags.writeable or self.fail()
            return Twist(0.0, 0.0)

        def fail(self) -> None:
            raise ValueError("buffer source array is read-only")

    assert "buffer source array is read-only after 0.00 s; people are handed over" in words(Writer)


def test_a_planner_that_remembers_the_last_episode_is_named() -> None:
    class Tired(Stop):
        calls = 0

        def plan(self, observation: Observation) -> Command:
            self.calls += 1
            return Twist(1.0 / self.calls, 0.0)

    @dataclass
    class Once(Stop):
        begun: bool = False

        def begin(self, briefing: Briefing) -> None:
            if self.begun:
                raise RuntimeError("already begun")
            self.begun = True

    said = words(Tired)
    assert "a planner that had run before went differently; begin() must forget" in said
    assert "had run before failed (begin() raised RuntimeError: already begun" in words(Once)


def test_a_leak_that_only_another_episode_shows_is_found() -> None:
    class Shy(Stop):
        crowds = 0

        def plan(self, observation: Observation) -> Command:
            self.crowds = max(self.crowds, len(observation.crowd))
            return Twist(0.1 * self.crowds, 0.0)

    assert "begin() must forget the episode before" in words(Shy)


def test_a_planner_with_randomness_of_its_own_is_named() -> None:
    class Moody(Stop):
        def __init__(self) -> None:
            self._mood = random.random()

        def plan(self, observation: Observation) -> Command:
            return Twist(self._mood, 0.0)

    class Dicing(Stop):
        def plan(self, observation: Observation) -> Command:
            return Twist(float(np.random.default_rng().random()), 0.0)

    class Sharing(Stop):
        seen: list[float] = []  # noqa: RUF012

        def plan(self, observation: Observation) -> Command:
            self.seen.append(observation.time)
            return Twist(1.0 / len(self.seen), 0.0)

    for planner in (Moody, Dicing, Sharing):
        assert "a new planner did not do the same again; take randomness only" in words(planner)


def test_a_planner_that_is_slower_than_the_clock_is_named() -> None:
    class Ponderous(Stop):
        def plan(self, observation: Observation) -> Command:
            burn(0.12)
            return Twist(0.0, 0.0)

    said = words(Ponderous)
    assert re.match(SLOW, said)
    assert "ms on average, but a step lasts 50 ms" in said


def test_a_planner_that_waits_longer_than_a_step_is_slow_too() -> None:
    class Asking(Stop):
        def plan(self, observation: Observation) -> Command:
            time.sleep(0.12)
            return Twist(0.0, 0.0)

    assert re.match(SLOW, words(Asking))


def test_compiling_at_the_first_calls_is_not_slow() -> None:
    ready: list[bool] = []

    class Compiled(Stop):
        def plan(self, observation: Observation) -> Command:
            if len(ready) < 2:
                burn(0.4)
            ready.append(True)
            return Twist(0.0, 0.0)

    check_planner(Compiled)


def test_a_long_beginning_is_named() -> None:
    class Thorough(Stop):
        def begin(self, briefing: Briefing) -> None:
            burn(0.3)

    said = words(Thorough, begin_limit=0.2)
    assert said.startswith("begin() takes 0.3 s on a small map, expected at most 0.2 s")


def test_who_depends_on_the_maps_origin_is_named() -> None:
    class Eastern(Stop):
        def plan(self, observation: Observation) -> Command:
            return Twist(0.02 * observation.robot.pose.x, 0.0)

    assert words(Eastern).startswith(
        "where the map's origin is plays a part: moved by (31.0, -17.0) m, the robot was 0."
    )


def test_who_fails_elsewhere_depends_on_the_maps_origin() -> None:
    class Local(Stop):
        def begin(self, briefing: Briefing) -> None:
            if briefing.start.x > 20:
                raise ValueError("off my table")

    assert "moved by (31.0, -17.0) m, begin() raised ValueError: off my table" in words(Local)


def test_who_depends_on_how_the_map_is_turned_is_warned() -> None:
    class Compass(Stop):
        def plan(self, observation: Observation) -> Command:
            return Twist(0.5 if abs(observation.robot.pose.heading) < 0.1 else 0.0, 0.0)

    with pytest.warns(UserWarning, match="turned by a right angle, the robot was 0.500 m"):
        check_planner(Compass)


def test_all_that_is_found_at_once_is_listed() -> None:
    class Careless(Stop):
        def plan(self, observation: Observation) -> Command:
            observation.crowd.radii[:] = 0.0
            return Twist(1.0 / len(observation.crowd), 0.0)

    said = words(Careless).splitlines()
    assert said[0] == "2 promises are broken:"
    assert said[1].startswith("- with nobody under velocity control: plan() raised ZeroDivision")
    assert said[2].startswith(
        "- with people crossing under velocity control: plan() changed crowd.r"
    )


@pytest.mark.parametrize("each", METRICS, ids=lambda each: each.name)
def test_shipped_metrics_keep_the_contract(each: Metric) -> None:
    check_metric(each)


def test_metrics_that_break_a_promise_are_named() -> None:
    def broken(function: Function, unit: str = "m") -> str:
        with pytest.raises(ContractBroken) as caught:
            check_metric(metric(unit=unit, better="lower")(function))
        return str(caught.value)

    moods = iter(range(100))

    def forgetful(record: Record) -> float:
        return float(next(moods))

    def greedy(record: Record) -> float:
        record.robot[0] += 1.0
        return 1.0

    def eastern(record: Record) -> float:
        return float(record.robot[-1, 0])

    def northward(record: Record) -> float:
        return float(record.robot[-1, 1] - record.robot[0, 1])

    def fragile(record: Record) -> float:
        return float(record.robot[1, 0] - record.robot[0, 0]) * 0.0

    assert broken(forgetful) == "forgetful gives different values for the same record"
    assert broken(greedy) == "greedy changes the record it measures"
    assert broken(eastern) == "eastern depends on where the map's origin is"
    assert broken(northward) == "northward depends on how the map is turned"
    assert "fragile raised IndexError on a record of 1 states" in broken(fragile)
    assert "needs a unit" in broken(lambda record: 1.0, unit="")
    with pytest.raises(ContractBroken, match="is no metric; decorate"):
        check_metric(fragile)  # type: ignore[arg-type]


def test_a_metric_is_compared_in_a_way_that_goes_with_what_it_returns() -> None:
    def broken(returns: object, **told: Any) -> str:
        with pytest.raises(ContractBroken) as caught:
            check_metric(metric(unit="s", better="lower", **told)(lambda record: returns))
        return str(caught.value)

    assert "is pooled over steps, but returns one number" in broken(1.0, pooled=True)
    assert "is per minute, but returns a distribution" in broken(np.ones(3), per_minute=True)
    both = {"pooled": True, "per_minute": True}
    assert "is per minute, but returns a distribution" in broken(np.ones(3), **both)
    check_metric(metric(unit="s", better="lower", per_minute=True)(lambda record: 1.0))
    check_metric(metric(unit="s", better="lower", pooled=True)(lambda record: np.ones(3)))
    odd = replace(metric(unit="s", better="lower")(lambda record: 1.0), population="some")
    with pytest.raises(ContractBroken, match="needs a population and a group that there are"):
        check_metric(odd)


class Planning(Straight):
    """Tells what it will do."""

    def upcoming(self) -> Any:
        return [Twist(0.5, 0.0)]


def test_a_plan_that_is_told_must_be_one_and_telling_it_must_change_nothing() -> None:
    class Mumbling(Planning):
        def upcoming(self) -> Any:
            return ["ahead"]

    class Impatient(Planning):
        def begin(self, briefing: Briefing) -> None:
            super().begin(briefing)
            self.told = False

        def plan(self, observation: Observation) -> Command:
            return Twist(0.0, 0.0) if self.told else super().plan(observation)

        def upcoming(self) -> Any:
            self.told = True
            return []

    check_planner(Planning)
    assert "upcoming() answered 'ahead', expected a Twist or a Pose" in words(Mumbling)
    assert "upcoming() changes what the planner does next" in words(Impatient)
