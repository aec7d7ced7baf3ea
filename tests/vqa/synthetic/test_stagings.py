"""The eight scenes: all there, each with its peculiarity, and numbered as the data set does."""

import math

import pytest

from paseo.data.scenes.socialnavsub import TIMING
from paseo.vqa.synthetic.stagings import Staging, stagings

PEOPLE = {
    "33_Spot_45_228": 3,
    "45_Spot_0_46": 1,
    "74_Spot_2_0": 3,
    "129_Spot_7_94": 13,
    "34_Spot_0_1070": 4,
    "56_Spot_1_367": 3,
    "101_Spot_1_155": 4,
    "64_Spot_3_21": 2,
}
SEEDS = range(8)
SCENES = {staging.id: staging for staging in stagings(0)}


def counts(positions: list[tuple[float, float]]) -> bool:
    """The data set's rule on which tracks count, as its program has it."""
    x, y = min(p[0] for p in positions), min(p[1] for p in positions)
    near = -5 <= y <= 5 and 0 <= x <= 10 and len(positions) >= 3
    return near or (-3 <= y <= 3 and 0 <= x <= 5)


def path(staging: Staging, track: str) -> dict[int, tuple[float, float]]:
    walker = next(each for each in staging.walkers if each.track == track)
    return {
        frame: walker.walk.position(frame * TIMING.period) for frame in walker.seen(staging.drive)
    }


def test_there_are_eight_scenes_with_one_to_thirteen_people() -> None:
    assert {staging.id: len(staging.walkers) for staging in stagings(0)} == PEOPLE


def test_a_seed_gives_the_same_scenes_again_and_another_seed_others() -> None:
    assert stagings(5) == stagings(5)
    starts = {tuple(w.walk.start for w in stagings(seed)[0].walkers) for seed in SEEDS}
    worlds = {(s.origin, s.yaw) for seed in SEEDS for s in stagings(seed)}
    assert len(starts) == len(SEEDS) and len(worlds) == len(SEEDS) * len(PEOPLE)


@pytest.mark.parametrize("seed", SEEDS)
def test_every_person_counts_by_the_data_sets_rule_and_no_stray_does(seed: int) -> None:
    for staging in stagings(seed):
        for walker in staging.walkers:
            assert counts(list(path(staging, walker.track).values())), (staging.id, walker.track)
        for stray in staging.strays:
            assert not counts(list(stray.positions.values())), stray.track


@pytest.mark.parametrize("seed", SEEDS)
def test_numbers_go_from_left_to_right_unless_a_file_gives_them(seed: int) -> None:
    for staging in stagings(seed):
        people = staging.numbered()
        lefts = [next(iter(w.seen(staging.drive).values()))[0] for w in people.values()]
        assert list(people) == list(range(1, len(people) + 1))
        assert (lefts == sorted(lefts)) == (not staging.given_numbers)


def test_the_world_is_neither_at_its_origin_nor_aligned() -> None:
    for staging in stagings(0):
        assert math.hypot(*staging.origin) > 0.1 and 0.4 < staging.yaw < 6


def test_an_id_names_its_recording_and_first_frame() -> None:
    staging = SCENES["34_Spot_0_1070"]
    assert (staging.sequence, staging.first_frame) == ("34_Spot_0", 1070)
    assert SCENES["74_Spot_2_0"].first_frame == 0


def test_the_tracker_has_gaps_late_comers_early_leavers_and_a_single_observation() -> None:
    staging = SCENES["34_Spot_0_1070"]
    seen = {walker.track: list(path(staging, walker.track)) for walker in staging.walkers}
    assert seen["40"] == [0, 1, 2, 5, 6, 8, 9]
    assert seen["41"][-1] < 9 and seen["44"][0] == 3 and seen["47"] == [4]
    assert len(staging.strays) == 4


def test_a_goal_and_a_person_lie_outside_of_the_usual_view() -> None:
    staging = SCENES["56_Spot_1_367"]
    assert staging.goal[1] < -5
    assert max(x for x, _ in path(staging, "3").values()) > 10


def test_robots_drive_straight_turn_both_ways_brake_and_stand() -> None:
    drives = [staging.drive for staging in SCENES.values()]
    assert {(d.curvature > 0) - (d.curvature < 0) for d in drives} == {-1, 0, 1}
    assert any(d.stands_at < 2.25 for d in drives) and any(d.speed == 0 for d in drives)
