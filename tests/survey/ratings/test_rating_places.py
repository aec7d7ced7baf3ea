"""Who gets which clips, beside which others, and which of them twice."""

from collections import Counter
from typing import Any

import msgspec
import pytest

from paseo.survey.study.content import Wanted
from paseo.survey.study.ratings.asking import Asking, aspects_called, new_asking
from paseo.survey.study.ratings.clips import ShownClip, ShownClips
from paseo.survey.study.ratings.places import Place, place_called, places_for
from paseo.survey.study.ratings.steps import steps_of
from rated_studies import name_of, shown_clips

FOUR = ("a", "b", "c", "d")


def clips_of(episodes: int, planners: tuple[str, ...] = FOUR) -> dict[str, ShownClip]:
    content = msgspec.convert(shown_clips(episodes, planners), ShownClips)
    return {each.name: each for each in content.clips}


def asked(**changes: Any) -> Asking:
    return new_asking(aspects=aspects_called(["comfort"]), **changes)


def arrivals(
    clips: dict[str, ShownClip], people: int, asking: Asking, *, per: int = 5, each: int = 8
) -> list[list[Place]]:
    """What people get who come one after the other and all stay."""
    wanted = Wanted(per_unit=per, units_each=each, seed=3)
    taken: Counter[str] = Counter(dict.fromkeys(clips, 0))
    given: list[str] = []
    found = []
    for person in range(1, people + 1):
        mine = places_for(clips, asking, dict(taken), given, wanted=wanted, person=person)
        taken.update(place.clip for place in mine if not place.again)
        given += [place.name for place in mine]
        found.append(mine)
        assert max(taken.values()) - min(taken.values()) <= 1
    return found


def first_time(found: list[list[Place]]) -> list[Place]:
    return [place for mine in found for place in mine if not place.again]


def test_every_clip_has_its_people_after_as_few_as_can_be() -> None:
    clips = clips_of(10)
    found = arrivals(clips, 25, asked())  # 40 clips of 5 people, 8 for each
    assert Counter(place.clip for place in first_time(found)) == dict.fromkeys(clips, 5)


def test_of_two_hundred_people_who_come_all_but_those_needed_get_nothing() -> None:
    found = arrivals(clips_of(10), 200, asked())
    assert [bool(mine) for mine in found] == [True] * 25 + [False] * 175


def test_nobody_gets_a_clip_twice_and_episodes_repeat_only_where_they_must() -> None:
    clips = clips_of(10)
    for mine in arrivals(clips, 15, asked()):
        rated = [place.clip for place in mine if not place.again]
        assert len(set(rated)) == len(rated) == 8
        repeats = Counter(clips[each].episode for each in rated)
        assert max(repeats.values()) <= 2
    first = [clips[p.clip].episode for p in arrivals(clips, 1, asked())[0] if not p.again]
    assert len(set(first)) == 8


def test_pairs_are_of_one_episode_and_of_two_planners() -> None:
    clips = clips_of(10)
    for place in first_time(arrivals(clips, 25, asked())):
        assert place.other is not None
        one, other = clips[place.clip], clips[place.other]
        assert one.episode == other.episode
        assert one.planner != other.planner


def test_planners_meet_equally_often_and_each_stands_first_as_often() -> None:
    clips = clips_of(10)
    pairs = [place.pair or ("", "") for place in first_time(arrivals(clips, 25, asked()))]
    shown = [(clips[one].planner, clips[two].planner) for one, two in pairs]
    met = Counter(frozenset(each) for each in shown)
    assert len(met) == 6
    assert max(met.values()) - min(met.values()) <= 4  # of 33 on average
    for one, two in map(sorted, met):
        assert abs(shown.count((one, two)) - shown.count((two, one))) <= 1
    of_clips = Counter(frozenset(each) for each in pairs)
    assert max(of_clips.values()) <= 5  # of 3.3 on average


@pytest.mark.parametrize(("share", "count"), [(0.0, 0), (0.01, 1), (0.25, 2), (0.5, 4), (1.0, 7)])
def test_a_share_of_the_clips_comes_again_and_never_directly_after(
    share: float, count: int
) -> None:
    for mine in arrivals(clips_of(10), 25, asked(again=share)):
        again = [number for number, place in enumerate(mine) if place.again]
        assert len(again) == count
        for number in again:
            before = next(k for k, place in enumerate(mine) if place.clip == mine[number].clip)
            assert before < number - 1
            assert mine[number].pair is None


def test_where_there_is_no_scale_the_pair_comes_again_the_other_way_round() -> None:
    mine = arrivals(clips_of(10), 1, asked(points=0))[0]
    for place in (each for each in mine if each.again):
        before = next(each for each in mine if each.clip == place.clip)
        assert place.pair == (before.pair or ())[::-1]


def test_without_pairs_clips_are_only_rated() -> None:
    mine = arrivals(clips_of(10), 1, asked(pairs="none"))[0]
    assert all(place.other is None for place in mine)
    pages = steps_of(mine, asked(pairs="none"), seed=0, person=1)
    assert all(len(steps) == 1 and not steps[0].is_pair for steps in pages)


def test_a_place_is_known_by_its_name_and_others_are_not() -> None:
    clips = clips_of(2)
    one, two = name_of("episode 0", "a"), name_of("episode 0", "b")
    for place in (
        Place(clip=one),
        Place(clip=one, again=True),
        Place(clip=one, other=two),
        Place(clip=one, other=two, second=True, again=True),
    ):
        assert place_called(place.name, clips) == place
        assert not any(word in place.name for word in ("episode", "planner"))
    for name in ("", "nothing", f"{one}-", f"{one}-{two}", f"{one}-{two}-3", "0" * 16):
        assert place_called(name, clips) is None


def test_the_seed_decides() -> None:
    clips, taken = clips_of(5), dict.fromkeys(clips_of(5), 0)
    found = [
        places_for(
            clips, asked(), taken, (), wanted=Wanted(per_unit=5, units_each=8, seed=k), person=1
        )
        for k in (1, 1, 2)
    ]
    assert found[0] == found[1] != found[2]


def test_there_is_one_check_in_each_half_and_it_asks_for_a_point() -> None:
    mine = arrivals(clips_of(10), 1, asked())[0]
    pages = [step for steps in steps_of(mine, asked(), seed=0, person=1) for step in steps]
    places = [number for number, step in enumerate(pages) if step.check]
    assert len(places) == 2
    assert places[0] < len(pages) // 2 <= places[1]
    assert all(step.check.choice in "1234567" for step in pages if step.check)
