"""A web page taken apart."""

import json
from html.parser import HTMLParser
from typing import Any


class Reader(HTMLParser):
    """All elements with their attributes, and the text of some."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.texts: list[tuple[str, str]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        self.open.append(tag)

    def handle_data(self, data: str) -> None:
        self.texts.append((self.open[-1] if self.open else "", data))

    @property
    def data(self) -> Any:
        (text,) = [data for tag, data in self.texts if tag == "script" and data.startswith("{")]
        return json.loads(text)
