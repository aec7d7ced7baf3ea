import os
import subprocess
from pathlib import Path

import pytest

from paseo.cli.main import main
from runs import PASEO, refused
from thinning import mostly_slow

COMMANDS = ["run", "list", "log", "rerun", "schema", "doctor"]


@pytest.mark.parametrize("words", [[], *([command] for command in COMMANDS)])
def test_every_command_explains_itself(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main([*words, "--help"])
    printed = capsys.readouterr()
    assert (ended.value.code, printed.err) == (0, "")
    assert printed.out.startswith("usage: paseo")
    assert words or all(command in printed.out for command in COMMANDS)


def test_the_help_of_run_names_the_fixed_forms(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["run", "--help"])
    text = capsys.readouterr().out
    for form in ("SUITE|EPISODE", "--planner", "--control {velocity,position}", "--data DIR",
                 "--out DIR", "--rule {everyone,socnavbench}", "--jobs N", "--seed N", "--limit N",
                 "--resume", "--json"):  # fmt: skip
        assert form in text


def test_the_version_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="0"):
        main(["--version"])
    assert capsys.readouterr().out.startswith("paseo 0.")


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        ([], "the following arguments are required: COMMAND"),
        (["rum"], "invalid choice: 'rum'"),
        (["list"], "the following arguments are required: what"),
        (["list", "walls"], "invalid choice: 'walls'"),
        (["run", "scripted-10", "--jobs", "0"], "expected a whole number of 1 or more, below"),
        (["run", "scripted-10", "--jobs", "-1"], "--jobs"),
        (
            ["run", "scripted-10", "--jobs", "two"],
            "a whole number of 1 or more, below 2**63, not 'two'",
        ),
        (
            ["run", "scripted-10", "--seed", "1.5"],
            "a whole number of 0 or more, below 2**63, not '1.5'",
        ),
        (["run", "scripted-10", "--seed", str(2**63)], "expected a whole number of 0 or more"),
        (["run", "scripted-10", "--seed", "9" * 5000], "expected a whole number of 0 or more"),
        (["run", "scripted-10", "--limit", "0"], "expected a whole number of 1 or more, below"),
        (["run", "scripted-10", "--control", "sideways"], "invalid choice: 'sideways'"),
        (["run", "scripted-10", "--rule", "nobody"], "invalid choice: 'nobody'"),
        (["run", "scripted-10", "--pause-s", "long"], "invalid float value: 'long'"),
        (["log"], "the following arguments are required: RECORD"),
        (["rerun", "a.npz", "--oops"], "unrecognized arguments: --oops"),
        (["schema", "house"], "invalid choice: 'house'"),
    ],
)
def test_wrong_use_is_one_sentence_and_exit_code_2(
    words: list[str], problem: str, capsys: pytest.CaptureFixture[str]
) -> None:
    sentence = refused(capsys, *words)
    assert problem in sentence
    assert sentence.endswith("--help\n")


@pytest.mark.parametrize(
    "words", mostly_slow([["schema"], ["list", "suites"], ["list", "episodes", "--json"]])
)
def test_a_reader_who_has_seen_enough_is_no_failure(words: list[str]) -> None:
    """As in `paseo list suites | head -1`, with the pipe closed before anything is written."""
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [PASEO, *words, *(["--data", "nowhere"] if words[0] == "list" else [])],
        stdout=writing,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    os.close(writing)
    assert done.returncode == 0
    assert "Broken pipe" not in done.stderr
    assert "Traceback" not in done.stderr


def test_output_that_cannot_be_written_is_a_failure() -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [PASEO, "list", "suites"], stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert (done.returncode, done.stderr) == (1, "paseo: No space left on device\n")


def test_help_is_there_at_once() -> None:
    seconds = []
    for _ in range(4):
        before = os.times()
        subprocess.run([PASEO, "--help"], capture_output=True, check=True)
        after = os.times()
        # Of the processor, not by the clock: other tests run at the same time.
        seconds.append(sum(after[2:4]) - sum(before[2:4]))
    assert 0 < min(seconds) < 0.5
