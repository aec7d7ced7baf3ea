"""What is true of the staged scenes, from their analytic motion: the answers that are right.

Directions are bearings from the robot as it stands and looks in that frame. Of a person the first
and the last frame in which the tracker sees them count. Whether a person is in the way is decided
against the straight way from the robot to the goal, which ends at both. What two do about each
other cannot be seen from motion alone: it is as staged, else as in the paper's rules, by which who
is in the way is avoided and nobody else considered. Who considers the other is affected by them.
"""

import math
from dataclasses import dataclass

from paseo.data.scenes.socialnavsub import TIMING
from paseo.vqa.questions.questions import Option, kinds
from paseo.vqa.synthetic.casting import Staging, Walker
from paseo.vqa.synthetic.motion import Drive, Point, from_robot
from paseo.vqa.synthetic.stagings import stagings

# The stagings keep clear of every threshold, so that other sensible ones give the same answers.
AHEAD = math.radians(30)  # bearings up to this are ahead; the camera sees 46 degrees to each side
BEHIND = math.radians(120)  # bearings from this on are behind
TURN = math.radians(20)  # a change of heading that is a turn
SHARP_TURN = math.radians(60)  # a change of heading beside which nobody says 'moving ahead'
GETS_AWAY = 0.5  # metres that a robot which turns must drive for anybody to say 'moving ahead'
SAME_DISTANCE = 0.5  # metres
CROSSING = 0.5  # metres between a person's path and the straight way from robot to goal
STANDING = 1.0  # metres between where a person is last and what is left of that way


def truths(seed: int) -> dict[str, dict[str, Option]]:
    """The right option by scene and question key, for every question about the staged scenes."""
    return {staging.id: truth(staging) for staging in stagings(seed)}


def truth(staging: Staging) -> dict[str, Option]:
    """The right option by question key, in the order of asking."""
    people = {k: _about_person(staging, w) for k, w in staging.numbered().items()}
    scene = _about_scene(staging)
    answers: dict[str, Option] = {}
    for kind in kinds().values():
        if kind.about_person:
            answers |= {f"{kind.key}_p{k}": person[kind.key] for k, person in people.items()}
        else:
            answers[kind.key] = scene[kind.key]
    return answers


@dataclass(frozen=True, slots=True)
class Margins:
    """The quantities the answers about one person hang on; angles in radians, else metres."""

    bearings: tuple[float, float]  # in the first and the last frame they are tracked
    approach: float  # how much further away they are in the end
    crosses: bool  # whether their path crosses the way to the goal
    path_gap: float  # between their path and the way to the goal
    end_gap: float  # between where they are last and the rest of the way to the goal


def margins(staging: Staging, walker: Walker) -> Margins:
    """Those of one person of a scene."""
    frames = list(walker.tracked(staging.drive))
    first, last = frames[0] * TIMING.period, frames[-1] * TIMING.period
    begin, end = walker.walk.position(first), walker.walk.position(last)
    poses = staging.drive.pose(first), staging.drive.pose(last)
    seen = from_robot(begin, poses[0]), from_robot(end, poses[1])
    way = poses[0][:2], staging.goal
    crosses = _crosses((begin, end), way)
    gaps = (
        *(_gap(point, way) for point in (begin, end)),
        *(_gap(point, (begin, end)) for point in way),
    )
    return Margins(
        bearings=(_bearing(seen[0]), _bearing(seen[1])),
        approach=math.hypot(*seen[1]) - math.hypot(*seen[0]),
        crosses=crosses,
        path_gap=0.0 if crosses else min(gaps),
        end_gap=_gap(end, (poses[1][:2], staging.goal)),
    )


def turns(drive: Drive) -> tuple[float, float]:
    """The largest turn to the left and to the right within a scene, in radians."""
    headings = [drive.pose(frame * TIMING.period)[2] for frame in range(TIMING.frames)]
    later = [(b - a) for k, a in enumerate(headings) for b in headings[k:]]
    return max(later), -min(later)


def _about_scene(staging: Staging) -> dict[str, Option]:
    end = staging.drive.pose((TIMING.frames - 1) * TIMING.period)
    ways = ("turning left", "turning right")
    found = tuple(way for way, turn in zip(ways, turns(staging.drive), strict=True) if turn >= TURN)
    ahead = abs(end[2]) < SHARP_TURN and math.hypot(*end[:2]) >= GETS_AWAY
    # A robot that stands and does not turn moves ahead, too: no other choice fits.
    moving = ("moving ahead", *found) if ahead or not found else found
    return {
        "q_robot_moving_direction": moving,
        "q_goal_position_begin": (_goal_side(_bearing(staging.goal)),),
        "q_goal_position_end": (_goal_side(_bearing(from_robot(staging.goal, end))),),
    }


def _about_person(staging: Staging, walker: Walker) -> dict[str, Option]:
    at = margins(staging, walker)
    path, stays = at.path_gap <= CROSSING, at.end_gap <= STANDING
    now, later = ("avoiding", "not considering"), ("avoid", "not consider")
    acts, by_path, by_place = walker.acts, now[not path], later[not stays]
    return {
        "q_person_spatial_position_begin": (_side(at.bearings[0]),),
        "q_person_spatial_position_end": (_side(at.bearings[1]),),
        "q_person_distance_change": (_change(at.approach),),
        "q_obstructing_path": _yes(path),
        "q_obstructing_end_position": _yes(stays),
        "q_robot_affected": _yes((acts.robot or by_path) != now[1]),
        "q_robot_action": (acts.robot or by_path,),
        "q_person_affected": _yes((acts.person or by_path) != now[1]),
        "q_person_action": (acts.person or by_path,),
        "q_robot_suggested_affected": _yes((acts.robot_next or by_place) != later[1]),
        "q_robot_suggested_action": (acts.robot_next or by_place,),
        "q_human_future_action_prediction": (acts.person_next or by_place,),
    }


def _yes(found: bool) -> Option:
    return ("yes",) if found else ("no",)


def _side(bearing: float) -> str:
    if abs(bearing) <= AHEAD:
        return "ahead of"
    if abs(bearing) >= BEHIND:
        return "behind"
    return "to the left of" if bearing > 0 else "to the right of"


def _goal_side(bearing: float) -> str:
    if abs(bearing) <= AHEAD:
        return "ahead"
    return "to the left" if bearing > 0 else "to the right"


def _change(approach: float) -> str:
    if abs(approach) <= SAME_DISTANCE:
        return "about the same distance to"
    return "closer to" if approach < 0 else "further away from"


def _bearing(point: Point) -> float:
    return math.atan2(point[1], point[0])


def _gap(point: Point, segment: tuple[Point, Point]) -> float:
    """Metres from a point to the nearest point of a segment."""
    (ax, ay), (bx, by) = segment
    length = math.hypot(bx - ax, by - ay)
    if not length:
        return math.hypot(point[0] - ax, point[1] - ay)
    along = ((point[0] - ax) * (bx - ax) + (point[1] - ay) * (by - ay)) / length**2
    held = min(max(along, 0.0), 1.0)
    return math.hypot(point[0] - ax - held * (bx - ax), point[1] - ay - held * (by - ay))


def _crosses(one: tuple[Point, Point], other: tuple[Point, Point]) -> bool:
    """Whether two segments properly cross: the ends of each on different sides of the other."""

    def side(point: Point, line: tuple[Point, Point]) -> float:
        (ax, ay), (bx, by) = line
        return (bx - ax) * (point[1] - ay) - (by - ay) * (point[0] - ax)

    return (
        side(one[0], other) * side(one[1], other) < 0
        and side(other[0], one) * side(other[1], one) < 0
    )
