"""Which calibration people would look like people under: by their heights and by how they walk.

Two things hold of people: they are as tall as people are, near or far, and for some seconds they
walk straight on. A camera that looks lower than its file says makes those who are far too short
or too tall; one that hangs elsewhere, all of them; a focal length or a clock that is off makes them
swing with the robot's turns. All four are found together, by generalised least squares in rounds,
with each person's height and each window's straight walk left free.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paseo.pipeline.drives.drive import Odometry
from paseo.pipeline.locating.bodies import apparent_heights
from paseo.pipeline.locating.directions import directions, eye, slopes
from paseo.pipeline.locating.doubts import Doubts
from paseo.pipeline.locating.placing import spots
from paseo.pipeline.locating.sightings import Sightings
from paseo.world.arrays import BoolArray, FloatArray, IntArray
from paseo.world.cameras import Camera

UNKNOWNS = ("pitch", "height", "focal", "clock")  # radians; shares; seconds
WIDE = np.array([math.radians(6.0), 0.4, 0.3, 1.0])  # before anybody looked, deviations
STEPS = np.array([1e-4, 1e-4, 1e-4, 0.02])
ROUNDS = 8
DONE = 1e-4
BY_FEET = 0.03  # radians below the horizon from which on feet tell where somebody is
WINDOW, LEAST_IN_WINDOW = 3.0, 6  # seconds, rows
WANDERING = 0.1  # m^2/s^3: people's velocity changes by 0.3 m/s in a second
POPULATION = 0.02  # metres by which all people of a place may be taller than people are
GROWN_UPS = 0.09  # metres, the most by which heights differ; children are few, and odd
TOO_ODD = 4.0  # times the spread that is expected; windows beyond count less


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Fit:
    """What has to be added to a calibration, and how sure that is."""

    values: FloatArray  # (unknowns,)
    deviations: FloatArray  # (unknowns,)
    people: int
    speeds: FloatArray  # (windows,), metres a second, under the calibration as it was given


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Block:
    """Rows of one person that are explained together."""

    person: int
    rows: IntArray
    factor: NDArray[Any]  # Cholesky factor of their covariance
    free: NDArray[Any]  # whitened, what is left free among them; orthonormal columns


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Angles:
    """Directions of feet and heads, and what changes them."""

    foot: FloatArray
    head: FloatArray
    foot_slopes: FloatArray
    head_slopes: FloatArray


def corrected(camera: Camera, values: FloatArray) -> Camera:
    """The camera with pitch, height and focal length changed."""
    pitch, height, focal, _ = values.tolist()
    limit = math.pi / 2
    return replace(
        camera,
        pitch=min(max(camera.pitch + pitch, -limit), limit),
        height=camera.height * math.exp(height),
        fx=camera.fx * math.exp(focal),
        fy=camera.fy * math.exp(focal),
    )


def fit(rows: Sightings, odometry: Odometry, camera: Camera, doubts: Doubts) -> Fit:
    """What would make the people of a drive look like people."""
    exact = replace(
        doubts, pitch=0.0, yaw=0.0, focal=0.0, camera_height=0.0, clock=0.0, cues=("feet",),
        body_height_sd=min(doubts.body_height_sd, GROWN_UPS),
    )  # fmt: skip
    world = _World(rows, odometry, camera, exact)
    values, speeds = np.zeros(len(UNKNOWNS)), np.empty(0)
    for round_ in range(ROUNDS):
        blocks, sums = _sums(world, values)
        if round_ == 0:
            speeds = _speeds(world, values, [block for block in blocks if block.free.size])
        change = np.clip(np.linalg.solve(sums.normal, sums.right), -WIDE, WIDE)
        values = np.clip(values + change, -2 * WIDE, 2 * WIDE)
        if (np.abs(change) < DONE).all():
            break
    return Fit(
        values=values,
        deviations=_deviations(sums, blocks),
        people=len({block.person for block in blocks}),
        speeds=speeds,
    )


class _Sums:
    """The normal equations, and what each block said."""

    def __init__(self, values: FloatArray) -> None:
        self.normal, self.right = np.diag(1 / WIDE**2), -values / WIDE**2
        self.scores: list[FloatArray] = []

    def add(self, block: _Block, off: FloatArray, slopes: FloatArray, widening: FloatArray) -> None:
        """What a block of (rows * axes) numbers says; `widening` is (rows, axes, axes, unknowns).

        A calibration that brings everybody nearer makes noise smaller as well, and would be liked
        for that: what noise alone would say is taken off again.
        """
        whitened = np.linalg.solve(block.factor, np.column_stack([off, slopes]))
        whitened -= block.free @ (block.free.T @ whitened)
        residual, jacobian = whitened[:, 0], whitened[:, 1:]
        spread = float(residual @ residual) / max(len(residual) - block.free.shape[1], 1)
        weight = min(1.0, TOO_ODD / max(spread, 1e-12))
        noise = np.linalg.solve(block.factor.T, residual).reshape(widening.shape[:2])
        by_noise = np.einsum("ni,nijk,nj->k", noise, widening, noise) / 2
        score = weight * (by_noise - jacobian.T @ residual)
        self.normal += weight * jacobian.T @ jacobian
        self.right += score
        self.scores.append(score)


def _sums(world: "_World", values: FloatArray) -> tuple[list[_Block], _Sums]:
    """All blocks under a calibration, and what they say of it."""
    usable, noise = world.usable(values), world.noise(values)
    tall = list(_heights(world, noise[1], usable))
    walks = list(_walks(world, noise[0], usable))
    places, heights = world.at(values)
    place_slopes, height_slopes = world.slopes(values, places, heights)
    wider, higher = world.widening(values, noise)
    sums, off = _Sums(values), heights - world.doubts.body_height
    for block in tall:
        wide = higher[block.rows][:, None, None, :]
        sums.add(block, off[block.rows], height_slopes[block.rows], wide)
    for block in walks:
        flat = place_slopes[block.rows].reshape(-1, len(UNKNOWNS))
        sums.add(block, places[block.rows].ravel(), flat, wider[block.rows])
    return tall + walks, sums


class _World:
    """Where people are and how tall, under any calibration."""

    def __init__(self, rows: Sightings, odometry: Odometry, camera: Camera, doubts: Doubts) -> None:
        self.rows, self.camera, self.doubts = rows, camera, doubts
        self._odometry = odometry
        left, top, right, bottom = rows.boxes.T
        middle = (left + right) / 2
        self._low = np.column_stack([middle, bottom])
        self._high = np.column_stack([middle, top])

    def usable(self, values: FloatArray) -> BoolArray:
        """Whose feet tell where they are."""
        low = directions(self._low, corrected(self.camera, values), self.rows.tilts)[:, 0]
        places, _ = self.at(values)
        found: BoolArray = self.rows.feet & self.rows.sides & (low > BY_FEET)
        return found & np.isfinite(places).all(axis=1)

    def at(self, values: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Places by feet, (rows, 2), and heights, (rows,)."""
        camera, tilts = corrected(self.camera, values), self.rows.tilts
        low, high = (directions(each, camera, tilts) for each in (self._low, self._high))
        bearing = directions((self._low + self._high) / 2, camera, tilts)[:, 1]
        eyes = eye(camera, tilts)
        with np.errstate(all="ignore"):
            away = eyes[:, 2] / np.tan(low[:, 0]) + self.doubts.step
            heights = eyes[:, 2] - away * np.tan(high[:, 0])
        poses = self._poses(values)
        turned = poses[:, 2]
        ahead = eyes[:, 0] + away * np.cos(bearing)
        aside = eyes[:, 1] + away * np.sin(bearing)
        x = poses[:, 0] + ahead * np.cos(turned) - aside * np.sin(turned)
        y = poses[:, 1] + ahead * np.sin(turned) + aside * np.cos(turned)
        return np.column_stack([x, y]), heights

    def _poses(self, values: FloatArray) -> FloatArray:
        if self.camera.at is not None:
            return self.rows.poses
        return self._odometry.at(self.rows.times + values[UNKNOWNS.index("clock")])

    def slopes(
        self, values: FloatArray, places: FloatArray, heights: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        """How these change, (rows, 2, unknowns) and (rows, unknowns)."""
        by_place, by_height = [], []
        for unknown, step in enumerate(STEPS):
            moved = values.copy()
            moved[unknown] += step
            there, taller = self.at(moved)
            by_place.append((there - places) / step)
            by_height.append((taller - heights) / step)
        return np.nan_to_num(np.stack(by_place, axis=2)), np.nan_to_num(np.stack(by_height, axis=1))

    def widening(
        self, values: FloatArray, noise: tuple[FloatArray, FloatArray]
    ) -> tuple[FloatArray, FloatArray]:
        """How noise changes, (rows, 2, 2, unknowns) and (rows, unknowns); the clock leaves it."""
        by_place, by_height = [], []
        for unknown, step in enumerate(STEPS[:-1]):
            moved = values.copy()
            moved[unknown] += step
            there, taller = self.noise(moved)
            by_place.append((there - noise[0]) / step)
            by_height.append((taller - noise[1]) / step)
        by_place.append(np.zeros_like(noise[0]))
        by_height.append(np.zeros_like(noise[1]))
        return np.nan_to_num(np.stack(by_place, axis=3)), np.nan_to_num(np.stack(by_height, axis=1))

    def noise(self, values: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Covariances of places, (rows, 2, 2), and variances of heights, (rows,)."""
        camera = corrected(self.camera, values)
        then = replace(self.rows, poses=self._poses(values))  # for noise is along the ray
        places = spots(then, camera, self.doubts).covariances

        tilts = self.rows.tilts
        angles = _Angles(
            foot=directions(self._low, camera, tilts),
            head=directions(self._high, camera, tilts),
            foot_slopes=slopes(self._low, camera, tilts),
            head_slopes=slopes(self._high, camera, tilts),
        )
        _, heights, _ = apparent_heights(self.rows, eye(camera, tilts)[:, 2], angles, self.doubts)
        return places, heights


def _heights(world: _World, noise: FloatArray, usable: BoolArray) -> Iterator[_Block]:
    """Each person's heights: with noise, and with the person taller or shorter than people are."""
    kept = np.flatnonzero(usable & world.rows.head & np.isfinite(noise))
    for rows in _runs(kept, world.rows.people[kept]):
        shared = world.doubts.body_height_sd**2 + POPULATION**2
        # One step after the other is not another measurement.
        covariance = np.diag(noise[rows] + 0.02**2) + shared
        factor = np.linalg.cholesky(covariance)
        yield _Block(
            person=int(world.rows.people[rows[0]]),
            rows=rows,
            factor=factor,
            free=np.empty((len(rows), 0)),
        )


def _walks(world: _World, covariances: FloatArray, usable: BoolArray) -> Iterator[_Block]:
    """Windows in which somebody walks straight on, wherever and however fast."""
    kept = np.flatnonzero(usable & np.isfinite(covariances).all(axis=(1, 2)))
    times = world.rows.times
    for person in _runs(kept, world.rows.people[kept]):
        windows = np.floor((times[person] - times[person[0]]) / WINDOW).astype(np.int64)
        for rows in _runs(person, windows):
            if len(rows) < LEAST_IN_WINDOW:
                continue
            passed = times[rows] - times[rows[0]]
            early = np.minimum(passed[:, None], passed)
            late = np.maximum(passed[:, None], passed)
            bent = WANDERING * (early**2 * late / 2 - early**3 / 6)
            covariance = np.kron(bent, np.eye(2))
            for place, row in enumerate(rows):
                covariance[2 * place : 2 * place + 2, 2 * place : 2 * place + 2] += covariances[row]
            factor = np.linalg.cholesky(covariance + 1e-6 * np.eye(len(covariance)))
            straight = np.kron(np.column_stack([np.ones_like(passed), passed]), np.eye(2))
            free, _ = np.linalg.qr(np.linalg.solve(factor, straight))
            yield _Block(
                person=int(world.rows.people[rows[0]]), rows=rows, factor=factor, free=free
            )


def _runs(rows: IntArray, keys: IntArray) -> Iterator[IntArray]:
    """The rows of each key, in order of their own."""
    order = np.argsort(keys, kind="stable")
    ends = np.flatnonzero(np.diff(keys[order])) + 1
    yield from (part for part in np.split(rows[order], ends) if len(part))


def _deviations(sums: _Sums, blocks: list[_Block]) -> FloatArray:
    """The larger of what the model says and what people differ by."""
    inverse = np.linalg.inv(sums.normal)
    by_person: dict[int, FloatArray] = {}
    for score, block in zip(sums.scores, blocks, strict=True):
        by_person[block.person] = by_person.get(block.person, np.zeros(len(UNKNOWNS))) + score
    spread = sum((np.outer(each, each) for each in by_person.values()), np.zeros_like(inverse))
    count = len(by_person)
    spread = spread * count / max(count - len(UNKNOWNS), 1) + np.diag(1 / WIDE**2)
    return np.sqrt(np.maximum(np.diag(inverse), np.diag(inverse @ spread @ inverse)))


def _speeds(world: _World, values: FloatArray, walks: list[_Block]) -> FloatArray:
    """How fast people walk in each window, by the straight line through it."""
    places, _ = world.at(values)
    found = []
    for block in walks:
        passed = world.rows.times[block.rows] - world.rows.times[block.rows[0]]
        line = np.kron(np.column_stack([np.ones_like(passed), passed]), np.eye(2))
        flat, there = np.linalg.solve(block.factor, line), places[block.rows].ravel()
        information = flat.T @ flat
        best = np.linalg.solve(information, flat.T @ np.linalg.solve(block.factor, there))
        unsure = np.sqrt(np.linalg.inv(information)[[2, 3], [2, 3]].max())
        if unsure < 0.5:
            found.append(math.hypot(best[2], best[3]))
    return np.array(found)
