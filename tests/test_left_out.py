"""Tests that a machine cannot run are skipped, named and counted; others that skip are errors."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

SUPPORT = Path(__file__).parent / "support"
# A machine without a browser, without the extra `video` and with the recordings.
CONFTEST = f"""
import sys
sys.path.insert(0, {str(SUPPORT)!r})
import left_out
left_out.TESTS = __import__("pathlib").Path(__file__).parent
left_out.NO_PROGRAM, left_out.NO_EXTRA, left_out.HAVE_DATA = {{"browser"}}, {{"video"}}, True
left_out.EXTRAS["video"] = ("no_such_package",)

def pytest_configure(config):
    config.pluginmanager.register(left_out.LeftOut(config))
"""
SETTINGS = """
[pytest]
addopts = -q -m "not slow" -p no:cacheprovider
markers =
    slow
    browser
    extra
    recordings
"""
TESTS = """
import pytest

@pytest.mark.browser
def test_a_page(): assert False

@pytest.mark.parametrize("name", [pytest.param(1, marks=pytest.mark.extra("video")), 2])
def test_a_film(name): assert name == 2

@pytest.mark.slow
def test_for_long(): assert False
"""
ACCOUNT = (
    "left out: 1 slow test (make test-slow runs them); without browser 1 test; "
    "without paseo[video] 1 test and 1 file"
)


def pytest_there(folder: Path, *words: str) -> "subprocess.CompletedProcess[str]":
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("PYTEST_", "PASEO_"))}
    environment["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"  # they take their time
    command = [sys.executable, "-m", "pytest", "--rootdir", str(folder), *words]
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "conftest.py").write_text(CONFTEST)
    (tmp_path / "pytest.ini").write_text(SETTINGS)
    (tmp_path / "test_some.py").write_text(TESTS)
    (tmp_path / "test_film.py").write_text("import no_such_package\n")
    return tmp_path


@pytest.mark.parametrize(
    "words",
    [
        (),
        ("--collect-only",),
        pytest.param(("-p", "xdist", "-n", "2"), marks=pytest.mark.extra("dev")),
    ],
)
def test_what_was_left_out_is_counted_by_what_it_needs(
    folder: Path, words: tuple[str, ...]
) -> None:
    done = pytest_there(folder, *words)
    assert ACCOUNT in done.stdout
    assert done.returncode == 0, done.stdout


def test_a_skip_for_any_other_reason_is_an_error_where_the_recordings_are(folder: Path) -> None:
    (folder / "test_more.py").write_text("import pytest\ndef test_it(): pytest.skip('tired')\n")
    done = pytest_there(folder)
    assert "a skipped test is an error" in done.stdout
    assert done.returncode == 1


def test_a_package_that_a_module_elsewhere_lacks_is_an_error(folder: Path) -> None:
    (folder.parent / "elsewhere.py").write_text("import no_such_package\n")
    (folder / "test_film.py").write_text(
        f"import sys\nsys.path.insert(0, {str(folder.parent)!r})\nimport elsewhere\n"
    )
    done = pytest_there(folder)
    assert "No module named 'no_such_package'" in done.stdout
    assert done.returncode == 2
