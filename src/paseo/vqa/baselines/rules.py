"""The rule-based baseline: every question answered from positions alone, by plain geometry.

The rules are those of SocialNav-SUB's baseline, said in metres and in the robot's frame at the time
the question is about. Where nothing is known of a person the rule abstains and `DEFAULTS` answers.
"""

import math

import numpy as np
from numpy.typing import NDArray

from paseo.vqa.baselines.sightings import Sighting
from paseo.vqa.questions.questions import Option, kinds
from paseo.world.arrays import FloatArray

# Half of what the original's camera sees lies within 27 degrees of straight ahead, and half of the
# people asked say "ahead": rounded up to a third of a right angle on either side.
AHEAD = math.radians(30)
# Left and right are the quarter turns next to it, the rest is behind.
BEHIND = math.radians(120)
# Less is how a robot that walks straight sways.
TURN = math.radians(20)
# A robot that ends up looking this far aside, or turns without getting away, does not move ahead.
SHARP_TURN = math.radians(60)
GETS_AWAY = 0.5  # metres from first to last frame
# A step of a person: within it, distances count as the same.
SAME_DISTANCE = 0.5
# Half a robot and half a person beside each other, 0.25 m each: closer, and they touch.
CROSSING_CLEARANCE = 0.5
# A person who stands also wants room: the paper's tenth of a picture about 10 m wide.
STANDING_CLEARANCE = 1.0

# Answers about people of whom nothing is known: what people say most often.
DEFAULTS: dict[str, Option] = {
    "q_person_spatial_position_begin": ("ahead of",),
    "q_person_spatial_position_end": ("ahead of",),
    "q_person_distance_change": ("closer to",),
    "q_goal_position_begin": ("ahead",),
    "q_goal_position_end": ("ahead",),
    "q_robot_moving_direction": ("moving ahead",),
}
# What follows from whether the person crosses the robot's way, and whether they stand in it.
_FROM_PATH = ("q_obstructing_path", "q_robot_affected", "q_person_affected")
_FROM_PATH_ACTIONS = ("q_robot_action", "q_person_action")
_FROM_END = ("q_obstructing_end_position", "q_robot_suggested_affected")
_FROM_END_ACTIONS = ("q_robot_suggested_action", "q_human_future_action_prediction")


def rule_answers(sighting: Sighting) -> dict[str, Option]:
    """The answer to each question about the scene, by question key, in the order of asking."""
    answers = {"q_robot_moving_direction": _moving(sighting.robot)} | _goal(sighting)
    for number, positions in sighting.people.items():
        answers |= {f"{key}_p{number}": each for key, each in _person(sighting, positions).items()}
    numbers = tuple(sighting.people)
    ordered: dict[str, Option] = {}
    for kind in kinds().values():
        keys = [f"{kind.key}_p{number}" for number in numbers] if kind.about_person else [kind.key]
        ordered |= {key: answers[key] for key in keys}
    return ordered


def _moving(robot: FloatArray) -> Option:
    seen = robot[~np.isnan(robot[:, 0])]
    if len(seen) < 2:
        return DEFAULTS["q_robot_moving_direction"]
    turn = _wrapped(seen[-1, 2] - seen[0, 2])
    away = float(np.hypot(*(seen[-1, :2] - seen[0, :2])))
    side = "turning left" if turn > 0 else "turning right"
    if abs(turn) < TURN:
        return ("moving ahead",)
    return (side,) if abs(turn) > SHARP_TURN or away < GETS_AWAY else ("moving ahead", side)


def _goal(sighting: Sighting) -> dict[str, Option]:
    answers = {}
    seen = _frames_with(sighting.robot)
    for key, at in (("q_goal_position_begin", 0), ("q_goal_position_end", -1)):
        if len(seen) == 0 or np.isnan(sighting.goal).any():
            answers[key] = DEFAULTS[key]
            continue
        bearing = _bearing(sighting.robot[seen[at]], sighting.goal)
        aside = "to the left" if bearing > 0 else "to the right"
        answers[key] = ("ahead",) if abs(bearing) <= AHEAD else (aside,)
    return answers


def _person(sighting: Sighting, positions: FloatArray) -> dict[str, Option]:
    """The twelve answers about one person, by key of the kind."""
    robot = sighting.robot
    joint = _frames_with(robot, positions)
    if len(joint) == 0:
        return _abstained()
    first, last = joint[0], joint[-1]
    answers: dict[str, Option] = {
        "q_person_spatial_position_begin": _place(robot[first], positions[first]),
        "q_person_spatial_position_end": _place(robot[last], positions[last]),
        "q_person_distance_change": _change(robot[joint, :2], positions[joint]),
    }
    way = positions[~np.isnan(positions[:, 0])]
    crosses = _crosses(way, robot[first, :2], sighting.goal)
    stands = _stands_between(positions[last], robot[last, :2], sighting.goal)
    return answers | _consequences(crosses=crosses, stands=stands)


def _abstained() -> dict[str, Option]:
    places = {kind: each for kind, each in DEFAULTS.items() if kinds()[kind].about_person}
    return places | _consequences(crosses=False, stands=False)


def _consequences(*, crosses: bool, stands: bool) -> dict[str, Option]:
    answers: dict[str, Option] = {}
    answers |= dict.fromkeys(_FROM_PATH, ("yes",) if crosses else ("no",))
    answers |= dict.fromkeys(_FROM_PATH_ACTIONS, ("avoiding",) if crosses else ("not considering",))
    answers |= dict.fromkeys(_FROM_END, ("yes",) if stands else ("no",))
    answers |= dict.fromkeys(_FROM_END_ACTIONS, ("avoid",) if stands else ("not consider",))
    return answers


def _place(robot: FloatArray, person: FloatArray) -> Option:
    bearing = _bearing(robot, person)
    if abs(bearing) <= AHEAD:
        return ("ahead of",)
    if abs(bearing) > BEHIND:
        return ("behind",)
    return ("to the left of",) if bearing > 0 else ("to the right of",)


def _change(robot: FloatArray, person: FloatArray) -> Option:
    distances = np.linalg.norm(person - robot, axis=1)  # (frames,)
    change = distances[-1] - distances[0]
    if abs(change) <= SAME_DISTANCE:
        return ("about the same distance to",)
    return ("further away from",) if change > 0 else ("closer to",)


def _crosses(way: FloatArray, start: FloatArray, goal: FloatArray) -> bool:
    """Whether a person's way (frames, 2) enters the strip that the robot needs to its goal."""
    if np.isnan(goal).any():
        return False
    along, aside, length = _beside(way, start, goal)
    if len(way) == 1:
        return bool(0 <= along[0] <= length and abs(aside[0]) <= CROSSING_CLEARANCE)
    entries = zip(along[:-1], aside[:-1], along[1:], aside[1:], strict=True)
    return any(_enters(entry, length) for entry in entries)


def _enters(step: tuple[float, float, float, float], length: float) -> bool:
    """Whether a step meets the strip, by Liang and Barsky's clipping."""
    along, aside, next_along, next_aside = step
    begin, end = 0.0, 1.0
    bounds = ((along, next_along, 0.0, length),
              (aside, next_aside, -CROSSING_CLEARANCE, CROSSING_CLEARANCE))  # fmt: skip
    for here, there, low, high in bounds:
        if here == there:
            if not low <= here <= high:
                return False
            continue
        times = sorted(((low - here) / (there - here), (high - here) / (there - here)))
        begin, end = max(begin, times[0]), min(end, times[1])
    return begin <= end


def _stands_between(person: FloatArray, robot: FloatArray, goal: FloatArray) -> bool:
    along, aside, length = _beside(person[None], robot, goal)
    return bool(0 <= along[0] <= length and abs(aside[0]) <= STANDING_CLEARANCE)


def _beside(
    points: FloatArray, start: FloatArray, goal: FloatArray
) -> tuple[FloatArray, FloatArray, float]:
    """Of points, how far along and how far left of the way from start to goal; its length."""
    ahead = goal - start
    length = float(np.hypot(*ahead))
    forward = ahead / length if length > 0 else np.array([1.0, 0.0])
    offsets = points - start
    return offsets @ forward, offsets @ np.array([-forward[1], forward[0]]), length


def _bearing(robot: FloatArray, point: FloatArray) -> float:
    """The angle at which a robot (3,) sees a point (2,), positive to its left."""
    ahead = point - robot[:2]
    return _wrapped(math.atan2(ahead[1], ahead[0]) - robot[2])


def _wrapped(angle: float) -> float:
    return math.remainder(float(angle), math.tau)


def _frames_with(*arrays: FloatArray) -> NDArray[np.intp]:
    """The frames in which all of them are seen."""
    seen = [~np.isnan(array).any(axis=1) for array in arrays]
    return np.nonzero(np.logical_and.reduce(seen))[0]
