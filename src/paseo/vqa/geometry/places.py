"""Rules about places and motion: where people and the goal are, and how the robot moves.

Directions are bearings from the robot as it stands and looks in that frame. What counts is the
first and the last frame in which a person's place is known. A rule's answer is clear if it stays
the same when the threshold it hangs on is moved by its margin, either way.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from paseo.vqa.geometry.course import Course, bearing, wrapped
from paseo.vqa.questions.questions import Option
from paseo.world.arrays import FloatArray

AHEAD, BEHIND = math.radians(30), math.radians(120)  # bearings up to which, and from which on
ABOUT = math.radians(5)  # margin of both
TURN, TURN_MARGIN = math.radians(20), math.radians(7)  # a change of heading that is a turn
SHARP_TURN = math.radians(60)  # beside which nobody says 'moving ahead'; the same margin
GETS_AWAY, AWAY_MARGIN = 0.5, 0.25  # metres that a robot which turns must drive to 'move ahead'
SAME_DISTANCE, DISTANCE_MARGIN = 0.5, 0.2  # metres
CROSSING, CROSSING_MARGIN = 0.5, 0.25  # metres between a person's walk and the way to the goal
STANDING, STANDING_MARGIN = 1.0, 0.3  # metres between a person and what is left of that way


@dataclass(frozen=True, slots=True)
class Finding:
    """What a rule answers, and whether it is clear of every threshold."""

    answer: Option
    clear: bool


def judged(rule: Callable[[float], Option]) -> Finding:
    """A rule that is told by how many margins its threshold is moved, asked at -1, 0 and 1."""
    answer = rule(0.0)
    return Finding(answer, rule(-1.0) == answer == rule(1.0))


def about_scene(course: Course) -> dict[str, Finding]:
    """The answers to the three questions about the robot and its goal."""
    first, last = course.robot[0], course.robot[course.last]
    return {
        "q_robot_moving_direction": judged(lambda moved: _moving(course, moved)),
        "q_goal_position_begin": _goal_side(bearing(first, course.goal)),
        "q_goal_position_end": _goal_side(bearing(last, course.goal)),
    }


def about_place(course: Course, places: FloatArray) -> dict[str, Finding]:
    """The answers to the five questions about where a person is, (moments, 2); known somewhere."""
    shown = np.flatnonzero(~np.isnan(places[: course.last + 1, 0]))
    first, last = int(shown[0]), int(shown[-1])
    robot = course.robot
    away = [float(np.hypot(*(places[k] - robot[k, :2]))) for k in (first, last)]
    walk = places[first:][~np.isnan(places[first:, 0])]
    path = _gap(walk, robot[first, :2], course.goal)
    place = _gap(places[last : last + 1], robot[last, :2], course.goal)
    return {
        "q_person_spatial_position_begin": _side(bearing(robot[first], places[first])),
        "q_person_spatial_position_end": _side(bearing(robot[last], places[last])),
        "q_person_distance_change": _change(away[1] - away[0]),
        "q_obstructing_path": _within(path, CROSSING, CROSSING_MARGIN),
        "q_obstructing_end_position": _within(place, STANDING, STANDING_MARGIN),
    }


def _moving(course: Course, moved: float) -> Option:
    headings = np.unwrap(course.robot[: course.last + 1, 2])
    later = headings[None, :] - headings[:, None]  # from each to each
    turns = np.triu(later).max(), -np.triu(later).min()
    turn, sharp = TURN + moved * TURN_MARGIN, SHARP_TURN + moved * TURN_MARGIN
    ways = ("turning left", "turning right")
    found = tuple(way for way, made in zip(ways, turns, strict=True) if made >= turn)
    gone = float(np.hypot(*(course.robot[course.last, :2] - course.robot[0, :2])))
    ahead = abs(wrapped(headings[-1] - headings[0])) < sharp
    ahead &= gone >= GETS_AWAY + moved * AWAY_MARGIN
    # A robot that stands and does not turn moves ahead, too: no other choice fits.
    return ("moving ahead", *found) if ahead or not found else found


def _side(angle: float) -> Finding:
    def rule(moved: float) -> Option:
        if abs(angle) <= AHEAD + moved * ABOUT:
            return ("ahead of",)
        if abs(angle) >= BEHIND + moved * ABOUT:
            return ("behind",)
        return ("to the left of",) if angle > 0 else ("to the right of",)

    return judged(rule)


def _goal_side(angle: float) -> Finding:
    def rule(moved: float) -> Option:
        if abs(angle) <= AHEAD + moved * ABOUT:
            return ("ahead",)
        return ("to the left",) if angle > 0 else ("to the right",)

    found = judged(rule)
    # Straight behind is neither left nor right, and there is no other choice.
    return Finding(found.answer, found.clear and abs(angle) < math.pi - AHEAD)


def _change(further: float) -> Finding:
    def rule(moved: float) -> Option:
        if abs(further) <= SAME_DISTANCE + moved * DISTANCE_MARGIN:
            return ("about the same distance to",)
        return ("closer to",) if further < 0 else ("further away from",)

    return judged(rule)


def _within(gap: float, threshold: float, margin: float) -> Finding:
    return judged(lambda moved: ("yes",) if gap <= threshold + moved * margin else ("no",))


def _gap(walk: FloatArray, start: FloatArray, goal: FloatArray) -> float:
    """Metres between a walk (samples, 2), straight between samples, and the way to the goal."""
    pieces = list(pairwise(walk)) or [(walk[0], walk[0])]
    return min(_between(one, other, start, goal) for one, other in pieces)


def _between(a: FloatArray, b: FloatArray, c: FloatArray, d: FloatArray) -> float:
    """Metres between the segments from a to b and from c to d."""
    if _crossing(a, b, c, d):
        return 0.0
    ends = ((a, c, d), (b, c, d), (c, a, b), (d, a, b))
    return min(_from_segment(*each) for each in ends)


def _crossing(a: FloatArray, b: FloatArray, c: FloatArray, d: FloatArray) -> bool:
    def side(point: FloatArray, one: FloatArray, other: FloatArray) -> float:
        along, away = other - one, point - one
        return float(along[0] * away[1] - along[1] * away[0])

    return side(a, c, d) * side(b, c, d) < 0 and side(c, a, b) * side(d, a, b) < 0


def _from_segment(point: FloatArray, one: FloatArray, other: FloatArray) -> float:
    along = other - one
    length = float(along @ along)
    share = min(max(float((point - one) @ along) / length, 0.0), 1.0) if length else 0.0
    return float(np.hypot(*(point - one - share * along)))
