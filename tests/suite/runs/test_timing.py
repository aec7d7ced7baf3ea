import os
from pathlib import Path

import pytest

from paseo.errors import BadFile, BadValue
from paseo.suite.runners.watching import TimedPlanner
from paseo.suite.running import run
from paseo.suite.runs.planning import RunOptions
from paseo.suite.runs.timing import (
    Timing,
    read_timing,
    timing_bytes,
    timing_words,
)
from paseo.world.motion import Pose, RobotState, Twist
from paseo.world.planning import Observation
from runs import suite
from worlds import Driver, crowd


def test_what_was_measured_is_read_as_it_was_written(tmp_path: Path) -> None:
    written = Timing(processor_s=(0.1, 0.2), planning_s=(0.3, 0.4), workers=3, alone=False)
    (tmp_path / "a.timing.json").write_bytes(timing_bytes(written))
    found = read_timing(tmp_path / "a.npz")
    assert (found.processor_s, found.planning_s) == (written.processor_s, written.planning_s)
    assert (found.workers, found.cores) == (3, os.cpu_count())
    assert read_timing(tmp_path / "b.npz") == Timing()


def test_wall_times_of_an_earlier_version_do_not_pass_for_processor_times(tmp_path: Path) -> None:
    (tmp_path / "a.timing.json").write_text('{"machine": {"cores": 2}, "planning_s": [0.1]}')
    found = read_timing(tmp_path / "a.npz")
    assert (found.processor_s, found.planning_s) == ((), (0.1,))


@pytest.mark.parametrize(
    "content",
    [
        "[]",
        f'{{"machine": {{"cores": 2}}, "planning_s": [1{"0" * 400}]}}',
        '{"machine": {"cores": 2}, "planning_s": [], "workers": 1e999}',
    ],
)
def test_a_damaged_file_is_named(tmp_path: Path, content: str) -> None:
    (tmp_path / "a.timing.json").write_text(content)
    with pytest.raises(BadFile, match="a.timing.json: not readable as planning times"):
        read_timing(tmp_path / "a.npz")


def test_processor_time_is_measured_beside_the_time_on_the_wall() -> None:
    wall, processor = iter([0.0, 5.0]), iter([1.0, 1.25])
    planner = TimedPlanner(
        Driver(), None, clock=lambda: next(wall), processor=lambda: next(processor)
    )
    planner.plan(Observation(0.0, RobotState(Pose(2, 5), Twist(0, 0), 0.24), crowd()))
    assert (planner.seconds, planner.processor_seconds) == ([5.0], [0.25])


def test_the_words_say_who_shared_the_cores() -> None:
    def words(**load: int) -> str:
        return timing_words([Timing(processor_s=(0.1,), **load)]).rpartition(", ")[2]

    assert words(workers=3, cores=2) == "3 workers shared 2 cores"
    assert words() == "one worker"
    assert words(alone=True) == "one worker kept to a core of its own"
    assert timing_words([Timing()]).endswith("not measured")


def test_a_run_that_times_planning_keeps_one_worker_alone_and_changes_no_record(
    tmp_path: Path,
) -> None:
    path = suite(tmp_path)
    timed = run(path, "straight", out=tmp_path / "a", options=RunOptions(time_planning=True))
    usual = run(path, "straight", out=tmp_path / "b", options=RunOptions(jobs=2))
    assert timed.results == usual.results
    (found,) = timed.planning
    assert found.steps == sum(round(each.time_s / 0.05) for each in timed.results)
    assert found.median_s is not None
    assert found.p95_s is not None
    assert 0 < found.median_s <= found.p95_s
    assert timed.timing_words.endswith("one worker kept to a core of its own")
    assert usual.timing_words.endswith(f"2 workers shared {os.cpu_count()} cores")


def test_timing_takes_no_other_work_beside_it() -> None:
    for beside in ({"jobs": 2}, {"video": True}):
        with pytest.raises(BadValue, match="one worker and nothing beside it"):
            RunOptions(time_planning=True, **beside)  # type: ignore[arg-type]
