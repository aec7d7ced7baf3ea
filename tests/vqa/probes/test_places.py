"""Things that change places."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from marked_scenes import picture, scene, walker
from paseo.vqa.probes.places import new_places, renumbered, reordered

several = st.lists(st.integers(1, 99), min_size=2, max_size=13, unique=True)


@given(things=several, seed=st.text())
def test_nothing_keeps_its_place_and_nothing_is_lost(things: list[int], seed: str) -> None:
    places = new_places(things, seed)
    assert sorted(places) == sorted(places.values()) == sorted(things)
    assert all(thing != place for thing, place in places.items())
    moved = reordered(things, places)
    assert all(moved[things.index(place)] == thing for thing, place in places.items())


def test_places_are_the_same_for_ever() -> None:
    """Old exams can be read only as long as this holds; the order is that of `sha256sum`."""
    assert new_places([1, 2, 3, 4], "renumber/yard") == {1: 3, 3: 4, 4: 2, 2: 1}


def test_seeds_give_every_order_alike() -> None:
    orders = [tuple(new_places("abc", str(seed)).items()) for seed in range(600)]
    turns = [dict(order)["a"] for order in orders]
    assert 250 < turns.count("b") < 350


def test_people_get_new_numbers_and_keep_the_rest() -> None:
    first, second = walker(1, (3, 1)), walker(2, (4, -1), frames=(2, 3))
    drawn = tuple(picture(0) for _ in range(10))
    after = renumbered(scene(first, second, composites=drawn), {1: 2, 2: 1})
    assert [each.number for each in after.people] == [1, 2]
    np.testing.assert_array_equal(after.people[0].positions, second.positions)
    np.testing.assert_array_equal(after.people[1].boxes, first.boxes)
    assert after.composites == ()


@settings(max_examples=20)
@given(numbers=several)
def test_renumbered_and_back_is_as_before(numbers: list[int]) -> None:
    numbers = sorted(numbers)
    before = scene(*(walker(number, (number, 0)) for number in numbers))
    there = new_places(numbers, "seed")
    back = {new: old for old, new in there.items()}
    after = renumbered(renumbered(before, there), back)
    assert [each.number for each in after.people] == numbers
    assert [each.positions[0, 0] for each in after.people] == numbers
