"""The recordings Paseo knows by name: facts about them, not their tracks."""

import hashlib
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import BinaryIO

import msgspec
import numpy as np

from paseo.errors import BadFile
from paseo.files import stream_sha256
from paseo.world.arrays import FloatArray

_Row = tuple[float, float, float]
Affine = tuple[_Row, _Row]  # [x, y] -> matrix[:, :2] @ [x, y] + matrix[:, 2]


@dataclass(frozen=True, slots=True)
class RemoteFile:
    """A file to be had from a public address, and how to know it."""

    url: str
    sha256: str  # hexadecimal digits
    bytes: int

    @property
    def digest(self) -> str:
        """The checksum, in small letters."""
        return self.sha256.lower()

    @property
    def kind(self) -> str:
        """Of the checksum."""
        return "SHA-256"

    def digest_of(self, stream: BinaryIO) -> str:
        """The checksum of an open file, from its beginning."""
        return stream_sha256(stream)


@dataclass(frozen=True, slots=True)
class GitFile:
    """A file of a public git repository, known by the id that git gives its content."""

    url: str
    digest: str  # 40 hexadecimal digits
    bytes: int  # git counts it into the id

    @property
    def kind(self) -> str:
        """Of the checksum."""
        return "git SHA-1"

    def digest_of(self, stream: BinaryIO) -> str:
        """The id that git gives the bytes of an open file."""
        stream.seek(0)
        start = hashlib.sha1(b"blob %d\0" % self.bytes, usedforsecurity=False)
        return hashlib.file_digest(stream, lambda: start).hexdigest()  # type: ignore[arg-type]


KnownFile = RemoteFile | GitFile


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownRecording:
    """A published recording: how it was filmed, by whom, and where it is to be had."""

    name: str
    long_name: str
    place: str
    fps: float  # as filmed
    socnavbench_fps: float  # as SocNavBench plays it
    pixel_to_world_affine: Affine | None = None  # where the source is in pixels
    citation: str
    licence: str
    sources: tuple[str, ...]  # where its authors offer it
    annotation: RemoteFile
    groups: RemoteFile
    format: str  # of the annotation
    map: str  # the shipped floor plan of its place
    map_transform: Affine  # from the recording's metres to the map's

    @property
    def affine(self) -> FloatArray | None:
        """From the source file's pixels to metres, (2, 3); None where it is in metres."""
        matrix = self.pixel_to_world_affine
        return None if matrix is None else np.array(matrix)


class _Catalog(msgspec.Struct):
    format: str
    version: int
    recordings: list[KnownRecording]


@cache
def known_recordings() -> dict[str, KnownRecording]:
    """The recordings of the catalog by name; not to be modified."""
    file = resources.files("paseo.data") / "shipped" / "recordings.json"
    catalog = msgspec.json.decode(file.read_bytes(), type=_Catalog)
    if (catalog.format, catalog.version) != ("paseo-recordings", 1):
        raise BadFile(
            f"{file}: is {catalog.format} version {catalog.version}, expected paseo-recordings "
            "version 1; install Paseo again"
        )
    return {recording.name: recording for recording in catalog.recordings}
