"""The page of tracks: what it answers, and whom."""

import http.client
import json
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from paseo.errors import InputError
from paseo.listening import Address
from paseo.mending.serving import mend_drive, serve_session
from served_pages import DRIVE, served_page, session

pytestmark = pytest.mark.extra("survey")


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    (tmp_path / "pictures").mkdir()
    with served_page(session(tmp_path), DRIVE, tmp_path / "pictures") as found:
        yield found


def asked(
    address: str, path: str, body: bytes | None = None, **headers: str
) -> tuple[int, str, bytes]:
    """Status, type and content of an answer."""
    connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=60)
    connection.request("GET" if body is None else "POST", path, body, headers)
    answer = connection.getresponse()
    content = answer.read()
    connection.close()
    assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
    return answer.status, answer.headers["Content-Type"], content


def test_everything_that_the_page_loads_is_there(address: str) -> None:
    status, kind, page = asked(address, "/")
    assert (status, kind.split(";")[0]) == (200, "text/html")
    for path in ("/style.css", "/script.js", "/drawing.js"):
        assert path.encode() in page
        assert asked(address, path)[0] == 200
    told = json.loads(asked(address, "/drive.json")[2])
    assert told["frames"] == list(range(65))
    assert len(told["robot"]) == 65
    status, kind, picture = asked(address, "/frames/64")
    assert (status, kind) == (200, "image/jpeg")
    assert picture.startswith(b"\xff\xd8")


def test_a_correction_is_answered_with_what_came_of_it(address: str) -> None:
    body = json.dumps({"kind": "merge", "person": 1, "other": 3}).encode()
    status, _, content = asked(address, "/correct", body)
    assert status == 200
    assert json.loads(content)["corrections"] == ["3 is 1"]
    assert asked(address, "/correct", body)[::2] == (
        409, b"nobody is called 3 here; choose somebody who is seen\n",
    )  # fmt: skip
    assert json.loads(asked(address, "/undo", b"")[2])["corrections"] == []


@pytest.mark.parametrize(
    "body",
    [b"", b"{", b"[]", b'{"kind": "burn"}', b'{"kind": "delete"}', b"\xff\xfe",
     b'{"kind": "delete", "person": "1"}', b'{"kind": "delete", "person": 1, "more": 2}',
     b'{"kind": "split", "person": 1, "frame": 1e99}', b"[" * 3000],
)  # fmt: skip
def test_what_is_no_correction_is_refused(address: str, body: bytes) -> None:
    status, _, content = asked(address, "/correct", body)
    assert (status, content[:22]) == (400, b"this is no correction:")


def test_strangers_get_nothing(address: str) -> None:
    assert asked(address, "/drive.json", Host="evil.example")[0] == 403
    assert asked(address, "/correct", b"{}", Origin="http://evil.example")[0] == 403
    assert asked(address, "/correct", b"x" * 5000)[0] == 409
    for path in ("/frames/99", "/frames/-1", "/frames/../page.html", "/etc", "/frames/9999999999"):
        assert asked(address, path)[0] == 404


def test_the_page_is_for_this_machine_only(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="reached from other machines"):
        serve_session(session(tmp_path), DRIVE, where=Address("0.0.0.0", 0))


def test_tracks_of_another_drive_are_refused(tmp_path: Path) -> None:
    from handmade_drive import HandmadeDrive, reconstructed

    other = reconstructed(HandmadeDrive(walkers=DRIVE.walkers, seconds=7.0))
    with pytest.raises(InputError, match="has 65 frames, but its tracks were made of 57"):
        mend_drive(other, DRIVE, tmp_path / "out.npz")
