"""One browser for the tests of a file."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, sync_playwright


# No longer than a file: while it is there, an event loop runs, in which asyncio cannot be used.
@pytest.fixture(scope="module")
def browser(browser_path: str) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=browser_path)
        yield started
        started.close()
