"""What is fuzzed: a kind of file, how a good one is made, who reads it, and what then must hold."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

Maker = Callable[[Path], None]  # fills an empty folder
Program = Callable[[Sequence[str]], int]  # words in, an exit code out
Oracle = Callable[[Path, Path], None]  # the folder that was accepted, and one to write into


class Lost(Exception):
    """Something was accepted that does not come back as it went in."""


class Verdict(StrEnum):
    """What became of a mutant."""

    ACCEPTED = "accepted"
    REFUSED = "refused"
    TRACEBACK = "traceback"
    HANG = "hang"
    MEMORY = "memory"
    LOST = "lost"  # accepted, and not the same when written and read again
    WORDS = "words"  # told in something else than a sentence


FAILURES = tuple(set(Verdict) - {Verdict.ACCEPTED, Verdict.REFUSED})


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """Good files, made by Paseo itself."""

    name: str
    make: Maker


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What no command may take to read a file of a few kilobytes."""

    cpu_s: float = 10.0
    mib: float = 1024.0
    silence_s: float = 60.0  # asleep, waiting for something that does not come


def paseo(words: Sequence[str]) -> int:
    """The command line."""
    from fuzz.warming import warm
    from paseo.cli.main import main

    warm()
    return main(words)


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """One kind of file before one command."""

    name: str
    example: Example
    damaged: tuple[str, ...]  # patterns of the files that are damaged, one at a time
    command: str  # run in the folder of the example; OUT is a folder that may be written to
    oracle: Oracle
    told: str  # what the oracle holds, in words
    accepted: str = ""  # what is said where the file was taken, if the command fails even then
    codes: tuple[int, ...] = (0,)  # of success
    program: Program = paseo


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """How one mutant fared."""

    target: str
    number: int
    verdict: Verdict
    where: str = ""  # it failed, the same for failures of one cause
    words: str = ""  # what there is to say about it
    cpu_s: float = 0.0
    peak_mib: float = 0.0
