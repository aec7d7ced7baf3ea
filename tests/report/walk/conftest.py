"""A page opened in a real browser, which must not complain."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page


@pytest.fixture
def page(browser: "Browser", file: Path) -> Iterator["Page"]:
    """The page that a module's `file` holds."""
    from browsing import Opened

    opened = Opened(browser, file)
    yield opened.page
    assert opened.complaints == []
    opened.page.close()
