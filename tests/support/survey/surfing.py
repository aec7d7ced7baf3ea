"""Pages of studies in a real browser: opened, and begun as anybody begins."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Browser, Page, expect

from paseo.survey.study.folder import Study

ENTRY = "/?PROLIFIC_PID=pid1&STUDY_ID=study1&SESSION_ID=sub1"


@contextmanager
def opened(browser: Browser, address: str, **how: Any) -> Iterator[Page]:
    """A page that complains of nothing and asks nobody else for anything."""
    complaints: list[str] = []
    requests: list[str] = []
    page = browser.new_page(**how)
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("request", lambda sent: requests.append(sent.url))
    yield page
    assert complaints == []
    assert all(each.startswith(address) for each in requests)
    page.close()


def begun(page: Page, address: str, study: Study) -> None:
    """From consent to the first page with questions."""
    page.goto(address + ENTRY)
    page.get_by_role("button", name="I agree").click()
    expect(page.get_by_text("An example")).to_be_visible()
    page.get_by_role("button", name="Go on").click()
    for riddle in study.texts.comprehension.riddles:
        page.get_by_label(riddle.right).check()
    page.get_by_role("button", name="Start").click()
    expect(page.locator("form.step")).to_be_visible()
