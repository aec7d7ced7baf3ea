"""Rules about conduct: what one does about another, from where both really went.

Somebody considers another if they would have met had they gone on as they were going, and they did
something about it; or if they walk behind them, or past them, the same way. Would they have met?
The one keeps the velocity they begin with, the other walks as they did; closer than `MEETING`
within `HORIZON` counts. Who slows and does not swerve lets pass, and yields; who does anything else
avoids. A robot that stands wishes to drive to its goal at `CRUISE`; what somebody who stands wishes
is not known: they stay. An answer is clear if it is the same where every threshold is a fifth
looser, so that more counts as considering, and a fifth tighter.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from paseo.vqa.geometry.course import Course, angle_between, velocity
from paseo.vqa.geometry.places import Finding
from paseo.vqa.questions.questions import Option
from paseo.world.arrays import FloatArray

SPAN = 0.5  # seconds over which a velocity is taken
HORIZON = 5.0  # seconds that are looked ahead
MOVING = 0.3  # m/s; slower, and somebody stands
CRUISE = 0.8  # m/s, of a robot that stands and has a goal
MEETING = 0.9  # metres between centres: a robot, a person and little more
SLOWED, SLOWED_SHARE = 0.25, 0.3  # m/s and share of their speed by which somebody slows
SWERVED = 0.3  # metres aside of where they would have been
SAME_WAY = math.radians(30)  # between directions
AGAINST = math.radians(135)  # from which on somebody comes towards the other
LANE, WIDE_LANE = 0.75, 1.5  # metres aside, of who is followed and of who is overtaken
BEHIND = 4.0  # metres, of somebody who follows
STEADY = 0.75  # metres by which the gap to who is followed changes
FASTER = 0.2  # m/s
PASSES_WITHIN = 4.0  # seconds
LOOSE, TIGHT = 1.2, 1 / 1.2

NOW = ("avoiding", "overtaking", "not considering", "following", "yielding to")
LATER = ("avoid", "overtake", "not consider", "follow", "yield to")
AVOID, OVERTAKE, IGNORE, FOLLOW, YIELD = range(5)


@dataclass(frozen=True, eq=False)
class Pair:
    """One who acts and the other, from the moment on at which the one's conduct is asked."""

    period: float
    actor: FloatArray  # (moments, 2); NaN where not known
    other: FloatArray  # (moments, 2)
    until: int  # the last moment that the question is about; what comes later tells who passed
    wish: FloatArray  # (2,), the velocity with which the actor would have gone on

    @property
    def span(self) -> int:
        """Moments over which a velocity is taken."""
        return max(1, round(SPAN / self.period))

    @cached_property
    def extended(self) -> tuple[FloatArray, FloatArray]:
        """The other's places from the first moment on to the horizon, and the times of these.

        Where the other's walk is known no longer, they go on as they last did.
        """
        moments = math.ceil(HORIZON / self.period) + 1
        times = np.arange(moments, dtype=np.float64) * self.period
        places = np.full((moments, 2), np.nan)
        known = self.other[:moments]
        places[: len(known)] = known
        seen = np.flatnonzero(~np.isnan(places[:, 0]))
        if len(seen) > 1:
            last = int(seen[-1])
            pace = velocity(places, last, -min(self.span, last - int(seen[0])), self.period)
            if not np.isnan(pace).any():
                places[last:] = places[last] + (times[last:] - times[last])[:, None] * pace
        return places, times

    @cached_property
    def meeting(self) -> float:
        """Metres between the two at the nearest, had the actor gone on with their wish.

        Whoever is nearest now and only gets away is not met, but parted from: infinite.
        """
        others, times = self.extended
        free = self.actor[0] + times[:, None] * self.wish
        gaps = np.hypot(*(others - free).T)
        if np.isnan(gaps).all():
            return math.inf
        nearest = int(np.nanargmin(gaps))
        return float(gaps[nearest]) if nearest > 0 else math.inf


def about_conduct(course: Course, places: FloatArray) -> dict[str, Finding]:
    """The answers to the seven questions about robot and person, (moments, 2)."""
    shown = np.flatnonzero(~np.isnan(places[: course.last + 1, 0]))
    first, last = int(shown[0]), int(shown[-1])
    robot = course.robot[:, :2]
    acts = _told(_pair(course, robot, places, (first, last), is_robot=True))
    meets = _told(_pair(course, places, robot, (first, last), is_robot=False))
    should = _clearly(lambda loose: _advice(course, places, last, loose))
    will = _told(_pair(course, places, robot, (last, len(robot) - 1), is_robot=False))
    known = course.has_aftermath and not np.isnan(places[last:, 0]).any()
    answers: dict[str, Finding] = {}
    for who, act in (("robot", acts), ("person", meets)):
        answers |= {f"q_{who}_affected": _affected(act), f"q_{who}_action": _worded(act, NOW)}
    answers["q_robot_suggested_affected"] = _affected(should)
    answers["q_robot_suggested_action"] = _worded(should, LATER)
    predicted = _worded(will, LATER)
    answers["q_human_future_action_prediction"] = Finding(
        predicted.answer, predicted.clear and known
    )
    return answers


@dataclass(frozen=True, slots=True)
class _Act:
    act: int
    loose: int
    tight: int


def _told(pair: Pair) -> _Act:
    return _clearly(lambda loose: conduct(pair, loose))


def _clearly(rule: Callable[[float], int]) -> _Act:
    return _Act(rule(1.0), rule(LOOSE), rule(TIGHT))


def _worded(act: _Act, words: Option) -> Finding:
    return Finding((words[act.act],), act.loose == act.act == act.tight)


def _affected(act: _Act) -> Finding:
    answers = [
        (("no",) if each == IGNORE else ("yes",)) for each in (act.act, act.loose, act.tight)
    ]
    return Finding(answers[0], len(set(answers)) == 1)


def _pair(
    course: Course, actor: FloatArray, other: FloatArray, when: tuple[int, int], *, is_robot: bool
) -> Pair:
    first, last = when
    span = max(1, round(SPAN / course.period))
    wish = velocity(actor, first, min(span, max(last - first, 1)), course.period)
    if is_robot and not np.hypot(*wish) >= MOVING:
        ahead = course.goal - actor[first]
        wish = CRUISE * ahead / max(float(np.hypot(*ahead)), 1e-9)
    return Pair(course.period, actor[first:], other[first:], last - first, wish)


def conduct(pair: Pair, loose: float = 1.0) -> int:
    """What the actor does about the other; thresholds are so many times as easily passed."""
    if pair.until < 1 or np.isnan(pair.wish).any():
        return IGNORE
    along = _same_way(pair, loose)
    if along is not None:
        return along
    if not pair.meeting < MEETING * loose:
        return IGNORE
    slowed, swerved = _slowed(pair, loose), _swerved(pair, loose)
    if slowed and not swerved and _moves(pair):
        return YIELD
    return AVOID if slowed or swerved else IGNORE


def _same_way(pair: Pair, loose: float) -> int | None:
    """Following or overtaking, if the two go the same way, the other ahead at first."""
    own = velocity(pair.actor, pair.until, -pair.until, pair.period)
    theirs = velocity(pair.other, pair.until, -pair.until, pair.period)
    if np.isnan(own).any() or np.isnan(theirs).any():
        return None
    speeds = float(np.hypot(*own)), float(np.hypot(*theirs))
    if min(speeds) < MOVING or angle_between(own, theirs) > SAME_WAY * loose:
        return None
    ahead, aside = _beside(pair, own / speeds[0])
    gap, left = ahead[0], ahead[pair.until]
    if not gap > 0.5:  # beside each other from the first
        return None
    faster = speeds[0] - speeds[1]
    wide = np.nanmax(np.abs(aside[: pair.until + 1])) <= WIDE_LANE * loose
    if wide and faster >= FASTER / loose and gap <= BEHIND * loose:
        passed = np.nanmin(ahead) < 0 or left / faster <= PASSES_WITHIN * loose
        if passed and not _waits(pair, ahead):
            return OVERTAKE
    in_lane = np.nanmax(np.abs(aside[: pair.until + 1])) <= LANE * loose
    if in_lane and gap <= BEHIND * loose and abs(left - gap) <= STEADY * loose and left > 0:
        return FOLLOW
    return None


def _waits(pair: Pair, ahead: FloatArray) -> bool:
    """Whether what followed shows that the actor stayed behind after all."""
    after = ahead[pair.until :]
    after = after[~np.isnan(after)]
    return len(after) * pair.period > 2.0 and after[-1] > 0.5 and after[-1] >= after[0] - 0.3


def _beside(pair: Pair, forward: FloatArray) -> tuple[FloatArray, FloatArray]:
    """How far ahead and how far to the left of the actor the other is, (moments,) each."""
    away = pair.other - pair.actor
    return away @ forward, away @ np.array([-forward[1], forward[0]])


def _moves(pair: Pair) -> bool:
    """Whether the other gets anywhere, so that they can be let pass."""
    pace = velocity(pair.other, 0, pair.until, pair.period)
    return bool(np.hypot(*pace) >= MOVING)  # not so for NaN


def _slowed(pair: Pair, loose: float) -> bool:
    before = float(np.hypot(*pair.wish))
    lowest = before
    for at in range(1, pair.until + 1):
        speed = float(np.hypot(*velocity(pair.actor, at, -min(pair.span, at), pair.period)))
        lowest = min(lowest, speed) if not math.isnan(speed) else lowest
    drop = before - lowest
    return drop >= SLOWED / loose and drop >= SLOWED_SHARE / loose * before


def _swerved(pair: Pair, loose: float) -> bool:
    speed = float(np.hypot(*pair.wish))
    if speed < 1e-9:
        return False
    left = np.array([-pair.wish[1], pair.wish[0]]) / speed
    aside = np.abs((pair.actor[: pair.until + 1] - pair.actor[0]) @ left)
    return bool(np.nanmax(aside) >= SWERVED / loose)


def _passes_first(pair: Pair) -> bool:
    """Whether the other crosses the actor's line before the actor would have been there."""
    speed = float(np.hypot(*pair.wish))
    others, times = pair.extended
    forward = pair.wish / speed
    away = others - pair.actor[0]
    along, aside = away @ forward, away @ np.array([-forward[1], forward[0]])
    crossed = np.flatnonzero(aside[:-1] * aside[1:] <= 0)  # not so for NaN
    if not len(crossed):
        return False
    at = int(crossed[0])
    share = aside[at] / (aside[at] - aside[at + 1]) if aside[at] != aside[at + 1] else 0.0
    there = along[at] + share * (along[at + 1] - along[at])
    return bool(times[at] + share * pair.period < there / speed)


def _advice(course: Course, places: FloatArray, last: int, loose: float) -> int:
    """What the robot should do after the last frame, if it drove straight on to its goal."""
    robot, rest = course.robot[last:, :2], places[last:]
    ahead = course.goal - robot[0]
    distance = float(np.hypot(*ahead))
    if distance < 1e-9:
        return IGNORE
    forward = ahead / distance
    own = velocity(course.robot[:, :2], last, -max(1, round(SPAN / course.period)), course.period)
    speed = float(np.hypot(*own)) if not np.isnan(own).any() else 0.0
    wish = max(speed, CRUISE) * forward
    pair = Pair(course.period, robot, rest, len(robot) - 1, wish)
    theirs = _pace(places, last, course.period)
    pace = float(np.hypot(*theirs))
    gap, aside = float((rest[0] - robot[0]) @ forward), _aside(rest[0] - robot[0], forward)
    along = pace >= MOVING and angle_between(theirs, forward) <= SAME_WAY * loose
    if along and 0.5 < gap <= BEHIND * loose and abs(aside) <= LANE * loose:
        slower = float(np.hypot(*wish)) - pace
        return OVERTAKE if slower >= FASTER / loose else FOLLOW
    if gap > distance + MEETING or not pair.meeting < MEETING * loose:
        return IGNORE
    if pace < MOVING or angle_between(theirs, forward) >= AGAINST / loose:
        return AVOID
    if along:
        return OVERTAKE
    return YIELD if _passes_first(pair) else AVOID


def _pace(places: FloatArray, last: int, period: float) -> FloatArray:
    """The person's velocity at the last frame; standing where it is not known."""
    span = max(1, round(SPAN / period))
    found = velocity(places, last, -min(span, last), period) if last else np.full(2, np.nan)
    return np.where(np.isnan(found), 0.0, found)


def _aside(away: FloatArray, forward: FloatArray) -> float:
    return float(away @ np.array([-forward[1], forward[0]]))
