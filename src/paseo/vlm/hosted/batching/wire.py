"""HTTP to a provider's batch interface: bounded answers, and failures told as sentences."""

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from time import monotonic
from typing import Any

from paseo.errors import require
from paseo.parsing.json import json_value
from paseo.vlm.batches import BatchResult, NotThere
from paseo.vlm.failures import ModelError, TryAgain
from paseo.vlm.faults import reply_faults
from paseo.vlm.hosted import bounds
from paseo.vlm.hosted import connection as hosted
from paseo.vlm.models import Prompt, Reply

LARGEST_RESULTS = 1 << 30  # bytes of one file
LONGEST_LINE = 16 << 20  # bytes
LONGEST_S = 3600.0  # that a file of results may take
MOST_PAGES = 20  # of a provider's list of batches that are looked through
NAME = re.compile(r"[A-Za-z0-9_.-]{1,200}")  # of a batch or file: it becomes part of an address


@dataclass(frozen=True, slots=True, kw_only=True)
class Wire:
    """A provider's address with our key, and how it is asked."""

    account: hosted.Account
    url: str
    model: str
    library: Any  # httpx, or httpx2, which is built alike
    client: Any  # for answers
    reader: Any  # for files

    def json(self, method: str, path: str, **sent: Any) -> dict[str, Any]:
        """What is answered, an object."""
        with self.told():
            response = self.client.request(method, self.url + path, **sent)
            self._check(response, path)
            return self._object(response.content)

    def begin(self, method: str, url: str, **sent: Any) -> tuple[Mapping[str, str], dict[str, Any]]:
        """The headers and the object that are answered at an address of the same server."""
        if not url.startswith(f"{self.url}/"):
            raise hosted.not_a_reply(self.account, "an address elsewhere")
        with self.told():
            response = self.client.request(method, url, **sent)
            self._check(response, "upload")
            return response.headers, self._object(response.content or b"{}")

    def lines(self, path: str, **sent: Any) -> Iterator[bytes]:
        """The lines of a file, without their ends and without empty ones."""
        with self.told(), self.reader.stream("GET", self.url + path, **sent) as response:
            if response.status_code != 200:
                response.read()
                self._check(response, path)
            yield from (line for line in _lines(response.iter_bytes()) if line.strip())

    def _object(self, content: bytes) -> dict[str, Any]:
        value = json_value(content)
        if not isinstance(value, dict):
            raise hosted.not_a_reply(self.account)
        return value

    def _check(self, response: Any, path: str) -> None:
        status = response.status_code
        if 200 <= status < 300:
            return
        try:
            message, codes = hosted.words_of(json_value(response.content))
        except hosted.UNREADABLE:
            message, codes = "", frozenset()
        if status == 404:
            said = hosted.in_short(message or path, self.account.key)
            raise NotThere(
                f"{self.account.place} does not know what it is asked for (404: {said}); it "
                "may offer no batches"
            )
        complaint = hosted.Complaint(
            status=status,
            message=message,
            codes=codes,
            wait_s=hosted.wait_asked_for(response.headers),
        )
        raise hosted.failure(self.account, complaint, model=self.model, known=list)

    @contextmanager
    def told(self) -> Iterator[None]:
        """What goes wrong in between, an answer of another shape too, as a `ModelError`."""
        try:
            yield
        except self.library.TimeoutException:
            raise TryAgain(f"{self.account.place} did not answer in time") from None
        except (self.library.HTTPError, *hosted.UNREADABLE) as error:
            raise hosted.broken(self.account, error) from None
        except hosted.MISSHAPEN:
            raise hosted.not_a_reply(self.account) from None


class Spoken:
    """An interface over a wire: how it words a prompt as a body, and reads a reply out of one."""

    def __init__(
        self,
        wire: Wire,
        *,
        body: Callable[[Prompt], dict[str, Any]],
        read: Callable[[dict[str, Any]], Reply],
    ) -> None:
        self._wire, self._body, self._read = wire, body, read


def open_wire(
    account: hosted.Account,
    *,
    url: str,
    model: str,
    headers: Mapping[str, str],
    timeout_s: float,
    clock: Callable[[], float] = monotonic,
) -> Wire:
    """A wire to the account's own address, or to `url`, the provider's."""
    library = _library()
    own = {**bounds.UNPACKED, **headers}
    client, reader = (
        library.Client(
            headers=own,
            timeout=timeout_s,
            follow_redirects=False,
            event_hooks=bounds.event_hooks(longest_s, largest=largest, clock=clock),
        )
        for longest_s, largest in ((timeout_s, bounds.LARGEST), (LONGEST_S, LARGEST_RESULTS))
    )
    return Wire(
        account=account,
        url=(account.base_url or url).rstrip("/"),
        model=model,
        library=library,
        client=client,
        reader=reader,
    )


def _library() -> Any:
    """What the SDKs speak HTTP through."""
    try:
        return import_module("httpx")
    except ImportError:
        return require("httpx2", "openai", "sends batches")


def named(value: object, account: hosted.Account, prefix: str = "") -> str:
    """The name of a batch or file that a server told; refuses what could lead elsewhere."""
    if isinstance(value, str) and value.startswith(prefix) and NAME.fullmatch(value[len(prefix) :]):
        return value
    raise hosted.not_a_reply(account, "no name")


def listed(value: object) -> list[dict[str, Any]]:
    """The objects in what should be a list of them."""
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def result(
    line: bytes, wire: Wire, key: str, read: Callable[[dict[str, Any]], Reply]
) -> BatchResult:
    """What a line says of the request that it names under `key`."""
    try:
        said = json_value(line)
        name = said[key]
        if not isinstance(name, str):
            raise TypeError
    except (*hosted.UNREADABLE, *hosted.MISSHAPEN):
        return BatchResult("", hosted.not_a_reply(wire.account))
    try:
        reply = hosted.without_key(read(said), wire.account.key)
        if reply_faults(reply):
            raise hosted.not_a_reply(wire.account)
        return BatchResult(name, reply)
    except ModelError as error:
        return BatchResult(name, error)
    except (*hosted.UNREADABLE, *hosted.MISSHAPEN):
        return BatchResult(name, hosted.not_a_reply(wire.account))


def _lines(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """Lines of what comes in pieces, none longer than bounds allow."""
    begun: list[bytes] = []
    length = 0
    for piece in pieces:
        *whole, rest = piece.split(b"\n")
        for part in whole:
            yield b"".join((*begun, part))
            begun, length = [], 0
        begun.append(rest)
        length += len(rest)
        if length > LONGEST_LINE:
            raise ValueError(f"a line of it is longer than {LONGEST_LINE >> 20} MiB")
    yield b"".join(begun)
