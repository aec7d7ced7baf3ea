"""Where the shared recordings and a browser are, and an account of tests that go without them."""

import os
import shutil
from pathlib import Path

import pytest
from hypothesis import settings

DATA = Path(os.environ.get("PASEO_DATA") or Path(__file__).parents[2] / "shared" / "data").resolve()
HAVE_DATA = (DATA / "ethucy").is_dir()
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
BROWSER = next(filter(None, map(shutil.which, BROWSERS)), None)
NEEDS_BROWSER = bool(os.environ.get("PASEO_NEEDS_BROWSER"))

# No deadline: the first example may compile a kernel. The same examples every time: a test that
# fails by luck on somebody else's change tells nobody anything. To look for new failures:
# pytest --hypothesis-profile explore
settings.register_profile("paseo", deadline=None, derandomize=True)
settings.register_profile("explore", deadline=None, max_examples=1000)
settings.load_profile("paseo")


def pytest_configure() -> None:
    # Tests name the data they use; nothing may come from the environment of the machine.
    os.environ.pop("PASEO_DATA", None)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if BROWSER is None and not NEEDS_BROWSER:
        # Left out rather than skipped: a machine need not have a browser, but CI must.
        config.hook.pytest_deselected(items=[i for i in items if i.get_closest_marker("browser")])
        items[:] = [item for item in items if not item.get_closest_marker("browser")]
    if not HAVE_DATA:
        reason = f"the shared recordings are not at {DATA}; set PASEO_DATA to where they are"
        for item in items:
            if item.get_closest_marker("recordings"):
                item.add_marker(pytest.mark.skip(reason=reason))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    skipped = len(terminalreporter.stats.get("skipped", []))
    where = DATA if HAVE_DATA else f"none at {DATA}"
    terminalreporter.write_line(f"shared recordings: {where}; tests skipped: {skipped}")
    if BROWSER is None and not NEEDS_BROWSER:
        terminalreporter.write_line("no Chromium is installed: tests of web pages were left out")


def pytest_sessionfinish(session: pytest.Session) -> None:
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if HAVE_DATA and reporter and reporter.stats.get("skipped"):
        reporter.write_line("\nthe recordings are present, so a skipped test is an error")
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


@pytest.fixture(scope="session")
def browser_path() -> str:
    assert BROWSER, "PASEO_NEEDS_BROWSER is set, but there is no Chromium; install one"
    return BROWSER


@pytest.fixture(scope="session")
def data_dir() -> Path:
    return DATA
