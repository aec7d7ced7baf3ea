"""Who gets which scenes."""

from collections import Counter

import pytest

from paseo.survey.assigning import is_abandoned, scenes_for

SIXTY = {f"scene {number}": 0 for number in range(60)}


def arrivals(people: int, *, per_scene: int = 5, seed: int = 0) -> list[tuple[str, ...]]:
    """What people get who come one after the other and all stay."""
    taken, given = Counter(SIXTY), []
    for person in range(1, people + 1):
        mine = scenes_for(taken, per_scene=per_scene, scenes_each=4, seed=seed, person=person)
        taken.update(mine)
        given.append(mine)
    return given


@pytest.mark.parametrize("seed", range(5))
def test_sixty_scenes_of_five_people_are_full_after_seventy_five_people(seed: int) -> None:
    given = arrivals(75, seed=seed)
    assert Counter(scene for mine in given for scene in mine) == dict.fromkeys(SIXTY, 5)
    assert all(len(set(mine)) == 4 for mine in given)


def test_at_no_time_is_a_scene_two_people_ahead_of_another() -> None:
    counts = Counter(SIXTY)
    for mine in arrivals(75):
        counts.update(mine)
        assert max(counts.values()) - min(counts.values()) <= 1


def test_of_two_hundred_people_who_come_all_but_those_needed_get_nothing() -> None:
    given = arrivals(200)
    assert [len(mine) for mine in given] == [4] * 75 + [0] * 125


def test_a_scene_that_somebody_has_left_is_given_first() -> None:
    taken = {**dict.fromkeys(SIXTY, 4), "scene 7": 2, "scene 9": 3}
    mine = scenes_for(taken, per_scene=5, scenes_each=4, seed=0, person=80)
    assert mine[:2] == ("scene 7", "scene 9")


def test_where_fewer_scenes_need_people_fewer_are_given() -> None:
    taken = {**dict.fromkeys(SIXTY, 5), "scene 7": 2}
    assert scenes_for(taken, per_scene=5, scenes_each=4, seed=0, person=80) == ("scene 7",)


def test_the_seed_decides_and_the_same_seed_gives_the_same() -> None:
    assert arrivals(75, seed=3) == arrivals(75, seed=3) != arrivals(75, seed=4)


def test_scenes_do_not_come_in_an_order_of_their_own() -> None:
    first = Counter(mine[0] for seed in range(200) for mine in arrivals(1, seed=seed))
    assert len(first) > 50
    assert max(first.values()) < 14


def test_who_gave_no_sign_for_longer_than_the_limit_has_left() -> None:
    assert not is_abandoned(100.0, now=160.0, limit=60.0)
    assert is_abandoned(100.0, now=160.1, limit=60.0)
