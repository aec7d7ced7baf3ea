"""What a clip is worth, by hand and by the authors' rule."""

from pathlib import Path

import numpy as np
import pytest

from paseo.errors import BadValue, UnknownName
from paseo.pipeline.mining.fitness import Candidate, make_fitness, socialnavsub_fitness
from paseo.world.arrays import FloatArray

STILL = np.zeros((10, 2))


def standing(x: float, y: float, frames: range = range(10)) -> FloatArray:
    track = np.full((10, 2), np.nan)
    track[list(frames)] = x, y
    return track


def test_nobody_and_a_straight_way_are_worth_nothing() -> None:
    assert socialnavsub_fitness(np.column_stack([np.arange(10.0), np.zeros(10)]), []) == 0.0


def test_the_way_counts_by_how_far_it_goes_aside() -> None:
    way = np.column_stack([np.arange(10.0), np.linspace(-0.5, 1.0, 10)])
    assert socialnavsub_fitness(way, []) == pytest.approx(3 * 1.5)


@pytest.mark.parametrize(
    ("place", "worth"),
    [
        ((10.0, -5.0), 0.15 + 0.75 * 0.9),  # close in ten frames, nine times in the one before
        ((10.1, 0.0), 0.0),
        ((7.0, 5.1), 0.0),
        ((-0.1, 0.0), 0.0),
        ((5.0, 3.0), 0.15 + 0.5 + 0.75 * 0.9),
        ((5.1, 0.0), 0.15 + 0.75 * 0.9),
        ((0.0, 0.0), 0.15 + 0.5 + 0.75 * 0.9),
    ],
)
def test_somebody_counts_by_how_close_they_are(place: tuple[float, float], worth: float) -> None:
    assert socialnavsub_fitness(STILL, [standing(*place)]) == pytest.approx(worth)


def test_beyond_six_people_each_costs_two() -> None:
    crowd = [standing(50.0, 0.0)] * 8
    assert socialnavsub_fitness(STILL, crowd[:6]) == 0.0
    assert socialnavsub_fitness(STILL, crowd) == pytest.approx(-4.0)
    half = [*crowd[:6], standing(50.0, 0.0, range(5))]  # six and a half people on average
    assert socialnavsub_fitness(STILL, half) == pytest.approx(-1.0)


def test_before_means_the_observation_before_even_over_a_gap() -> None:
    track = standing(8.0, 0.0, range(0, 10, 2))  # five observations, none in frames that follow
    assert socialnavsub_fitness(STILL, [track]) == pytest.approx((0.15 * 5 + 0.75 * 4) / 10)


def test_somebody_who_leaves_and_comes_back_was_not_close_before() -> None:
    track = standing(8.0, 0.0)
    track[5] = 12.0, 0.0
    assert socialnavsub_fitness(STILL, [track]) == pytest.approx((0.15 * 9 + 0.75 * 7) / 10)


def test_the_other_side_is_worth_the_same() -> None:
    rng = np.random.default_rng(1)
    way, people = rng.normal(size=(10, 2)), [rng.uniform(-6, 12, (10, 2)) for _ in range(5)]
    mirrored = [track * (1, -1) for track in people]
    assert socialnavsub_fitness(way * (1, -1), mirrored) == socialnavsub_fitness(way, people)


def candidate() -> Candidate:
    return Candidate(period=0.25, robot=np.zeros((10, 3)), waypoints=STILL, people=())


def test_a_fitness_of_ones_own_is_found_in_a_file(tmp_path: Path) -> None:
    mine = tmp_path / "my.py"
    mine.write_text("class Mine:\n    def fitness(self, candidate):\n        return 4\n")
    assert make_fitness(f"{mine}:Mine").fitness(candidate()) == 4.0


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        ("return float('nan')", "returned nan, expected a number"),
        ("return float('inf')", "returned inf, expected a number"),
        ("return 'much'", "failed"),
        ("return 1 / 0", "failed"),
    ],
)
def test_what_a_fitness_does_wrong_is_its_own_fault(
    tmp_path: Path, body: str, sentence: str
) -> None:
    mine = tmp_path / "my.py"
    mine.write_text(f"class Mine:\n    def fitness(self, candidate):\n        {body}\n")
    with pytest.raises(BadValue, match=f"my.py:Mine' {sentence}"):
        make_fitness(f"{mine}:Mine").fitness(candidate())


def test_an_unknown_fitness_is_told_with_those_there_are() -> None:
    with pytest.raises(UnknownName, match="Did you mean 'socialnav-sub'"):
        make_fitness("socialnavsub")
