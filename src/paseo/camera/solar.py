"""Where the sun stands at an hour of a day, by Meeus, and how much of its light comes through.

Declination: J. Meeus, Astronomical Algorithms (1998), chapter 25, the formulas of low accuracy
(0.01 degrees), as NOAA's solar calculator uses them. Height and bearing: chapter 13.
"""

import math
from dataclasses import dataclass

from paseo.camera.scene import Sun
from paseo.errors import BadValue

YEAR_BEGINS = 2460676.5  # the Julian day of 1 January 2025; other years differ by 0.4 degrees
MIDSUMMER = 172  # the 21st of June
LOWEST = math.radians(1.5)  # a lower sun is not drawn: dusk and night are other lights


@dataclass(frozen=True, slots=True, kw_only=True)
class Spot:
    """Where on the globe a place is, and on which day of the year."""

    latitude: float = math.radians(47.4)  # north is positive
    day: int = MIDSUMMER

    def __post_init__(self) -> None:
        if not abs(self.latitude) <= math.pi / 2:
            raise BadValue(
                f"a latitude is {math.degrees(self.latitude):g} degrees, expected -90 to 90"
            )
        if not 1 <= self.day <= 366:
            raise BadValue(f"day {self.day} is in no year, expected 1 to 366")


def sun_by_hour(hour: float, spot: Spot | None = None) -> Sun:
    """The sun at an hour by the sundial: at 12 it stands highest. North is +y.

    `BadValue` where it is lower than 1.5 degrees or has set: dusk and night are not drawn.
    """
    if not 0 <= hour <= 24:
        raise BadValue(f"hour {hour:g} is in no day, expected 0 to 24")
    spot = spot or Spot()
    declined = declination(julian_day(spot.day) + hour / 24)
    turn = math.radians(15 * (hour - 12))
    height, bearing = horizontal(turn, declined, spot.latitude)
    if height < LOWEST:
        first, last = _bounds(spot)
        raise BadValue(
            f"at hour {hour:g} the sun is {math.degrees(height):.1f} degrees high, and dusk and "
            f"night are not drawn; choose one from {first:.1f} to {last:.1f}"
        )
    return Sun(azimuth=math.pi / 2 - bearing, elevation=height)


def julian_day(day: int) -> float:
    """The Julian day on which a day of the year begins, at 0 h of universal time."""
    return YEAR_BEGINS + day - 1


def declination(julian: float) -> float:
    """How far north of the equator the sun stands at a Julian day, in radians."""
    century = (julian - 2451545.0) / 36525
    longitude = 280.46646 + century * (36000.76983 + 0.0003032 * century)
    anomaly = math.radians(357.52911 + century * (35999.05029 - 0.0001537 * century))
    middle = (
        (1.914602 - century * (0.004817 + 0.000014 * century)) * math.sin(anomaly)
        + (0.019993 - 0.000101 * century) * math.sin(2 * anomaly)
        + 0.000289 * math.sin(3 * anomaly)
    )
    node = math.radians(125.04 - 1934.136 * century)
    apparent = math.radians(longitude + middle - 0.00569 - 0.00478 * math.sin(node))
    tilt = math.radians(23.439291 - 0.0130042 * century + 0.00256 * math.cos(node))
    return math.asin(math.sin(tilt) * math.sin(apparent))


def horizontal(turn: float, declined: float, latitude: float) -> tuple[float, float]:
    """Height above the horizon, and bearing clockwise from north, at an hour angle."""
    rise = math.sin(latitude) * math.sin(declined)
    rise += math.cos(latitude) * math.cos(declined) * math.cos(turn)
    south = math.cos(turn) * math.sin(latitude) - math.tan(declined) * math.cos(latitude)
    bearing = math.atan2(math.sin(turn), south) + math.pi
    return math.asin(max(-1.0, min(1.0, rise))), bearing % math.tau


def _bounds(spot: Spot) -> tuple[float, float]:
    """The first and the last hour, by tenths, that are drawn; noon where there is none."""
    declined = declination(julian_day(spot.day) + 0.5)
    high = [
        tenth / 10
        for tenth in range(241)
        if horizontal(math.radians(1.5 * tenth - 180), declined, spot.latitude)[0] >= LOWEST
    ] or [12.0]
    return high[0], high[-1]


def air_mass(elevation: float) -> float:
    """How many times the air overhead sunlight passes (Kasten and Young 1989)."""
    degrees = math.degrees(elevation)
    return 1 / (math.sin(elevation) + 0.50572 * (degrees + 6.07995) ** -1.6364)
