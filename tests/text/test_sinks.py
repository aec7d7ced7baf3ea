"""Hostile texts through every command that a run's words pass, from the planner to the page."""

import csv
import io
import json
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path

import pytest

from hostile_texts import HOSTILE, seen, shown_by_markdown, would_run
from paseo.cli.main import main
from paseo.suite.runs.jobs import jobs_of
from paseo.suite.runs.rundir import RunDirectory
from paseo.world.recordfile import load_record
from runs import ROOM, refused, results, suite

SAYING = """
from dataclasses import dataclass
from hostile_texts import HOSTILE
from paseo import Twist


@dataclass
class Says:
    told: str = "\\ud800\\x1b[31m"

    def begin(self, briefing):
        self.kind = round(10 * (briefing.goal.x - 5))

    def plan(self, observation):
        raise ValueError(list(HOSTILE.values())[self.kind])


class Drives:
    def begin(self, briefing):
        pass

    def plan(self, observation):
        return Twist(0.5, 0.0)
"""
NAMES = (
    "=cmd|' calc'!A0.py",
    "\x1b[31mred\x1b]0;title\x07\u202e.py",
    "two\nlines & <script>alert(1)</script> 100%.py".replace("/", ""),
    "@`*_~ $\\frac{1$ [x](y) \x9b2J.py",
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where planners of hostile names lie, and a suite to run them through."""
    here = tmp_path_factory.mktemp("sinks")
    for name in (*NAMES, "saying.py"):
        (here / name).write_text(SAYING)
    suite(here)
    return here


@pytest.fixture(scope="module")
def spoken(folder: Path) -> Path:
    """A run in which a planner fails in every episode, each time with another hostile text."""
    place = {"map": "room.txt", "start": {"x_m": 2.0, "y_m": 5.0}, "time_limit_s": 2.0}
    goals = [{"x_m": 5 + kind / 10, "y_m": 5.0} for kind in range(len(HOSTILE))]
    episodes = [{"name": f"e{n}", **place, "goal": goal} for n, goal in enumerate(goals)]
    asked = suite(folder, name="spoken", episodes=episodes).rename(folder / "spoken.json")
    suite(folder)
    words = ["--planner", f"{folder / 'saying.py'}:Says", "--runner", "serial", "--out"]
    assert main(["run", str(asked), *words, str(folder / "spoken")]) == 0
    return folder / "spoken"


@pytest.fixture(scope="module")
def named(folder: Path) -> Path:
    """A run of planners with hostile names, in processes of their own."""
    planners = ",".join([f"{folder / name}:Drives" for name in NAMES] + ["straight"])
    words = ["--planner", planners, "--jobs", "1", "--out"]
    assert main(["run", str(folder / "suite.json"), *words, str(folder / "named")]) == 0
    return folder / "named"


def printed(capsys: pytest.CaptureFixture[str], *words: object) -> str:
    """What a command prints, all of which can be seen."""
    capsys.readouterr()
    assert main([str(word) for word in words]) == 0
    told = capsys.readouterr()
    seen(told.err)
    assert all(line.startswith("paseo: ") for line in told.err.splitlines())
    return seen(told.out)


def test_whatever_planners_say_the_run_can_be_read_again(
    spoken: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = (spoken / "results.jsonl").read_bytes()
    assert len(log.splitlines()) == len(HOSTILE)
    seen(log.decode("ascii"))
    rows = list(csv.DictReader(io.StringIO((spoken / "results.csv").read_text())))
    assert len(rows) == len(HOSTILE)
    for row in rows:
        assert row["reason"].startswith("plan() raised ValueError: ")
        assert len(seen(row["reason"])) <= 1100
    resumed = printed(capsys, "run", "--resume", "--out", spoken, "--json")
    assert [row["verdict"] for row in json.loads(resumed)["results"]] == ["planner failed"] * len(
        HOSTILE
    )
    assert (spoken / "results.jsonl").read_bytes() == log  # nothing had to be repeated


def test_their_records_are_whole_and_print_well(
    spoken: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for file in sorted((spoken / "records").glob("*.npz")):
        record = load_record(file)
        seen(record.reason)
        assert record.provenance.parameters["told"] == "?\x1b[31m"  # as it was when it was made
        lines = printed(capsys, "log", file).splitlines()
        assert sum(line.startswith("planner ") for line in lines) == 1
        assert max(map(len, lines)) <= 1000


def test_a_line_that_an_older_paseo_damaged_is_read(spoken: Path, tmp_path: Path) -> None:
    older = tmp_path / "older"
    older.mkdir()
    for name in ("run.json", "records"):
        (older / name).symlink_to(spoken / name)
    first, *others = (spoken / "results.jsonl").read_text().splitlines(keepends=True)
    line = json.dumps({**json.loads(first), "reason": "plan() raised ValueError: a\ud800b"})
    (older / "results.jsonl").write_text("".join([f"{line}\n", *others]))
    assert "\\ud800" in line
    with RunDirectory(older) as directory:
        found = directory.finished(jobs_of(directory.plan()))
    assert next(each.reason for each in found.values()) == "plan() raised ValueError: a?b"
    assert len(found) == len(HOSTILE)


@pytest.mark.parametrize(
    "words",
    ["text", "text --all", "markdown --all", "csv", "csv --brief", "latex --all", "json"],
)
def test_names_stay_in_their_cells(
    words: str, named: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    layout, *more = words.split()
    text = printed(capsys, "compare", named, "--format", layout, *more)
    if layout == "csv":
        cells = [cell for row in csv.reader(io.StringIO(text)) for cell in row]
        assert not any(would_run(cell) for cell in cells)
        assert any("cmd|" in cell for cell in cells)
    elif layout == "markdown":
        shown = shown_by_markdown(text)
        assert any("<script>" in each for each in shown)
        assert any("@`*_~ $\\frac{1$ [x](y) \\x9b2J" in each for each in shown)
    elif layout == "json":
        assert "cmd|" in json.dumps(json.loads(text))
    elif layout == "latex":
        rows = [line for line in text.splitlines() if line.endswith(" \\\\")]
        assert rows and not any(line.startswith(("[", "*")) for line in rows)
        said = text.rpartition("\\end{table}")[2].splitlines()
        assert all(line.startswith("% ") for line in said if line)


def test_the_table_of_a_run_has_a_line_for_each_name(
    named: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = printed(capsys, "run", "--resume", "--out", named).splitlines()
    assert lines[2 + len(NAMES)].startswith("straight ")
    rows = list(csv.reader(io.StringIO((named / "results.csv").read_text())))
    assert len(rows) == 1 + 3 * (len(NAMES) + 1)
    assert not any(would_run(cell) for row in rows for cell in row)


class Elements(HTMLParser):
    """How often each element is there."""

    def __init__(self) -> None:
        super().__init__()
        self.found: Counter[str] = Counter()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found[tag] += 1


def elements(page: Path) -> Counter[str]:
    found = Elements()
    found.feed(seen(page.read_text()))
    return found.found


@pytest.mark.slow
def test_a_page_of_hostile_names_is_built_as_any_other(
    named: Path, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    printed(capsys, "report", named, "--out", folder / "named.html")
    usual = folder / "usual"
    drives = [f"{folder / 'saying.py'}:Drives", "straight", "stop", "dwa", "time-gap"]
    results(capsys, folder / "suite.json", "--planner", ",".join(drives), "--out", usual)
    printed(capsys, "report", usual, "--out", folder / "usual.html")
    hostile, ordinary = elements(folder / "named.html"), elements(folder / "usual.html")
    assert hostile.keys() == ordinary.keys()
    assert all(hostile[each] == ordinary[each] for each in ("script", "style", "table", "button"))


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_what_is_refused_is_refused_in_one_short_sentence(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for words in (
        ["run", text, "--planner", "straight"],
        ["run", "scripted-10", "--planner", text],
    ):
        sentence = refused(capsys, *words, "--out", tmp_path / "none")
        assert len(seen(sentence)) <= 1100
    plan = tmp_path / "map.txt"
    plan.write_text(f"0 0\n10 0\n{text} 5\n", errors="replace")
    sentence = refused(capsys, "draw", plan, "--out", tmp_path / "map.png")
    assert len(seen(sentence)) <= 1100


def test_a_planner_whose_name_is_no_text_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["run", "scripted-10", "--planner", "a\udcff.py:P", "--out", tmp_path / "x"]
    assert refused(capsys, *words).startswith(
        "paseo: planner 'a\\udcff.py:P': its name holds what is no text, expected UTF-8"
    )


def test_files_whose_names_are_no_text_are_used_all_the_same(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    plan, people = tmp_path / "r\udcff\x1b[31m.txt", tmp_path / "p\udcff\x1b[31m.csv"
    plan.write_text(ROOM)
    walk = "".join(f"{frame},1,{1 + frame / 10},5\n" for frame in range(40))
    people.write_text(f"frame,ped_id,x_m,y_m\n{walk}")
    data = tmp_path / "data"
    words = [people, "--name", "c", "--fps", "10", "--map", plan, "--data", data]
    assert printed(capsys, "data", "import", *words) == f"{data / 'crowds/c'}\n"
    assert "c " in printed(capsys, "data", "list", "--data", data)
