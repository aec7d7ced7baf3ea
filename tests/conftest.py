"""Where the shared recordings are, and an account of tests skipped without them."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

DATA = Path(os.environ.get("PASEO_DATA") or Path(__file__).parents[2] / "shared" / "data").resolve()
HAVE_DATA = (DATA / "ethucy").is_dir()

settings.register_profile("paseo", deadline=None)  # the first example may compile a kernel
settings.load_profile("paseo")


def pytest_configure() -> None:
    # Tests name the data they use; nothing may come from the environment of the machine.
    os.environ.pop("PASEO_DATA", None)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if not HAVE_DATA:
        reason = f"the shared recordings are not at {DATA}; set PASEO_DATA to where they are"
        for item in items:
            if item.get_closest_marker("recordings"):
                item.add_marker(pytest.mark.skip(reason=reason))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    skipped = len(terminalreporter.stats.get("skipped", []))
    where = DATA if HAVE_DATA else f"none at {DATA}"
    terminalreporter.write_line(f"shared recordings: {where}; tests skipped: {skipped}")


def pytest_sessionfinish(session: pytest.Session) -> None:
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if HAVE_DATA and reporter and reporter.stats.get("skipped"):
        reporter.write_line("\nthe recordings are present, so a skipped test is an error")
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


@pytest.fixture(scope="session")
def data_dir() -> Path:
    return DATA
