"""The staged scenes: all there, each with its peculiarity, and numbered as the data set does."""

import math
from pathlib import Path

import pytest

from paseo.camera.people.library import Library, place_for
from paseo.data.scenes.origin import is_staged
from paseo.data.scenes.socialnavsub import TIMING
from paseo.vqa.synthetic.casting import Staging
from paseo.vqa.synthetic.stagings import stagings

PEOPLE = {
    "mixed": 3,
    "lone": 1,
    "turning": 3,
    "crowd": 13,
    "gaps": 4,
    "far": 3,
    "numbers": 4,
    "standing": 2,
    "following": 5,
    "overtaking": 5,
    "passed": 5,
    "yielding": 3,
    "leaving": 3,
}
SEEDS = range(8)
SCENES = {staging.name: staging for staging in stagings(0)}


def counts(positions: list[tuple[float, float]]) -> bool:
    """The data set's rule on which tracks count, as its program has it."""
    x, y = min(p[0] for p in positions), min(p[1] for p in positions)
    near = -5 <= y <= 5 and 0 <= x <= 10 and len(positions) >= 3
    return near or (-3 <= y <= 3 and 0 <= x <= 5)


def path(staging: Staging, track: str) -> dict[int, tuple[float, float]]:
    walker = next(each for each in staging.walkers if each.track == track)
    return {
        frame: walker.walk.position(frame * TIMING.period)
        for frame in walker.tracked(staging.drive)
    }


def test_there_are_thirteen_scenes_with_one_to_thirteen_people() -> None:
    assert {staging.name: len(staging.walkers) for staging in stagings(0)} == PEOPLE


def test_a_seed_gives_the_same_scenes_again_and_another_seed_others() -> None:
    assert stagings(5) == stagings(5)
    starts = {tuple(w.walk.start for w in stagings(seed)[0].walkers) for seed in SEEDS}
    worlds = {(s.origin, s.yaw) for seed in SEEDS for s in stagings(seed)}
    assert len(starts) == len(SEEDS) and len(worlds) == len(SEEDS) * len(PEOPLE)


@pytest.mark.parametrize("seed", SEEDS)
def test_every_person_counts_by_the_data_sets_rule_and_no_stray_does(seed: int) -> None:
    for staging in stagings(seed):
        for walker in staging.walkers:
            near = counts(list(path(staging, walker.track).values()))
            assert near or staging.given_numbers, (staging.id, walker.track)
        for stray in staging.strays:
            assert not counts(list(stray.positions.values())), stray.track


@pytest.mark.parametrize("seed", SEEDS)
def test_numbers_go_from_left_to_right_unless_a_file_gives_them(seed: int) -> None:
    for staging in stagings(seed):
        people = staging.numbered()
        assert list(people) == list(range(1, len(people) + 1))
        if not staging.given_numbers:
            lefts = [next(iter(staging.seen(w).values()))[0] for w in people.values()]
            assert lefts == sorted(lefts)


def test_the_world_is_neither_at_its_origin_nor_aligned() -> None:
    for staging in stagings(0):
        assert math.hypot(*staging.origin) > 0.1 and 0.4 < staging.yaw < 6


def test_an_id_names_its_recording_and_first_frame() -> None:
    staging = SCENES["gaps"]
    assert staging.id == "synthetic_0_gaps_1070" and staging.sequence == "synthetic_0_gaps"
    assert SCENES["turning"].first_frame == 0


def test_no_scene_of_one_seed_has_the_id_of_another() -> None:
    assert len({staging.id for seed in SEEDS for staging in stagings(seed)}) == 13 * len(SEEDS)


@pytest.mark.recordings
def test_no_real_scene_has_the_id_of_a_staged_one(data_dir: Path) -> None:
    real = [each.name for each in (data_dir / "socialnavsub" / "human_labels").iterdir()]
    assert len(real) >= 60 and not any(map(is_staged, real))
    assert all(is_staged(staging.id) for staging in stagings(1))


def test_people_are_as_tall_as_their_bodies_and_no_two_of_a_scene_look_alike() -> None:
    for staging in stagings(2):
        places = [place_for(walker.person, 0, len(Library())) for walker in staging.walkers]
        assert len(set(places)) == len(places)
        for walker, place in zip(staging.walkers, places, strict=True):
            assert walker.height == Library().height(place)


def test_the_tracker_has_gaps_late_comers_early_leavers_and_a_single_observation() -> None:
    staging = SCENES["gaps"]
    seen = {walker.track: list(path(staging, walker.track)) for walker in staging.walkers}
    assert seen["40"] == [0, 1, 2, 5, 6, 8, 9]
    assert seen["41"][-1] < 9 and seen["44"][0] == 3 and seen["47"] == [4]
    assert len(staging.strays) == 4


def test_a_goal_and_a_person_lie_outside_of_the_usual_view() -> None:
    staging = SCENES["far"]
    assert staging.goal[1] < -5
    assert max(x for x, _ in path(staging, "3").values()) > 10


def test_robots_drive_straight_turn_both_ways_brake_and_stand() -> None:
    drives = [staging.drive for staging in SCENES.values()]
    assert {(d.curvature > 0) - (d.curvature < 0) for d in drives} == {-1, 0, 1}
    assert any(d.stands_at < 2.25 for d in drives) and any(d.speed == 0 for d in drives)
