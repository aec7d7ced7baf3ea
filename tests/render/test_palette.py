"""Colours that everybody can tell apart."""

from itertools import combinations

import numpy as np
import pytest

from paseo.render.palette import DARK, LIGHT, Theme, as_text, mixed, rgb

# How strong colour blindness changes linear RGB: Machado, Oliveira and Fernandes (2009), Table 1.
EYES = {
    "usual": np.eye(3),
    "protan": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216],
               [-0.003882, -0.048116, 1.051998]],
    "deutan": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413],
               [-0.011820, 0.042940, 0.968881]],
    "tritan": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602],
               [0.004733, 0.691367, 0.303900]],
}  # fmt: skip
TO_XYZ = np.array([[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750],
                   [0.0193339, 0.1191920, 0.9503041]])  # fmt: skip
WHITE = np.array([0.95047, 1.0, 1.08883])


def linear(colour: tuple[int, int, int]) -> np.ndarray:
    part = np.array(colour) / 255
    return np.where(part <= 0.04045, part / 12.92, ((part + 0.055) / 1.055) ** 2.4)


def cielab(light: np.ndarray) -> np.ndarray:
    x, y, z = np.cbrt(np.maximum(TO_XYZ @ light / WHITE, 0.008856))
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def contrast(one: tuple[int, int, int], other: tuple[int, int, int]) -> float:
    low, high = sorted(float(TO_XYZ[1] @ linear(each)) for each in (one, other))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
@pytest.mark.parametrize("eyes", EYES)
def test_planners_are_told_apart_by_all_eyes(theme: Theme, eyes: str) -> None:
    seen = [cielab(np.clip(EYES[eyes] @ linear(colour), 0, 1)) for colour in theme.planners]
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
