"""What is wrong with a calibration, in sentences with numbers, and what would be right."""

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from paseo.pipeline.drives.drive import Odometry
from paseo.pipeline.locating.directions import directions
from paseo.pipeline.locating.doubts import DOUBTS, Doubts
from paseo.pipeline.locating.lies.fitting import UNKNOWNS, corrected, fit
from paseo.pipeline.locating.seen import SeenFrame, once
from paseo.pipeline.locating.sightings import Sightings, sightings
from paseo.world.arrays import BoolArray, FloatArray
from paseo.world.cameras import Camera

SURE = 3.3  # deviations from what was given: one right calibration in a thousand
TOLERATED = np.array([math.radians(0.7), 0.07, 0.07, 0.1])  # what a calibration may be off by
LEAST_PEOPLE = 4
FASTEST = 2.2  # metres a second: half of all people walk slower everywhere
LEAST_WINDOWS = 6
HOVERING = 0.05  # share of people whose feet may be above the horizon
PER_SECOND = 5.0  # rows of a person that are looked at
MOST_ROWS = 20_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """One number of a calibration, as people in pictures tell it."""

    what: str  # pitch, height, focal or clock
    given: float  # radians, metres, pixels or seconds
    found: float
    low: float  # interval of 95 %
    high: float
    wrong: bool


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that cannot be."""

    kind: str  # pitch, height, focal, clock, speed or horizon
    sentence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Plausibility:
    """Whether people in a drive look like people under its calibration."""

    people: int  # who could be used
    findings: tuple[Finding, ...]
    estimates: tuple[Estimate, ...]
    proposed: Camera  # with what is wrong corrected, and the rest as it was
    clock: float  # seconds to add to the frames' times


def plausibility(
    odometry: Odometry,
    frame_times: FloatArray,
    seen: Iterable[SeenFrame],
    camera: Camera,
    doubts: Doubts = DOUBTS,
    *,
    tilts: FloatArray | None = None,
) -> Plausibility:
    """Look for lies: people who float or sink, run, or swing with the robot's turns."""
    rows = sightings(odometry, frame_times, map(once, seen), camera, tilts, box_px=doubts.box_px)
    rows = _thinned(rows.only(np.isfinite(rows.poses.sum(axis=1))))
    if not len(rows):
        return Plausibility(people=0, findings=(), estimates=(), proposed=camera, clock=0.0)
    found = fit(rows, odometry, camera, doubts)
    enough = found.people >= LEAST_PEOPLE
    wrong = (
        (np.abs(found.values) > SURE * found.deviations) & (np.abs(found.values) > TOLERATED)
    ) & enough
    estimates = tuple(_estimates(camera, found.values, found.deviations, wrong))
    findings = [_told(each) for each in estimates if each.wrong]
    findings += _runners(found.speeds) + _hovering(rows, camera)
    kept = np.where(wrong, found.values, 0.0)
    return Plausibility(
        people=found.people,
        findings=tuple(findings),
        estimates=estimates,
        proposed=corrected(camera, kept),
        clock=float(kept[UNKNOWNS.index("clock")]),
    )


def _thinned(rows: Sightings) -> Sightings:
    """A few rows a second of each person, and not more than can be looked at in seconds."""
    slots = np.floor(rows.times * PER_SECOND).astype(np.int64)
    _, first = np.unique(np.column_stack([rows.people, slots]), axis=0, return_index=True)
    chosen = np.sort(first)
    return rows.only(chosen[:MOST_ROWS])


def _estimates(
    camera: Camera, values: FloatArray, deviations: FloatArray, wrong: BoolArray
) -> Iterable[Estimate]:
    given = {"pitch": camera.pitch, "height": camera.height, "focal": camera.fx, "clock": 0.0}
    for place, what in enumerate(UNKNOWNS):
        spread = 1.96 * deviations[place]
        low, middle, high = (values[place] + side * spread for side in (-1.0, 0.0, 1.0))
        base = given[what]
        if what in ("height", "focal"):
            low, middle, high = (base * math.exp(each) for each in (low, middle, high))
        else:
            low, middle, high = (base + each for each in (low, middle, high))
        yield Estimate(
            what=what,
            given=base,
            found=float(middle),
            low=float(low),
            high=float(high),
            wrong=bool(wrong[place]),
        )


def _told(estimate: Estimate) -> Finding:
    given, found, low, high = estimate.given, estimate.found, estimate.low, estimate.high
    if estimate.what == "pitch":
        given, found, low, high = map(math.degrees, (given, found, low, high))
        seem = "sink into the ground" if found < given else "float above it"
        sentence = (
            f"people who are far seem to {seem}: the camera looks {found:.1f} degrees down "
            f"({low:.1f} to {high:.1f}), not {given:.1f}; correct its pitch"
        )
    elif estimate.what == "height":
        seem = "giants" if found < given else "dwarfs"
        sentence = (
            f"people are {seem}: the camera hangs {found:.2f} m high ({low:.2f} to {high:.2f}), "
            f"not {given:.2f}; correct its height"
        )
    elif estimate.what == "focal":
        sentence = (
            f"people swing as the robot turns: the focal length is {found:.0f} pixels ({low:.0f} "
            f"to {high:.0f}), not {given:.0f}; calibrate the camera again"
        )
    else:
        late = "after" if found > 0 else "before"
        sentence = (
            f"people swing as the robot turns: frames are taken {abs(found):.2f} s ({abs(low):.2f} "
            f"to {abs(high):.2f}) {late} the odometry's time; synchronise the clocks"
        )
    return Finding(estimate.what, sentence)


def _runners(speeds: FloatArray) -> list[Finding]:
    walking = speeds[speeds > 0.3]
    if len(walking) < LEAST_WINDOWS or np.median(walking) <= FASTEST:
        return []
    middle = float(np.median(walking))
    return [
        Finding(
            "speed",
            f"half of all people walk faster than {middle:.1f} m/s, expected about 1.3: distances "
            "or times are too large; check the camera's height and focal length, and the clock",
        )
    ]


def _hovering(rows: Sightings, camera: Camera) -> list[Finding]:
    bottoms = np.column_stack([(rows.boxes[:, 0] + rows.boxes[:, 2]) / 2, rows.boxes[:, 3]])
    below = directions(bottoms, camera, rows.tilts)[:, 0][rows.feet]
    share = float((below <= 0).mean()) if len(below) else 0.0
    if share <= HOVERING:
        return []
    return [
        Finding(
            "horizon",
            f"{100 * share:.0f} % of all people have their feet above the horizon: the camera "
            "looks farther down or hangs lower than it is said to; correct its pitch",
        )
    ]
