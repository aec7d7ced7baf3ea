"""Where the shared recordings and a browser are, and how tests behave on this machine."""

import gc
import os
import signal
import warnings
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

from left_out import BROWSER, DATA, LeftOut
from staged import staged_dataset

if TYPE_CHECKING:
    from playwright.sync_api import Browser

TIDIED: set[Path] = set()  # files of tests before which garbage was collected

# No deadline: the first example may compile a kernel. The same examples every time: a test that
# fails by luck on somebody else's change tells nobody anything. To look for new failures:
# pytest --hypothesis-profile explore
settings.register_profile("paseo", deadline=None, derandomize=True, max_examples=50)
settings.register_profile("explore", deadline=None, max_examples=1000)
settings.load_profile("paseo")


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(LeftOut(config))
    # Tests name the data they use; nothing may come from the environment of the machine. The
    # processes that share the tests are told by another name.
    if os.environ.pop("PASEO_DATA", None):
        os.environ["PASEO_TEST_DATA"] = str(DATA)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    # What is imported and collected stays until the end: no use in looking for garbage in it.
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_runtest_setup(item: pytest.Item) -> None:
    # Connections that tests of another file left to the garbage collector are not to warn where
    # warnings are errors.
    if item.get_closest_marker("filterwarnings") and item.path not in TIDIED:
        TIDIED.add(item.path)
        with warnings.catch_warnings(action="ignore"):
            gc.collect()


@pytest.fixture(scope="session")
def browser_path() -> str:
    assert BROWSER, "PASEO_NEEDS_PROGRAMS is set, but there is no Chromium; install one"
    return BROWSER


# No longer than a file: while it is there, an event loop runs, in which asyncio cannot be used.
@pytest.fixture(scope="module")
def browser(browser_path: str) -> Iterator["Browser"]:
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=60_000)  # ms; other tests run at the same time
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=browser_path)
        yield started
        started.close()


@pytest.fixture(scope="session", autouse=True)
def memory(tmp_path_factory: pytest.TempPathFactory) -> None:
    """What tests name is not remembered beyond them."""
    os.environ["XDG_STATE_HOME"] = str(tmp_path_factory.mktemp("state"))


@pytest.fixture(scope="session")
def data_dir() -> Path:
    return DATA


@pytest.fixture(scope="session")
def staged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The synthetic data set of seed 3 with small pictures; not to be changed. Needs `camera`."""
    return staged_dataset(tmp_path_factory)


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Ctrl-C stops the processes that a test starts, even where the tests run in the background."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
