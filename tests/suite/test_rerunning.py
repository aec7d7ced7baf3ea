"""Records repeated from Python; what the command says of it is tested with the command."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from paseo.errors import InputError
from paseo.planners.straight import Straight
from paseo.sim.simulate import simulate
from paseo.suite.rerunning import Aspect, Difference, difference, rerun
from paseo.world.recordfile import record_bytes, save_record
from paseo.world.records import Outcome, Record
from worlds import Driver, crossing, scenario


@pytest.fixture(scope="module")
def record() -> Record:
    return simulate(scenario(crossing()), Straight(speed=0.5))


def test_a_record_made_in_python_is_repeated_by_the_class_it_names(record: Record) -> None:
    done = rerun(record)
    assert done.is_identical and done.difference is None
    assert done.content == record_bytes(record) == record_bytes(done.record)


def test_a_record_can_be_named_by_its_file_and_its_planner_by_a_class(
    record: Record, tmp_path: Path
) -> None:
    save_record(record, tmp_path / "r.npz")
    assert rerun(tmp_path / "r.npz", planner=Straight).is_identical
    assert rerun(str(tmp_path / "r.npz")).is_identical


def test_the_first_difference_is_a_value(record: Record) -> None:
    robot = record.robot.copy()
    robot[7:] += 0.01
    found = rerun(replace(record, robot=robot)).difference
    assert found == Difference(aspect=Aspect.PATH, time=pytest.approx(0.35))


def test_differences_are_told_the_most_telling_first(record: Record) -> None:
    made = record.provenance
    cases = {
        Aspect.PLANNER: replace(record, provenance=replace(made, planner_hash="other")),
        Aspect.VERSION: replace(record, provenance=replace(made, paseo_version="0.0.1")),
        Aspect.LENGTH: replace(
            record, robot=record.robot[:-1], commands=record.commands[:-1],
            people=record.people[:-1], contacts=(),
        ),
        Aspect.ENDING: replace(record, reason="it got bored"),
        Aspect.OTHER: replace(record, provenance=replace(made, parameters={"speed": 0.4})),
    }  # fmt: skip
    for aspect, other in cases.items():
        assert difference(other, record).aspect is aspect
    assert difference(cases[Aspect.VERSION], record).before == "0.0.1"
    assert difference(cases[Aspect.ENDING], record).before == "it got bored"
    assert difference(cases[Aspect.LENGTH], record).now == record.times[-1]


def test_a_planner_that_was_lost_is_asked_only_up_to_there(record: Record) -> None:
    cut = replace(
        record, robot=record.robot[:4], commands=record.commands[:3], people=record.people[:4],
        contacts=(), outcome=Outcome.PLANNER_FAILED, reason="it hung after 0.15 s", lost=True,
    )  # fmt: skip
    done = rerun(cut)
    assert done.is_identical
    np.testing.assert_array_equal(done.record.robot, cut.robot)
    assert not rerun(replace(cut, lost=False)).is_identical


def test_a_planner_that_cannot_be_found_is_asked_for_by_its_parameter() -> None:
    record = simulate(scenario(time_limit=0.2), Driver())
    gone = replace(record, provenance=replace(record.provenance, planner="gone.py:A"))
    with pytest.raises(InputError, match='name where it is now with planner="file.py:Class"'):
        rerun(gone)
    with pytest.raises(InputError, match="follows nobody; omit planner"):
        rerun(gone, planner="human")
