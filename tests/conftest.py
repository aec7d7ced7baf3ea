"""Where the shared recordings and a browser are, and an account of tests that go without them."""

import gc
import os
import shutil
import warnings
from pathlib import Path

import pytest
from hypothesis import settings

NAMED = os.environ.get("PASEO_DATA") or os.environ.get("PASEO_TEST_DATA")
DATA = Path(NAMED or Path(__file__).parents[2] / "shared" / "data").resolve()
HAVE_DATA = (DATA / "ethucy").is_dir()
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
BROWSER = next(filter(None, map(shutil.which, BROWSERS)), None)
# Programs that a machine need not have, by the marker of the tests that need them; CI must.
PROGRAMS = {"browser": BROWSER, "tesseract": shutil.which("tesseract")}
MISSING = [marker for marker, program in PROGRAMS.items() if program is None]
LEFT_OUT = [] if os.environ.get("PASEO_NEEDS_PROGRAMS") else MISSING
TIDIED: set[Path] = set()  # files of tests before which garbage was collected

# No deadline: the first example may compile a kernel. The same examples every time: a test that
# fails by luck on somebody else's change tells nobody anything. To look for new failures:
# pytest --hypothesis-profile explore
settings.register_profile("paseo", deadline=None, derandomize=True)
settings.register_profile("explore", deadline=None, max_examples=1000)
settings.load_profile("paseo")


def pytest_configure() -> None:
    # Tests name the data they use; nothing may come from the environment of the machine. The
    # processes that share the tests are told by another name.
    if os.environ.pop("PASEO_DATA", None):
        os.environ["PASEO_TEST_DATA"] = str(DATA)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    for marker in LEFT_OUT:  # rather than skipped
        config.hook.pytest_deselected(items=[i for i in items if i.get_closest_marker(marker)])
        items[:] = [item for item in items if not item.get_closest_marker(marker)]
    if not HAVE_DATA:
        reason = f"the shared recordings are not at {DATA}; set PASEO_DATA to where they are"
        for item in items:
            if item.get_closest_marker("recordings"):
                item.add_marker(pytest.mark.skip(reason=reason))


def pytest_runtest_setup(item: pytest.Item) -> None:
    # Connections that tests of another file left to the garbage collector are not to warn where
    # warnings are errors.
    if item.get_closest_marker("filterwarnings") and item.path not in TIDIED:
        TIDIED.add(item.path)
        with warnings.catch_warnings(action="ignore"):
            gc.collect()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    skipped = len(terminalreporter.stats.get("skipped", []))
    where = DATA if HAVE_DATA else f"none at {DATA}"
    terminalreporter.write_line(f"shared recordings: {where}; tests skipped: {skipped}")
    for marker in LEFT_OUT:
        terminalreporter.write_line(f"no {marker} is installed: tests that need one were left out")


def pytest_sessionfinish(session: pytest.Session) -> None:
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if HAVE_DATA and reporter and reporter.stats.get("skipped"):
        reporter.write_line("\nthe recordings are present, so a skipped test is an error")
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


@pytest.fixture(scope="session")
def browser_path() -> str:
    assert BROWSER, "PASEO_NEEDS_PROGRAMS is set, but there is no Chromium; install one"
    return BROWSER


@pytest.fixture(scope="session")
def data_dir() -> Path:
    return DATA
