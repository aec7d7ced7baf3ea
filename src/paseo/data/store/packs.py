"""Packs of people for the camera: known file by file, fetched from a git repository's web copy."""

import re
import shutil
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path

import msgspec

from paseo.data.store.asking import size_at
from paseo.data.store.catalog import GitFile
from paseo.data.store.download import download, from_folder, verified
from paseo.errors import BadFile, BadValue, CannotFetch, CannotWrite, UnknownName
from paseo.progress import Progress, silent

RAW = "https://raw.githubusercontent.com"
AVATARS = "Assets/Avatars"
LICENCE = "LICENSE.md"
LARGEST = 2**26  # bytes of any file of a pack
WORKERS = 8  # that ask for sizes
USUAL = "Adults,Children"
ALL = "all"
# By what the repository's readers tell; the servers tell exactly, before anything is fetched.
ABOUT = {".fbx": 600_000, "_opacity_color.tga": 2_100_000, ".tga": 12_600_000}


class PackFile(msgspec.Struct, frozen=True):
    """A file of a pack, below its folder, and the id git gives its content."""

    path: str
    digest: str


class Pack(msgspec.Struct, frozen=True, kw_only=True):
    """A pack at one commit."""

    format: str
    version: int
    name: str
    repository: str
    commit: str
    licence: str
    citation: str
    files: dict[str, str]  # always needed; checksums by path
    clips: dict[str, dict[str, str]]  # by folder and name
    avatars: dict[str, dict[str, str]]  # by group/name and path below it

    @property
    def source(self) -> str:
        """Where people look at it."""
        return f"https://github.com/{self.repository}/tree/{self.commit}"

    @property
    def licence_source(self) -> str:
        """Where people read its licence, which is fetched with it."""
        return f"https://github.com/{self.repository}/blob/{self.commit}/{LICENCE}"

    def url(self, file: PackFile) -> str:
        """Where a file is to be had."""
        return f"{RAW}/{self.repository}/{self.commit}/{file.path}"

    def part(self, avatars: Sequence[str]) -> list[PackFile]:
        """The files of these avatars and what all need, sorted by path."""
        clips = {f"{at}/{name}": id for at, each in self.clips.items() for name, id in each.items()}
        bodies = {
            f"{AVATARS}/{avatar}/{path}": id
            for avatar in avatars
            for path, id in self.avatars[avatar].items()
        }
        return [PackFile(*each) for each in sorted({**self.files, **clips, **bodies}.items())]


@cache
def rocketbox_pack() -> Pack:
    """Microsoft Rocketbox; not to be modified."""
    file = resources.files("paseo.data") / "shipped" / "rocketbox.json"
    pack = msgspec.json.decode(file.read_bytes(), type=Pack)
    if (pack.format, pack.version) != ("paseo-pack", 1):
        raise BadFile(
            f"{file}: is {pack.format} version {pack.version}, expected paseo-pack version 1; "
            "install Paseo again"
        )
    return pack


def chosen_avatars(pack: Pack, choice: str | None = None) -> list[str]:
    """The avatars that words mean: groups, names, 'all', or how many; None is the usual choice.

    So many of them are spread over the whole list, whose groups are sorted by sex.
    """
    words = (USUAL if choice is None else choice).split(",")
    if len(words) == 1 and re.fullmatch(r"\d{1,4}", words[0]):
        count, every = int(words[0]), list(pack.avatars)
        if not 1 <= count <= len(every):
            raise BadValue(f"{count} avatars were asked for, expected 1 to {len(every)}")
        return [every[place * len(every) // count] for place in range(count)]
    groups = {each.partition("/")[0] for each in pack.avatars}
    names = {each.partition("/")[2]: each for each in pack.avatars}
    found = set[str]()
    for word in words:
        if word == ALL:
            found |= set(pack.avatars)
        elif word in groups:
            found |= {each for each in pack.avatars if each.startswith(f"{word}/")}
        elif word in names:
            found.add(names[word])
        else:
            raise UnknownName("group or avatar", word, [ALL, *sorted(groups), *names])
    return sorted(found)


def about_bytes(files: Iterable[PackFile]) -> int:
    """Roughly how large files are, without asking anybody."""
    return sum(
        next((size for end, size in ABOUT.items() if each.path.endswith(end)), 0) for each in files
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class PackOptions:
    """How the files of a pack are to be had."""

    source: Path | None = None  # a copy of the repository that was brought
    mirror: str | None = None
    wait: Callable[[float], None] = time.sleep


def missing_files(files: Sequence[PackFile], folder: Path) -> list[PackFile]:
    """Those that are not in the folder as git knows them."""
    return [each for each in files if _here(each, folder) is None]


def fetch_pack(
    pack: Pack,
    files: Sequence[PackFile],
    folder: Path,
    options: PackOptions,
    progress: Progress = silent,
) -> Path:
    """Get the files that are missing, each checked by the id that git gives it; their folder.

    First all sizes are asked for. What arrived before a failure stays and is not asked for again.
    """
    missing = missing_files(files, folder)
    known = _brought(pack, missing, options) if options.source else _sized(pack, missing, options)
    total = sum(each.bytes for each in known)
    _check_room(folder, total)
    done = 0
    progress(pack.name, done, total)

    def arrived(count: int) -> None:
        nonlocal done
        done += count
        progress(pack.name, done, total)

    for each, file in zip(missing, known, strict=True):
        target = folder / each.path
        if options.source is None:
            download(file, target, mirror=options.mirror, progress=arrived, wait=options.wait)
        else:
            from_folder(file, (options.source / each.path).parent, target)
            arrived(file.bytes)
    return folder


def _here(file: PackFile, folder: Path) -> GitFile | None:
    """The file with its size if it is in the folder with the right bytes."""
    place = folder / file.path
    try:
        known = GitFile("", file.digest, place.stat().st_size)
    except OSError:
        return None
    return known if known.bytes <= LARGEST and verified(place, known) else None


def _sized(pack: Pack, files: Sequence[PackFile], options: PackOptions) -> list[GitFile]:
    """The files with the sizes that their server tells."""

    def size(file: PackFile) -> int:
        url = pack.url(file)
        return size_at(url, most=LARGEST, mirror=options.mirror, wait=options.wait)

    pool = ThreadPoolExecutor(WORKERS)
    try:
        sizes = list(pool.map(size, files))
    finally:
        pool.shutdown(cancel_futures=True)
    return [
        GitFile(pack.url(each), each.digest, count)
        for each, count in zip(files, sizes, strict=True)
    ]


def _brought(pack: Pack, files: Sequence[PackFile], options: PackOptions) -> list[GitFile]:
    """The files as a copy of the repository holds them."""
    found = []
    for each in files:
        known = _here(each, options.source or Path())
        if known is None:
            raise CannotFetch(
                f"{options.source}: has no {each.path} as {pack.repository} has it at commit "
                f"{pack.commit[:12]}; check that commit out there, or fetch without source",
                parameters=["source"],
            )
        found.append(known)
    return found


def _check_room(folder: Path, total: int) -> None:
    there = next(each for each in (folder, *folder.parents) if each.exists())
    free = shutil.disk_usage(there).free
    if total > free:
        raise CannotWrite(
            f"{folder}: needs {total / 1e6:.0f} MB and has {free / 1e6:.0f} MB of room; free some, "
            "name another folder with data, or fetch fewer avatars",
            parameters=["data", "avatars"],
        )
