"""One task carried out: the record as bytes, and what was measured."""

import hashlib
import json
import os
from pathlib import Path

import pytest

from paseo.errors import BadFile
from paseo.planners.choices import PlannerChoice
from paseo.suite.runners.answers import finished
from paseo.suite.runners.preparing import provenance_of
from paseo.suite.runners.runner import Task
from paseo.suite.runners.watching import Notebook
from paseo.suite.runners.worker import Order, driven_by
from paseo.suite.runs.jobs import jobs_of
from paseo.suite.runs.planning import RunOptions, plan_run
from runs import failing, suite


def task_of(folder: Path, planner: str) -> Task:
    plan = plan_run(suite(folder), planner, RunOptions(data=folder))
    (job, *_) = jobs_of(plan)
    return Task(job, provenance_of(job.planner, None))


def test_what_comes_back_is_the_record_and_the_timing_and_no_file_is_written(
    tmp_path: Path,
) -> None:
    task = task_of(tmp_path, "straight")
    before = sorted(tmp_path.iterdir())
    done = finished(task, driven_by(Order(task), Notebook(task.job.steps)))
    assert done.result.key == task.job.key
    assert done.result.sha256 == hashlib.sha256(done.record).hexdigest()
    timing = json.loads(done.timing)
    assert (timing["format"], len(timing["planning_s"])) == ("paseo-timing", 40)
    assert timing["machine"]["cores"] == os.cpu_count()
    assert sorted(tmp_path.iterdir()) == before


def test_a_planner_changed_while_it_runs_makes_no_records(tmp_path: Path) -> None:
    task = task_of(tmp_path, failing(tmp_path, "Careless"))
    assert task.job.planner == PlannerChoice(task.provenance.planner)
    driven_by(Order(task), Notebook(task.job.steps))
    with (tmp_path / "failing.py").open("a") as file:
        file.write("# better now\n")
    with pytest.raises(BadFile, match="was changed while it ran") as refused:
        driven_by(Order(task), Notebook(task.job.steps))
    assert refused.value.parameters == ("resume",)
