"""What the README and the docs claim is true of the code."""

import re
import shlex
from pathlib import Path

import numpy as np
import pytest

from paseo.cli.main import main, parser
from paseo.data.settings_file import read_settings
from paseo.data.suites.episodes import episode
from paseo.data.suites.suite_file import RobotEntry, SuiteFile, shipped_suites
from paseo.report.walk.metric_page import metric_page

TOP = Path(__file__).parents[1]
README = (TOP / "README.md").read_text()
PAGES = [TOP / "README.md", TOP / "CONTRIBUTING.md", *sorted((TOP / "docs").rglob("*.md"))]


def test_the_python_of_the_readme_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)  # there is no data here, and runs/ is made here
    blocks = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    assert blocks
    for block in blocks:
        exec(compile(block, "README.md", "exec"), {"__name__": "__main__"})  # noqa: S102
    out = capsys.readouterr().out
    assert "at (" in out
    assert "success: " in out


def test_the_readme_is_short_and_its_first_example_six_lines() -> None:
    assert README.count("\n") <= 100
    first = re.findall(r"```python\n(.*?)```", README, re.DOTALL)[0]
    assert first.count("\n") <= 6


def test_commands_in_the_readme_can_be_typed() -> None:
    lines = re.findall(r"^paseo .*", README, re.MULTILINE)
    assert len(lines) == 16
    for line in lines:
        parser().parse_args(shlex.split(line, comments=True)[1:])


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_between_pages_lead_somewhere(page: Path) -> None:
    for link in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", page.read_text()):
        assert link.startswith("https://") or (page.parent / link).exists(), link


def test_the_page_of_metrics_is_made_from_the_code() -> None:
    assert (TOP / "docs/reference/metrics.md").read_text() == metric_page()


def test_the_suite_and_robot_of_the_docs_are_valid(tmp_path: Path) -> None:
    blocks = re.findall(
        r"```toml\n(.*?)```", (TOP / "docs/reference/formats/suites.md").read_text(), re.DOTALL
    )
    for block, kind in zip(blocks, (SuiteFile, RobotEntry), strict=True):
        file = tmp_path / "example.toml"
        file.write_text(block)
        read_settings(file, kind)


@pytest.mark.recordings
@pytest.mark.parametrize("rule", ["everyone", "socnavbench"])
def test_the_docs_print_how_many_people_are_in_the_episodes(rule: str, data_dir: Path) -> None:
    names = [entry.name for entry in shipped_suites()["socnavbench-33"].episodes]
    counts = np.array([len(episode(name, rule=rule, data=data_dir).tracks) for name in names])
    row = f"| {counts.mean():.1f} | {counts.std():.1f} | {counts.min()} | {counts.max()} |"
    assert f"| rule `{rule}` {row}" in (TOP / "docs/guides/data.md").read_text()


def test_the_example_planner_is_short_and_runs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    example = TOP / "examples/careful/careful.py"
    assert len(example.read_text().splitlines()) <= 40
    words = ["run", "scripted-10", "--limit", "1", "--out", str(tmp_path / "run")]
    assert main([*words, "--planner", f"{example}:Careful"]) == 0
    assert "Careful" in capsys.readouterr().out
