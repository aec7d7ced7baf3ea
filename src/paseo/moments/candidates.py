"""Moments that may become scenes: who rides, who is in view, and what is true of them."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from paseo.data.scenes.robot_frame import from_the_first, seen_from
from paseo.moments.stages import Rider, Stage
from paseo.pipeline.mining.fitness import Candidate, Fitness
from paseo.pipeline.mining.goals import GoalRule, goal_on_way
from paseo.vqa.geometry.course import Course
from paseo.world.arrays import BoolArray, FloatArray
from paseo.world.cameras import Camera
from paseo.world.motion import Pose
from paseo.world.scenes import ClipTiming

AFTERMATH = 2.5  # seconds after the last frame that are kept aside
NEAREST, FARTHEST = 0.6, 20.0  # metres ahead at which people can be told in a picture
COMES_NEAR, VERY_NEAR = 10.0, 5.0  # metres, of those who are asked about
SHOWN_FRAMES = 3  # in which those who do not come very near must be in the picture
UNBLOCKED = 0.9  # metres that everybody in the picture keeps from the camera
CLOSE_BEHIND = 3.5  # metres, of whom the picture does not show
MOST_PEOPLE = 10  # who are asked about in one scene
ROOM = 0.35  # metres that the camera leaves to walls
GETS_ON = 0.8  # metres that a rider goes in a scene and its aftermath, at least
OFFERS = 3  # moments in the time of a scene that are offered for choice
DIGITS = 3  # of a goal, in metres: the data set has whole millimetres


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Sighted:
    """A rider all along a stage, and whom they have before them."""

    stage: Stage
    rider: Rider
    shown: BoolArray  # (moments, people), in the picture and not behind a wall
    ahead: FloatArray  # (moments, people), metres along the rider's heading
    away: FloatArray  # (moments, people), metres


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Moment:
    """A few seconds of a ride, about which can be asked."""

    sighted: Sighted
    first: int  # moment of the stage
    timing: ClipTiming
    asked: tuple[int, ...]  # which of the stage's people are asked about
    fitness: float
    goal: tuple[float, float]  # in the rider's first frame
    goal_time: float  # when the rider was there, seconds of the stage

    @property
    def span(self) -> slice:
        """Its frames among the moments of the stage."""
        return slice(self.first, self.first + self.timing.frames)

    @property
    def after(self) -> slice:
        """The moments of its aftermath."""
        begin = self.first + self.timing.frames
        return slice(begin, begin + aftermath_moments(self.timing))

    def course(self, numbers: Mapping[int, int] | None = None) -> Course:
        """Where everybody was, seen from the first frame; people by `numbers`, or their place."""
        stage, rider = self.sighted.stage, self.sighted.rider
        whole = slice(self.first, self.after.stop)
        named = numbers if numbers is not None else {place: place for place in self.asked}
        first = rider.poses[self.first]
        return Course(
            period=self.timing.period,
            last=self.timing.frames - 1,
            robot=from_the_first(rider.poses[whole]),
            goal=np.array(self.goal),
            people={n: seen_from(first, stage.places[whole, k]) for k, n in named.items()},
        )


def aftermath_moments(timing: ClipTiming) -> int:
    """How many moments are kept aside."""
    return round(AFTERMATH / timing.period)


def sighted(stage: Stage, rider: Rider, camera: Camera) -> Sighted:
    """Whom a rider has in the picture at each moment of a stage."""
    poses, places = rider.poses, stage.places
    ahead = np.stack([seen_from(pose, there) for pose, there in zip(poses, places, strict=True)])
    away = np.hypot(ahead[..., 0], ahead[..., 1])  # (moments, people)
    depth = ahead[..., 0] - camera.forward
    with np.errstate(invalid="ignore", divide="ignore"):
        column = camera.cx - camera.fx * ahead[..., 1] / depth
        shown = (depth >= NEAREST) & (depth <= FARTHEST) & (column > 0) & (column < camera.width_px)
    if rider.place is not None:
        shown[:, rider.place] = False
    for moment, person in zip(*np.nonzero(shown & (away <= COMES_NEAR)), strict=True):
        here, there = Pose(*poses[moment].tolist()), Pose(*places[moment, person].tolist())
        shown[moment, person] = stage.floorplan.sees(here, there)
    return Sighted(stage=stage, rider=rider, shown=shown, ahead=ahead[..., 0], away=away)


def moments_of(
    seen: Sighted, timing: ClipTiming, fitness: Fitness, rule: GoalRule
) -> Iterator[Moment]:
    """The best moment in each third of a scene's length, of those that show anybody."""
    stage, rider = seen.stage, seen.rider
    length = timing.frames + aftermath_moments(timing)
    there = _rideable(rider, stage)
    best: dict[int, Moment] = {}
    for first in range(0, len(stage.times) - length + 1, 2):
        if not there[first : first + length].all():
            continue
        found = _moment(seen, first, timing, fitness, rule)
        window = OFFERS * first // timing.frames
        if found and (window not in best or best[window].fitness < found.fitness):
            best[window] = found
    yield from best.values()


def _rideable(rider: Rider, stage: Stage) -> BoolArray:
    """When the rider is there, looks somewhere, and not through a wall, (moments,)."""
    there: BoolArray = ~np.isnan(rider.poses[:, 2])
    room = stage.floorplan.grid_clearances(np.where(there[:, None], rider.poses[:, :2], 0.0))
    return there & (room >= ROOM)


def _moment(
    seen: Sighted, first: int, timing: ClipTiming, fitness: Fitness, rule: GoalRule
) -> Moment | None:
    stage, rider = seen.stage, seen.rider
    span = slice(first, first + timing.frames)
    asked = () if _blocked(seen, span) else _asked(seen, span)
    end = first + timing.frames + aftermath_moments(timing) - 1
    if not asked or math.dist(rider.poses[first, :2], rider.poses[end, :2]) < GETS_ON:
        return None
    start = rider.poses[first]
    whole = from_the_first(rider.poses[first : span.stop + 1])
    tracks = [
        np.where(seen.shown[span, k, None], seen_from(start, stage.places[span, k]), np.nan)
        for k in asked
    ]
    worth = fitness.fitness(
        Candidate(period=timing.period, robot=whole[:-1], waypoints=whole[1:, :2], people=tracks)
    )
    if worth == -math.inf:
        return None
    x, y, time = _goal(seen, first, timing, rule)
    return Moment(
        sighted=seen, first=first, timing=timing, asked=asked, fitness=worth, goal=(x, y),
        goal_time=time,
    )  # fmt: skip


def _blocked(seen: Sighted, span: slice) -> bool:
    """Whether somebody is so close before the camera that they hide everything."""
    return bool((seen.shown[span] & (seen.away[span] < UNBLOCKED)).any())


def _asked(seen: Sighted, span: slice) -> tuple[int, ...]:
    """Who comes near and is in the picture long enough, and who walks close behind.

    Nobody, where that are too many. Of those behind only the nearest: whom no picture shows is
    known from the bird's-eye view alone.
    """
    shown, away = seen.shown[span], seen.away[span]
    nearest = np.where(shown, away, np.inf).min(axis=0)
    known = ~np.isnan(away[[0, -1]]).any(axis=0)
    frames = shown.sum(axis=0)
    near = (nearest <= COMES_NEAR) & (frames >= SHOWN_FRAMES)
    found = np.flatnonzero(known & (near | (nearest <= VERY_NEAR))).tolist()
    if not 1 <= len(found) <= MOST_PEOPLE:
        return ()
    return tuple(sorted({*found, *_close_behind(seen, span)}))


def _close_behind(seen: Sighted, span: slice) -> list[int]:
    """Who is behind the rider in every frame and never far; the nearest, if there is anybody."""
    away = seen.away[span]
    behind = np.asarray(((seen.ahead[span] < 0) & (away <= CLOSE_BEHIND)).all(axis=0))
    if seen.rider.place is not None:
        behind[seen.rider.place] = False
    found = np.flatnonzero(behind)
    return [int(found[np.argmin(away[0, found])])] if len(found) else []


def _goal(
    seen: Sighted, first: int, timing: ClipTiming, rule: GoalRule
) -> tuple[float, float, float]:
    """Where the rider was going: a place on the way that they took afterwards."""
    poses, times = seen.rider.poses[first:], seen.stage.times[first:]
    gone = np.flatnonzero(np.isnan(poses[:, 0]))
    end = int(gone[0]) if len(gone) else len(poses)
    found = goal_on_way(times[:end], poses[:end, :2], timing.frames - 1, rule)
    x, y = seen_from(poses[0], np.array([found.x, found.y])).tolist()
    return round(x, DIGITS), round(y, DIGITS), found.time
