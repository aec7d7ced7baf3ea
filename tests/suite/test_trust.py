"""Code that only a record or a run names is imported when its user has named it, or agrees."""

import io
import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest

import paseo
from paseo.cli.main import main
from paseo.errors import InputError
from paseo.planners.names import PLANNERS
from paseo.registry.trust import NamedCode, Untrusted, named_code, remember
from paseo.suite.rerunning import rerun
from paseo.world.cameras import Sight, level_camera
from paseo.world.recordfile import load_record, save_record
from paseo.world.scenarios import Reaction
from runs import refused, suite

SERIAL = ("--runner", "serial")  # one process is enough here
# Tells whoever looks that it was imported.
PLANNER = """
from pathlib import Path
from paseo import Twist

Path(__file__).with_suffix(".imported").touch()


class P:
    def begin(self, briefing): pass
    def plan(self, observation): return Twist(0.5, 0.0)
"""
PEOPLE = """
from pathlib import Path
from paseo.crowd.replay import Replay

Path(__file__).with_suffix(".imported").touch()


class People(Replay):
    pass
"""


class Mine:
    """A folder in which somebody has run a planner of their own."""

    def __init__(self, folder: Path) -> None:
        self.file, self.run = folder / "p.py", folder / "run"
        self.file.write_text(PLANNER)
        done = paseo.run(
            suite(folder),
            f"{self.file}:P",
            out=self.run,
            options=paseo.RunOptions(limit=1, runner="serial"),
        )
        self.record = self.run / "records" / done.results[0].record
        self.mark.unlink()

    @property
    def mark(self) -> Path:
        return self.file.with_suffix(".imported")


@pytest.fixture
def mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Mine:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return Mine(tmp_path)


@pytest.fixture
def theirs(mine: Mine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Mine:
    """The same, as somebody else gets it."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state of another"))
    return mine


def begun(run: Path) -> None:
    """Make a run one that was stopped before its first result."""
    (run / "results.jsonl").write_text("")


def test_who_has_made_a_record_reruns_it_unasked_and_is_told_what_is_imported(
    mine: Mine, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["rerun", str(mine.record)]) == 0
    assert f"paseo: to be imported: planner '{mine.file}:P' (sha256 " in capsys.readouterr().err
    begun(mine.run)
    assert main(["run", "--resume", *SERIAL, "--out", str(mine.run)]) == 0
    assert f"paseo: to be imported: planner '{mine.file}:P' (sha256 " in capsys.readouterr().err
    assert mine.mark.exists()


@pytest.mark.parametrize("command", ["rerun", "run"])
def test_what_somebody_else_made_needs_trust_which_is_remembered(
    theirs: Mine, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    begun(theirs.run)
    words = ["rerun", str(theirs.record)]
    if command == "run":
        words = ["run", "--resume", *SERIAL, "--out", str(theirs.run)]
    assert main(words) == 2
    said = capsys.readouterr().err
    assert f"to be imported: planner '{theirs.file}:P'" in said
    assert "which you have not named yourself as it is now" in said
    assert "then name it or add --trust" in said
    assert not theirs.mark.exists(), "it was imported before anybody agreed"
    assert main([*words, "--trust"]) == 0
    assert main(words) == 0, "it is remembered"


def test_naming_it_is_agreeing(theirs: Mine) -> None:
    assert main(["rerun", str(theirs.record), "--planner", f"{theirs.file}:P"]) == 0
    assert main(["rerun", str(theirs.record)]) == 0


def test_repeating_all_a_run_was_begun_with_is_agreeing(theirs: Mine) -> None:
    begun(theirs.run)
    words = [str(theirs.run.parent / "suite.json"), "--planner", f"{theirs.file}:P", "--limit", "1"]
    assert main(["run", *words, *SERIAL, "--resume", "--out", str(theirs.run)]) == 0


def test_a_file_that_was_changed_is_not_imported(
    mine: Mine, capsys: pytest.CaptureFixture[str]
) -> None:
    mine.file.write_text(f"{PLANNER}\n# and more\n")
    assert main(["rerun", str(mine.record)]) == 2
    assert "not that of the record" in capsys.readouterr().err
    begun(mine.run)
    said = refused(capsys, "run", "--resume", "--out", mine.run)
    assert "was changed since the run was begun" in said
    assert not mine.mark.exists()
    assert main(["rerun", str(mine.record), "--trust"]) == 1
    assert "the planner's file has changed since" in capsys.readouterr().out


def test_the_same_bytes_elsewhere_are_others(mine: Mine, tmp_path: Path) -> None:
    """What is imported from beside them may differ."""
    (tmp_path / "elsewhere").mkdir()
    other = tmp_path / "elsewhere/p.py"
    other.write_text(PLANNER)
    old = load_record(mine.record)
    moved = replace(old, provenance=replace(old.provenance, planner=f"{other}:P"))
    with pytest.raises(Untrusted, match="elsewhere/p.py:P"):
        rerun(moved)
    assert not other.with_suffix(".imported").exists()
    assert rerun(moved, trust=lambda code: True).record.provenance.planner == f"{other}:P"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("answer", "code"), [("y\n", 0), ("yes\n", 0), ("n\n", 2), ("", 2)])
def test_who_sits_at_a_terminal_is_asked(
    theirs: Mine,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    answer: str,
    code: int,
) -> None:
    monkeypatch.setattr(sys, "stdin", Terminal(answer))
    assert main(["rerun", str(theirs.record)]) == code
    assert "import it? [y/N]" in capsys.readouterr().err
    assert theirs.mark.exists() == (code == 0)


def test_people_and_perceptions_of_a_record_are_asked_about_too(
    mine: Mine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "people.py").write_text(PEOPLE)
    old = load_record(mine.record)
    crowd = replace(old.scenario, reaction=Reaction(by=f"{tmp_path / 'people.py'}:People"))
    (tmp_path / "eye.py").write_text("")
    seeing = replace(
        old.scenario,
        sight=Sight(
            camera=level_camera(16, 12, across=1.0), perception=f"{tmp_path / 'eye.py'}:Eye"
        ),
    )
    for world, kind in ((crowd, "pedestrian model"), (seeing, "perception")):
        with pytest.raises(Untrusted, match=kind):
            rerun(replace(old, scenario=world))
    assert not (tmp_path / "people.imported").exists()
    assert rerun(replace(old, scenario=crowd), trust=lambda code: True)
    assert (tmp_path / "people.imported").exists()


def test_formats_and_people_of_a_run_are_asked_about_too(
    theirs: Mine, capsys: pytest.CaptureFixture[str]
) -> None:
    file = theirs.run / "run.json"
    content = json.loads(file.read_text())
    content["plan"]["planners"] = [{"reference": "straight", "parameters": {}}]
    content["plan"]["planner_hashes"] = {"straight": ""}
    format = theirs.file.with_name("format.py")
    format.write_text("raise RuntimeError")
    placed = {"recording": "x.csv", "format": f"{format}:F"}
    content["plan"]["episodes"][0]["recordings"] = [placed]
    file.write_text(json.dumps(content))
    begun(theirs.run)
    assert main(["run", "--resume", "--out", str(theirs.run)]) == 2
    assert f"would import recording format '{format}:F' (sha256" in capsys.readouterr().err


def test_what_ships_or_is_installed_needs_nobody() -> None:
    assert named_code(PLANNERS, "straight") == []
    assert named_code(PLANNERS, "paseo.planners.straight:Straight") == []
    assert named_code(PLANNERS, "nobody of this name") == []
    assert named_code(PLANNERS, f"{__name__}:P") == [], "nothing would be run"
    assert named_code(PLANNERS, "/nowhere/p.py:P") == named_code(PLANNERS, "nowhere_at_all:P") == []
    assert named_code(PLANNERS, "antigravity:P") == [NamedCode("planner", "antigravity:P")]


def test_modules_are_known_by_where_they_are(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "some_planners.py").write_text("")
    code = NamedCode("planner", "some_planners.deep:P")
    assert code.place == str(tmp_path / "some_planners.py")
    assert not code.is_known
    remember([code])
    assert code.is_known
    assert not NamedCode("planner", "some_planners.other:P").is_known
    assert NamedCode("planner", "nowhere_at_all:P").place == ""


def test_where_nothing_can_be_noted_it_is_asked_again(
    mine: Mine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "no folder").write_text("")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "no folder"))
    for _ in range(2):
        with pytest.raises(InputError, match="add trust"):
            rerun(mine.record)
        assert rerun(mine.record, trust=lambda code: True).is_identical


def test_names_with_escapes_are_told_harmlessly(
    mine: Mine, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    old = load_record(mine.record)
    file = tmp_path / "\x1b[31m\nred.py"
    file.write_text(PLANNER)
    odd = replace(old, provenance=replace(old.provenance, planner=f"{file}:P"))
    save_record(odd, tmp_path / "odd.npz")
    assert main(["rerun", str(tmp_path / "odd.npz")]) == 2
    said = capsys.readouterr().err
    assert "\x1b" not in said
    assert said.count("\n") == 2
