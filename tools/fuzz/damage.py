"""Which file of an example is damaged, by which chance, and how it is put in its place."""

import os
import random
import shutil
from pathlib import Path

from fuzz.mutators.files import Odd
from fuzz.target import Target


def chance(seed: str, target: str, number: int) -> random.Random:
    """What decides one mutant: nothing else does."""
    return random.Random(f"{seed} {target} {number}")


def files_of(target: Target, example: Path) -> list[str]:
    """The files of an example that are damaged, sorted."""
    found = {each for pattern in target.damaged for each in example.glob(pattern)}
    return sorted(str(each.relative_to(example)) for each in found if each.is_file())


def lay(place: Path, damage: bytes | Odd, *, stamp: int) -> None:
    """Put a mutant in a file's place; no cache takes it for another, as its time is its own."""
    remove(place)
    match damage:
        case Odd.MISSING:
            return
        case Odd.FOLDER:
            place.mkdir()
        case Odd.LOOP:
            place.symlink_to(place.name)
            return
        case Odd.EMPTY:
            place.write_bytes(b"")
        case bytes():
            place.write_bytes(damage)
    when = 1_600_000_000 * 10**9 + stamp * 10**9
    os.utime(place, ns=(when, when))


def remove(place: Path) -> None:
    """Take away a file, a link or a folder, if it is there."""
    if place.is_dir() and not place.is_symlink():
        shutil.rmtree(place)
    else:
        place.unlink(missing_ok=True)
