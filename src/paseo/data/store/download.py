"""Files from public addresses or from a folder: verified, and never half there by their names."""

import errno
import os
import re
import stat
import string
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from http.client import HTTPException, HTTPResponse, IncompleteRead
from io import BufferedRandom
from itertools import islice
from pathlib import Path
from socket import gaierror
from ssl import SSLCertVerificationError
from urllib.error import URLError
from urllib.parse import quote, urljoin, urlsplit
from urllib.request import HTTPErrorProcessor, OpenerDirector, Request, build_opener

from paseo.data.store.catalog import RemoteFile
from paseo.data.textfile import quoted
from paseo.errors import BadFile, BadValue, CannotFetch, CannotWrite
from paseo.files import cannot_write, is_free, sha256, stream_sha256
from paseo.version import paseo_version

TIMEOUT = 30.0  # without a single byte
SLOWEST = 1000  # bytes per second of one attempt, beyond the time-out
MOST_REDIRECTS = 5
MOST_FILES = 5000
PIECE = 2**16
REDIRECTS = frozenset({301, 302, 303, 307, 308})
CONTENT_RANGE = re.compile(r"bytes (\d{1,15})-\d{1,15}/(\d{1,15}|\*)")
UNREACHABLE = (gaierror, TimeoutError, ConnectionRefusedError)
NO_ROUTE = frozenset({errno.ENETDOWN, errno.ENETUNREACH, errno.EHOSTDOWN, errno.EHOSTUNREACH})
REFUSALS = {
    401: "is not given to everybody",
    403: "is not given to everybody",
    404: "is no longer there",
    410: "is no longer there",
    429: "was asked for too often",
}


class _Interrupted(Exception):
    """An attempt failed in a way that may pass; the text says how."""


class _Unreachable(_Interrupted):
    """There was nobody to talk to: most likely this machine is offline."""


class _WrongBytes(CannotFetch):
    """Everything arrived and is not what was expected."""


class _AnyStatus(HTTPErrorProcessor):
    """Every answer is looked at here: urllib reads the body of a redirect, however long it is."""

    def http_response(self, request: Request, response: HTTPResponse) -> HTTPResponse:
        return response

    https_response = http_response


@dataclass(frozen=True, slots=True, kw_only=True)
class _Source:
    """What is asked for where."""

    file: RemoteFile
    address: str
    opener: OpenerDirector
    timeout: float

    def refusal(self, problem: str) -> CannotFetch:
        return CannotFetch(
            f"{self.address}: {problem}; try later, choose another mirror, or download it on "
            "another machine, bring the file here and pass source DIR",
            parameters=["source"],
        )


def download(
    file: RemoteFile,
    target: Path,
    *,
    mirror: str | None = None,
    progress: Callable[[int], None],
    tries: int = 3,
    wait: Callable[[float], None],
    timeout: float = TIMEOUT,
) -> None:
    """Put the file at `target`, unless it is there; what an earlier attempt left is continued.

    A `mirror` stands in for the scheme and host of the address. `progress` is told the bytes as
    they arrive, those that were there at first, and less than 0 where they turn out useless; in
    the end they add up to the size of the file. `wait` sleeps for seconds between attempts, each
    of which waits `timeout` seconds for the next byte.
    """
    address = _address(file.url, mirror)
    if verified(target, file):
        progress(file.bytes)
        return
    opener = build_opener(_AnyStatus)
    source = _Source(file=file, address=address, opener=opener, timeout=timeout)
    with _part(file, target) as part:
        _discard_useless(part, file)
        progress(part.seek(0, os.SEEK_END))
        _fill(source, part, progress=progress, tries=tries, wait=wait)
        if (found := stream_sha256(part)) != file.sha256.lower():
            raise _WrongBytes(
                f"{address}: its bytes have the SHA-256 {found[:12]}..., expected "
                f"{file.sha256[:12]}...; nothing was kept; try again or choose another mirror"
            )


def verified(path: Path, file: RemoteFile) -> bool:
    """Whether the bytes at `path` are those of the file, by size and SHA-256."""
    try:
        state = path.stat()
        if not stat.S_ISREG(state.st_mode) or state.st_size != file.bytes:
            return False
        return sha256(path) == file.sha256.lower()
    except (OSError, BadFile):
        return False


def from_folder(file: RemoteFile, folder: Path, target: Path) -> bool:
    """Put the file at `target` if a file in the folder, by whatever name, holds its bytes."""
    if verified(target, file):
        return True
    brought = next((each for each in _files(folder, file.bytes) if verified(each, file)), None)
    if brought is None:
        return False
    with _part(file, target) as part:
        part.truncate(0)
        for piece in _pieces(brought, file.bytes):
            part.write(piece)
        if stream_sha256(part) != file.sha256.lower():
            raise _WrongBytes(
                f"{brought}: changed while it was copied; nothing was kept; try again"
            )
    return True


def _files(folder: Path, size: int) -> list[Path]:
    """The files in the folder that have this size."""
    try:
        with os.scandir(folder) as entries:
            whole = (each for each in islice(entries, MOST_FILES) if each.name[-5:] != ".part")
            found = [entry for entry in whole if entry.is_file()]
            if next(entries, None) is None:
                return [Path(entry.path) for entry in found if entry.stat().st_size == size]
    except OSError as error:
        raise BadValue(
            f"{folder}: cannot be read ({error.strerror}), expected a folder with the files that "
            "were brought; check its name"
        ) from error
    raise BadValue(
        f"{folder}: holds more than {MOST_FILES} files, expected a folder with the files that were "
        "brought; put them into a folder of their own"
    )


def _pieces(path: Path, size: int) -> Iterator[bytes]:
    try:
        with path.open("rb") as stream:
            while size > 0 and (piece := stream.read(min(PIECE, size))):
                yield piece
                size -= len(piece)
    except OSError as error:
        raise CannotFetch(f"{path}: cannot be read ({error.strerror}); bring it again") from error


@contextmanager
def _part(file: RemoteFile, target: Path) -> Iterator[BufferedRandom]:
    """A hidden neighbour that becomes `target` in the end; it stays if the source fails.

    It is named after the bytes it is to hold, so that it may come from several mirrors.
    """
    place = target.with_name(f".{target.name}.{file.sha256[:16].lower()}.part")
    try:
        if target.exists() and not target.is_file():
            raise CannotWrite(f"{target}: is no file and not to be replaced; choose another name")
        target.parent.mkdir(parents=True, exist_ok=True)
        with _held(place) as stream:
            try:
                yield stream
                stream.flush()
                os.fsync(stream.fileno())
                if os.name == "nt":
                    stream.close()  # Windows renames no file that is open
                place.replace(target)
            except BaseException as error:
                with suppress(OSError):
                    if isinstance(error, OSError | _WrongBytes) or not place.stat().st_size:
                        place.unlink()
                raise
    except OSError as error:
        raise cannot_write(target, error) from error


@contextmanager
def _held(place: Path) -> Iterator[BufferedRandom]:
    """The file at `place`, made if it is not there; no other process may hold it meanwhile."""
    flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
    with os.fdopen(os.open(place, flags, 0o666), "r+b") as stream:
        try:
            # Another process may have finished, and renamed it, just before it was held here.
            held = is_free(stream) and os.path.samestat(os.fstat(stream.fileno()), place.stat())
        except FileNotFoundError:
            held = False
        if not held:
            raise CannotFetch(
                f"{place}: another process is writing it; wait until it is done, then try again"
            )
        yield stream


def _discard_useless(part: BufferedRandom, file: RemoteFile) -> None:
    """Empty a part that cannot become the file any more."""
    size = part.seek(0, os.SEEK_END)
    if size > file.bytes or (size == file.bytes and stream_sha256(part) != file.sha256.lower()):
        part.truncate(0)


def _fill(
    source: _Source,
    part: BufferedRandom,
    *,
    progress: Callable[[int], None],
    tries: int,
    wait: Callable[[float], None],
) -> None:
    """Fetch what is missing, in a counted number of attempts."""
    for attempt in range(1, tries + 1):
        try:
            return _attempt(source, part, progress)
        except _Interrupted as error:
            # Who cannot be reached at first will not be; after a cut it is worth another try.
            if attempt == tries or (attempt == 1 and isinstance(error, _Unreachable)):
                times = f" ({attempt} attempts)" if attempt > 1 else ""
                raise source.refusal(f"{error}{times}") from error
            wait(2.0 ** (attempt - 1))
    raise BadValue(f"{tries} attempts to fetch {source.address} make no sense; allow at least 1")


def _attempt(source: _Source, part: BufferedRandom, progress: Callable[[int], None]) -> None:
    size, there = source.file.bytes, part.seek(0, os.SEEK_END)
    if there == size:
        return
    answer = _answer(source, there)
    if there and (answer.status == 416 or (answer.status == 206 and _begin(answer, size) != there)):
        answer.close()
        answer = _answer(source, 0)
    with answer:
        _check_status(source, answer.status)
        begin = _begin(answer, size)
        if begin not in (0, there):
            raise source.refusal(f"has changed, expected {size} bytes")
        if begin < there:
            progress(begin - there)
            part.seek(begin)
            part.truncate()
        _append(source, answer, part, progress)


def _check_status(source: _Source, status: int) -> None:
    if status >= 500:
        raise _Interrupted(f"the server failed (HTTP {status})")
    if status not in (200, 206):
        raise source.refusal(f"{REFUSALS.get(status, 'cannot be had')} (HTTP {status})")


def _begin(answer: HTTPResponse, size: int) -> int:
    """Where in the file the body of the answer begins; -1 if it is not of a file of this size."""
    if answer.status == 200:
        return 0 if answer.length in (None, size) else -1
    found = CONTENT_RANGE.fullmatch(answer.headers.get("Content-Range", ""))
    return int(found[1]) if found and found[2] in (str(size), "*") else -1


def _append(
    source: _Source, answer: HTTPResponse, part: BufferedRandom, progress: Callable[[int], None]
) -> None:
    missing = source.file.bytes - part.tell()
    deadline = time.monotonic() + source.timeout + missing / SLOWEST
    while missing > 0:
        try:
            piece = answer.read1(min(PIECE, missing))
        except (OSError, HTTPException, ValueError) as error:
            raise _network_error(source, error) from error
        if not piece:
            raise _Interrupted("the connection was cut")
        part.write(piece)
        part.flush()
        missing -= len(piece)
        progress(len(piece))
        if missing and time.monotonic() > deadline:
            raise _Interrupted(f"less than {SLOWEST} bytes per second arrived")


def _answer(source: _Source, there: int) -> HTTPResponse:
    """The answer to a request for all that follows the bytes already there."""
    headers = {"User-Agent": f"paseo/{paseo_version()}"}
    if there:
        headers["Range"] = f"bytes={there}-"
    address = source.address
    for _ in range(MOST_REDIRECTS + 1):
        try:
            request = Request(address, headers=headers)
            answer: HTTPResponse = source.opener.open(request, timeout=source.timeout)
        except (OSError, HTTPException, ValueError) as error:
            raise _network_error(source, error) from error
        if answer.status not in REDIRECTS:
            return answer
        with answer:
            address = _redirected(source, address, answer.headers.get("Location", ""))
    raise source.refusal(f"is redirected more than {MOST_REDIRECTS} times, perhaps in a circle")


def _redirected(source: _Source, address: str, location: str) -> str:
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


def _network_error(source: _Source, error: Exception) -> Exception:
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
        return _Unreachable(words) if unreachable else _Interrupted(words)
    if isinstance(error, TimeoutError):
        return _Interrupted(f"{host} sent nothing for {source.timeout:g} s")
    if isinstance(error, OSError | IncompleteRead):  # RemoteDisconnected is an OSError, too
        return _Interrupted("the connection was cut")
    return _Interrupted(f"{host} does not speak HTTP ({type(error).__name__})")


def _address(url: str, mirror: str | None) -> str:
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
