"""Arrays in one compressed file (.npz): no pickle, measured before anything is made of it."""

import io
import math
import zipfile
from collections.abc import Mapping
from typing import IO, Any, cast

import numpy as np
from numpy.typing import NDArray

# Unpacked; what is larger is taken for an attack or an accident. Of records with thousands of
# people, who are mostly absent, little is left when they are packed.
MAX_BYTES, SURELY_FINE, MOST_FOLD = 2 << 30, 256 << 20, 50
PIECE = 1 << 20  # bytes that are unpacked at a time
LONGEST_BEGINNING = 1024  # bytes of an array that tell its kind and shape
BEGINNING_OF_ZIP_TIME = (1980, 1, 1, 0, 0, 0)

Arrays = dict[str, NDArray[Any]]


def array_bytes(arrays: Mapping[str, NDArray[Any]]) -> bytes:
    """The file's content; equal arrays give equal bytes."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for name, array in arrays.items():
            member = zipfile.ZipInfo(f"{name}.npy", BEGINNING_OF_ZIP_TIME)
            member.compress_type = zipfile.ZIP_DEFLATED
            with archive.open(member, "w", force_zip64=True) as stream:
                contiguous = np.ascontiguousarray(array)
                np.lib.format.write_array(stream, contiguous, allow_pickle=False)
    return buffer.getvalue()


def arrays_in(file: IO[bytes], *, most: int) -> Arrays:
    """At most so many arrays, by name; damage raises `ValueError` or anything that zlib does."""
    packed = file.seek(0, io.SEEK_END)
    file.seek(0)
    with zipfile.ZipFile(file) as archive:
        members = archive.infolist()
        room = min(MAX_BYTES, max(SURELY_FINE, MOST_FOLD * packed))
        if sum(member.file_size for member in members) > room:
            raise ValueError(
                f"it unpacks to more than {room >> 20} MiB, which no file of its size does"
            )
        if len(members) > most:
            raise ValueError(f"it holds {len(members)} arrays, expected at most {most}")
        if len({each.filename for each in members}) < len(members):
            raise ValueError("it holds two arrays of one name")
        return {each.filename.removesuffix(".npy"): _array(archive, each) for each in members}


def typed(arrays: Mapping[str, NDArray[Any]], name: str, kind: type[np.generic]) -> NDArray[Any]:
    """An array that must hold numbers of this kind."""
    array = arrays[name]
    if array.dtype != kind:
        raise ValueError(f"{name} holds {array.dtype}, expected {kind.__name__}")
    return array


def _array(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> NDArray[Any]:
    """An array, read once its beginning says that it is as large as the archive says."""
    if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise ValueError(f"{member.filename[:40]} is packed in an unknown way")
    with cast(zipfile.ZipExtFile, archive.open(member)) as stream:
        beginning = io.BytesIO(stream.peek(LONGEST_BEGINNING))
        if np.lib.format.read_magic(beginning) != (1, 0):
            raise ValueError(f"{member.filename[:40]} is no array of the usual kind")
        shape, by_columns, kind = np.lib.format.read_array_header_1_0(beginning)
        if beginning.tell() + math.prod(shape) * kind.itemsize != member.file_size:
            raise ValueError(f"{member.filename[:40]} is not as large as its shape {shape!s:.60}")
        if kind.hasobject:
            raise ValueError(f"{member.filename[:40]} holds objects, expected numbers")
        stream.read(beginning.tell())
        array: NDArray[Any] = np.empty(shape[::-1] if by_columns else shape, kind)
        rest = array.reshape(-1).view(np.uint8).data
        while len(rest) and (count := stream.readinto(rest[:PIECE])):
            rest = rest[count:]
    if len(rest):
        raise ValueError(f"{member.filename[:40]} ends too soon")
    return array.T if by_columns else array
