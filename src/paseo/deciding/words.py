"""The words that a robot asks in: with pictures, with a map alone, or with nothing but words."""

import math
from collections.abc import Sequence
from enum import StrEnum

from paseo.vqa.pictures.birdseye import heading_of
from paseo.vqa.pictures.pictures import Layout
from paseo.vqa.prompts.prompts import CHOICES, MANY, SEVERAL, question_text
from paseo.vqa.prompts.wording import Wording, paseo_wording
from paseo.vqa.questions.questions import Question
from paseo.vqa.waypoints.candidates import Candidates
from paseo.vqa.waypoints.prompting import Told, told_text, waypoint_text
from paseo.world.scenes import NumberedPerson, Scene


class View(StrEnum):
    """What a model is shown."""

    PICTURE = "picture"  # the camera's frames above a map, or without a camera the map alone
    TEXT = "text"  # the map in words


class Think(StrEnum):
    """What is answered before a choice."""

    NONE = "none"
    QUESTIONS = "questions"  # the model is asked the questions first, and told its answers
    TRUTH = "truth"  # it is told answers by geometry


MAP = (
    "You drive a robot among people. The picture is a map in metres, seen from above: R is the "
    "robot, whose arrow shows where it faces, G its goal or the next place on the way there, grey "
    "lines are walls. Discs with numbers are people, arrows show where they are heading, and "
    "fading lines where they came from in the last {SECONDS} s."
)
TEXT = (
    "You drive a robot among people. Places are given in metres as seen from the robot: ahead of "
    "it, and to its left or right. Speeds are in metres per second."
)
DRIVE = (
    "You drive this robot: what you choose is done. One of the waypoints is to stay where it is."
)


def choice_text(
    question: Question,
    scene: Scene,
    candidates: Candidates,
    *,
    view: View,
    has_camera: bool,
    told: Told,
) -> str:
    """The words that let a model choose."""
    wording = paseo_wording(scene.timing)
    if view is View.PICTURE and has_camera:
        text = waypoint_text(
            question, wording, layout=Layout.GRID_BEV, horizon=candidates.horizon, told=told
        )
        asked = question.kind.text
        return text.replace(asked, f"{DRIVE}\n\n{asked}", 1)
    seconds = scene.period * (len(scene.frames) - 1)
    if view is View.PICTURE:
        parts = [
            MAP.replace("{SECONDS}", f"{seconds:.2g}"),
            "Yellow diamonds with a letter mark waypoints; where a diamond has a line, the place "
            "is at its other end. " + DRIVE,
        ]
    else:
        parts = [TEXT + " " + DRIVE, moment_text(scene), waypoints_text(scene, candidates)]
    parts += [told_text(told, wording), question.kind.text + CARE, _choices(question)]
    return "\n\n".join([*(part for part in parts if part), wording.formats["answer_one"]])


CARE = " It should get on towards its goal and move among the people as a considerate person would."


def questions_text(
    questions: Sequence[Question], scene: Scene, *, view: View, has_camera: bool
) -> str:
    """The words that put all questions about the moment in one request."""
    wording = paseo_wording(scene.timing)
    if view is View.TEXT:
        beginning = [TEXT, moment_text(scene)]
    elif has_camera:
        beginning = [wording.introduction, wording.pictures[Layout.GRID_BEV.value]]
    else:
        seconds = scene.period * (len(scene.frames) - 1)
        beginning = [MAP.replace("{SECONDS}", f"{seconds:.2g}")]
    guidance = dict.fromkeys(wording.guidance[each.kind.guidance] for each in questions)
    lines = [MANY]
    for each in questions:
        lines.append(f"\n{each.key}: {question_text(each, wording)}")
        listed = ", ".join(f'"{choice}"' for choice in each.kind.choices)
        lines.append((SEVERAL if each.kind.select_many else CHOICES) + listed)
    parts = [*beginning, *guidance, "\n".join(lines), _format(wording)]
    return "\n\n".join(parts)


def moment_text(scene: Scene) -> str:
    """The last frame of a scene in words."""
    lines = [f"The goal is {_where(scene, scene.goal)}."]
    speed = _speed(scene.robot[-2, :2].tolist(), scene.robot[-1, :2].tolist(), scene.period)
    lines.append(f"The robot drives at {speed:.1f} m/s.")
    for person in scene.people:
        lines += [_before_text(scene, person), _person_text(scene, person)]
    if not scene.people:
        lines.append("Nobody is near.")
    return "\n".join(lines)


def waypoints_text(scene: Scene, candidates: Candidates) -> str:
    """The candidates in words."""
    lines = ["The waypoints:"]
    for letter, place in zip(candidates.letters, candidates.places.tolist(), strict=True):
        x, y = _from_robot(scene, (place[0], place[1]))
        what = "stay here" if math.hypot(x, y) < 0.01 else _side(x, y)
        goal = math.dist(place, scene.goal)
        lines.append(f"{letter}: {what}; from there it is {goal:.1f} m to the goal")
    return "\n".join(lines)


def _before_text(scene: Scene, person: NumberedPerson) -> str:
    """Where somebody was in the first frame, as seen from where the robot was then."""
    first = person.seen[0]
    ago = (len(scene.frames) - 1 - first) * scene.period
    x, y = person.positions[first].tolist()
    px, py, heading = scene.robot[first].tolist()
    cos, sin = math.cos(heading), math.sin(heading)
    ahead, left = cos * (x - px) + sin * (y - py), cos * (y - py) - sin * (x - px)
    return f"{ago:.1f} s ago person {person.number} was {_side(ahead, left)} of where it was then."


def _person_text(scene: Scene, person: NumberedPerson) -> str:
    last = person.seen[-1]
    x, y = person.positions[last].tolist()
    heading = heading_of(person, last, scene.period)
    if heading is None:
        return f"Person {person.number} stands {_where(scene, (x, y))}."
    before = person.seen[max(len(person.seen) - 2, 0)]
    span = max(last - before, 1) * scene.period
    speed = _speed(person.positions[before].tolist(), [x, y], span)
    turn = math.degrees(math.remainder(heading - float(scene.robot[-1, 2]), math.tau))
    return (
        f"Person {person.number} is {_where(scene, (x, y))} and walks at {speed:.1f} m/s "
        f"{_direction(turn)}."
    )


def _direction(degrees: float) -> str:
    if abs(degrees) <= 30:
        return "the way the robot faces"
    if abs(degrees) >= 150:
        return "towards where the robot comes from"
    side = "left" if degrees > 0 else "right"
    if abs(degrees) < 60:
        return f"ahead and to the {side}"
    return f"to the {side}" if abs(degrees) <= 120 else f"backwards and to the {side}"


def _where(scene: Scene, place: tuple[float, float]) -> str:
    return _side(*_from_robot(scene, place))


def _side(x: float, y: float) -> str:
    ahead = f"{abs(x):.1f} m {'ahead' if x >= 0 else 'behind'}"
    if abs(y) < 0.05:
        return ahead
    return f"{ahead} and {abs(y):.1f} m to the {'left' if y > 0 else 'right'}"


def _from_robot(scene: Scene, place: tuple[float, float]) -> tuple[float, float]:
    px, py, heading = scene.robot[-1].tolist()
    dx, dy = place[0] - px, place[1] - py
    cos, sin = math.cos(heading), math.sin(heading)
    return cos * dx + sin * dy, cos * dy - sin * dx


def _speed(before: list[float], now: list[float], seconds: float) -> float:
    return math.dist(before, now) / seconds if seconds > 0 else 0.0


def _choices(question: Question) -> str:
    return CHOICES + ", ".join(f'"{letter}"' for letter in question.kind.choices)


def _format(wording: Wording) -> str:
    return wording.formats["answer_many"]
