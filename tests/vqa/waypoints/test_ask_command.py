"""`paseo ask --task waypoints` from the command line."""

from pathlib import Path

import pytest

from paseo.cli.main import main
from runs import refused
from waypoint_scenes import waypoint_folder


@pytest.fixture
def scenes(tmp_path: Path) -> Path:
    return waypoint_folder(tmp_path / "scenes", "s0", "s1", "s2")


def test_the_table_has_the_model_and_the_rules_it_is_held_against(
    scenes: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (scenes / "aftermath" / "s2.json").unlink()
    words = ["ask", "scripted/truth", "--task", "waypoints", "--scenes", str(scenes),
             "--out", str(tmp_path / "out"), "--images", "bev", "--candidates", "4"]  # fmt: skip
    assert main([*words, "--dry-run"]) == 0
    assert "scenes: 2, runs: 5, requests: 10" in capsys.readouterr().out
    assert main(words) == 0
    printed = capsys.readouterr()
    assert "| scripted/truth | none | 1.000 |" in printed.out
    assert "| chance | - | 0.250 |" in printed.out
    assert "2 scenes and 5 runs" in printed.out
    assert "scene s2 is left out: nobody knows where its robot went" in printed.err
    assert "a guess, that of the preset socialnavsub" in printed.err


def test_what_belongs_to_waypoints_needs_them(
    scenes: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ("ask", "scripted/first", "--scenes", scenes, "--context", "people")
    assert "goes with --task waypoints" in refused(capsys, *words)


def test_questions_and_waypoints_do_not_share_a_folder(
    scenes: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["ask", "scripted/first", "--scenes", str(scenes), "--out", str(tmp_path / "out"),
             "--images", "grid"]  # fmt: skip
    assert main([*words, "--task", "waypoints"]) == 0
    capsys.readouterr()
    assert "holds replies of an exam, but no exam.json" in refused(capsys, *words)
