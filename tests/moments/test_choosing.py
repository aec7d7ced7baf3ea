"""Which moments become scenes: worth asking about, balanced, and without people in common."""

from collections import Counter
from itertools import combinations

import numpy as np
import pytest

from left_out import DATA
from paseo.camera.lens.presets import preset
from paseo.data.scenes.socialnavsub import TIMING
from paseo.moments.candidates import Moment, moments_of, sighted
from paseo.moments.choosing import chosen_moments, right_answers
from paseo.moments.sources import source_of
from paseo.moments.stages import Identity, Stage, recorded_stage
from paseo.pipeline.mining.fitness import make_fitness
from paseo.pipeline.mining.goals import GoalRule
from paseo.vqa.geometry.rules import Rulebook
from paseo.vqa.questions.questions import kinds
from paseo.world.motion import Pose
from paseo.world.scenarios import Scenario
from paseo.world.space.floorplan import FloorPlan
from paseo.world.tracks import Track
from worlds import plan

CAMERA = preset("socialnavsub")
RULES = Rulebook()


def track(id: int, start: tuple[float, float], velocity: tuple[float, float]) -> Track:
    times = np.arange(0, 20.01, 0.4)
    return Track(id, times, np.array(start) + times[:, None] * np.array(velocity))


SQUARE = plan("square", (-30, -30, 30, 30))


def stage(*tracks: Track, where: FloorPlan = SQUARE) -> Stage:
    made = Scenario(
        name="square",
        floorplan=where,
        start=Pose(0, 0),
        goal=Pose(1, 1),
        tracks=tracks,
        time_limit=20.0,
    )
    return recorded_stage(made, [Identity("film", each.id) for each in tracks], TIMING.period)


def moments(where: Stage, rider: int) -> list[Moment]:
    seen = sighted(where, where.riders[rider], CAMERA)
    return list(moments_of(seen, TIMING, make_fitness("socialnav-sub"), GoalRule()))


def asked(where: Stage, rider: int = 0) -> set[tuple[int, ...]]:
    return {tuple(where.ids[list(each.asked)].tolist()) for each in moments(where, rider)}


AHEAD = track(1, (0, 0), (1, 0))


def test_whoever_is_before_the_camera_is_asked_about_and_nobody_else() -> None:
    others = track(2, (5, 1), (1, 0)), track(3, (25, 0), (1, 0)), track(4, (0, -4), (1, 0))
    assert asked(stage(AHEAD, *others)) == {(2,)}  # too far, and out of the picture


def test_who_walks_close_behind_is_known_from_above() -> None:
    others = track(2, (5, 1), (1, 0)), track(3, (-2, 0), (1, 0)), track(4, (-3, 0), (1, 0))
    assert asked(stage(AHEAD, *others)) == {(2, 3)}  # the nearest of them
    assert asked(stage(AHEAD, others[1])) == set()  # the pictures show nobody


def test_somebody_right_before_the_camera_spoils_a_moment() -> None:
    assert asked(stage(AHEAD, track(2, (0.7, 0.1), (1, 0)), track(3, (5, 1), (1, 0)))) == set()


def test_a_wall_hides_people() -> None:
    parted = plan("parted", (-30, -30, 30, 30), (3, -20, 3.2, 20))
    rider = track(1, (0, -8), (0, 0.9))
    looking = track(2, (0.1, -3), (0, 0.9)), track(3, (5, -3), (0, 0.9))
    assert asked(stage(rider, *looking)) == {(2, 3)}
    assert asked(stage(rider, *looking, where=parted)) == {(2,)}


def test_the_goal_is_where_the_rider_went() -> None:
    first = min(moments(stage(AHEAD, track(2, (5, 1), (1, 0))), 0), key=lambda each: each.first)
    assert first.goal == (10.0, 0.0) and first.goal_time == pytest.approx(10.0)


def test_no_two_scenes_show_the_same_person_at_the_same_time() -> None:
    where = stage(
        AHEAD, track(2, (5, 1), (1, 0)), track(3, (0, 9), (1, 0)), track(4, (5, 9), (1, 0))
    )
    found = [each for rider in range(4) for each in moments(where, rider)]
    chosen = chosen_moments(found, 100, seed=0, rules=RULES)
    assert len(chosen) > 6 and len(chosen) < len(found)
    for one, other in combinations(chosen, 2):
        people = [
            {each.sighted.rider.identity.key, *(where.identities[k].key for k in each.asked)}
            for each in (one, other)
        ]
        apart = abs(one.first - other.first) >= TIMING.frames
        assert apart or not people[0] & people[1]


def test_the_same_seed_chooses_the_same() -> None:
    found = moments(stage(AHEAD, track(2, (5, 1), (1, 0))), 0)
    assert chosen_moments(found, 2, seed=5, rules=RULES) == chosen_moments(
        found, 2, seed=5, rules=RULES
    )
    assert len(chosen_moments(found, 2, seed=5, rules=RULES)) == 2
    assert chosen_moments([], 2, seed=5, rules=RULES) == []


def test_rare_answers_come_first() -> None:
    """Of many scenes alike and one in which somebody crosses, that one is among the first two."""
    common = [
        each
        for k in range(8)
        for each in moments(stage(track(10 * k + 1, (0, 0), (1, 0)),
                                  track(10 * k + 2, (8, 6), (1, 0))), 0)[:1]
    ]  # fmt: skip
    crosses = moments(stage(track(101, (0, 0), (1, 0)), track(102, (5, 4), (0, -1.2))), 0)[:1]
    assert crosses[0] in chosen_moments([*common, *crosses], 2, seed=0, rules=RULES)


@pytest.mark.slow
@pytest.mark.recordings
def test_the_original_episodes_give_three_hundred_scenes_balanced() -> None:
    source = source_of("socnavbench-33", TIMING.period, DATA)
    found, ridden = [], set()
    for where in source.found:
        for k, rider in enumerate(where.riders):
            if (rider.identity, where.floorplan.name) not in ridden:
                ridden.add((rider.identity, where.floorplan.name))
                found += moments(where, k)
    chosen = chosen_moments(found, 300, seed=0, rules=RULES)
    assert len(chosen) == 300
    right: Counter[tuple[str, tuple[str, ...]]] = Counter()
    for each in chosen:
        right += right_answers(each, RULES)
    for kind in kinds().values():
        for choice in kind.choices:
            often = sum(n for (key, option), n in right.items()
                        if key == kind.key and choice in option)  # fmt: skip
            assert often >= 3, f"{kind.key}: {choice} is right {often} times"
