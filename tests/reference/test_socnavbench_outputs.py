"""The published variants against what the released SocNavBench itself wrote."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from drives import OUTPUTS, output_of_the_original
from paseo.metrics.record import published
from paseo.world.records import Record

pytestmark = pytest.mark.recordings
RELATIVE = 1e-6
NUMBERS = {
    published.success: "success",
    published.path_length: "path_length",
    published.path_length_ratio: "path_length_ratio",
    published.goal_traversal_ratio: "goal_traversal_ratio",
    published.path_irregularity: "path_irregularity",
    published.path_traversal_time: "total_sim_time_taken",
    published.energy: "robot_motion_energy",
}
ARRAYS = {
    "robot_speed": published.speed,
    "robot_acceleration": published.acceleration_vectors,
    "robot_jerk": published.jerk_vectors,
    "closest_pedestrian_distance": published.closest_person_distance,
    "time_to_collision": published.time_to_collision,
}


@pytest.fixture(params=OUTPUTS, scope="module")
def pair(request: pytest.FixtureRequest, data_dir: Path) -> tuple[Record, dict[str, Any]]:
    return output_of_the_original(data_dir, request.param)


@pytest.mark.parametrize("metric", NUMBERS, ids=lambda metric: metric.name)
def test_every_number_is_the_original_one(
    metric: published.Metric, pair: tuple[Record, dict[str, Any]]
) -> None:
    record, output = pair
    expected = float(output["score"][NUMBERS[metric]])
    assert metric(record) == pytest.approx(expected, rel=RELATIVE, abs=0.0)


@pytest.mark.parametrize("name", ARRAYS)
def test_every_element_is_the_original_one(name: str, pair: tuple[Record, dict[str, Any]]) -> None:
    record, output = pair
    ours, theirs = np.asarray(ARRAYS[name](record)), np.array(output["score"][name])
    assert ours.shape == theirs.shape
    np.testing.assert_allclose(ours, theirs, rtol=RELATIVE, atol=0.0)


def test_the_trajectory_is_the_original_one(pair: tuple[Record, dict[str, Any]]) -> None:
    record, output = pair
    theirs = np.array(output["final_robot_trajectory"])
    np.testing.assert_allclose(published.trajectory(record), theirs, rtol=RELATIVE, atol=0.0)


def test_the_collisions_are_those_in_the_log(pair: tuple[Record, dict[str, Any]]) -> None:
    record, output = pair
    count = int(output["log"].partition("Robot collided with ")[2].partition(" ")[0])
    assert published.person_collisions(record) == count


def test_infinities_and_sentinels_of_the_original_are_among_the_elements(data_dir: Path) -> None:
    outputs = [output_of_the_original(data_dir, name)[1] for name in OUTPUTS]
    times = np.concatenate([output["score"]["time_to_collision"] for output in outputs])
    assert (np.isinf(times).sum(), (times == -1).sum()) == (3, 32)
