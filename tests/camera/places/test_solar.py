"""Where the sun stands, against published positions, and the light it gives."""

import math

import numpy as np
import pytest

from paseo.camera.places.settings import Setting
from paseo.camera.solar import (
    Spot,
    air_mass,
    declination,
    horizontal,
    julian_day,
    sun_by_hour,
)
from paseo.errors import BadValue


def test_the_declination_is_that_of_meeus_and_of_nrel():
    # Meeus, Astronomical Algorithms, example 25.a: 13 October 1992, 0 h.
    assert math.degrees(declination(2448908.5)) == pytest.approx(-7.78507, abs=1e-4)
    # Reda and Andreas, Solar position algorithm, table A5.1: 17 October 2003, 19:30:30 h.
    assert math.degrees(declination(2452930.312847)) == pytest.approx(-9.31434, abs=0.005)


def test_height_and_bearing_are_those_of_nrel():
    # Reda and Andreas, table A5.1: hour angle, declination and latitude give these, unrefracted.
    angles = (math.radians(each) for each in (11.10629, -9.316179, 39.742476))
    height, bearing = map(math.degrees, horizontal(*angles))
    assert height == pytest.approx(39.872046, abs=1e-3)
    assert bearing == pytest.approx(194.340241, abs=1e-3)


def test_days_are_counted_from_new_year_2025():
    assert julian_day(1) == 2460676.5


def test_at_noon_the_sun_is_highest_and_in_the_south():
    heights = {hour: sun_by_hour(hour).elevation for hour in range(6, 19)}
    assert max(heights, key=heights.__getitem__) == 12
    noon = sun_by_hour(12)
    assert math.degrees(noon.azimuth) == pytest.approx(-90)
    assert math.degrees(noon.elevation) == pytest.approx(90 - 47.4 + 23.44, abs=0.05)


def test_it_rises_in_the_east_and_sets_in_the_west():
    assert math.cos(sun_by_hour(7).azimuth) > 0.9
    assert math.cos(sun_by_hour(17).azimuth) < -0.9


def test_the_further_south_the_higher_it_stands():
    latitudes = [math.radians(each) for each in (55, 47, 35, 25)]
    heights = [sun_by_hour(12, Spot(latitude=each)).elevation for each in latitudes]
    assert heights == sorted(heights)


def test_air_is_passed_once_from_above_and_38_times_from_the_horizon():
    assert air_mass(math.pi / 2) == pytest.approx(1, abs=1e-3)
    assert air_mass(0.0) == pytest.approx(38, abs=0.5)  # Kasten and Young 1989, table II: 37.92


@pytest.mark.parametrize(
    ("hour", "sentence"),
    [
        (23.0, "dusk and night are not drawn; choose one from 4.4 to 19.6"),
        (-1.0, "hour -1 is in no day, expected 0 to 24"),
        (math.nan, "hour nan is in no day"),
    ],
)
def test_an_hour_without_sun_is_told(hour: float, sentence: str):
    with pytest.raises(BadValue, match=sentence):
        sun_by_hour(hour)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [({"latitude": 2.0}, "expected -90 to 90"), ({"day": 400}, "expected 1 to 366")],
)
def test_a_spot_that_is_not_on_the_globe_is_told(change: dict[str, float], sentence: str):
    with pytest.raises(BadValue, match=sentence):
        Spot(**change)


@pytest.mark.extra("camera")
def test_an_evening_is_warmer_and_darker_than_a_noon_and_clouds_hide_the_sun():
    from dataclasses import replace

    from paseo.camera.kernels.daylight import light_of
    from paseo.camera.places.places import open_ground

    field = open_ground(0.0, 0.0)
    noon, evening, grey = (
        light_of(each, "cpu")
        for each in (
            replace(field, sun=sun_by_hour(12)),
            replace(field, sun=sun_by_hour(19)),
            replace(field, clouds=1.0),
        )
    )
    assert evening.sun[0] / evening.sun[2] > 2 * noon.sun[0] / noon.sun[2]
    assert sum(evening.sun) < 0.6 * sum(noon.sun)
    assert evening.exposure > noon.exposure, "as a camera's"
    assert sum(grey.sun) < 0.1 * sum(noon.sun)
    dome = grey.dome.numpy()
    assert np.isfinite(dome).all() and dome.min() >= 0


def test_a_mesh_alone_needs_a_mesh():
    with pytest.raises(BadValue, match="none is given; name its file"):
        Setting(mesh_only=True)
