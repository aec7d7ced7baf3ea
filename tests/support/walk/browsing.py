"""Pages opened in a real browser, which must not do anything that they should not."""

from pathlib import Path

from playwright.sync_api import Browser

PHONE, DESK = {"width": 390, "height": 844}, {"width": 1280, "height": 900}


class Opened:
    """A page, and everything that it should not have done."""

    def __init__(self, browser: Browser, file: Path, **how: object) -> None:
        self.complaints: list[str] = []
        self.page = browser.new_page(**{"viewport": DESK, **how})  # type: ignore[arg-type]
        self.page.on("console", lambda message: self.complaints.append(message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", lambda request: self._note(request.url))
        self.page.goto(file.as_uri())
        assert self.complaints == [file.as_uri()]
        self.complaints.clear()

    def _note(self, address: str) -> None:
        if not address.startswith("data:"):  # a picture that is in the page
            self.complaints.append(address)
