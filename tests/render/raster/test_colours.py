"""Colours belong to planners: whoever stands beside one, it is drawn in the same."""

import random
from itertools import combinations

import pytest

from paseo.planners.names import PLANNERS
from paseo.render.raster.colours import OWN, Wearer, colour_numbers, variant_words
from paseo.render.raster.palette import LIGHT

COUNT = len(LIGHT.planners)
SHIPPED = [Wearer(name) for name in PLANNERS.shipped]


def worn(*wearers: Wearer) -> dict[Wearer, int]:
    return dict(zip(wearers, colour_numbers(wearers, COUNT), strict=True))


def test_every_shipped_planner_has_a_colour_of_its_own() -> None:
    assert set(OWN) == set(PLANNERS.shipped)
    assert sorted(OWN.values()) == list(range(len(OWN)))
    for name, target in PLANNERS.shipped.items():
        assert Wearer(target).name == name  # as of a record that was made from Python


def test_a_shipped_planner_has_the_same_colour_in_any_company() -> None:
    company = [*SHIPPED, Wearer("mine.py:Mine"), Wearer("orca", "margin=2"), Wearer("other")]
    for one, other in combinations(company, 2):
        for each in (one, other):
            if each in SHIPPED:
                assert worn(one, other)[each] == worn(*company)[each] == OWN[each.planner]


def test_the_colour_of_anybody_else_is_told_by_name_and_not_by_place() -> None:
    company = [Wearer("mine.py:Mine"), Wearer("orca"), Wearer("orca", "margin=2"), Wearer("other")]
    expected = worn(*company)
    for seed in range(10):
        random.Random(seed).shuffle(company)
        assert worn(*company) == expected
    assert worn(Wearer("mine.py:Mine"))[Wearer("mine.py:Mine")] == expected[Wearer("mine.py:Mine")]
    others = [number for each, number in expected.items() if each not in SHIPPED]
    assert not set(others) & set(OWN.values())


def test_the_planner_of_which_nothing_is_said_keeps_the_colour_beside_its_variants() -> None:
    found = worn(Wearer("dwa", "room=0.1"), Wearer("dwa"), Wearer("dwa", "room=0.4"))
    assert found[Wearer("dwa")] == OWN["dwa"]
    assert worn(Wearer("dwa", "room=0.1")) == {Wearer("dwa", "room=0.1"): OWN["dwa"]}


@pytest.mark.parametrize("count", [9, 20, COUNT])
def test_no_colour_is_worn_twice_in_a_figure(count: int) -> None:
    sweep = [Wearer("straight", f"speed={k}") for k in range(count)]
    alike = [Wearer("orca")] * count
    for wearers in (sweep, alike, [*SHIPPED, *sweep][:count]):
        found = colour_numbers(wearers, COUNT)
        assert len(set(found)) == count
        assert max(found) < COUNT


def test_when_all_are_taken_they_go_on_and_are_dashed() -> None:
    found = colour_numbers([Wearer("straight", f"{k:02}") for k in range(COUNT + 5)], COUNT)
    assert sorted(found) == list(range(COUNT + 5))


def test_variants_are_told_by_parameters_and_reactivity() -> None:
    assert variant_words({"speed": 0.7, "gap": None}, 0.5) == "reactivity=0.5 speed=0.7"
    assert variant_words({}, None) == ""
