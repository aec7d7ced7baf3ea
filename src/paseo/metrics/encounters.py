"""Whom a robot would meet on reference drives: the difficulty of an episode before it is run."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from paseo.metrics.crowding import WALKING_SPEED, Flow
from paseo.metrics.reference_drives import TICK, Drive, ReferenceDrive, reference_drives
from paseo.world.arrays import BoolArray, FloatArray, IntArray
from paseo.world.motion import Pose
from paseo.world.scenarios import Scenario
from paseo.world.space.floorplan import FloorPlan
from paseo.world.tracks import Track

NEAR = 3.0  # metres around the robot, between centres
TOO_CLOSE = 1.0  # metres between centres, predicted
FORESIGHT = 5.0  # seconds for which both are predicted to go straight on
PATCH = 0.5  # metres between the spots at which free space is looked up
SOME = 10  # ticks: free space is looked up at every tenth


class Direction(StrEnum):
    """Which way somebody walks, seen from the robot's: 45 degrees off it part the first three."""

    ALONG = "along"
    ACROSS = "across"
    AGAINST = "against"
    STANDING = "standing"  # at less than 0.2 m/s


DIRECTIONS = tuple(Direction)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PeopleOnClock:
    """An episode's people at times 0, TICK, 2 TICK, ...; NaN while absent."""

    ids: tuple[int, ...]
    positions: FloatArray  # (ticks, people, 2)
    velocities: FloatArray  # (ticks, people, 2)


@dataclass(frozen=True, slots=True, kw_only=True)
class Encounter:
    """One person whom a drive would come too close to, unless one of them gave way."""

    person: int
    time: float  # when it is first foreseen
    direction: Direction  # then
    gap: float  # the least distance between centres that is ever foreseen


@dataclass(frozen=True, slots=True, kw_only=True)
class Encounters:
    """What one drive meets, and who is within 3 m of it meanwhile."""

    met: tuple[Encounter, ...]  # by person, each once
    closest: float | None  # metres between centres, if nobody gave way; None: nobody was there
    directions: Mapping[Direction, int]  # of people within 3 m, in ticks of each
    free_m2: float  # free space within 3 m of the robot, summed over ticks

    def of(self, direction: Direction) -> int:
        """How many people are met who walk in this direction."""
        return sum(each.direction is direction for each in self.met)


@dataclass(frozen=True, slots=True)
class Meetings:
    """What the reference drives of one episode meet."""

    drives: Mapping[ReferenceDrive, Encounters]

    @property
    def least(self) -> int:
        """As many people are met on every drive."""
        return min(len(each.met) for each in self.drives.values())

    @property
    def most(self) -> int:
        """No drive meets more people."""
        return max(len(each.met) for each in self.drives.values())

    @property
    def density_per_m2(self) -> float:
        """People per free square metre within 3 m of the robot, mean over all drives."""
        near = sum(sum(each.directions.values()) for each in self.drives.values())
        return near / sum(each.free_m2 for each in self.drives.values())

    @property
    def flow(self) -> Flow | None:
        """Which way people walk within 3 m of the robot, over all drives; None if nobody does."""
        ticks: Counter[Direction] = Counter()
        for each in self.drives.values():
            ticks.update(each.directions)
        walking = ticks.total() - ticks[Direction.STANDING]
        if not walking:
            return None
        return Flow(
            along=ticks[Direction.ALONG] / walking,
            across=ticks[Direction.ACROSS] / walking,
            against=ticks[Direction.AGAINST] / walking,
        )


def meetings(scenario: Scenario, people: PeopleOnClock | None = None) -> Meetings:
    """What the reference drives of an episode meet; people who are known on the clock are taken."""
    if people is None:
        people = people_on_clock(scenario.tracks, scenario.time_limit)
    drives = reference_drives(scenario)
    return Meetings(
        {name: encounters(people, drive, scenario.floorplan) for name, drive in drives.items()}
    )


def people_on_clock(tracks: Sequence[Track], time_limit: float) -> PeopleOnClock:
    """The tracks from time 0 to the time limit."""
    times = TICK * np.arange(math.floor(time_limit / TICK + 1e-9) + 2, dtype=np.float64)
    positions = np.empty((len(times), len(tracks), 2))
    for k, track in enumerate(tracks):
        positions[:, k] = track.positions_at(times)
    velocities = np.diff(positions, axis=0) / TICK
    return PeopleOnClock(
        ids=tuple(track.id for track in tracks), positions=positions[:-1], velocities=velocities
    )


def encounters(people: PeopleOnClock, drive: Drive, plan: FloorPlan) -> Encounters:
    """Whom a drive meets: people within 3 m ahead, in sight, and foreseen to come within 1 m.

    Both are taken to go straight on for 5 s.
    """
    ticks = min(len(drive.positions), len(people.positions))
    apart = people.positions[:ticks] - drive.positions[:ticks, None]  # (ticks, people, 2)
    closing = people.velocities[:ticks] - drive.velocities[:ticks, None]
    gaps = foreseen_gaps(apart, closing)
    distances = np.hypot(apart[..., 0], apart[..., 1])
    ahead = np.einsum("tpi,ti->tp", apart, drive.headings[:ticks]) > 0.0
    meets = (distances <= NEAR) & ahead & (gaps < TOO_CLOSE)
    for tick, person in np.argwhere(meets).tolist():
        here, there = drive.positions[tick], people.positions[tick, person]
        meets[tick, person] = plan.sees(Pose(*here), Pose(*there))
    directions = directions_of(people.velocities[:ticks], drive.headings[:ticks])
    near = directions[distances <= NEAR]
    return Encounters(
        met=_met(people, meets, gaps, directions),
        closest=float(np.nanmin(distances)) if np.isfinite(distances).any() else None,
        directions={each: int((near == k).sum()) for k, each in enumerate(DIRECTIONS)},
        free_m2=_free_near(drive.positions[:ticks], plan),
    )


def foreseen_gaps(apart: FloatArray, closing: FloatArray) -> FloatArray:
    """The least distance within 5 s if both go straight on; NaN for absent people."""
    speeds2 = np.maximum((closing**2).sum(axis=-1), 1e-12)
    soonest = np.clip(-(apart * closing).sum(axis=-1) / speeds2, 0.0, FORESIGHT)
    nearest = apart + soonest[..., None] * closing
    return np.hypot(nearest[..., 0], nearest[..., 1])


def directions_of(velocities: FloatArray, headings: FloatArray) -> IntArray:
    """Which way people walk, seen from the robot: places in `Direction`, -1 while absent.

    Velocities are (ticks, people, 2), the robot's headings (ticks, 2).
    """
    speeds = np.hypot(velocities[..., 0], velocities[..., 1])
    cosines = np.einsum("tpi,ti->tp", velocities, headings) / np.maximum(speeds, WALKING_SPEED)
    bend = math.sqrt(0.5)
    return np.select(
        [np.isnan(speeds), speeds < WALKING_SPEED, cosines > bend, cosines < -bend],
        [-1, *(DIRECTIONS.index(each) for each in ("standing", "along", "against"))],
        DIRECTIONS.index(Direction.ACROSS),
    )


def _met(
    people: PeopleOnClock, meets: BoolArray, gaps: FloatArray, directions: IntArray
) -> tuple[Encounter, ...]:
    found = []
    for person in np.flatnonzero(meets.any(axis=0)).tolist():
        first = int(np.argmax(meets[:, person]))
        found.append(
            Encounter(
                person=people.ids[person],
                time=round(first * TICK, 6),
                direction=DIRECTIONS[directions[first, person]],
                gap=float(gaps[meets[:, person], person].min()),
            )
        )
    return tuple(found)


def _free_near(positions: FloatArray, plan: FloorPlan) -> float:
    """Free square metres within 3 m of positions, summed over them."""
    side = np.arange(-NEAR, NEAR + PATCH / 2, PATCH)
    spots = np.stack(np.meshgrid(side, side), axis=-1).reshape(-1, 2)
    spots = spots[np.hypot(*spots.T) <= NEAR]
    around = (positions[::SOME, None] + spots).reshape(-1, 2)
    free = float((plan.grid_clearances(around) > 0.0).mean()) * math.pi * NEAR**2
    return free * len(positions)
