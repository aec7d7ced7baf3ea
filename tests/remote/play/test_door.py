"""Who may come in, and what a browser is handed."""

import pytest
from websockets.datastructures import Headers
from websockets.http11 import Request, Response

from paseo.remote.play.door import Door

DOOR = Door(page=b"<p>drive</p>", policy="default-src 'none'", host="lab.example")
LOCKED = Door(page=b"", policy="", host="0.0.0.0", token="open-sesame")


def answered(path: str, door: Door = DOOR, **headers: str) -> Response | None:
    given = {"Host": "localhost:8017", **headers}
    return door.answer(None, Request(path, Headers(given)))  # type: ignore[arg-type]


def refused(path: str = "/drive", door: Door = DOOR, **headers: str) -> str:
    answer = answered(path, door, **headers)
    assert answer is not None
    assert answer.status_code == 403
    return bytes(answer.body).decode()


def test_the_page_may_load_nothing_and_is_framed_by_nobody() -> None:
    answer = answered("/")
    assert answer is not None
    assert (answer.status_code, answer.body) == (200, DOOR.page)
    assert answer.headers["Content-Security-Policy"] == "default-src 'none'; frame-ancestors 'none'"
    assert answer.headers["Referrer-Policy"] == "no-referrer"
    assert answer.headers["Cache-Control"] == "no-store"


def test_there_is_nothing_else() -> None:
    for path in ("/etc/passwd", "//["):
        answer = answered(path)
        assert answer is not None
        assert answer.status_code == 404


@pytest.mark.parametrize(
    "host", ["localhost:8017", "127.0.0.1:8017", "[::1]:8017", "192.168.1.5:8017", "lab.example"]
)
def test_addresses_and_its_own_name_are_the_server(host: str) -> None:
    assert answered("/drive", Host=host, Origin=f"http://{host}") is None


@pytest.mark.parametrize(
    "host", ["evil.example:8017", "localhost.evil.example", "", "[", "a:b:c", "evil@localhost"]
)
def test_a_name_that_somebody_made_mean_this_machine_is_not(host: str) -> None:
    assert "not called that" in refused("/", Host=host)


def test_two_names_are_none() -> None:
    twice = Headers([("Host", "localhost"), ("Host", "evil.example")])
    assert DOOR.refusal(twice, "") is not None
    assert DOOR.refusal(Headers(), "") is not None


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "http://localhost:9", "https://localhost:8017"]
)
def test_a_page_from_elsewhere_may_not_drive(origin: str) -> None:
    assert "only the page of this server" in refused(Origin=origin)


def test_who_comes_from_outside_needs_the_token() -> None:
    assert "token" in refused("/", LOCKED)
    assert "token" in refused("/drive?token=open-sesam", LOCKED)
    assert "open-sesame" not in refused("/drive?token=guess", LOCKED)
    assert answered("/drive?token=open-sesame", LOCKED) is None
