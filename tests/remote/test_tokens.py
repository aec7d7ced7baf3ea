"""Where a server listens, and whom it lets in."""

import socket
from pathlib import Path

import pytest

from paseo.errors import InputError
from paseo.listening import Address, address, bound_to, listener
from paseo.remote.tokens import check_token, is_local_origin, is_token, token_of


def test_an_address_is_a_host_and_a_port() -> None:
    assert address("localhost:8765") == Address("localhost", 8765)
    assert address("[::1]:0") == Address("::1", 0)
    assert str(address("[::1]:80")) == "[::1]:80"


@pytest.mark.parametrize(
    "text",
    ["8765", "localhost", ":8765", "localhost:", "::1:80", "a:65536", "a:-1", "a b:1", "a:²"],
)
def test_anything_else_is_refused_in_a_sentence(text: str) -> None:
    with pytest.raises(InputError, match="expected HOST:PORT such as localhost:8765") as refused:
        address(text)
    assert refused.value.parameters == ("listen",)


@pytest.mark.parametrize("host", ["127.0.0.1", "127.0.0.5", "::1", "localhost"])
def test_on_loopback_no_token_is_needed(host: str) -> None:
    check_token(Address(host, 1), None)


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.7", "no.such.host.invalid"])
def test_elsewhere_a_token_is_needed_and_the_sentence_says_so(host: str) -> None:
    check_token(Address(host, 1), "sesame-open")
    with pytest.raises(InputError, match="reached from other machines.* give token, or set PASEO"):
        check_token(Address(host, 1), None)


def test_a_token_comes_from_the_caller_a_file_or_the_environment(tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_text("from-a-file\n")
    assert token_of(f"@{file}", {"PASEO_TOKEN": "from-around"}) == "from-a-file"
    assert token_of("by-the-caller", {}) == "by-the-caller"
    assert token_of(None, {"PASEO_TOKEN": "from-around"}) == "from-around"
    assert token_of(None, {}) is None


@pytest.mark.parametrize("token", ["", "short", "two words here", "s\u00e9same-open", "x" * 1001])
def test_a_token_that_cannot_be_used_is_refused_and_not_repeated(token: str) -> None:
    with pytest.raises(InputError, match="token must be one word of 8 to 1000") as refused:
        token_of(token, {})
    assert not token or token not in str(refused.value)


def test_a_token_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="absent: no token can be read there"):
        token_of(f"@{tmp_path / 'absent'}", {})


def test_only_the_same_token_lets_in() -> None:
    assert is_token(None, None)
    assert is_token("sesame-open", "sesame-open")
    for said in (None, "", "sesame-opem", "sesame-open ", "\udc80"):
        assert not is_token(said, "sesame-open")


def test_pages_of_this_machine_are_told_from_those_of_others() -> None:
    for origin in (None, "http://localhost:8765", "http://127.0.0.1", "http://[::1]:80"):
        assert is_local_origin(origin)
    for origin in ("http://no.such.host.invalid", "null", "", "http://[", "file://"):
        assert not is_local_origin(origin)


def test_a_port_in_use_is_refused_in_a_sentence() -> None:
    with listener(Address("127.0.0.1", 0)) as first:
        taken = bound_to(Address("127.0.0.1", 0), first)
        assert taken.port > 0
        with pytest.raises(InputError, match=f"{taken}: another program listens there.*listen$"):
            listener(taken)
        with socket.create_connection((taken.host, taken.port), timeout=5):
            pass


@pytest.mark.parametrize(
    ("host", "words"),
    [("no.such.host.invalid", "name is not known here"), ("192.0.2.1", "no address of this")],
)
def test_an_address_of_nobody_here_is_refused_in_a_sentence(host: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        listener(Address(host, 8765))
