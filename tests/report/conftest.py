"""One browser for the tests of a file."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser


# No longer than a file: while it is there, an event loop runs, in which asyncio cannot be used.
@pytest.fixture(scope="module")
def browser(browser_path: str) -> Iterator["Browser"]:
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=60_000)  # ms; other tests run at the same time
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=browser_path)
        yield started
        started.close()
