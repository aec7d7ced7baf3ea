"""The rules of answers by geometry, on scenes made by hand, each of which isolates one of them."""

import math
from collections.abc import Callable

import numpy as np
import pytest

from paseo.vqa.geometry.course import Course
from paseo.vqa.geometry.places import Finding
from paseo.vqa.geometry.rules import geometry_answers
from paseo.vqa.questions.questions import kinds
from paseo.world.arrays import FloatArray

PERIOD, SHOWN, AFTER = 0.25, 10, 10
TIMES = np.arange(SHOWN + AFTER) * PERIOD
Walk = Callable[[float], tuple[float, float]]


def straight(x: float, y: float, vx: float, vy: float) -> Walk:
    return lambda t: (x + vx * t, y + vy * t)


def driven(walk: Walk) -> FloatArray:
    """A robot that looks where it goes."""
    places = np.array([walk(float(t)) for t in TIMES])
    steps = np.diff(places, axis=0)
    headings = np.unwrap(np.arctan2(steps[:, 1], steps[:, 0]))
    return np.column_stack([places, [*headings, headings[-1]]])


AHEAD = straight(0, 0, 1, 0)


def course(
    person: Walk, robot: Walk = AHEAD, goal: tuple[float, float] = (10.0, 0.0), after: int = AFTER
) -> Course:
    end = SHOWN + after
    places = np.array([person(float(t)) for t in TIMES])
    return Course(
        period=PERIOD,
        last=SHOWN - 1,
        robot=driven(robot)[:end],
        goal=np.array(goal),
        people={1: places[:end]},
    )


def answer(made: Course, kind: str) -> str:
    """The one choice that is right and clear; a question mark where it is not."""
    about = kinds()[f"q_{kind}"].about_person
    found = geometry_answers(made)[f"q_{kind}_p1" if about else f"q_{kind}"]
    return " and ".join(found.answer) if found.clear else "?"


@pytest.mark.parametrize(
    ("degrees", "side"),
    [
        (0, "ahead of"),
        (24, "ahead of"),
        (-24, "ahead of"),
        (27, "?"),
        (33, "?"),
        (37, "to the left of"),
        (-90, "to the right of"),
        (114, "to the left of"),
        (118, "?"),
        (127, "behind"),
        (180, "behind"),
    ],
)
def test_where_somebody_is_is_told_by_the_bearing(degrees: float, side: str) -> None:
    angle = math.radians(degrees)
    there = straight(5 * math.cos(angle), 5 * math.sin(angle), 1, 0)  # keeps its bearing
    assert answer(course(there), "person_spatial_position_begin") == side
    assert answer(course(there), "person_spatial_position_end") == side


@pytest.mark.parametrize(
    ("speed", "change"),
    [
        (1.0, "about the same distance to"),
        (0.9, "about the same distance to"),
        (0.77, "?"),  # 0.52 m
        (0.6, "closer to"),
        (1.4, "further away from"),
    ],
)
def test_a_change_of_distance_counts_from_half_a_metre(speed: float, change: str) -> None:
    assert answer(course(straight(5, 0, speed, 0)), "person_distance_change") == change


@pytest.mark.parametrize(
    ("goal", "side"),
    [((10, 0), "ahead"), ((3, 5), "to the left"), ((0, -5), "to the right"), ((-9, 1), "?")],
)
def test_where_the_goal_is_is_told_by_the_bearing(goal: tuple[float, float], side: str) -> None:
    assert answer(course(straight(5, 5, 0, 0), goal=goal), "goal_position_begin") == side


def turning(rate: float) -> Walk:
    return lambda t: (math.sin(rate * t) / rate, (1 - math.cos(rate * t)) / rate)


@pytest.mark.parametrize(
    ("rate", "moving"),
    [
        (0.01, "moving ahead"),
        (0.15, "?"),  # 19 degrees in 2.25 s
        (0.3, "moving ahead and turning left"),
        (-0.3, "moving ahead and turning right"),
        (0.9, "turning left"),
    ],
)
def test_a_robot_turns_from_twenty_degrees_on(rate: float, moving: str) -> None:
    made = course(straight(5, 5, 0, 0), robot=turning(rate))
    assert answer(made, "robot_moving_direction") == moving


@pytest.mark.parametrize(
    ("person", "path", "place"),
    [
        (straight(5, 3, 0, -1.5), "yes", "yes"),  # crosses, and is in the way at the end
        (straight(5, 3, 0, -1.1), "yes", "yes"),  # crosses only afterwards: still on the way now
        (straight(5, 3, 0, 0), "no", "no"),
        (straight(5, 0.5, 0, 0), "?", "yes"),
        (straight(5, 0.2, 0, 2), "yes", "no"),  # was on the way and has left it
        (straight(5, 1.1, 0, 0), "no", "?"),
        (straight(-1, 0, 0, 0), "no", "no"),  # behind the robot the way is over
        (straight(12, 0, 0, 0), "no", "no"),  # beyond the goal, too
    ],
)
def test_who_is_in_the_way_is_told_by_the_straight_way_to_the_goal(
    person: Walk, path: str, place: str
) -> None:
    assert answer(course(person), "obstructing_path") == path
    assert answer(course(person), "obstructing_end_position") == place


def slowing(t: float) -> tuple[float, float]:
    """Ahead at 1.2 m/s for half a second, then braking to a stop within a second."""
    early, late = min(t, 0.75), min(max(t - 0.75, 0.0), 1.0)
    return 1.2 * early + 1.2 * (late - late**2 / 2), 0.0


def swerving(t: float) -> tuple[float, float]:
    """Ahead at 1.2 m/s, from half a second on also aside."""
    return 1.2 * t, -0.6 * max(t - 0.6, 0.0)


CROSSES = straight(3.5, 2.5, 0, -1.0)  # meets a robot that drives on at 1.2 m/s after 2.7 s
TOWARDS = straight(6.5, 0, -1.2, 0)


@pytest.mark.parametrize(
    ("robot", "person", "action"),
    [
        (slowing, CROSSES, "yielding to"),
        (swerving, TOWARDS, "avoiding"),
        (straight(0, 0, 1.2, 0), TOWARDS, "not considering"),  # drives on, into them
        (slowing, straight(3.5, 9, 0, 0), "not considering"),  # slows, but not for them
        (straight(0, 0, 1.0, 0), straight(2.0, 0.1, 1.0, 0), "following"),
        (straight(0, 0, 1.3, 0), straight(1.5, 0.9, 0.7, 0), "overtaking"),
        (straight(0, 0, 1.0, 0), straight(2.0, 4, 1.0, 0), "not considering"),  # far aside
        (straight(0, 0, 1.0, 0), straight(-2.0, 0, 1.0, 0), "not considering"),  # follows us
    ],
)
def test_what_the_robot_does_about_somebody(robot: Walk, person: Walk, action: str) -> None:
    made = course(person, robot=robot)
    assert answer(made, "robot_action") == action
    assert answer(made, "robot_affected") == ("no" if action == "not considering" else "yes")


@pytest.mark.parametrize(
    ("robot", "person", "action"),
    [
        (straight(-3, 0, 1, 0), straight(-5, 0, 1, 0), "following"),
        (straight(0, 0, 0.7, 0), straight(-1.5, 0.9, 1.3, 0), "overtaking"),
        (straight(0, 0, 1.2, 0), lambda t: (6.5 - 1.2 * t, 0.6 * max(t - 0.6, 0)), "avoiding"),
        (straight(0, 0, 1.2, 0), TOWARDS, "not considering"),
        (straight(2.5, -3.5, 0, 1.0),
         lambda t: (slowing(t)[0], 0.0), "not considering"),
        (straight(3.5, 2.5, 0, -1.0), slowing, "yielding to"),
    ],
)  # fmt: skip
def test_what_somebody_does_about_the_robot(robot: Walk, person: Walk, action: str) -> None:
    made = course(person, robot=robot)
    assert answer(made, "person_action") == action
    assert answer(made, "person_affected") == ("no" if action == "not considering" else "yes")


@pytest.mark.parametrize(
    ("person", "action"),
    [
        (straight(9, 0, -1, 0), "avoid"),  # comes towards the robot
        (straight(5, 0, 0, 0), "avoid"),  # stands in its way
        (straight(4.75, 4.7, 0, -1.1), "yield to"),  # crosses before it would be there
        (straight(2.5, 0.1, 1, 0), "follow"),
        (straight(3.5, 0.1, 0.6, 0), "overtake"),
        (straight(5, 6, 1, 0), "not consider"),
        (straight(-3, 0, 1, 0), "not consider"),
    ],
)
def test_what_the_robot_should_do_next(person: Walk, action: str) -> None:
    made = course(person)
    assert answer(made, "robot_suggested_action") == action
    affected = "no" if action == "not consider" else "yes"
    assert answer(made, "robot_suggested_affected") == affected


def later(walk: Walk) -> Walk:
    """The walk, begun at the last frame; before it, straight on as it begins."""
    end = (SHOWN - 1) * PERIOD

    def walked(t: float) -> tuple[float, float]:
        (ax, ay), (bx, by) = walk(0.0), walk(0.25)
        if t >= end:
            return walk(t - end)
        return ax + (bx - ax) * 4 * (t - end), ay + (by - ay) * 4 * (t - end)

    return walked


@pytest.mark.parametrize(
    ("robot", "person", "action"),
    [
        (later(straight(0, 0, 1.2, 0)),
         later(lambda t: (6.5 - 1.2 * t, 0.6 * max(t - 0.6, 0))), "avoid"),
        (later(straight(3.5, 2.5, 0, -1.0)), later(slowing), "yield to"),
        (later(straight(0, 0, 1, 0)), later(straight(-2, 0, 1, 0)), "follow"),
        (later(straight(0, 0, 0.7, 0)), later(straight(-1.5, 0.9, 1.4, 0)), "overtake"),
        (later(straight(0, 0, 1, 0)), later(straight(4, 5, 0, 0)), "not consider"),
    ],
)  # fmt: skip
def test_what_somebody_will_do_is_what_they_did(robot: Walk, person: Walk, action: str) -> None:
    made = course(person, robot=robot, goal=(30.0, 0.0))
    assert answer(made, "human_future_action_prediction") == action


def test_nobody_knows_what_somebody_will_do_without_what_followed() -> None:
    made = course(straight(4, 5, 0, 0), after=0)
    assert answer(made, "human_future_action_prediction") == "?"


def test_every_question_has_an_answer_in_the_order_of_asking() -> None:
    found = geometry_answers(course(CROSSES))
    asked = [f"{key}_p1" if kind.about_person else key for key, kind in kinds().items()]
    assert list(found) == asked
    assert all(each.answer in kinds()[key.removesuffix("_p1")].options
               for key, each in found.items())  # fmt: skip


def moved(made: Course, angle: float, shift: tuple[float, float]) -> Course:
    turn = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])

    def placed(points: FloatArray) -> FloatArray:
        there: FloatArray = points @ turn.T + shift
        return there

    robot = np.column_stack([placed(made.robot[:, :2]), made.robot[:, 2] + angle])
    people = {number: placed(places) for number, places in made.people.items()}
    return Course(period=made.period, last=made.last, robot=robot, goal=placed(made.goal),
                  people=people)  # fmt: skip


@pytest.mark.parametrize(
    "person", [CROSSES, TOWARDS, straight(2.1, 0.1, 0.97, 0), straight(1.5, 0.9, 0.5, 0.1)]
)
@pytest.mark.parametrize("robot", [slowing, swerving, AHEAD])
def test_turning_and_moving_the_world_changes_no_answer(person: Walk, robot: Walk) -> None:
    made = course(person, robot=robot)
    there: dict[str, Finding] = geometry_answers(moved(made, 2.1, (-30.0, 8.0)))
    assert there == geometry_answers(made)
