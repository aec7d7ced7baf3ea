"""Arrays that take time to make, kept in the user's cache from one run to the next."""

import hashlib
import os
import shutil
import sys
import zlib
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

VARIABLE = "PASEO_CACHE"  # names another folder than the user's own
MOST_VERSIONS = 2  # of what is kept: each has its own folder, and only the latest stay
ALIGNED = 64  # bytes
Arrays = Mapping[str, NDArray[Any]]


class _Row(msgspec.Struct, frozen=True):
    """An array of a file."""

    name: str
    kind: str
    shape: tuple[int, ...]
    start: int  # bytes from the first array's


def kept(key: str, make: Callable[[], Arrays]) -> Arrays:
    """The arrays of this key; made if they are not kept, or if what is kept is not whole.

    A place that cannot be written to is no error: then nothing is kept.
    """
    file = _file(key)
    found = _read(file)
    if found is None:
        found = make()
        with suppress(OSError):
            _write(file, found)
    return found


def is_empty() -> bool:
    """Whether nothing is kept of this version yet."""
    return not _folder().is_dir()


def is_kept(key: str) -> bool:
    """Whether there is a file of this key, whole or not."""
    return _file(key).is_file()


def kept_texture(key: str, make: Callable[[], NDArray[np.uint8]]) -> NDArray[np.uint8]:
    """The same for a single picture."""
    return kept(key, lambda: {"texture": make()})["texture"]


def cache_folder() -> Path:
    """Where Paseo keeps what it can make again."""
    named = os.environ.get(VARIABLE)
    if named:
        return Path(named)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home())) / "paseo" / "cache"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "paseo"


def _file(key: str) -> Path:
    name = hashlib.blake2b(key.encode(), digest_size=12).hexdigest()
    return _folder() / f"{name}.arrays"


def _folder() -> Path:
    return cache_folder() / "people" / _version()


@cache
def _version() -> str:
    """What makes the arrays: other code or another numpy may make others."""
    digest = hashlib.blake2b(np.__version__.encode(), digest_size=8)
    for file in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(file.read_bytes())
    return digest.hexdigest()


def _read(file: Path) -> Arrays | None:
    """The arrays of a file, None if there is none or it is not as it was written.

    It begins with three numbers of eight bytes: the length of its table, the length of what
    follows the table, and the sum of both.
    """
    try:
        content = np.fromfile(file, np.uint8)
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
    count = int(np.prod(row.shape))
    return body[row.start : row.start + count * kind.itemsize].view(kind).reshape(row.shape)


def _write(file: Path, arrays: Arrays) -> None:
    """A file moved into place when it is complete; another process may do the same."""
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
    head = np.array([24 + len(table), len(body), total], np.uint64).tobytes()
    if not file.parent.is_dir():
        file.parent.mkdir(parents=True)
        _remove_old(file.parent)
    beside = file.with_name(f".{file.name}.{os.getpid()}.part")
    try:
        beside.write_bytes(head + table + body)
        beside.replace(file)
    finally:
        beside.unlink(missing_ok=True)  # a full disk stays no fuller than it was


def _sum(table: bytes, body: NDArray[np.uint8]) -> int:
    """Of all that a file holds; the table's part is slower and finer."""
    total = int(np.add.reduce(body.view(np.uint64), dtype=np.uint64)) + zlib.crc32(table)
    return total % 2**64


def _remove_old(present: Path) -> None:
    """Remove all versions but the present and the latest others."""
    others = [each for each in present.parent.iterdir() if each != present]
    others.sort(key=lambda each: each.stat().st_mtime, reverse=True)
    for old in others[MOST_VERSIONS - 1 :]:
        shutil.rmtree(old, ignore_errors=True)
