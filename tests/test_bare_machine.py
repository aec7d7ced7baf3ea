"""What `.ci/bare` hides from a command, so that CI notices when a test needs it."""

import os
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

from left_out import BROWSERS, EXTRAS

TOP = Path(__file__).parents[1]
BARE = TOP / ".ci" / "bare"


# What the script itself needs, so that it need not link to a whole system for every test.
NEEDED = ("bash", "env", "sh", "mktemp", "mkdir", "ln", "xargs", "rm", "chmod")


def program(path: Path, words: str = "here") -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"#!/bin/sh\necho {words}\n")
    path.chmod(0o755)


@pytest.fixture
def tools(tmp_path: Path) -> Path:
    folder = tmp_path / "tools"
    folder.mkdir()
    for name in NEEDED:
        (folder / name).symlink_to(shutil.which(name) or name)
    return folder


def run_bare(*command: str, path: str) -> "subprocess.CompletedProcess[str]":
    environment = {**os.environ, "PATH": path}
    return subprocess.run(
        [BARE, *command], env=environment, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize(
    "name", ["chromium", "google-chrome-stable", "tesseract", "ffmpeg", "g++", "gcc-12", "pdflatex"]
)
def test_a_program_that_a_bare_machine_lacks_is_hidden_and_its_neighbours_are_not(
    tmp_path: Path, tools: Path, name: str
) -> None:
    program(tmp_path / "bin" / name)
    program(tmp_path / "bin" / "a neighbour")
    look = f"'a neighbour' && ! command -v {name} && exit 3"
    done = run_bare("sh", "-c", look, path=f"{tmp_path / 'bin'}:{tools}")
    assert (done.returncode, done.stdout) == (3, "here\n")


def test_the_first_of_two_programs_of_a_name_stays_the_first(tmp_path: Path, tools: Path) -> None:
    program(tmp_path / "one" / "neighbour", "first")
    program(tmp_path / "two" / "neighbour", "second")
    program(tmp_path / "one" / "tesseract")
    path = f"{tmp_path / 'one'}:{tmp_path / 'two'}:{tools}"
    assert run_bare("neighbour", path=path).stdout == "first\n"


def test_a_python_stays_where_it_is_for_the_environments_it_makes(
    tmp_path: Path, tools: Path
) -> None:
    program(tmp_path / "bin" / "gcc")
    program(tmp_path / "bin" / "python3", "$0 $1")
    done = run_bare("python3", "a word", path=f"{tmp_path / 'bin'}:{tools}")
    assert done.stdout == f"{tmp_path / 'bin' / 'python3'} a word\n"


def test_this_machine_made_bare_has_python_and_no_program_that_only_some_tests_need() -> None:
    absent = " && ".join(f"! command -v {name}" for name in (*BROWSERS, "tesseract", "g++"))
    done = run_bare("sh", "-c", f"python3 --version && {absent}", path=os.environ["PATH"])
    assert done.returncode == 0, done.stdout


def test_extras_that_tests_name_are_extras_of_the_package() -> None:
    project = tomllib.loads((TOP / "pyproject.toml").read_text())["project"]
    assert set(EXTRAS) <= set(project["optional-dependencies"])
