"""Arrays that take time to make, kept in the user's cache from one run to the next."""

import hashlib
import os
import shutil
import sys
import threading
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from paseo.files import opened

VARIABLE = "PASEO_CACHE"  # names another folder than the user's own
MOST_VERSIONS = 2  # of what is kept: each has its own folder, and only the latest stay
ALIGNED = 64  # bytes
PLAIN = frozenset("biuf")  # kinds of numbers that are read
Arrays = Mapping[str, NDArray[Any]]


class _Row(msgspec.Struct, frozen=True):
    """An array of a file."""

    name: str
    kind: str
    shape: tuple[int, ...]
    start: int  # bytes from the first array's


@dataclass(frozen=True, slots=True, kw_only=True)
class Keeping:
    """A part of the cache, for what these sources make: other code keeps its own."""

    name: str
    sources: tuple[Path, ...]  # files, and folders of which all files count
    most_bytes: int | None = None  # beyond which what was unused for longest goes; None: all stays

    def kept(self, key: str, make: Callable[[], Arrays]) -> Arrays:
        """The arrays of this key; made if they are not kept, or if what is kept is not whole.

        A place that cannot be written to is no error: then nothing is kept.
        """
        file = self._file(key)
        if file is None:
            return make()
        found = _read(file)
        if found is None:
            found = make()
            with suppress(OSError):
                self._write(file, found)
        elif self.most_bytes is not None:
            with suppress(OSError):
                os.utime(file)
        return found

    def is_empty(self) -> bool:
        """Whether nothing is kept of this version yet."""
        folder = self._folder()
        return folder is None or not folder.is_dir()

    def is_kept(self, key: str) -> bool:
        """Whether there is a file of this key, whole or not."""
        file = self._file(key)
        return file is not None and file.is_file()

    def _file(self, key: str) -> Path | None:
        folder = self._folder()
        name = hashlib.blake2b(key.encode(), digest_size=12).hexdigest()
        return None if folder is None else folder / f"{name}.arrays"

    def _folder(self) -> Path | None:
        folder = cache_folder()
        return None if folder is None else folder / self.name / _version(self.sources)

    def _write(self, file: Path, arrays: Arrays) -> None:
        """A file moved into place when it is complete; others may do the same."""
        if not file.parent.is_dir():
            file.parent.mkdir(parents=True, exist_ok=True)
            _remove_old_versions(file.parent)
        beside = file.with_name(f".{file.name}.{os.getpid()}.{threading.get_ident()}.part")
        try:
            beside.write_bytes(_packed(arrays))
            beside.replace(file)
        finally:
            beside.unlink(missing_ok=True)  # a full disk stays no fuller than it was
        if self.most_bytes is not None:
            _remove_unused(file.parent, self.most_bytes)


def cache_folder() -> Path | None:
    """Where Paseo keeps what it can make again; None: the user has no folder of their own."""
    named = os.environ.get(VARIABLE)
    if named:
        return Path(named)
    try:
        if sys.platform == "win32":
            return Path(os.environ.get("LOCALAPPDATA") or Path.home()) / "paseo" / "cache"
        return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "paseo"
    except RuntimeError:
        return None


@cache
def _version(sources: tuple[Path, ...]) -> str:
    """What makes the arrays: other code or another numpy may make others."""
    digest = hashlib.blake2b(np.__version__.encode(), digest_size=8)
    for file in sorted(each for source in sources for each in _texts(source)):
        digest.update(file.read_bytes())
    return digest.hexdigest()


def _texts(source: Path) -> Iterator[Path]:
    return source.rglob("*.py") if source.is_dir() else iter((source,))


def _read(file: Path) -> Arrays | None:
    """The arrays of a file, None if there is none or it is not as it was written.

    It begins with three numbers of eight bytes: the length of its table, the length of what
    follows the table, and the sum of both.
    """
    try:
        with opened(file) as stream:
            content = np.fromfile(stream, np.uint8)
        table_end, length, total = (int(each) for each in content[:24].view(np.uint64))
        table, body = content[24:table_end].tobytes(), content[table_end:]
        if len(body) != length or _sum(table, body) != total:
            return None
        rows = msgspec.json.decode(table.rstrip(), type=list[_Row])
        return {row.name: _array(body, row) for row in rows}
    except (OSError, ValueError, TypeError):
        return None


def _array(body: NDArray[np.uint8], row: _Row) -> NDArray[Any]:
    kind = np.dtype(row.kind)
    if kind.kind not in PLAIN:
        raise ValueError(row.kind)
    count = int(np.prod(row.shape))
    return body[row.start : row.start + count * kind.itemsize].view(kind).reshape(row.shape)


def _packed(arrays: Arrays) -> bytes:
    """The arrays as `_read` reads them."""
    rows, parts, end = [], [], 0
    for name, array in arrays.items():
        rows.append(_Row(name, array.dtype.str, array.shape, end))
        content = np.ascontiguousarray(array).tobytes()
        parts.append(content.ljust(-(-len(content) // ALIGNED) * ALIGNED, b"\0"))
        end += len(parts[-1])
    body = b"".join(parts)
    table = msgspec.json.encode(rows)
    table = table.ljust(-(-(24 + len(table)) // ALIGNED) * ALIGNED - 24)
    total = _sum(table, np.frombuffer(body, np.uint8))
    return np.array([24 + len(table), len(body), total], np.uint64).tobytes() + table + body


def _sum(table: bytes, body: NDArray[np.uint8]) -> int:
    """Of all that a file holds; the table's part is slower and finer."""
    total = int(np.add.reduce(body.view(np.uint64), dtype=np.uint64)) + zlib.crc32(table)
    return total % 2**64


def _remove_old_versions(present: Path) -> None:
    """Remove all versions but the present and the latest others."""
    others = [each for each in present.parent.iterdir() if each != present]
    others.sort(key=lambda each: each.stat().st_mtime, reverse=True)
    for old in others[MOST_VERSIONS - 1 :]:
        shutil.rmtree(old, ignore_errors=True)


def _remove_unused(folder: Path, most_bytes: int) -> None:
    """Remove what was not used for longest, until the rest takes no more than so many bytes."""
    found = [(each, each.stat()) for each in folder.glob("*.arrays")]
    total = sum(stat.st_size for _, stat in found)
    for file, stat in sorted(found, key=lambda each: each[1].st_mtime_ns)[:-1]:
        if total > most_bytes:
            file.unlink(missing_ok=True)
            total -= stat.st_size
