"""Files from public addresses or from a folder: verified, and never half there by their names."""

import os
import re
import stat
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.client import HTTPException, HTTPResponse
from io import BufferedRandom
from itertools import islice
from pathlib import Path

from paseo.data.store.asking import (
    TIMEOUT,
    Interrupted,
    Source,
    address_of,
    answered,
    check_status,
    network_error,
    persistently,
)
from paseo.data.store.catalog import KnownFile
from paseo.errors import BadValue, CannotFetch, CannotWrite
from paseo.files import cannot_write, is_free, opened

SLOWEST = 1000  # bytes per second of one attempt, beyond the time-out
MOST_FILES = 5000
PIECE = 2**16
CONTENT_RANGE = re.compile(r"bytes (\d{1,15})-\d{1,15}/(\d{1,15}|\*)")


class _WrongBytes(CannotFetch):
    """Everything arrived and is not what was expected."""


def download(
    file: KnownFile,
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
    address = address_of(file.url, mirror)
    if verified(target, file):
        progress(file.bytes)
        return
    source = Source(address=address, timeout=timeout)
    with _part(file, target) as part:
        _discard_useless(part, file)
        progress(part.seek(0, os.SEEK_END))

        def attempt() -> None:
            _attempt(source, file.bytes, part, progress)

        persistently(source, attempt, tries=tries, wait=wait)
        if (found := file.digest_of(part)) != file.digest:
            raise _WrongBytes(
                f"{address}: its bytes have the {file.kind} {found[:12]}..., expected "
                f"{file.digest[:12]}...; nothing was kept; try again or choose another mirror"
            )


def verified(path: Path, file: KnownFile) -> bool:
    """Whether the bytes at `path` are those of the file, by size and checksum."""
    try:
        state = path.stat()
        if not stat.S_ISREG(state.st_mode) or state.st_size != file.bytes:
            return False
        with opened(path) as stream:
            return file.digest_of(stream) == file.digest
    except OSError:
        return False


def from_folder(file: KnownFile, folder: Path, target: Path) -> bool:
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
        if file.digest_of(part) != file.digest:
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
        with opened(path) as stream:
            while size > 0 and (piece := stream.read(min(PIECE, size))):
                yield piece
                size -= len(piece)
    except OSError as error:
        raise CannotFetch(f"{path}: cannot be read ({error.strerror}); bring it again") from error


@contextmanager
def _part(file: KnownFile, target: Path) -> Iterator[BufferedRandom]:
    """A hidden neighbour that becomes `target` in the end; it stays if the source fails.

    It is named after the bytes it is to hold, so that it may come from several mirrors.
    """
    place = target.with_name(f".{target.name}.{file.digest[:16]}.part")
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


def _discard_useless(part: BufferedRandom, file: KnownFile) -> None:
    """Empty a part that cannot become the file any more."""
    size = part.seek(0, os.SEEK_END)
    if size > file.bytes or (size == file.bytes and file.digest_of(part) != file.digest):
        part.truncate(0)


def _attempt(
    source: Source, size: int, part: BufferedRandom, progress: Callable[[int], None]
) -> None:
    there = part.seek(0, os.SEEK_END)
    if there == size:
        return
    answer = answered(source, there)
    if there and (answer.status == 416 or (answer.status == 206 and _begin(answer, size) != there)):
        answer.close()
        answer = answered(source, 0)
    with answer:
        check_status(source, answer.status)
        begin = _begin(answer, size)
        if begin not in (0, there):
            raise source.refusal(f"has changed, expected {size} bytes")
        if begin < there:
            progress(begin - there)
            part.seek(begin)
            part.truncate()
        _append(source, answer, part, size, progress)


def _begin(answer: HTTPResponse, size: int) -> int:
    """Where in the file the body of the answer begins; -1 if it is not of a file of this size."""
    if answer.status == 200:
        return 0 if answer.length in (None, size) else -1
    found = CONTENT_RANGE.fullmatch(answer.headers.get("Content-Range", ""))
    return int(found[1]) if found and found[2] in (str(size), "*") else -1


def _append(
    source: Source,
    answer: HTTPResponse,
    part: BufferedRandom,
    size: int,
    progress: Callable[[int], None],
) -> None:
    """Write what the answer brings up to the size of the file."""
    missing = size - part.tell()
    deadline = time.monotonic() + source.timeout + missing / SLOWEST
    while missing > 0:
        try:
            piece = answer.read1(min(PIECE, missing))
        except (OSError, HTTPException, ValueError) as error:
            raise network_error(source, error) from error
        if not piece:
            raise Interrupted("the connection was cut")
        part.write(piece)
        part.flush()
        missing -= len(piece)
        progress(len(piece))
        if missing and time.monotonic() > deadline:
            raise Interrupted(f"less than {SLOWEST} bytes per second arrived")
