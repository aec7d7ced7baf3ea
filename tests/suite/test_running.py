import json
import os
import random
import resource
import signal
import subprocess
import time
from collections import Counter
from pathlib import Path

import pytest

from paseo.errors import InputError
from paseo.planners.straight import Straight
from paseo.suite.running import RunStopped, run
from paseo.suite.runs.planning import RunOptions
from runs import alive, all_gone, failing, records, results, started, suite

METHODS = "    def begin(self, briefing): pass\n    def plan(self, observation): pass\n"
NOISY = {"sensor": {"range_m": 5.0, "position_noise_m": 0.1, "miss_rate": 0.2, "swap_rate": 0.1}}


def test_results_and_records_do_not_depend_on_the_number_of_jobs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = suite(tmp_path, settings=NOISY, seeds=[0, 5], planners=["straight", "stop"])
    folders = [tmp_path / f"with-{jobs}" for jobs in (1, 2, 3)]
    listed = [results(capsys, path, "--jobs", k, "--out", out) for k, out in enumerate(folders, 1)]
    assert listed[0] == listed[1] == listed[2]
    assert len(listed[0]) == 12
    assert records(folders[0]) == records(folders[1]) == records(folders[2])
    tables = {(folder / "results.csv").read_bytes() for folder in folders}
    assert len(tables) == 1
    different = {r["sha256"] for r in listed[0] if r["episode"] == "one"}
    assert len(different) == 4, "planner and seed both matter"


def test_a_run_from_python_is_a_value(tmp_path: Path) -> None:
    told: list[tuple[str, int, int]] = []
    options = RunOptions(limit=2, data=tmp_path, jobs=2)
    out = tmp_path / "run"
    done = run(
        suite(tmp_path), ["stop", Straight], out=out, options=options,
        progress=lambda *news: told.append(news),
    )  # fmt: skip
    assert (done.folder, done.unfilmed) == (out, ())
    assert [choice.label for choice in done.plan.planners] == ["stop", "straight"]
    assert [each.episode for each in done.results] == ["one", "two"] * 2
    assert [(row.planner, row.episodes) for row in done.summaries] == [("stop", 2), ("straight", 2)]
    assert [news for news in told if news[2]] == [("episode", k, 4) for k in range(5)]
    again = run(out=out, resume=True)
    assert again.results == done.results


def test_resuming_from_python_names_what_would_change_the_run(tmp_path: Path) -> None:
    run(suite(tmp_path), "stop", out=tmp_path / "run", options=RunOptions(limit=1))
    with pytest.raises(InputError, match="planners, seed would change the run that resume"):
        run(None, "stop", out=tmp_path / "run", options=RunOptions(seed=3), resume=True)
    with pytest.raises(InputError, match="holds a run of something else"):
        run(suite(tmp_path), "stop", out=tmp_path / "run", resume=True)
    with pytest.raises(InputError, match="resume needs out"):
        run(resume=True)


@pytest.mark.parametrize("runner", ["local", "serial"])
def test_a_planner_is_made_once_for_each_episode(tmp_path: Path, runner: str) -> None:
    (tmp_path / "p.py").write_text(
        "from pathlib import Path\nfrom paseo import Twist\nclass P:\n"
        f"    def __init__(self):\n        Path({str(tmp_path)!r}, 'made').open('a').write('.')\n"
        "    def begin(self, briefing): pass\n"
        "    def plan(self, observation): return Twist(0.0, 0.0)\n"
    )
    options = RunOptions(runner=runner, jobs=1)
    run(suite(tmp_path), f"{tmp_path / 'p.py'}:P", out=tmp_path / "run", options=options)
    assert (tmp_path / "made").read_text() == "." * (1 + 3), "once to see that it can be made"


@pytest.mark.slow
def test_a_run_without_processes_makes_the_same_records(tmp_path: Path) -> None:
    planners = ["straight", *(failing(tmp_path, name) for name in ("Crash", "Nonsense", "Quits"))]
    for runner in ("local", "serial"):
        run(suite(tmp_path), planners, out=tmp_path / runner, options=RunOptions(runner=runner))
    assert records(tmp_path / "local") == records(tmp_path / "serial")


def test_stopped_from_python_a_run_tells_its_folder_and_can_be_resumed(tmp_path: Path) -> None:
    def stop(what: str, done: int, total: int) -> None:
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(RunStopped) as stopped:
        run(suite(tmp_path), "stop", out=tmp_path / "run", progress=stop)
    assert stopped.value.folder == tmp_path / "run"
    assert len(lines(tmp_path / "run")) == 2
    assert len(run(out=stopped.value.folder, resume=True).results) == 3


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A suite whose run takes more than a second, and the whole run of it beside it."""
    folder = tmp_path_factory.mktemp("undisturbed")
    path = suite(folder, seeds=[*range(10)], planners=[Path(failing(folder, "Sleeps")).name])
    process, _ = started("run", path, "--jobs", "2", "--out", folder / "run")
    assert process.wait() == 0
    return path


def lines(folder: Path) -> list[bytes]:
    log = folder / "results.jsonl"
    return log.read_bytes().split(b"\n")[:-1] if log.exists() else []


def drafts(folder: Path) -> int:
    return len(list((folder / "records").glob(".*.part")))


def moment(out: Path, process: subprocess.Popen[str], rng: random.Random) -> None:
    """Wait for a random moment: starting up, in the middle, half a record or a result written."""
    kind, before = rng.choice(["start", "middle", "draft", "line"]), len(lines(out))
    end = time.monotonic() + rng.uniform(0.0, 1.0)
    while process.poll() is None and (kind != "start" or time.monotonic() < end):
        if kind != "start" and len(lines(out)) > before:
            break
        time.sleep(0.001)
    end = time.monotonic() + rng.uniform(0.0, 0.8)
    while process.poll() is None and kind == "middle" and time.monotonic() < end:
        time.sleep(0.001)
    while process.poll() is None and kind == "draft" and not drafts(out):
        pass


def disturbed(path: Path, out: Path, rng: random.Random, kills: int) -> list[tuple[int, int]]:
    """Run a suite to its end, killing it up to so many times.

    The results and the half-written records there were at each kill.
    """
    killed: list[tuple[int, int]] = []
    marks = []
    words: list[object] = [path, "--jobs", "2"]
    while True:
        process, mark = started("run", *words, "--out", out)
        marks.append(mark)
        if len(killed) < kills:
            moment(out, process, rng)
            if process.poll() is None:
                only_parent = rng.random() < 0.5
                (os.kill if only_parent else os.killpg)(process.pid, signal.SIGKILL)
                killed.append((len(lines(out)), drafts(out)))
        _, errors = process.communicate()
        if process.returncode == 0:
            break
        assert process.returncode == -signal.SIGKILL, errors
        # The next one starts at once, while workers of the last may still be dying.
        words = ["--resume"] if (out / "run.json").exists() else words
    assert all(all_gone(mark) for mark in marks)
    return killed


def assert_same_run(out: Path, path: Path) -> None:
    """Nothing was lost, nothing doubled, nothing done again that was already done."""
    whole = path.parent / "run"
    assert records(out) == records(whole)
    assert (out / "results.csv").read_bytes() == (whole / "results.csv").read_bytes()
    done_jobs = Counter(json.loads(line)["record"] for line in lines(out))
    assert done_jobs == dict.fromkeys(records(whole), 1)


@pytest.mark.slow
def test_a_run_killed_at_random_moments_is_finished_as_if_it_had_not_been(
    undisturbed: Path, tmp_path: Path
) -> None:
    assert disturbed(undisturbed, tmp_path / "run", random.Random(1), kills=3)
    assert_same_run(tmp_path / "run", undisturbed)


@pytest.mark.slow
def test_runs_killed_at_50_random_moments_are_finished_as_if_they_had_not_been(
    undisturbed: Path, tmp_path: Path
) -> None:
    rng, runs = random.Random(2), 0
    kills: list[tuple[int, int]] = []
    while len(kills) < 50:
        out = tmp_path / f"run{runs}"
        kills += disturbed(undisturbed, out, rng, min(rng.randrange(1, 8), 50 - len(kills)))
        assert_same_run(out, undisturbed)
        runs += 1
    assert len({finished for finished, _ in kills}) > 10, "kills must come early and late"
    assert any(halves for _, halves in kills), "some must come in the middle of writing"


@pytest.mark.usefixtures("interruptible")
@pytest.mark.parametrize(
    ("number", "everybody"),
    [
        (signal.SIGINT, True),  # as the terminal does it
        pytest.param(signal.SIGINT, False, marks=pytest.mark.slow),
        (signal.SIGTERM, True),
        pytest.param(signal.SIGTERM, False, marks=pytest.mark.slow),
        pytest.param(signal.SIGHUP, True, marks=pytest.mark.slow),
        pytest.param(signal.SIGHUP, False, marks=pytest.mark.slow),
    ],
)
def test_a_run_that_is_stopped_can_be_resumed_and_says_how(
    undisturbed: Path, tmp_path: Path, number: signal.Signals, everybody: bool
) -> None:
    out = tmp_path / "a run"
    process, mark = started("run", undisturbed, "--jobs", "2", "--out", out)
    while not lines(out):
        assert process.poll() is None
        time.sleep(0.001)
    (os.killpg if everybody else os.kill)(process.pid, number)
    output, errors = process.communicate()
    assert (process.returncode, output) == (128 + number, "")
    assert f"paseo: stopped; finish with: paseo run --resume --out '{out}'" in errors
    assert "Traceback" not in errors
    assert all_gone(mark)
    assert drafts(out) == 0
    assert 0 < len(lines(out)) < 30
    resumed, _ = started("run", "--resume", "--out", out)
    assert resumed.wait() == 0
    assert_same_run(out, undisturbed)


def small_files(most: int) -> None:
    """In the child: no file may grow beyond so many bytes, as on a disk that is full."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, resource.RLIM_INFINITY))


@pytest.mark.parametrize(
    ("many", "what"),
    [
        pytest.param("seeds", "results.jsonl", marks=pytest.mark.slow),
        ("people", ".npz: cannot be written"),
    ],
)
def test_on_a_full_disk_a_run_stops_with_one_sentence_and_can_be_resumed(
    tmp_path: Path, many: str, what: str
) -> None:
    crowd = [{"id": k, "path": [[0, 1, 1 + k / 9], [20, 9, 9 - k / 7]]} for k in range(40)]
    room = {"name": "e", "map": "room.txt", "start": {"x_m": 2, "y_m": 5},
            "goal": {"x_m": 8, "y_m": 5}, "people": crowd, "time_limit_s": 20}  # fmt: skip
    changes = {"seeds": [*range(40)]} if many == "seeds" else {"episodes": [room]}
    path, out = suite(tmp_path, planners=["stop"], **changes), tmp_path / "run"
    process, mark = started(
        "run", path, "--jobs", "1", "--out", out, preexec_fn=lambda: small_files(30_000)
    )
    output, errors = process.communicate()
    assert (process.returncode, output) == (1, "")
    assert what in errors
    assert "cannot be written (File too large)" in errors
    assert errors.count("\n") == 1
    assert all_gone(mark)
    assert not list((out / "records").glob(".*.part"))
    if many == "seeds":
        assert not (out / "results.jsonl").read_bytes().endswith(b"\n"), "a line is torn"
    finished, _ = started("run", "--resume", "--json", "--out", out)
    output, _ = finished.communicate()
    assert len(json.loads(output)["results"]) == (120 if many == "seeds" else 1)
    assert alive(mark) == []
