"""Half planes against what they promise, and the best velocity against trying everything."""

import math

import numpy as np
import pytest

from paseo.crowd.steering.half_planes import (
    excess,
    least_bad_velocity,
    nearest_velocity,
    pair_lines,
    wall_line,
)
from paseo.world.arrays import FloatArray

HORIZON, DT = 5.0, 0.05
Pair = tuple[float, float]


def pair_line(place: Pair, speed: Pair, own: Pair, *, share: float = 1.0, reach: float = 0.6):
    """The half plane of one other person."""
    others = np.array([[*place, *speed, reach, 1.0]]).T.copy()
    lines = np.full((4, 3), np.nan)
    pair_lines(others, 1, own, share, 1 / HORIZON, 1 / DT, lines, 2)
    assert np.isnan(lines[:, :2]).all()
    return lines[:, 2:].copy()


def lone_wall(ax: float, ay: float, bx: float, by: float) -> FloatArray:
    """A wall of which only the right side and both ends are to be seen."""
    ux, uy = np.array([bx - ax, by - ay]) / math.hypot(bx - ax, by - ay)
    return np.array([[ax, ay, bx, by, ux, uy, -ux, -uy, -ux, -uy, 1.0, 1.0]])


def closest(place: FloatArray, speed: FloatArray, seconds: float) -> float:
    """How near the origin a point comes that moves straight for a while."""
    moving = speed @ speed
    time = min(max(-(place @ speed) / moving, 0.0), seconds) if moving > 0 else 0.0
    return float(np.hypot(*(place + time * speed)))


def gap_to_wall(wall: FloatArray, speed: FloatArray, seconds: float) -> float:
    """How near a wall comes who starts at the origin: both are straight lines."""
    a, b, end = wall[0, 0:2], wall[0, 2:4], speed * seconds

    def side(p: FloatArray, q: FloatArray, r: FloatArray) -> float:
        return float((q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]))

    zero = np.zeros(2)
    if side(a, b, zero) * side(a, b, end) < 0 and side(zero, end, a) * side(zero, end, b) < 0:
        return 0.0
    spots = [closest(spot, -speed, seconds) for spot in (a, b)]
    return min(*spots, *(closest(a - spot, b - a, 1.0) for spot in (zero, end)))


@pytest.mark.parametrize("seed", range(40))
def test_who_takes_all_upon_themselves_just_avoids_touching_for_the_horizon(seed: int) -> None:
    rng = np.random.default_rng(seed)
    angle, distance = rng.uniform(0, math.tau), rng.uniform(0.61, 9)
    place = distance * np.array([math.cos(angle), math.sin(angle)])
    theirs, own = rng.uniform(-1.5, 1.5, (2, 2))
    line = pair_line(tuple(place), tuple(theirs), tuple(own))
    nearest = line[:2, 0]  # the velocity of the edge that is nearest to the own one
    assert (nearest - own) @ line[2:, 0] == pytest.approx(0.0, abs=1e-12)
    assert closest(place, theirs - nearest, HORIZON) == pytest.approx(0.6, abs=1e-9)
    for velocity in rng.uniform(-3, 3, (200, 2)):
        if excess(line, 0, *velocity) <= 0:
            assert closest(place, theirs - velocity, HORIZON) >= 0.6 - 1e-9


def test_two_who_share_meet_half_way() -> None:
    own, place = np.array([1.3, 0.1]), (4.0, 0.2)
    alone = pair_line(place, (-1.0, 0.0), tuple(own))[:2, 0] - own
    shared = pair_line(place, (-1.0, 0.0), tuple(own), share=0.5)[:2, 0] - own
    assert shared == pytest.approx(alone / 2)
    back = pair_line((-4.0, -0.2), tuple(own), (-1.0, 0.0), share=0.5)[:2, 0] - [-1.0, 0.0]
    assert back == pytest.approx(-shared)


def test_who_touches_is_free_after_one_step() -> None:
    line = pair_line((0.4, 0.0), (0.0, 0.0), (0.0, 0.0))
    assert line[:, 0] == pytest.approx([-0.2 / DT, 0.0, 0.0, 1.0])  # away by 0.2 m in a step


def test_two_in_one_spot_part_along_x() -> None:
    assert pair_line((0.0, 0.0), (1.0, 0.0), (1.0, 0.0))[:, 0] == pytest.approx(
        [1.0 + 0.6 / DT, 0.0, 0.0, -1.0]
    )


def random_wall_line(rng: np.random.Generator) -> tuple[FloatArray, FloatArray]:
    """A wall that somebody at the origin sees from the right, and its half plane."""
    lines = np.empty((4, 1))
    while True:
        ends = rng.uniform(-4, 4, 4)
        if ends[0] * ends[3] - ends[1] * ends[2] > 0:
            ends = ends[[2, 3, 0, 1]]
        wall, own = lone_wall(*ends), tuple(rng.uniform(-1.5, 1.5, 2))
        near = gap_to_wall(wall, np.zeros(2), 0.0) < 0.31
        # There is none where the cone's nearest spot is on the side that is not seen.
        if not near and wall_line(wall, 0, (0.0, 0.0), own, 0.3, 1 / HORIZON, lines, 0):
            return wall, lines


@pytest.mark.parametrize("seed", range(40))
def test_what_a_wall_permits_stays_clear_of_it_for_the_horizon(seed: int) -> None:
    rng = np.random.default_rng(seed)
    wall, lines = random_wall_line(rng)
    tried = [v for v in rng.uniform(-2, 2, (200, 2)) if excess(lines, 0, *v) <= 0]
    assert tried
    assert min(gap_to_wall(wall, v, HORIZON) for v in tried) >= 0.3 - 1e-9


@pytest.mark.parametrize(
    ("place", "expected"),
    [
        ((5.0, -0.2), (0.0, 0.0, -1.0, 0.0)),  # beside the wall: no further
        ((-0.2, -0.1), (0.0, 0.0, -0.1 / math.sqrt(0.05), 0.2 / math.sqrt(0.05))),  # at its end
        ((5.0, -2.0), (0.0, (2.0 - 0.3) / HORIZON, -1.0, 0.0)),  # in front of it
    ],
)
def test_walls_at_hand(place: Pair, expected: tuple[float, ...]) -> None:
    lines = np.zeros((4, 1))
    wall = lone_wall(0.0, 0.0, 10.0, 0.0)
    assert wall_line(wall, 0, place, (0.0, 0.0), 0.3, 1 / HORIZON, lines, 0) == 1
    assert excess(lines, 0, *expected[:2]) == pytest.approx(0.0, abs=1e-12)
    assert lines[2:, 0] == pytest.approx(expected[2:])


def test_a_wall_behind_a_half_plane_adds_none() -> None:
    walls = np.concatenate([lone_wall(0, 0, 10, 0), lone_wall(2, 1, 8, 1)])
    lines = np.zeros((4, 2))
    for wall in (0, 1):
        count = wall_line(walls, wall, (5.0, -2.0), (0.0, 0.0), 0.3, 1 / HORIZON, lines, wall)
    assert count == 1


def test_an_end_that_does_not_stick_out_is_left_to_the_next_wall() -> None:
    wall = lone_wall(0.0, 0.0, 10.0, 0.0)
    wall[0, 10] = 0.0
    lines = np.zeros((4, 1))
    assert wall_line(wall, 0, (-0.2, -0.1), (0.0, 0.0), 0.3, 1 / HORIZON, lines, 0) == 0
    assert wall_line(wall, 0, (-2.0, -0.1), (0.0, 0.0), 0.3, 1 / HORIZON, lines, 0) == 0


def random_lines(rng: np.random.Generator, count: int) -> FloatArray:
    angles = rng.uniform(0, math.tau, count)
    points = rng.normal(0, 0.6, (2, count))
    return np.concatenate([points, [np.cos(angles), np.sin(angles)]])


def everything_to_try(lines: FloatArray, top_speed: float, wanted: FloatArray) -> list[FloatArray]:
    """The wanted velocity, its nearest on each edge and the circle, and where two of them meet."""
    points, directions = lines[:2].T, lines[2:].T
    tried = [wanted, wanted / np.hypot(*wanted) * top_speed]
    for k, (p, d) in enumerate(zip(points, directions, strict=True)):
        tried.append(p + (wanted - p) @ d * d)
        half = (p @ d) ** 2 + top_speed**2 - p @ p
        tried += [p + (-(p @ d) + s * math.sqrt(half)) * d for s in (-1, 1) if half >= 0]
        for q, e in zip(points[:k], directions[:k], strict=True):
            tried.append(p + np.linalg.solve(np.stack([d, -e], axis=1), q - p)[0] * d)
    return tried


@pytest.mark.parametrize("seed", range(60))
def test_the_nearest_velocity_is_the_best_of_all_that_could_be(seed: int) -> None:
    rng = np.random.default_rng(seed)
    lines, wanted = random_lines(rng, int(rng.integers(1, 9))), rng.uniform(-2, 2, 2)
    count = lines.shape[1]
    permitted = [
        v
        for v in everything_to_try(lines, 1.4, wanted)
        if np.hypot(*v) <= 1.4 + 1e-9 and all(excess(lines, k, *v) <= 1e-9 for k in range(count))
    ]
    kept, x, y = nearest_velocity(lines, count, 1.4, *wanted)
    assert (kept == count) == bool(permitted)
    if permitted:
        best = min(permitted, key=lambda v: float(np.hypot(*(v - wanted))))
        assert (x, y) == pytest.approx(tuple(best), abs=1e-8)


@pytest.mark.parametrize("hard", [0, 1])
@pytest.mark.parametrize("seed", range(30))
def test_where_nothing_is_safe_no_velocity_is_less_unsafe(seed: int, hard: int) -> None:
    rng, kept = np.random.default_rng(seed), 8
    while kept == 8:
        lines = random_lines(rng, 8)
        lines[:2, :hard] = 0.0  # a wall that one touches always leaves something
        kept, x, y = nearest_velocity(lines, 8, 1.4, *rng.uniform(-2, 2, 2))
    x, y = least_bad_velocity(lines, hard, kept, 8, 1.4, (x, y), np.empty_like(lines))
    assert math.hypot(x, y) <= 1.4 + 1e-9
    assert all(excess(lines, k, x, y) <= 1e-9 for k in range(hard))
    worst = max(excess(lines, k, x, y) for k in range(hard, 8))
    vx, vy = disc = rng.uniform(-1.4, 1.4, (2, 20_000))  # velocities to try
    px, py, dx, dy = lines[:, :, None]
    outside = dx * (py - vy) - dy * (px - vx)  # (lines, velocities)
    possible = (np.hypot(*disc) <= 1.4) & (outside[:hard] <= 0).all(axis=0)
    assert outside[hard:, possible].max(axis=0).min() >= worst - 1e-9


def test_half_planes_that_face_each_other_are_violated_equally() -> None:
    lines = np.array([[0.0, 0.0], [0.5, -0.3], [1.0, -1.0], [0.0, 0.0]])  # y >= 0.5 and y <= -0.3
    kept, x, y = nearest_velocity(lines, 2, 1.4, 0.2, 0.0)
    assert kept == 1
    _, y = least_bad_velocity(lines, 0, kept, 2, 1.4, (x, y), np.empty((4, 2)))
    assert y == pytest.approx(0.1)
