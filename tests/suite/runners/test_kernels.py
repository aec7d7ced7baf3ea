import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from paseo.planners.choices import PlannerChoice
from paseo.planners.names import PLANNERS
from paseo.suite.runners.kernels import compile_kernels, warm
from paseo.world.scenarios import Reaction, ReactionModel
from runs import PASEO, results, suite

# Its kernel takes a while to compile and next to nothing to run.
TINY = '''
from paseo import Control, Twist
from paseo.compiled import compiled

asked = []


@compiled
def speed(time: float) -> float:
    """A fair speed."""
    total = 0.0
    for k in range(3):
        total += min(max(time, 0.1), 0.5) * (k - 1.0) ** 2
    return min(total, 0.5)


class Tiny:
    """Drives on at a speed that was compiled."""

    kernels = (speed,)

    def __init__(self, gain: float = 1.0) -> None:
        self.gain = gain

    def begin(self, briefing):
        asked.append(briefing)

    def plan(self, observation):
        return Twist(self.gain * speed(observation.time), 0.0)
'''


@pytest.fixture
def tiny(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A planner with a kernel that nobody has compiled yet, as if it shipped."""
    (tmp_path / "tiny_planner.py").write_text(TINY)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setitem(PLANNERS.shipped, "tiny", "tiny_planner:Tiny")
    yield PLANNERS.find("tiny")
    del sys.modules["tiny_planner"]


def announced(*planners: str, **changes: Any) -> list[str]:
    said: list[str] = []
    compile_kernels(said.append, [PlannerChoice(name) for name in planners], **changes)
    return said


def test_the_kernels_of_a_shipped_planner_are_compiled_beforehand_and_announced_once(
    tiny: Any,
) -> None:
    announced()  # the simulator itself
    (sentence,) = announced("stop", "tiny")
    assert sentence.startswith("compiling planner tiny, once on this machine")
    assert len(tiny.kernels[0].signatures) == 1, "both control modes use the same code"
    controls = {each.control.value for each in sys.modules["tiny_planner"].asked}
    assert controls == {"velocity", "position"}
    assert announced("stop", "tiny") == []


def test_planners_of_others_do_not_run_in_the_process_of_the_command(tiny: Any) -> None:
    announced()
    assert announced("tiny_planner:Tiny") == []
    assert sys.modules["tiny_planner"].asked == []


def test_a_planner_without_kernels_has_nothing_to_wait_for() -> None:
    announced()
    assert announced("stop", "straight") == []


def test_people_who_do_not_steer_have_nothing_to_wait_for() -> None:
    announced()
    assert announced(reaction=Reaction(by=ReactionModel.STOP)) == []
    assert announced(reaction=Reaction(by=ReactionModel.ORCA, reactivity=0.0)) == []


@pytest.mark.slow
def test_on_a_new_machine_everything_that_is_needed_is_announced_once(tmp_path: Path) -> None:
    words = ["run", str(suite(tmp_path)), "--planner", "stop", "--reaction", "orca", "--out"]
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    said = [
        subprocess.run([PASEO, *words, str(tmp_path / name)], env=environment, check=True,
                       capture_output=True, text=True).stderr
        for name in ("first", "second")
    ]  # fmt: skip
    assert said[0].startswith("paseo: compiling the simulator, people who answer by orca, once on")
    assert said[0].count("compiling") == 1
    assert "compiling" not in said[1]


@pytest.mark.parametrize("by", [ReactionModel.SOCIAL_FORCE, ReactionModel.ORCA])
def test_the_trial_compiles_all_that_people_who_answer_need(by: ReactionModel) -> None:
    announced(reaction=Reaction(by=by))
    assert announced(reaction=Reaction(by=by)) == []


def test_a_planner_is_tried_out_once_in_a_process(tiny: Any) -> None:
    for _ in range(2):
        warm(PlannerChoice("tiny", {"gain": "2"}), None)
    assert len(sys.modules["tiny_planner"].asked) == 1


def test_a_class_that_means_something_else_by_kernels_is_left_alone(tiny: Any) -> None:
    tiny.kernels = property(lambda self: 3)
    assert announced("tiny") == []
    warm(PlannerChoice("tiny"), None)
    assert sys.modules["tiny_planner"].asked == []


# Of every drive it notes a line: before each plan, how many kernels are loaded.
NOTING = (
    TINY
    + """

class Noting(Tiny):
    def begin(self, briefing):
        self.note("\\n")

    def plan(self, observation):
        self.note(str(len(speed.signatures)))
        return super().plan(observation)

    def note(self, words):
        with open({notes!r}, "a") as notes:
            notes.write(words)
"""
)


def test_loading_kernels_is_no_planning_time(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, notes = tmp_path / "run", tmp_path / "notes.txt"
    (tmp_path / "mine.py").write_text(NOTING.format(notes=str(notes)))
    words = [suite(tmp_path), "--planner", f"{tmp_path / 'mine.py'}:Noting", "--out", out]
    rows = results(capsys, *words, "--jobs", 1)
    files = [(out / "records" / row["record"]).with_suffix(".timing.json") for row in rows]
    timed = [len(json.loads(file.read_text())["planning_s"]) for file in files]
    drives = notes.read_text().split()
    assert len(timed) == 3 < len(drives), "with a trial that loads the kernel"
    loaded = [drive for drive in drives if set(drive) == {"1"}]
    assert sorted(map(len, loaded)) == sorted(timed), "what is timed finds it loaded"


def test_trials_leave_no_trace_in_a_record(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    contents: list[dict[str, float]] = []
    for name, text in (("with", TINY), ("without", TINY.replace("kernels = (speed,)", ""))):
        (tmp_path / "mine.py").write_text(text)
        out = tmp_path / name
        words = [suite(tmp_path), "--planner", f"{tmp_path / 'mine.py'}:Tiny", "--out", out]
        rows = results(capsys, *words, "--limit", 1)
        contents.append({row["episode"]: row["time_s"] for row in rows})
    assert contents[0] == contents[1]
