"""Colours that everybody can tell apart."""

from itertools import combinations

import numpy as np
import pytest

from eyesight import EYES, contrast, seen_by
from paseo.render.raster.palette import DARK, LIGHT, Theme, as_text, mixed, rgb


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
@pytest.mark.parametrize("eyes", EYES)
def test_planners_are_told_apart_by_all_eyes(theme: Theme, eyes: str) -> None:
    seen = [seen_by(eyes, colour) for colour in theme.planners]
    assert min(np.linalg.norm(a - b) for a, b in combinations(seen, 2)) > 14  # 2.3 is just visible


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_robots_contacts_and_text_stand_out_from_the_floor(theme: Theme) -> None:
    assert all(contrast(colour, theme.floor) > 2 for colour in theme.planners)
    assert contrast(theme.contact, theme.floor) > 4.5
    assert contrast(theme.ink, theme.page) > 7
    assert contrast(theme.faint, theme.page) > 4.5


def test_after_the_last_colour_they_begin_again() -> None:
    assert LIGHT.planner(len(LIGHT.planners) + 1) == LIGHT.planner(1)


def test_colours_are_written_and_mixed() -> None:
    assert rgb("#0072B2") == (0, 114, 178)
    assert as_text((0, 114, 178)) == "#0072B2"
    assert mixed((0, 0, 0), (100, 200, 50), 0.5) == (50, 100, 25)
