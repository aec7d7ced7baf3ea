"""Requests to web servers, whose failures are sentences; some of them may pass, others not."""

import errno
import re
import string
from collections.abc import Callable
from dataclasses import dataclass, field
from http.client import HTTPException, HTTPResponse, IncompleteRead
from socket import gaierror
from ssl import SSLCertVerificationError
from typing import TypeVar
from urllib.error import URLError
from urllib.parse import quote, urljoin, urlsplit
from urllib.request import HTTPErrorProcessor, OpenerDirector, Request, build_opener

from paseo.data.textfile import quoted
from paseo.errors import BadValue, CannotFetch
from paseo.version import paseo_version

TIMEOUT = 30.0  # without a single byte
MOST_REDIRECTS = 5
REDIRECTS = frozenset({301, 302, 303, 307, 308})
UNREACHABLE = (gaierror, TimeoutError, ConnectionRefusedError)
NO_ROUTE = frozenset({errno.ENETDOWN, errno.ENETUNREACH, errno.EHOSTDOWN, errno.EHOSTUNREACH})
REFUSALS = {
    401: "is not given to everybody",
    403: "is not given to everybody",
    404: "is no longer there",
    410: "is no longer there",
    429: "was asked for too often",
}
T = TypeVar("T")


class Interrupted(Exception):
    """An attempt failed in a way that may pass; the text says how."""


class Unreachable(Interrupted):
    """There was nobody to talk to: most likely this machine is offline."""


class _AnyStatus(HTTPErrorProcessor):
    """Every answer is looked at here: urllib reads the body of a redirect, however long it is."""

    def http_response(self, request: Request, response: HTTPResponse) -> HTTPResponse:
        return response

    https_response = http_response


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """Whom is asked for a file."""

    address: str
    timeout: float
    opener: OpenerDirector = field(default_factory=lambda: build_opener(_AnyStatus))

    def refusal(self, problem: str) -> CannotFetch:
        """What to tell and to do when the file cannot be had."""
        return CannotFetch(
            f"{self.address}: {problem}; try later, choose another mirror, or download it on "
            "another machine, bring the file here and pass source DIR",
            parameters=["source"],
        )


def persistently(
    source: Source, attempt: Callable[[], T], *, tries: int, wait: Callable[[float], None]
) -> T:
    """What an attempt gives, made a counted number of times while failures may pass."""
    for count in range(1, tries + 1):
        try:
            return attempt()
        except Interrupted as error:
            # Who cannot be reached at first will not be; after a cut it is worth another try.
            if count == tries or (count == 1 and isinstance(error, Unreachable)):
                times = f" ({count} attempts)" if count > 1 else ""
                raise source.refusal(f"{error}{times}") from error
            wait(2.0 ** (count - 1))
    raise BadValue(f"{tries} attempts to fetch {source.address} make no sense; allow at least 1")


def size_at(
    url: str,
    *,
    most: int,
    mirror: str | None = None,
    tries: int = 3,
    wait: Callable[[float], None],
    timeout: float = TIMEOUT,
) -> int:
    """The bytes of a file as its server tells them, without asking for the file itself."""
    source = Source(address=address_of(url, mirror), timeout=timeout)

    def attempt() -> int:
        with answered(source, 0, method="HEAD") as answer:
            check_status(source, answer.status)
            told = answer.headers.get("Content-Length", "")
            if not re.fullmatch(r"\d{1,15}", told):
                raise source.refusal("its server does not tell how large it is")
            if int(told) > most:
                raise source.refusal(f"has {told} bytes, expected at most {most}")
            return int(told)

    return persistently(source, attempt, tries=tries, wait=wait)


def check_status(source: Source, status: int) -> None:
    """An answer that brings nothing is a failure, which may pass if it is the server's own."""
    if status >= 500:
        raise Interrupted(f"the server failed (HTTP {status})")
    if status not in (200, 206):
        raise source.refusal(f"{REFUSALS.get(status, 'cannot be had')} (HTTP {status})")


def answered(source: Source, there: int, *, method: str = "GET") -> HTTPResponse:
    """The answer to a request for all that follows the bytes already there."""
    headers = {"User-Agent": f"paseo/{paseo_version()}"}
    if there:
        headers["Range"] = f"bytes={there}-"
    address = source.address
    for _ in range(MOST_REDIRECTS + 1):
        try:
            request = Request(address, headers=headers, method=method)
            answer: HTTPResponse = source.opener.open(request, timeout=source.timeout)
        except (OSError, HTTPException, ValueError) as error:
            raise network_error(source, error) from error
        if answer.status not in REDIRECTS:
            return answer
        with answer:
            address = _redirected(source, address, answer.headers.get("Location", ""))
    raise source.refusal(f"is redirected more than {MOST_REDIRECTS} times, perhaps in a circle")


def _redirected(source: Source, address: str, location: str) -> str:
    # Servers send what a browser would show; a request takes ASCII only.
    text = quote(location, encoding="iso-8859-1", errors="replace", safe=string.punctuation)
    try:
        target = urljoin(address, text)
    except ValueError:
        target = ""
    if not location or _problem(target):
        raise source.refusal(f"is redirected to {quoted(location)}, which is no web address")
    if urlsplit(address).scheme == "https" and urlsplit(target).scheme != "https":
        raise source.refusal(f"is redirected to {quoted(target)}, which anybody could forge")
    return target


def network_error(source: Source, error: Exception) -> Exception:
    """The failure in words: one that may pass, or one that will not."""
    host = urlsplit(source.address).hostname
    cause = error.reason if isinstance(error, URLError) else error
    if isinstance(cause, SSLCertVerificationError):
        return source.refusal(
            f"the certificate of {host} is not to be trusted ({cause.verify_message}), expected a "
            "true one and the right time on this machine"
        )
    if isinstance(error, URLError):  # only while connecting
        unreachable = isinstance(cause, UNREACHABLE) or getattr(cause, "errno", 0) in NO_ROUTE
        words = f"{host} cannot be reached ({getattr(cause, 'strerror', None) or cause})"
        return Unreachable(words) if unreachable else Interrupted(words)
    if isinstance(error, TimeoutError):
        return Interrupted(f"{host} sent nothing for {source.timeout:g} s")
    if isinstance(error, OSError | IncompleteRead):  # RemoteDisconnected is an OSError, too
        return Interrupted("the connection was cut")
    return Interrupted(f"{host} does not speak HTTP ({type(error).__name__})")


def address_of(url: str, mirror: str | None) -> str:
    """Where a file is asked for: its own address, or the same path on a mirror."""
    for address in (url,) if mirror is None else (url, mirror):
        if problem := _problem(address):
            raise BadValue(f"{problem}, expected http:// or https:// and a host; correct it")
    if mirror is None:
        return url
    if "?" in mirror or "#" in mirror:
        raise BadValue(f"the mirror {quoted(mirror)} has a '?' or '#'; name only a host and folder")
    parts = urlsplit(url)
    return mirror.rstrip("/") + parts.path + (f"?{parts.query}" if parts.query else "")


def _problem(address: str) -> str | None:
    """What is wrong with a web address; None if it can be asked."""
    try:
        parts = urlsplit(address)
        host = (parts.hostname or "").encode("idna")  # a host with an empty label is no host
        usable = parts.scheme in ("http", "https") and host and parts.port != 0
    except ValueError:
        usable = False
    if not usable or not re.fullmatch("[!-~]+", address):
        return f"{quoted(address)} is no web address"
    if "@" in parts.netloc:
        return f"the address of {parts.hostname} holds a name or password, which are never sent"
    return None
