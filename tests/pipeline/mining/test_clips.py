"""Which clips of a drive are taken."""

import math
from itertools import combinations

import numpy as np
import pytest

from handmade_drive import HandmadeDrive, Walker, reconstructed, straight
from paseo.data.scenes.socialnavsub import TIMING
from paseo.pipeline.mining.clips import WINDOW, Clip, best_clips
from paseo.pipeline.mining.fitness import Candidate, SocialNavSub
from paseo.pipeline.mining.stretches import stretches
from paseo.world.arrays import FloatArray

CROWD = [
    Walker(person=k, start=(4.0 + 5 * k, (-1) ** k * 1.5), velocity=(-0.3, 0.02 * k))
    for k in range(8)
]


def best(drive: HandmadeDrive) -> list[tuple[int, int, float]]:
    parts = stretches(reconstructed(drive), TIMING)
    found = best_clips(parts, TIMING, SocialNavSub())
    return [(each.clip.stretch.number, each.clip.first, each.fitness) for each in found]


def test_the_best_come_first_and_no_two_share_a_frame() -> None:
    found = best(HandmadeDrive(walkers=CROWD, seconds=40.0, no_odometry=(15.0, 16.0)))
    assert len(found) >= 4 and {part for part, _, _ in found} == {0, 1}
    worth = [fitness for _, _, fitness in found]
    assert worth == sorted(worth, reverse=True)
    for (part, first, _), (other, second, _) in combinations(found, 2):
        assert part != other or abs(first - second) >= TIMING.frames
        assert (part, first // WINDOW) != (other, second // WINDOW)


def test_the_first_is_the_best_of_all() -> None:
    drive = HandmadeDrive(walkers=CROWD, seconds=40.0)
    (part,) = stretches(reconstructed(drive), TIMING)
    clips = [Clip(part, first, TIMING.frames) for first in range(len(part.frames) - TIMING.frames)]
    worth = [SocialNavSub().fitness(clip.candidate(TIMING.period)) for clip in clips]
    assert best(drive)[0][1:] == (int(np.argmax(worth)), max(worth))


def test_where_the_odometry_begins_and_looks_to_changes_nothing() -> None:
    def turned(walker: Walker) -> Walker:
        (x, y), (vx, vy) = walker.start, walker.velocity
        return Walker(person=walker.person, start=(-y, x), velocity=(-vy, vx))

    def arc(times: FloatArray) -> FloatArray:
        return np.column_stack([4 * np.sin(times / 4), 4 - 4 * np.cos(times / 4), times / 4])

    def turned_arc(times: FloatArray) -> FloatArray:
        x, y, heading = arc(times).T
        return np.column_stack([-y, x, heading + math.pi / 2])

    plain = best(HandmadeDrive(walkers=CROWD, way=arc))
    moved = best(HandmadeDrive(walkers=[turned(each) for each in CROWD], way=turned_arc))
    assert [each[:2] for each in plain] == [each[:2] for each in moved]
    assert [each[2] for each in plain] == pytest.approx([each[2] for each in moved])


def test_a_clip_whose_people_are_far_is_not_taken() -> None:
    far = Walker(person=1, start=(30.0, 0.0))
    assert best(HandmadeDrive(walkers=[far], way=straight(0.0))) == []


def test_a_fitness_may_forbid_clips() -> None:
    class Never:
        def fitness(self, candidate: Candidate) -> float:
            return -math.inf

    parts = stretches(reconstructed(HandmadeDrive(walkers=CROWD)), TIMING)
    assert list(best_clips(parts, TIMING, Never())) == []
