"""Colours that everybody can tell apart."""

from itertools import combinations

import numpy as np
import pytest

from eyesight import EYES, contrast, seen_by
from paseo.render.raster.colours import OWN
from paseo.render.raster.palette import DARK, LIGHT, Theme, as_text, mixed, rgb


def nearest(theme: Theme, eyes: str, count: int) -> float:
    """How far the nearest two of the first colours are apart; 2.3 is just visible."""
    seen = [seen_by(eyes, colour) for colour in theme.planners[:count]]
    return min(float(np.linalg.norm(a - b)) for a, b in combinations(seen, 2))


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
@pytest.mark.parametrize("eyes", EYES)
def test_planners_are_told_apart_by_all_eyes(theme: Theme, eyes: str) -> None:
    assert nearest(theme, eyes, len(OWN)) > 14
    assert nearest(theme, eyes, len(theme.planners)) > 9
    assert nearest(theme, "usual", len(theme.planners)) > 18


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_robots_contacts_and_text_stand_out_from_the_floor(theme: Theme) -> None:
    assert all(contrast(colour, theme.floor) > 2 for colour in theme.planners)
    assert contrast(theme.contact, theme.floor) > 4.5
    assert contrast(theme.ink, theme.page) > 7
    assert contrast(theme.faint, theme.page) > 4.5


def test_themes_have_the_same_number_of_colours_and_no_colour_twice() -> None:
    assert len(set(LIGHT.planners)) == len(set(DARK.planners)) == len(LIGHT.planners) >= 20


def test_after_the_last_colour_they_begin_again() -> None:
    assert LIGHT.planner(len(LIGHT.planners) + 1) == LIGHT.planner(1)


def test_colours_are_written_and_mixed() -> None:
    assert rgb("#0072B2") == (0, 114, 178)
    assert as_text((0, 114, 178)) == "#0072B2"
    assert mixed((0, 0, 0), (100, 200, 50), 0.5) == (50, 100, 25)
