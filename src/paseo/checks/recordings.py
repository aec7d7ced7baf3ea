"""The contract of a format of recording files."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

from paseo.checks.contract import ContractBroken, refuse
from paseo.data.recordings.formats import RecordingFormat
from paseo.data.recordings.sightings import Sightings
from paseo.errors import BadFile
from paseo.text import error_words

NONSENSE = ["this is no recording of anybody"]

Make = Callable[[], RecordingFormat]


def check_recording_format(make: Make, example: str, *, name: str = "example.txt") -> None:
    """Raise `ContractBroken` unless formats made by `make` read files like the `example`.

    They must find somebody in it, the same people each time, and be able to tell where a sighting
    stands; know the file by its sign, or not, but take no nonsense for one; leave the lines as they
    are; and refuse what is damaged with a `BadFile` that begins with the file's path.
    """
    format = _made(make)
    lines, path = example.splitlines(), Path(name)
    refuse([*_sign_faults(format, name, lines)])
    first = _read(format, lines, path)
    if not isinstance(first, Sightings):
        raise ContractBroken(f"sightings() returned {first!r:.80}, expected Sightings")
    if not len(first.frames):
        raise ContractBroken("nobody is seen in the example; refuse a file in which nobody is")
    refuse([*_reading_faults(make, first, lines, path), *_damage_faults(format, lines, path)])


def _made(make: Make) -> RecordingFormat:
    try:
        format = make()
    except Exception as error:
        raise ContractBroken(
            f"a format cannot be made without arguments ({error_words(error)})"
        ) from error
    for method in ("sign", "sightings"):
        if not callable(getattr(format, method, None)):
            raise ContractBroken(f"{type(format).__name__} has no method {method}()")
    return format


def _sign_faults(format: RecordingFormat, name: str, lines: list[str]) -> Iterator[str]:
    for of_name, of_lines in ((name, lines), ("nonsense.bin", NONSENSE)):
        try:
            reason = format.sign(of_name, tuple(of_lines))
        except Exception as error:
            yield f"sign() raised {type(error).__name__} on {of_name}: {error}; return ''"
            return
        if not isinstance(reason, str):
            yield f"sign() returned {reason!r:.80}, expected the reason, or an empty text"
        elif reason and of_lines is NONSENSE:
            yield f"sign() takes nonsense for its own ({reason}); return an empty text"


def _read(format: RecordingFormat, lines: list[str], path: Path) -> Sightings:
    try:
        return format.sightings(list(lines), path)
    except Exception as error:
        raise ContractBroken(
            f"sightings() raised {type(error).__name__} on the example: {error}"
        ) from error


def _reading_faults(make: Make, first: Sightings, lines: list[str], path: Path) -> Iterator[str]:
    given = list(lines)
    again = _made(make).sightings(given, path)
    if given != lines:
        yield "sightings() changes the lines it is given; copy what you want to change"
    if any(
        getattr(first, field).tobytes() != getattr(again, field).tobytes()
        for field in ("frames", "ids", "positions")
    ):
        yield "the same file is read differently the second time"
    if first.path != path:
        yield f"the sightings say they are from {first.path}, expected the path that was given"
    if not isinstance(first.where(0, 0), str) or not first.where(0, 0):
        yield "where(0, 0) does not tell where the first sighting stands, as in 'line 2'"


def _damage_faults(format: RecordingFormat, lines: list[str], path: Path) -> Iterator[str]:
    damages = {
        "nonsense": list(NONSENSE),
        "its first line alone": lines[:1],
        "its last line cut": [*lines[:-1], lines[-1][: len(lines[-1]) // 2]],
        "letters instead of digits": [re.sub(r"\d", "x", line) for line in lines],
        "numbers without end": [line.replace("1", "1e999") for line in lines],
    }
    for what, damaged in damages.items():
        try:
            format.sightings(damaged, path)
        except BadFile as error:
            if not str(error).startswith(f"{path}: "):
                yield f"{what}: the sentence does not begin with the path: {error}"
        except Exception as error:
            yield f"{what}: raised {type(error).__name__} ({error}), expected a BadFile"
