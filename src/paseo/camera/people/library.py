"""The people that ship with Paseo, and who of them stands for whom."""

import hashlib
from functools import cache
from pathlib import Path

import numpy as np

from paseo.camera.meshes import Body
from paseo.camera.people.assembly import assembled
from paseo.camera.people.faces import FaceMap, face_map
from paseo.camera.people.packing import Archive
from paseo.errors import BadFile

SHIPPED = Path(__file__).parent / "shipped" / "people.npz"


def library(file: Path = SHIPPED) -> tuple[Body, ...]:
    """Everybody in the library; painting all of them takes a few seconds the first time."""
    return tuple(_body(file, place) for place in range(population(file)))


def body_for(id: int | str, seed: int = 0) -> Body:
    """Who stands for a person: always the same for the same id and seed.

    People whose ids are numbers in a row all look different, as long as the library lasts.
    """
    count = population()
    if isinstance(id, int):
        order = np.random.default_rng([seed, count]).permutation(count)
        return _body(SHIPPED, int(order[id % count]))
    digest = hashlib.blake2b(f"{seed} {id}".encode(), digest_size=8).digest()
    return _body(SHIPPED, int.from_bytes(digest) % count)


def population(file: Path = SHIPPED) -> int:
    """How many people the library has."""
    return len(_archive(file).contents.people)


@cache
def _archive(file: Path) -> Archive:
    return Archive(checked_bytes(file))


@cache
def _face(file: Path) -> FaceMap:
    return face_map(*_archive(file).face())


@cache
def _body(file: Path, place: int) -> Body:
    archive = _archive(file)
    return assembled(archive, archive.contents.people[place], _face(file))


def checked_bytes(file: Path) -> bytes:
    """The content of a library whose sum is as the file beside it (`.sha256`) says."""
    try:
        content = file.read_bytes()
        wanted = file.with_suffix(".sha256").read_text().split()[0]
    except (OSError, IndexError) as error:
        raise BadFile(f"{file}: the library of people or its checksum is missing; reinstall paseo") from error
    found = hashlib.sha256(content).hexdigest()
    if found != wanted:
        raise BadFile(
            f"{file}: the library of people does not match its checksum "
            f"({found[:12]}, expected {wanted[:12]}); reinstall paseo"
        )
    return content
