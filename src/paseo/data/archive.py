"""Files inside .zip, .tar, .tgz and .tar.gz files, read without unpacking anything to disk."""

import gzip
import io
import os
import re
import stat
import sys
import tarfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from difflib import get_close_matches
from pathlib import Path
from typing import BinaryIO, cast

from paseo.data.textfile import most_unpacked, quoted
from paseo.errors import BadFile, PaseoError, UnknownName
from paseo.files import opened

ZIP, TAR, PACKED_TAR = (".zip",), (".tar",), (".tgz", ".tar.gz")
MOST_MEMBERS = 100_000
# Bytes of a packed tar that are gone through: in all, of any, and times what it is packed to.
MOST_UNPACKED, SURELY_FINE, MOST_FOLD = 4 * 2**30, 512 * 2**20, 50
LARGEST_LISTING = 64 * 2**20  # bytes of all headers
LARGEST_HEADER = (
    2**14
)  # bytes of one in a tar file; older versions of tarfile search long ones slowly
LARGEST_PADDING = 2**24  # bytes after the end of a tar
PIECE = 2**20


def is_archive(path: Path) -> bool:
    """Whether the name ends like that of an archive that can be read here."""
    return path.name.lower().endswith((*ZIP, *TAR, *PACKED_TAR))


def member_names(path: Path) -> list[str]:
    """The names of the regular files in the archive, sorted."""
    with _told(path):
        if _is_zip(path):
            with _Listed(path) as file, zipfile.ZipFile(file) as archive:
                return sorted(_zip_members(archive, path))
        with _tape(path) as tape:
            return sorted({each.name for each in _tar_members(tape)})


def member_bytes(path: Path, member: str, *, largest: int) -> bytes:
    """What a file in the archive holds; of several by one name, the last.

    More than `largest` bytes of it are never unpacked. All of a tar file is gone through.
    """
    with _told(path):
        if _is_zip(path):
            with _Listed(path) as file, zipfile.ZipFile(file) as archive:
                largest = most_unpacked(os.fstat(file.fileno()).st_size, largest)
                return _zip_bytes(archive, path, member, largest)
        with _tape(path) as tape:
            return _tar_bytes(tape, member, largest)


@contextmanager
def _told(path: Path) -> Iterator[None]:
    """Whatever goes wrong with an archive is told in one sentence."""
    try:
        yield
    except PaseoError:
        raise
    except Exception as error:  # damage can raise anything: zlib.error, struct.error, EOFError, ...
        reason = getattr(error, "strerror", None) or "it is damaged or cut short"
        raise BadFile(
            f"{path}: cannot be read ({reason}), expected a whole archive; check the name or fetch "
            "the file again"
        ) from error


def _is_zip(path: Path) -> bool:
    if not is_archive(path) or (path.exists() and not path.is_file()):
        expected = ", ".join((*ZIP, *TAR, *PACKED_TAR))
        raise BadFile(f"{path}: is no archive, expected a file named {expected}; check the name")
    return path.name.lower().endswith(ZIP)


def _too_many(path: Path) -> BadFile:
    return BadFile(
        f"{path}: holds more than {MOST_MEMBERS} files or too long a list of them, expected fewer; "
        "unpack it and name a file"
    )


def _checked_name(name: str, path: Path) -> str:
    """The name, unless it is one that could write outside a folder it is unpacked to."""
    parts = re.split(r"[/\\]", name)
    if (parts[0] == "" and len(parts) > 1) or ".." in parts or re.match("[A-Za-z]:", name):
        raise BadFile(
            f"{path}: holds {quoted(name)}, expected only names that stay within the archive; do "
            "not trust it, and fetch it from elsewhere"
        )
    return name


def _too_large(path: Path, member: str, largest: int) -> BadFile:
    return BadFile(
        f"{path}: {quoted(member)} holds more than {largest} bytes, expected at most that many; "
        "split the file"
    )


def _unknown(member: str, names: list[str]) -> UnknownName:
    """The sentence for a file that is not there; it stays short, however many there are."""
    short = [name for name in sorted(names) if len(name) <= 200 and name.isprintable()]
    by_small_letters = {name.lower(): name for name in short[:1000]}
    near = get_close_matches(member[:200].lower(), by_small_letters, n=5)
    same = [name for name in short if name.endswith(f"/{member}")]
    known = same or [by_small_letters[each] for each in near] or short
    return UnknownName("file in the archive", member[:200], known[:5])


class _Listed(io.BufferedReader):
    """A zip file whose list of members, which zipfile reads in one piece, is not too long."""

    def __init__(self, path: Path) -> None:
        super().__init__(opened(path).detach())
        self._path, self._size = path, os.fstat(self.fileno()).st_size

    def read(self, size: int | None = -1, /) -> bytes:
        rest = self._size - self.tell()
        size = rest if size is None or size < 0 else min(size, rest)
        if size > LARGEST_LISTING:
            raise _too_many(self._path)
        data = super().read(max(0, size))
        if data.count(b"PK\x01\x02") > MOST_MEMBERS:  # each member in the list begins like this
            raise _too_many(self._path)
        return data


def _zip_members(archive: zipfile.ZipFile, path: Path) -> dict[str, zipfile.ZipInfo]:
    for each in archive.infolist():
        _checked_name(each.filename, path)
    return {
        each.filename: each
        for each in archive.infolist()
        # Zip files made on Windows do not tell the kind of a member; they hold no links.
        if not each.is_dir() and stat.S_IFMT(each.external_attr >> 16) in (0, stat.S_IFREG)
    }


def _zip_bytes(archive: zipfile.ZipFile, path: Path, member: str, largest: int) -> bytes:
    members = _zip_members(archive, path)
    if member not in members:
        raise _unknown(member, list(members))
    info = members[member]
    if info.file_size > largest:
        raise _too_large(path, member, largest)
    if info.flag_bits & 0x41:
        raise BadFile(
            f"{path}: {quoted(member)} is encrypted, expected an open archive; unpack it first"
        )
    # The other methods unpack without bounds on memory.
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise BadFile(
            f"{path}: {quoted(member)} is packed by method {info.compress_type}, expected 0 "
            "(stored) or 8 (deflate); pack it again"
        )
    return _unpacked(archive, info)


def _unpacked(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes:
    content, missing = bytearray(), info.file_size
    with archive.open(info) as stream:
        while missing > 0 and (piece := stream.read(min(PIECE, missing))):
            content += piece
            missing -= len(piece)
    if missing:
        raise EOFError("less is there than the list of members says")
    return bytes(content)


class _Tape:
    """What tarfile reads headers from: never much in one piece, and not without end."""

    def __init__(self, file: BinaryIO, path: Path, most: int) -> None:
        self.file, self.path, self.most = file, path, most
        self._left = LARGEST_LISTING

    def read(self, size: int = -1) -> bytes:
        """Part of a header."""
        self._left -= size
        if not 0 <= size <= LARGEST_HEADER or self._left < 0:
            raise _too_many(self.path)
        return self.file.read(size)

    def tell(self) -> int:
        """How many bytes have been gone through."""
        return self.file.tell()

    def seek(self, place: int) -> None:
        """Wind on; a packed file is unpacked meanwhile."""
        if place > self.most:
            raise BadFile(
                f"{self.path}: unpacks to more than {self.most} bytes, expected at most that many; "
                "unpack it and name a file"
            )
        self.file.seek(place)


@contextmanager
def _tape(path: Path) -> Iterator[_Tape]:
    with opened(path) as file:
        if path.name.lower().endswith(TAR):
            yield _Tape(file, path, sys.maxsize)
        else:
            packed = os.fstat(file.fileno()).st_size
            most = min(MOST_UNPACKED, max(SURELY_FINE, MOST_FOLD * packed))
            with gzip.GzipFile(fileobj=file) as unpacked:
                yield _Tape(cast(BinaryIO, unpacked), path, most)


def _tar_bytes(tape: _Tape, member: str, largest: int) -> bytes:
    names: list[str] = []
    content = None
    for each in _tar_members(tape):
        names.append(each.name)
        if each.name == member:
            if each.size > largest:
                raise _too_large(tape.path, member, largest)
            tape.seek(each.offset_data)
            content = tape.file.read(each.size)
    if content is None:
        raise _unknown(member, names)
    return content


def _tar_members(tape: _Tape) -> Iterator[tarfile.TarInfo]:
    """The regular files in their order."""
    with tarfile.open(fileobj=cast(BinaryIO, tape), mode="r:", encoding="utf-8") as archive:
        for count, member in enumerate(archive, start=1):
            if count > MOST_MEMBERS:
                raise _too_many(tape.path)
            _checked_name(member.name, tape.path)
            if member.issparse() or member.size < 0:
                raise ValueError("sparse files are not read")
            if member.isreg():
                yield member
        _check_end(tape, archive.offset)


def _check_end(tape: _Tape, place: int) -> None:
    """Read what follows the last member: tarfile stops at damage as it does at the end.

    Only then, too, is the check sum of a packed file compared.
    """
    tape.seek(place)
    if tape.file.read(tarfile.BLOCKSIZE) != bytes(tarfile.BLOCKSIZE):
        raise EOFError("the tar file does not end as it should")
    for _ in range(LARGEST_PADDING // PIECE):
        if not tape.file.read(PIECE):
            return
    raise ValueError("much follows the end of the tar file")
