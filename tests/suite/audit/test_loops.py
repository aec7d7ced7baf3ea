"""Answers and success of models that drove, and how they go together."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from paseo.cli.main import main
from paseo.report.walk.loops import loops_sentence
from paseo.suite.audit.loops import correlated, open_and_closed_loop
from paseo.suite.running import run
from paseo.suite.runs.planning import RunOptions
from runs import refused

SERIAL = RunOptions(runner="serial", limit=2)


def planner(model: str, think: str = "questions") -> str:
    return f"vlm:model=scripted/{model}:view=text:think={think}"


@pytest.fixture(scope="module")
def driven(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("driven") / "run"
    models = [planner("believing"), planner("random"), planner("nearest", think="none")]
    run("scripted-10", [*models, "straight"], out=out, options=SERIAL)
    return out


def test_r_and_its_interval_are_those_of_a_textbook() -> None:
    """Fisher's z of r over n: Cox 2008, Speaking Stata, has tanh(atanh r +- 1.96 / sqrt(n - 3))."""
    rng = np.random.default_rng(3)
    x = rng.normal(size=40)
    y = x + rng.normal(size=40)
    found = correlated(list(zip(x.tolist(), y.tolist(), strict=True)))
    assert found is not None and found.low is not None and found.high is not None
    r = np.corrcoef(x, y)[0, 1]
    assert found.r == pytest.approx(r)
    assert np.arctanh([found.low, found.high]) == pytest.approx(
        np.arctanh(r) + np.array([-1, 1]) * 1.959964 / np.sqrt(37), abs=1e-6
    )


def test_few_models_have_no_interval_and_fewer_no_correlation() -> None:
    assert correlated([(0.1, 0.2), (0.5, 0.4)]) is None
    assert correlated([(0.1, 0.5), (0.5, 0.5), (0.9, 0.5), (1.0, 0.5)]) is None
    three = correlated([(0.1, 0.2), (0.5, 0.4), (0.9, 0.3)])
    assert three is not None and (three.low, three.high, three.models) == (None, None, 3)


def test_a_model_that_knows_all_answers_all_and_who_was_not_asked_is_left_out(
    driven: Path,
) -> None:
    found = open_and_closed_loop([driven])
    knows, guesses = found.points
    assert (knows.model, knows.answers.mean) == ("scripted/believing", 1.0)
    assert guesses.answers.mean is not None and 0 < guesses.answers.mean < 0.6
    assert found.left_out == (planner("nearest", think="none"),)
    assert found.correlation is None and "no correlation can be told" in loops_sentence(found)


def test_the_same_planner_of_two_runs_is_told_apart(driven: Path) -> None:
    names = [each.planner for each in open_and_closed_loop([driven, driven]).points]
    assert names[2:] == [f"{name} #2" for name in names[:2]]


def test_it_is_printed_and_drawn(
    driven: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["loops", str(driven), "--out", str(tmp_path)]) == 0
    printed = capsys.readouterr().out
    assert "right answers while driving" in printed and "1.00" in printed
    with Image.open(tmp_path / "loops.png") as picture:
        assert picture.width > 900
    assert (tmp_path / "loops.svg").is_file()


def test_a_run_in_which_nobody_was_asked_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run("scripted-10", "straight", out=tmp_path / "run", options=SERIAL)
    assert "no model of these runs" in refused(capsys, "loops", tmp_path / "run")
