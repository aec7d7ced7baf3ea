"""Everybody has a colour of their own, to all eyes."""

from itertools import combinations, pairwise

import numpy as np
import pytest
from matplotlib import colormaps

from eyesight import EYES, contrast, seen_by
from paseo.vqa.pictures.colours import (
    INK,
    PALETTE,
    ROBOT,
    WHITE,
    brg_colours,
    letter_colour,
    safe_colours,
)


@pytest.mark.parametrize("eyes", EYES)
def test_the_first_eight_are_told_apart_by_all_eyes_and_all_from_the_robot(eyes: str) -> None:
    seen = [seen_by(eyes, colour) for colour in PALETTE]
    assert min(np.linalg.norm(a - b) for a, b in combinations(seen[:8], 2)) > 14
    assert min(np.linalg.norm(a - b) for a, b in combinations(seen, 2)) > 9
    assert min(np.linalg.norm(a - seen_by(eyes, ROBOT)) for a in seen) > 24


@pytest.mark.parametrize("eyes", EYES)
def test_people_with_neighbouring_numbers_differ_most(eyes: str) -> None:
    seen = [seen_by(eyes, colour) for colour in PALETTE]
    assert min(np.linalg.norm(a - b) for a, b in pairwise(seen[:8])) > 40
    assert min(np.linalg.norm(a - b) for a, b in pairwise(seen)) > 20


def test_a_colour_belongs_to_a_number_whoever_else_is_there() -> None:
    assert safe_colours([3])[3] == safe_colours(range(1, 14))[3]


def test_after_the_last_colour_others_follow() -> None:
    assert len(set(safe_colours(range(1, 40)).values())) == 39


@pytest.mark.parametrize("people", [1, 2, 3, 6, 13])
def test_the_originals_colours_are_those_of_matplotlib(people: int) -> None:
    wanted = colormaps["brg"](np.linspace(0, 1, people), bytes=True)[:, :3]
    ours = np.array(list(brg_colours(range(1, people + 1)).values()))
    assert np.abs(ours - wanted).max() <= 1  # it cuts where we round


def test_letters_are_legible_on_every_colour() -> None:
    colours = [*safe_colours(range(1, 27)).values(), *brg_colours(range(1, 14)).values(), ROBOT]
    assert min(contrast(letter_colour(colour), colour) for colour in colours) > 3.4
    assert {letter_colour(colour) for colour in colours} == {WHITE, INK}
