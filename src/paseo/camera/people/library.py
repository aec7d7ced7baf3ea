"""The people that ship with Paseo, and who of them stands for whom."""

import hashlib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Protocol

import numpy as np

from paseo.camera.meshes import Body
from paseo.camera.people.assembly import assembled, prepared
from paseo.camera.people.faces import FaceMap, face_map
from paseo.camera.people.keeping import PEOPLE
from paseo.camera.people.packing import Archive
from paseo.camera.people.rocketbox.avatars import Rocketbox
from paseo.errors import BadFile

SHIPPED = Path(__file__).parent / "shipped" / "people.npz"


class People(Protocol):
    """Bodies by their place in a list: the library that ships, or a pack."""

    def __len__(self) -> int: ...

    def body(self, place: int) -> Body:
        """The body in this place; the same value every time."""
        ...

    def leg_length(self, place: int) -> float:
        """From the hip joint to the ground, in metres, of the body in this place."""
        ...

    def is_kept(self, place: int) -> bool:
        """Whether the body in this place was painted in an earlier run, and is soon at hand."""
        ...


@dataclass(frozen=True)
class Library:
    """The people of a file as it ships; each is painted when first asked for."""

    file: Path = SHIPPED

    def __len__(self) -> int:
        return len(_archive(self.file).contents.people)

    def body(self, place: int) -> Body:
        """The person in this place of the file."""
        return _body(self.file, place)

    def leg_length(self, place: int) -> float:
        """The leg of the person in this place, who need not be painted for it."""
        return _archive(self.file).contents.people[place].leg_length

    def is_kept(self, place: int) -> bool:
        """Whether the person in this place was painted before."""
        return PEOPLE.is_kept(_key(self.file, place))

    def height(self, place: int) -> float:
        """How tall the person in this place is, likewise."""
        return _archive(self.file).contents.people[place].height


def library(file: Path = SHIPPED) -> tuple[Body, ...]:
    """Everybody in the library; painting all of them takes a few seconds the first time."""
    people = Library(file)
    return tuple(people.body(place) for place in range(len(people)))


def rocketbox(folder: Path) -> Rocketbox:
    """The avatars of Microsoft Rocketbox under a folder, with the bones of the library's people."""
    contents = _archive(SHIPPED).contents
    return Rocketbox(folder, contents.bones, contents.parents)


def body_for(id: int | str, seed: int = 0, people: People | None = None) -> Body:
    """Who stands for a person: always the same for the same id and seed.

    People whose ids are numbers in a row all look different, as long as bodies last.
    """
    people = people or Library()
    return people.body(place_for(id, seed, len(people)))


def place_for(id: int | str, seed: int, count: int) -> int:
    """The place of a person's body among so many."""
    if isinstance(id, int):
        order = np.random.default_rng([seed, count]).permutation(count)
        return int(order[id % count])
    digest = hashlib.blake2b(f"{seed} {id}".encode(), digest_size=8).digest()
    return int.from_bytes(digest) % count


@cache
def _archive(file: Path) -> Archive:
    return Archive(checked_bytes(file))


@cache
def _face(file: Path) -> FaceMap:
    return face_map(*_archive(file).face())


@cache
def _body(file: Path, place: int) -> Body:
    archive = _archive(file)
    person = archive.contents.people[place]
    arrays = PEOPLE.kept(_key(file, place), lambda: prepared(archive, person, _face(file)))
    return assembled(archive.contents, person, arrays)


def _key(file: Path, place: int) -> str:
    """What a person of a library is kept by."""
    library = file.with_suffix(".sha256").read_text()
    return f"{library} {_archive(file).contents.people[place].name}"


def checked_bytes(file: Path) -> bytes:
    """The content of a library whose sum is as the file beside it (`.sha256`) says."""
    try:
        content = file.read_bytes()
        wanted = file.with_suffix(".sha256").read_text().split()[0]
    except (OSError, IndexError) as error:
        raise BadFile(
            f"{file}: the library of people or its checksum is missing; reinstall paseo"
        ) from error
    found = hashlib.sha256(content).hexdigest()
    if found != wanted:
        raise BadFile(
            f"{file}: the library of people does not match its checksum "
            f"({found[:12]}, expected {wanted[:12]}); reinstall paseo"
        )
    return content
