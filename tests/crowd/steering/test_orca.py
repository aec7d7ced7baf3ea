"""ORCA against RVO2's own answers, and what everybody may rely on."""

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from paseo.crowd.steering.models import Walkers
from paseo.crowd.steering.orca import Orca, Precision
from paseo.errors import BadValue, UnknownName
from paseo.world.arrays import FloatArray
from paseo.world.space.floorplan import FloorPlan, floor_plan
from worlds import DIVIDED, ROOM, box

DT = 0.05
# Velocities by pyrvo 0.4.3 (RVO2 in single precision), recorded with `benchmarks/walk/orca.py
# FILE`: everybody's in some steps of a crowd of random goals, 0.2 people per square metre.
RECORDED = json.loads(
    (Path(__file__).parents[2] / "reference" / "orca_velocities.json").read_text(encoding="utf-8")
)


def crowd(people: int, *, side: float, seed: int = 0) -> Walkers:
    """People who walk about in a square."""
    rng = np.random.default_rng(seed)
    return Walkers(
        rng.uniform(0, side, (people, 2)),
        rng.uniform(-1, 1, (people, 2)),
        rng.uniform(-1.3, 1.3, (people, 2)),
        rng.uniform(0.2, 0.35, people),
        rng.uniform(1.3, 2.0, people),
    )


def walking(*people: tuple[float, float, float, float], top_speed: float = 1.5) -> Walkers:
    """People with rows of x, y, and the velocity that they have and want."""
    table = np.array(people, float).reshape(-1, 4)
    every = np.ones(len(table))
    return Walkers(table[:, :2], table[:, 2:], table[:, 2:], 0.3 * every, top_speed * every)


def stepped(walkers: Walkers, velocities: FloatArray) -> Walkers:
    return Walkers(
        walkers.positions + DT * velocities,
        velocities,
        walkers.wanted,
        walkers.radii,
        walkers.top_speeds,
    )


def moved(walkers: Walkers, turn: FloatArray, shift: FloatArray) -> Walkers:
    return Walkers(
        walkers.positions @ turn.T + shift,
        walkers.velocities @ turn.T,
        walkers.wanted @ turn.T,
        walkers.radii,
        walkers.top_speeds,
    )


def picked(walkers: Walkers, who: Any) -> Walkers:
    return Walkers(
        walkers.positions[who],
        walkers.velocities[who],
        walkers.wanted[who],
        walkers.radii[who],
        walkers.top_speeds[who],
    )


@pytest.mark.parametrize("precision", Precision)
@pytest.mark.parametrize(
    "scene",
    RECORDED["scenes"],
    ids=lambda scene: f"{scene['people']} people, {len(scene['boxes'])} boxes, {scene['step']}",
)
def test_velocities_are_those_of_rvo2(scene: dict[str, Any], precision: Precision) -> None:
    def exact(numbers: Any) -> FloatArray:  # to the last bit: somebody always nearly touches
        return np.array(numbers, np.float32).astype(np.float64)

    places, speeds, wanted = (exact(scene[k]) for k in ("positions", "velocities", "wanted"))
    radii, top_speeds = exact([0.3] * scene["people"]), exact(scene["top_speeds"])
    walkers = Walkers(places, speeds, wanted, radii, top_speeds)
    parameters = {"most_neighbours": 10, "horizon": 5.0, "wall_horizon": 5.0}
    model = Orca(neighbour_distance=10.0, precision=precision, **parameters)
    if scene["boxes"]:
        walls = np.concatenate([box(*corners) for corners in scene["boxes"]])
        model.begin(floor_plan("recorded", walls))
    apart = np.abs(model.velocities(walkers, DT) - exact(scene["answers"])).max()
    assert apart < 1e-4
    if precision is Precision.SINGLE and not scene["boxes"]:
        assert apart == 0.0


def test_alone_one_walks_as_wanted_but_never_faster_than_one_can() -> None:
    model = Orca()
    assert model.velocities(walking((0, 0, 1.2, 0.3)), DT)[0] == pytest.approx((1.2, 0.3))
    assert model.velocities(walking((0, 0, 6.0, 8.0)), DT)[0] == pytest.approx((0.9, 1.2))


def test_two_head_on_make_way_for_each_other_and_never_touch() -> None:
    model, walkers, nearest = Orca(), walking((0, 0, 1.3, 0), (8, 0.05, -1.3, 0)), math.inf
    for _ in range(160):
        walkers = stepped(walkers, model.velocities(walkers, DT))
        nearest = min(nearest, float(np.hypot(*(walkers.positions[0] - walkers.positions[1]))))
    assert nearest >= 0.6 - 1e-6
    assert walkers.positions[0, 0] > 8 and walkers.positions[1, 0] < 0
    assert walkers.positions[0, 1] == pytest.approx(0.05 - walkers.positions[1, 1])


def test_with_full_responsibility_one_stays_clear_of_somebody_who_does_nothing() -> None:
    model = Orca(responsibility=np.array([1.0, 0.0]))
    walkers, nearest = walking((0, 0, 1.3, 0), (8, 0.05, -1.3, 0)), math.inf
    for _ in range(160):
        velocities = model.velocities(walkers, DT)
        assert velocities[1] == pytest.approx((-1.3, 0.0))
        walkers = stepped(walkers, velocities)
        nearest = min(nearest, float(np.hypot(*(walkers.positions[0] - walkers.positions[1]))))
    assert nearest >= 0.6 - 1e-6


@pytest.mark.parametrize("precision", Precision)
@pytest.mark.parametrize("people", [2, 60, 400])
def test_one_persons_velocity_is_the_same_without_all_the_others(
    people: int, precision: Precision
) -> None:
    walkers = crowd(people, side=math.sqrt(5 * people))
    model = Orca(precision=precision)
    model.begin(ROOM)
    velocities = model.velocities(walkers, DT)
    for who in range(0, people, max(1, people // 20)):
        assert np.array_equal(model.velocity_of(who, walkers, DT), velocities[who])


@pytest.mark.parametrize("most", [0, 1, 10])
@pytest.mark.parametrize("scale", [(1.0, 1.0), (1.0, 1e-3), (300.0, 1.0), (1e-9, 1e-9)])
def test_only_the_nearest_count(scale: tuple[float, float], most: int) -> None:
    walkers = crowd(80, side=20.0, seed=3)
    walkers.positions[40:] *= scale  # strung out, or in a crush and far away
    velocities = Orca(most_neighbours=most, precision=Precision.DOUBLE).velocities(walkers, DT)
    everybody = Orca(most_neighbours=1000, precision=Precision.DOUBLE)
    for who in range(0, 80, 7):
        distances = np.hypot(*(walkers.positions - walkers.positions[who]).T)
        distances[who] = -1.0
        near = np.lexsort((np.arange(80), distances))[: most + 1]
        near = near[distances[near] < 10.0]
        alone = everybody.velocity_of(0, picked(walkers, near), DT)
        assert velocities[who] == pytest.approx(alone, abs=1e-9)


def test_of_equally_near_people_the_first_counts() -> None:
    cross = [(0, 0, 1, 0), (1, 0, 0, 0), (0, 1, 0, 0), (-1, 0, 0, 0), (0, -1, 0, 0)]
    one, two = Orca(most_neighbours=1), Orca()
    for order in ((0, 1, 2, 3, 4), (0, 3, 1, 2, 4)):
        walkers = walking(*(cross[k] for k in order))
        expected = two.velocity_of(0, walking(cross[0], cross[order[1]]), DT)
        assert one.velocity_of(0, walkers, DT) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("precision", "same"), [(Precision.SINGLE, 1e-4), (Precision.DOUBLE, 1e-6)]
)
@pytest.mark.parametrize("shift", [(120.0, -45.0), (3e4, -9e4)])
def test_moving_and_turning_the_world_moves_and_turns_the_answers(
    shift: tuple[float, float], precision: Precision, same: float
) -> None:
    walkers, angle = crowd(60, side=17.0), 0.7
    turn = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
    walls = np.concatenate([box(-1, -1, 18, 18), box(5, 5, 6, 7)])
    here, there = Orca(precision=precision), Orca(precision=precision)
    away = moved(walkers, turn, np.array(shift))
    expected = here.velocities(walkers, DT) @ turn.T
    assert there.velocities(away, DT) == pytest.approx(expected, abs=same)
    here.begin(floor_plan("here", walls))
    there.begin(floor_plan("there", walls @ turn.T + shift))
    expected = here.velocities(walkers, DT) @ turn.T
    assert there.velocities(away, DT) == pytest.approx(expected, abs=same)


def test_the_order_of_people_does_not_matter() -> None:
    walkers, order = crowd(60, side=17.0), np.random.default_rng(1).permutation(60)
    expected = Orca().velocities(walkers, DT)[order]
    assert Orca().velocities(picked(walkers, order), DT) == pytest.approx(expected, abs=1e-12)


def test_nobody_is_an_empty_answer() -> None:
    assert Orca().velocities(walking(), DT).shape == (0, 2)


def test_people_in_one_spot_part_the_same_way_each_time() -> None:
    walkers = walking(*[(1, 1, 0.5, 0)] * 12)
    first, again = (Orca().velocities(walkers, DT) for _ in range(2))
    assert np.isfinite(first).all() and np.array_equal(first, again)
    assert first[0, 0] > first[-1, 0]


@pytest.mark.parametrize(
    ("precision", "rounding"), [(Precision.SINGLE, 1.0012), (Precision.DOUBLE, 1 + 1e-11)]
)
def test_a_crush_ends_and_nobody_is_ever_too_fast(precision: Precision, rounding: float) -> None:
    model, walkers = Orca(precision=precision), crowd(40, side=2.0, seed=5)
    walkers = Walkers(
        walkers.positions, walkers.velocities, np.zeros((40, 2)), walkers.radii, walkers.top_speeds
    )
    for _ in range(100):
        velocities = model.velocities(walkers, DT)
        assert (np.hypot(*velocities.T) <= walkers.top_speeds * rounding).all()
        walkers = stepped(walkers, velocities)
    gaps = np.hypot(*(walkers.positions[:, None] - walkers.positions).transpose(2, 0, 1))
    gaps -= walkers.radii[:, None] + walkers.radii
    assert gaps[~np.eye(40, dtype=bool)].min() > -0.01


FAR_AWAY = floor_plan("far away", DIVIDED.walls + (2e4, -3e4))


@pytest.mark.parametrize("precision", Precision)
@pytest.mark.parametrize("plan", [ROOM, DIVIDED, FAR_AWAY], ids=lambda plan: plan.name)
def test_nobody_walks_into_walls(plan: FloorPlan, precision: Precision) -> None:
    rng = np.random.default_rng(2)
    model = Orca(precision=precision)
    places = plan.walls.min(axis=(0, 1)) + rng.uniform(0.5, 9.5, (400, 2))
    model.begin(plan)
    free = [place for place in places.tolist() if plan.clearance(*place) > 0.35][:25]
    walkers = walking(*((*place, *rng.uniform(-1.3, 1.3, 2)) for place in free))
    for _ in range(150):
        walkers = stepped(walkers, model.velocities(walkers, DT))
        assert min(plan.clearance(*place) for place in walkers.positions) > 0.29


def test_who_stands_in_a_wall_or_outside_gets_an_answer() -> None:
    pillar = floor_plan("pillar", np.concatenate([box(0, 0, 10, 10), box(4, 4, 6, 6)]))
    model = Orca()
    model.begin(pillar)
    walkers = walking((5, 5, 1, 0), (4, 4, 1, 0), (5, 3.999, 0, 1), (-3, 5, 1, 0), (1e4, 0, 1, 0))
    first = model.velocities(walkers, DT)
    assert np.isfinite(first).all()
    assert np.array_equal(first, model.velocities(walkers, DT))
    assert first[2, 1] <= 0.0  # beside the pillar: not into it


def test_those_who_run_look_at_walls_further_away() -> None:
    model = Orca()
    model.begin(floor_plan("corridor", box(0, 0, 60, 4)))
    runner = walking((20, 2, 9.0, 0), top_speed=9.0)
    assert model.velocities(runner, DT)[0] == pytest.approx(((60 - 0.3 - 20) / 5, 0.0))


def test_arrays_of_any_kind_are_understood_and_left_alone() -> None:
    walkers = crowd(30, side=12.0)
    expected = Orca().velocities(walkers, DT)
    frozen = picked(walkers, slice(None))
    for array in (frozen.positions, frozen.velocities, frozen.wanted, frozen.radii):
        array.setflags(write=False)
    strided = Walkers(
        np.asfortranarray(walkers.positions), *(np.repeat(a, 2, 0)[::2] for a in (
            walkers.velocities, walkers.wanted, walkers.radii, walkers.top_speeds)),
    )  # fmt: skip
    assert np.array_equal(Orca(horizon=5).velocities(walkers, DT), expected)
    for same in (frozen, strided):
        assert np.array_equal(Orca().velocities(same, DT), expected)


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"horizon": 0.0}, "horizon is 0.0, expected more than 0"),
        ({"wall_horizon": math.nan}, "wall_horizon is nan"),
        ({"neighbour_distance": math.inf}, "neighbour_distance is inf"),
        ({"most_neighbours": -1}, "most_neighbours is -1, expected 0 or more"),
        ({"responsibility": 1.5}, "responsibility is 1.5, expected 0 to 1"),
    ],
)
def test_parameters_that_make_no_sense_are_refused(parameters, sentence: str) -> None:
    with pytest.raises(BadValue, match=sentence):
        Orca(**parameters)


def test_the_precision_goes_by_its_name() -> None:
    assert Orca(precision="double").precision is Precision.DOUBLE
    with pytest.raises(UnknownName, match="no precision of orca is called 'duble'.*'double'"):
        Orca(precision="duble")


def test_questions_that_make_no_sense_are_refused() -> None:
    walkers = walking((0, 0, 1, 0), (3, 0, 1, 0))
    with pytest.raises(BadValue, match="a step of 0 s"):
        Orca().velocities(walkers, 0)
    with pytest.raises(BadValue, match="3 responsibilities for 2 walkers"):
        Orca(responsibility=np.ones(3)).velocities(walkers, DT)
    with pytest.raises(BadValue, match="no walker 2 among 2"):
        Orca().velocity_of(2, walkers, DT)
    with pytest.raises(BadValue, match="not finite"):
        Orca().velocities(walking((0, 0, math.nan, 0)), DT)
    short = Walkers(walkers.positions[:1], *(np.zeros((2, 2)),) * 2, *(np.ones(2),) * 2)
    with pytest.raises(BadValue, match="something is missing"):
        Orca().velocities(short, DT)
