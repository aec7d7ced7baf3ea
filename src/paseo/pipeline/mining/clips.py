"""The clips of a drive that are worth most, no two of them with the same people at once."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from paseo.data.scenes.pedestrians import comes_near
from paseo.data.scenes.robot_frame import from_the_first, seen_from
from paseo.pipeline.mining.fitness import Candidate, Fitness
from paseo.pipeline.mining.stretches import Passing, Stretch
from paseo.progress import Progress, silent
from paseo.world.scenes import ClipTiming

WINDOW = 25  # frames in which at most one clip may begin, as in the data set


@dataclass(frozen=True, slots=True, eq=False)
class Clip:
    """A few seconds of a stretch."""

    stretch: Stretch
    first: int  # frame of the stretch
    frames: int

    @property
    def span(self) -> slice:
        """Its frames in the stretch."""
        return slice(self.first, self.first + self.frames)

    @property
    def people(self) -> tuple[Passing, ...]:
        """Who is shown in it."""
        last = self.first + self.frames - 1
        return tuple(
            person
            for person in self.stretch.people
            if person.first <= last
            and person.last >= self.first
            and not np.isnan(person.positions[self.span, 0]).all()
        )

    def candidate(self, period: float) -> Candidate:
        """As the robot sees it from its first pose."""
        later = slice(self.first, self.first + self.frames + 1)
        robot = from_the_first(self.stretch.robot[later])
        pose = self.stretch.robot[self.first]
        people = [seen_from(pose, person.positions[self.span]) for person in self.people]
        return Candidate(
            period=period, robot=robot[:-1], waypoints=robot[1:, :2], people=tuple(people)
        )


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """A clip and what it is worth."""

    clip: Clip
    fitness: float


def best_clips(
    parts: Sequence[Stretch],
    timing: ClipTiming,
    fitness: Fitness,
    *,
    progress: Progress = silent,
) -> Iterator[Found]:
    """The clips in the order of their worth, as long as there are any; of equals the earlier.

    At most one begins in each window of 25 frames of a stretch, the best that is still free: no
    two have a frame in common.
    """
    judged = list(_judged(parts, timing, fitness, progress))
    judged.sort(key=lambda found: -found.fitness)  # stable: the earlier ones stay first
    begun: set[tuple[int, int]] = set()
    taken: dict[int, list[int]] = {}
    for found in judged:
        number, first = found.clip.stretch.number, found.clip.first
        window, others = (number, first // WINDOW), taken.setdefault(number, [])
        if window not in begun and all(abs(first - other) >= timing.frames for other in others):
            begun.add(window)
            others.append(first)
            yield found


def _judged(
    parts: Sequence[Stretch], timing: ClipTiming, fitness: Fitness, progress: Progress
) -> Iterator[Found]:
    """Every clip with somebody who counts; the frame after it is known, too."""
    total, done = sum(len(part.frames) - timing.frames for part in parts), 0
    for part in parts:
        for first in range(len(part.frames) - timing.frames):
            progress("clip", done, total)
            done += 1
            clip = Clip(part, first, timing.frames)
            candidate = clip.candidate(timing.period)
            if any(comes_near(places[~np.isnan(places[:, 0])]) for places in candidate.people):
                worth = fitness.fitness(candidate)
                if worth > -math.inf:
                    yield Found(clip, worth)
    progress("clip", done, total)
