"""Light near the ground: what lamps add at dusk, and what houses leave of the sky."""

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from paseo.camera.lamplight import BY_DAY, TAKEN, glow, lamps_lit, near_ground, pools
from paseo.camera.places.keeping import kept_place
from paseo.camera.places.openness import openness
from paseo.camera.places.parts.lines import line
from paseo.camera.places.places import open_ground, place_of
from paseo.camera.scene import Lamp, Openness, Place, Sun
from paseo.data.maps.floorplans import shipped_floorplan

AREA = (-2.0, 0.4, 2.0, 12.0)


def under(degrees: float) -> Place:
    return open_ground(0.0, 0.0, sun=Sun(elevation=math.radians(degrees)))


def test_lamps_are_lit_when_the_sun_is_low():
    heights = [lamps_lit(under(degrees)) for degrees in (50, 16, 12, 9, 7, 2)]
    assert heights[:2] == [0, 0]
    assert heights[-2:] == [1, 1]
    assert heights == sorted(heights)
    assert glow(under(50)) == BY_DAY
    assert glow(under(2)) == pytest.approx(1)


def test_light_falls_with_the_square_of_the_distance_and_the_slant():
    lamp = Lamp(np.array([1.0, 2.0, 3.0]), 4.5)
    fallen = pools([lamp], np.array([1.0, 5.0]), np.array([2.0]))
    assert fallen[0, 0] == pytest.approx(4.5 / 9)  # below it
    assert fallen[0, 1] == pytest.approx(4.5 / 25 * 3 / 5)  # 4 m aside, 5 m away


def test_a_window_shines_to_its_front_alone():
    window = Lamp(np.array([0.0, 0.0, 1.2]), 1.0, np.array([0.0, -1.0, 0.0]))
    before, behind = pools([window], np.array([0.0]), np.array([-1.0, 1.0]))[:, 0]
    assert before > 0
    assert behind == 0


@pytest.mark.parametrize("height", [3.0, 9.0])
def test_before_a_long_wall_the_ground_sees_what_the_view_factor_says(height: float):
    wall = line(-2000.0, 0.0, 0.0, 4000.0)
    found = openness([wall], height, AREA)
    assert found is not None
    column = found.shares.shape[1] // 2
    for row, share in enumerate(found.shares[:, column]):
        away = found.corner[1] + row * found.cell
        expected = (1 + away / math.hypot(away, height)) / 2  # of a horizontal patch
        assert share == pytest.approx(expected, abs=0.02)


def test_without_houses_and_by_day_nothing_changes_near_the_ground():
    assert openness([], 9.0, AREA) is None
    assert near_ground(under(50)) is None
    lamp = Lamp(np.array([0.0, 0.0, 4.0]), 5.0)
    lit = near_ground(replace(under(3), lamps=(lamp,)))
    assert lit is not None
    assert (lit[1][..., 3] == 1).all()
    assert near_ground(replace(under(50), lamps=(lamp,))) is None


def test_houses_take_a_part_of_the_light_they_hide():
    half = Openness((0.0, 0.0), 1.0, np.full((2, 3), 0.5))
    found = near_ground(replace(under(50), openness=half))
    assert found is not None
    assert found[1].shape == (2, 3, 4)
    assert found[1][..., 3] == pytest.approx(1 - TAKEN / 2)


def test_a_kept_place_has_the_lamps_and_the_sky_of_the_built_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("PASEO_CACHE", str(tmp_path))
    plan = shipped_floorplan("Zara")
    built = place_of(plan)
    for found in (kept_place(plan), kept_place(plan)):
        assert [lamp.strength for lamp in found.lamps] == [lamp.strength for lamp in built.lamps]
        assert all(
            np.array_equal(one.at, other.at)
            for one, other in zip(found.lamps, built.lamps, strict=True)
        )
        assert found.openness is not None
        assert built.openness is not None
        assert np.array_equal(found.openness.shares, built.openness.shares)
        assert [each.glow for each in found.materials] == [each.glow for each in built.materials]
