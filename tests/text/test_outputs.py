"""Outputs that are closed, full, gone or of few letters: the right exit code, and no traceback."""

import io
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from hostile_texts import HOSTILE, seen, seen_bytes
from paseo.cli.main import main
from paseo.cli.screen import interrupt, json_text, make_ready, output, say
from runs import PASEO, suite


def shell(line: str, *words: object, **environment: str) -> subprocess.CompletedProcess[bytes]:
    """What came of a line in which "$@" stands for the command."""
    return subprocess.run(
        ["bash", "-c", line, "bash", PASEO, *map(str, words)],
        env={**os.environ, **environment},
        capture_output=True,
        check=False,
    )


@pytest.mark.parametrize(
    ("line", "words", "code", "told"),
    [
        ('"$@" >&-', ["list", "suites"], 0, b""),
        ('"$@" >&- 2>&- <&-', ["list", "suites"], 0, b""),
        ('"$@" 2>&-', ["log", "nothing.npz"], 2, b""),
        ('"$@" 2>/dev/full', ["log", "nothing.npz"], 2, b""),
        ('"$@" | true; exit ${PIPESTATUS[0]}', ["--help"], 0, b""),
        ('"$@" 2>&1 | true; exit ${PIPESTATUS[0]}', ["log", "nothing.npz"], 2, b""),
    ],
)
def test_an_output_that_takes_nothing_changes_no_verdict(
    line: str, words: Sequence[str], code: int, told: bytes
) -> None:
    done = shell(line, *words)
    assert (done.returncode, done.stderr) == (code, told)


def test_a_run_without_outputs_writes_its_files(tmp_path: Path) -> None:
    words = ["run", suite(tmp_path), "--planner", "straight", "--limit", "1", "--jobs", "1"]
    done = shell('"$@" >&- 2>&-', *words, "--out", tmp_path / "run")
    assert done.returncode == 0
    for name in ("results.csv", "results.jsonl", "run.json"):
        text = (tmp_path / "run" / name).read_text()
        assert "paseo:" not in text and "planner  " not in text  # no table in anybody's file
    assert len(list((tmp_path / "run" / "records").glob("*.npz"))) == 1


def test_signs_that_an_output_does_not_have_are_spelled(monkeypatch: pytest.MonkeyPatch) -> None:
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding="ascii"))
    make_ready()
    output("1 ± 2 · 3 \N{MULTIPLICATION SIGN} 4\n中 \udcff")
    assert raw.getvalue() == b"1 +/- 2 - 3 x 4\n\\u4e2d \\udcff\n"


@pytest.mark.slow
def test_a_comparison_can_be_read_in_ascii(tmp_path: Path) -> None:
    words = ["--planner", "straight,stop", "--jobs", "1", "--out", tmp_path / "run"]
    assert main(["run", *map(str, (suite(tmp_path), *words))]) == 0
    done = shell('"$@"', "compare", tmp_path / "run", "--all", PYTHONIOENCODING="ascii")
    assert done.returncode == 0
    assert b"+/-" in done.stdout and done.stdout.isascii() and b"Traceback" not in done.stderr


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_what_is_said_and_shown_can_be_seen(
    text: str, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    make_ready()
    say(text)
    interrupt(text)
    output(f"a\t{text}")
    output(json_text({"name": text, "\x7f": 1}))
    told = capfdbinary.readouterr()
    said = seen_bytes(told.err)
    assert said.count("\n") == 3 and max(map(len, said.splitlines())) <= 1100
    seen_bytes(told.out)


def test_talk_to_nobody_is_no_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with os.fdopen(writing, "w") as gone:
        monkeypatch.setattr(sys, "stderr", gone)
        say("anybody there?")
        say("nobody")


def test_keys_of_the_environment_are_not_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LAB_API_KEY", "0123-4567-89ab")
    say("the server says: 0123-4567-89ab is no key")
    assert seen(capsys.readouterr().err) == "paseo: the server says: [key] is no key\n"
