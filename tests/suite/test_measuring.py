"""Runs are measured: what is kept of each episode."""

from pathlib import Path

import pytest

from paseo.cli.main import main
from paseo.metrics.record.catalog import METRICS
from paseo.metrics.record.measure import measure
from paseo.suite.measuring import measured_runs
from paseo.world.recordfile import load_record
from runs import suite

KEPT = ("closest_person_distance", "time_to_collision")


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("room")
    words = ["--planner", "straight", "--out", str(folder / "run")]
    assert main(["run", str(suite(folder)), *words]) == 0
    return folder / "run"


def test_samples_are_kept_of_the_metrics_that_are_named(run: Path) -> None:
    for each in measured_runs([run], METRICS, keep=KEPT):
        found = measure(load_record(each.record))
        assert list(each.samples) == list(KEPT)
        for name, samples in each.samples.items():
            assert samples.tolist() == found[name].samples.tolist()


def test_samples_that_nobody_asked_for_are_not_kept(run: Path) -> None:
    assert [each.samples for each in measured_runs([run], METRICS)] == [{}, {}, {}]


def test_each_episode_knows_its_record(run: Path) -> None:
    for each in measured_runs([run], METRICS):
        assert each.record.parent == run / "records"
        assert load_record(each.record).scenario.name == each.episode
