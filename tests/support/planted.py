"""Programs with a fault each, which the fuzzer must find, and some without; imported by it."""

import ctypes
import itertools
import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from fuzz.target import Example, Lost, Program, Target

NOTES = "as it was"
GOOD = {"name": "cart", "speed": 1.5, "wheels": [1, 2, 3, 4]}


def make(folder: Path) -> None:
    (folder / "cart.json").write_text(json.dumps(GOOD))
    (folder / "notes").mkdir()
    (folder / "notes" / "log.txt").write_text(NOTES)


def good(words: Sequence[str]) -> int:
    """Takes what it understands, refuses the rest in a sentence."""
    if is_whole(Path(words[0])):
        return 0
    print("paseo: cart.json: is no cart; correct it", file=sys.stderr)
    return 2


def is_whole(file: Path) -> bool:
    try:
        return bool(json.loads(file.read_bytes()) == GOOD)
    except (OSError, ValueError, RecursionError):
        return False


def raises(words: Sequence[str]) -> int:
    if not is_whole(Path(words[0])):
        raise KeyError("wheels")
    return 0


def hangs(words: Sequence[str]) -> int:
    if not is_whole(Path(words[0])):
        sum(itertools.repeat(1))  # in native code, where no signal of Python's arrives
    return 0


def waits(words: Sequence[str]) -> int:
    if not is_whole(Path(words[0])):
        os.read(os.pipe()[0], 1)
    return 0


def eats(words: Sequence[str]) -> int:
    if not is_whole(Path(words[0])):
        bytearray(240 << 20)[:: 1 << 12] = b"\1" * (240 << 8)
    return good(words)


def floods(words: Sequence[str]) -> int:
    kept = []
    while not is_whole(Path(words[0])):
        kept.append(bytearray(16 << 20))
    return 0


def dies(words: Sequence[str]) -> int:
    if not is_whole(Path(words[0])):
        ctypes.string_at(0)
    return 0


def mumbles(words: Sequence[str]) -> int:
    return 0 if is_whole(Path(words[0])) else 2


def paints(words: Sequence[str]) -> int:
    if not is_whole(Path(words[0])):
        print("paseo: \x1b[31mno\x1b[0m", file=sys.stderr)
        return 2
    return 0


def takes_all(words: Sequence[str]) -> int:
    return 0


def refuses_all(words: Sequence[str]) -> int:
    print("paseo: no; go away", file=sys.stderr)
    return 2


def comes_back(here: Path, aside: Path) -> None:
    """Written again, a cart is the same."""
    if json.loads((here / "cart.json").read_bytes()) != GOOD:
        raise Lost("the cart is another when written and read again")


def scribbles(words: Sequence[str]) -> int:
    """Writes into its own example; what the next mutant meets must be the good one again."""
    told = Path("notes/log.txt")
    if told.read_text() != NOTES or Path("notes/more").exists():
        raise RuntimeError("the example is another")
    told.write_text("changed")
    Path("notes/more").mkdir()
    return good(words)


def nothing(here: Path, aside: Path) -> None:
    pass


def target(program: Program, **changes: object) -> Target:
    return Target(
        name=program.__name__,
        example=Example(name="cart", make=make),
        damaged=("cart.json",),
        command="cart.json",
        program=program,
        told="",
        **{"oracle": nothing, **changes},  # type: ignore[arg-type]
    )


PROGRAMS = (good, raises, hangs, waits, eats, floods, dies, mumbles, paints, scribbles)
TARGETS = {each.__name__: target(each) for each in PROGRAMS}
TARGETS["takes_all"] = target(takes_all, oracle=comes_back)
TARGETS["refuses_all"] = target(refuses_all)
