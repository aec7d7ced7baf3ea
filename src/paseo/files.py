"""Files and folders on disk: whole or not there, held by one process, read within bounds."""

import errno
import hashlib
import json
import os
import re
import shutil
import stat
from collections.abc import Collection, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import fields, is_dataclass
from io import BufferedReader
from pathlib import Path
from typing import IO, Any, BinaryIO, Protocol, Self, TypeVar

import msgspec

from paseo.errors import BadFile, BadValue, CannotWrite, InputError

try:
    import fcntl
except ImportError:  # Windows has no such locks; processes are then not kept apart
    fcntl = None  # type: ignore[assignment]

LARGEST_PLAN = 64 << 20  # bytes
TOO_LARGE = "expected at most that many; split the file"
# An open file never waits: not for somebody who writes to a pipe, not for a terminal's line.
AT_ONCE = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0)  # Windows has neither
AT_ONCE |= getattr(os, "O_BINARY", 0)  # and only Windows has this
NO_FILES = (
    (stat.S_ISDIR, "it is a folder, expected a file"),
    (stat.S_ISFIFO, "it is a pipe, expected a file"),
    (stat.S_ISSOCK, "it is a socket, expected a file"),
    (stat.S_ISCHR, "it is a device, expected a file"),
    (stat.S_ISBLK, "it is a disk, expected a file"),
)
T = TypeVar("T")


class Stream(Protocol):
    """What bytes come from: an open file, or one that is unpacked meanwhile."""

    def read(self, size: int, /) -> bytes:
        """At most so many bytes."""
        ...


@contextmanager
def draft(path: Path) -> Iterator[Path]:
    """A neighbour of `path` to write to; moved into place at the end, removed if anything fails."""
    beside = _beside(path)
    try:
        if path.is_dir() or (path.exists() and not path.is_file()):
            raise CannotWrite(f"{path}: is no file that could be replaced; choose another name")
        beside.touch()  # a place that cannot be written to is told before the work
        try:
            yield beside
            with beside.open("rb+") as stream:
                os.fsync(stream.fileno())
            beside.replace(path)
        finally:
            with suppress(OSError):
                beside.unlink()
    except OSError as error:
        raise cannot_write(path, error) from error


def make_folder_of(path: Path) -> None:
    """Make the folder that a file is to be written into, where it is not there."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise cannot_write(path, error) from error


def write_whole(path: Path, content: bytes) -> None:
    """Write a file, whole or not at all; it is on disk when this returns."""
    with draft(path) as beside:
        beside.write_bytes(content)


@contextmanager
def draft_folder(folder: Path) -> Iterator[Path]:
    """A neighbour of a folder that is empty or not there, to write into; moved or removed alike."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise BadValue(f"{folder}: is not an empty folder; choose another name")
    if folder.resolve() == Path.cwd():
        raise BadValue(f"{folder}: is the folder you are in; name one to be made")
    try:
        with folder_beside(folder) as beside:
            yield beside
            if folder.is_dir():
                folder.rmdir()
            beside.rename(folder)
    except OSError as error:
        raise cannot_write(folder, error) from error


@contextmanager
def folder_beside(folder: Path) -> Iterator[Path]:
    """A new neighbour of a folder; what of it was not moved away is gone in the end."""
    beside = _beside(folder)
    try:
        beside.mkdir(parents=True)
        yield beside
    finally:
        shutil.rmtree(beside, ignore_errors=True)


def write_through(path: Path, content: bytes) -> None:
    """Write a file of a draft; it is on disk when this returns."""
    with path.open("wb") as stream:
        stream.write(content)
        stream.flush()
        os.fsync(stream.fileno())


def remove_drafts(path: Path) -> None:
    """Remove what killed processes left of drafts of a folder, for one who holds it."""
    left = re.compile(rf"\.{re.escape(path.name)}\.(\d+\.)?part")
    for each in path.parent.iterdir():
        if left.fullmatch(each.name):
            shutil.rmtree(each, ignore_errors=True)


def _beside(path: Path) -> Path:
    return path.with_name(f".{path.name}.{os.getpid()}.part")


def cannot_write(path: Path, error: OSError) -> CannotWrite:
    """The sentence for a file or folder that could not be written and was left as it was."""
    return CannotWrite(
        f"{path}: cannot be written ({error.strerror or error}); nothing was left there. "
        "Free some space or choose another folder, then run again"
    )


def is_free(file: IO[Any]) -> bool:
    """Hold an open file until it is closed; False if another process holds it already."""
    if fcntl is None:
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


@contextmanager
def held(folder: Path, *, by: str) -> Iterator[None]:
    """Keep others out of a folder; `by` is the command that may hold it already."""
    with (folder / ".lock").open("w") as lock:
        if not is_free(lock):
            raise InputError(f"{folder} is in use by another {by}; wait for it or stop it first")
        yield


@contextmanager
def in_turn(lock: Path) -> Iterator[None]:
    """Wait until no other process holds the file `lock`, then hold it."""
    with lock.open("w") as file:
        if fcntl is not None:
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


@contextmanager
def held_folder(folder: Path, *inner: Path, by: str) -> Iterator[None]:
    """Keep others out of a folder, which is made, with some in it, if it is not there."""
    with ExitStack() as stack:
        try:
            for each in (folder, *inner):
                each.mkdir(parents=True, exist_ok=True)
            stack.enter_context(held(folder, by=by))
        except OSError as error:
            raise CannotWrite(
                f"{folder}: cannot be used ({error.strerror}), expected a folder to write to; "
                "choose another out",
                parameters=("out",),
            ) from error
        yield


class HeldFolder:
    """A folder that one process at a time works in, with a file that says what is done there."""

    def __init__(self, file: Path, *, format: str, version: int, by: str) -> None:
        self.folder, self.file = file.parent, file
        self._format, self._version, self._by = format, version, by
        self._held = ExitStack()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._held.close()

    @property
    def exists(self) -> bool:
        """Whether the work was begun here."""
        return self.file.is_file()

    def lock(self, *folders: Path) -> None:
        """Make the folder, and some in it, if they are not there; keep other processes out."""
        self._held.enter_context(held_folder(self.folder, *folders, by=self._by))

    def note(self, content: Mapping[str, Any]) -> None:
        """Write what is done here."""
        header = {"format": self._format, "version": self._version, **content}
        write_whole(self.file, json.dumps(header, indent=1).encode())

    def noted(self, kind: type[T]) -> T:
        """What is done here, as a value of `kind`."""
        try:
            content = json.loads(bounded(self.file, LARGEST_PLAN))
            if (content["format"], content["version"]) != (self._format, self._version):
                raise ValueError(f"expected {self._format} version {self._version}")
            value = msgspec.convert(content, kind, dec_hook=_path)
            del content["format"], content["version"]
            strange = strange_key(content, value)
            if strange is not None:
                raise ValueError(f"it has the unknown key {strange!r:.60}")
            return value
        except (ValueError, LookupError, TypeError, RecursionError) as error:
            raise BadFile(
                f"{self.file}: is damaged ({error}), expected what {self._by} wrote; restore it "
                "from a copy, or choose another out",
                parameters=("out",),
            ) from error


def strange_key(given: object, value: object) -> str | None:
    """The first key of plain values that the dataclasses and Structs made of them do not have.

    What is not understood could change what everything else means.
    """
    unknown, pairs = None, list[tuple[object, object]]()
    names = _names(value)
    if isinstance(given, dict) and names is not None:
        unknown = next((str(key) for key in given if key not in names), None)
        pairs = [(inner, getattr(value, key)) for key, inner in given.items() if key in names]
    elif isinstance(given, dict) and isinstance(value, Mapping):
        pairs = list(zip(given.values(), value.values(), strict=False))
    elif isinstance(given, list) and isinstance(value, list | tuple):
        pairs = list(zip(given, value, strict=False))
    found = (strange_key(inner, other) for inner, other in pairs)
    return unknown if unknown is not None else next((e for e in found if e is not None), None)


def _names(value: object) -> Collection[str] | None:
    """The names of what a value has; None of one that has no names for it."""
    if isinstance(value, msgspec.Struct):
        return value.__struct_fields__
    return [each.name for each in fields(value)] if is_dataclass(value) else None


def _path(kind: type, value: Any) -> Any:
    if kind is Path:
        return Path(value)
    raise TypeError(f"cannot read a {kind.__name__}")


def opened(path: Path) -> BufferedReader:
    """A file of somebody else, open to be read: the one door through which all of them come.

    A regular file and nothing else, at once: a pipe, a device, a socket or a folder is an
    `OSError` that says so, before a byte of it is read. What is looked at is what was opened.
    """
    try:
        number = os.open(path, os.O_RDONLY | AT_ONCE)
    except OSError as error:
        if error.errno == errno.ENXIO:  # so a socket answers, before it can be looked at
            raise OSError(error.errno, "it is a socket, expected a file", str(path)) from error
        raise
    except ValueError as error:  # no name holds the byte 0
        raise OSError(errno.EINVAL, str(error), str(path)) from error
    mode = os.fstat(number).st_mode
    if not stat.S_ISREG(mode):
        os.close(number)
        what = next((words for is_such, words in NO_FILES if is_such(mode)), "it is no file")
        raise OSError(errno.EINVAL, what, str(path))
    return os.fdopen(number, "rb")


def bounded(
    path: Path,
    largest: int,
    *,
    remedy: str = "check the name",
    too_large: str = TOO_LARGE,
) -> bytes:
    """What a file holds, never more than `largest` bytes of it.

    `BadFile` ends with the `remedy` for a file that cannot be read, or with what to do about one
    that is `too_large`, which is told before any of it is read.
    """
    try:
        with opened(path) as stream:
            size = os.fstat(stream.fileno()).st_size
            if size > largest:
                raise _too_much(path, largest, too_large)
            content = stream.read(size + 1)
            if len(content) > size:  # it grows, or the system makes it up while it is read
                content += stream.read(largest + 1 - len(content))
            if len(content) > largest:
                raise _too_much(path, largest, too_large)
            return content
    except OSError as error:
        raise BadFile(f"{path}: cannot be read ({error.strerror or error}); {remedy}") from error


def bounded_stream(
    stream: Stream, path: Path, largest: int, *, too_large: str = TOO_LARGE
) -> bytes:
    """The rest of a stream that comes from `path`, likewise; what it raises is not caught."""
    content = stream.read(largest + 1)
    if len(content) > largest:
        raise _too_much(path, largest, too_large)
    return content


def _too_much(path: Path, largest: int, too_large: str) -> BadFile:
    return BadFile(f"{path}: holds more than {largest} bytes, {too_large}")


def sha256(path: Path, *, largest: int | None = None) -> str:
    """The SHA-256 of a file, as hexadecimal digits; `BadFile` for one of more bytes."""
    try:
        with opened(path) as stream:
            if largest is not None and os.fstat(stream.fileno()).st_size > largest:
                raise _too_much(path, largest, "expected less; check the name")
            return stream_sha256(stream)
    except OSError as error:
        raise BadFile(f"{path}: cannot be read ({error.strerror}); check the name") from error


def stream_sha256(stream: BinaryIO) -> str:
    """The SHA-256 of an open file, from its beginning."""
    stream.seek(0)
    return hashlib.file_digest(stream, "sha256").hexdigest()  # type: ignore[arg-type]
