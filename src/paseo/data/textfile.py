"""Text and JSON files read within bounds, and the sentence for a line that is wrong."""

import gzip
import os
import zlib
from pathlib import Path

import msgspec

from paseo.errors import BadFile
from paseo.files import bounded_stream, opened

LARGEST_FILE = 256 * 2**20  # bytes after decompression; parsing takes up to ten times as much
SURELY_FINE, MOST_FOLD = 64 * 2**20, 8  # bytes of what was packed, and times what it is packed to
UNPACK = "expected at most that many of so small a file; unpack it, if it is not a trick"
MOST_LINES = 8_000_000
LONGEST_QUOTE = 40
ENDS_OF_LINES = "\n\r\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029"  # as Python splits them


def text_lines(path: Path, *, largest: int = LARGEST_FILE) -> list[str]:
    """The lines of a UTF-8 file, decompressed if its name ends in .gz; none after the last word.

    More than `largest` bytes are never held, whatever a compressed file unfolds to.
    """
    return lines_of(_bounded_bytes(path, largest), path)


def whole_text(path: Path, *, largest: int = LARGEST_FILE) -> str:
    """The same file in one piece: strings in it may hold signs at which lines would be split."""
    return text_of(_bounded_bytes(path, largest), path)


def read_json(path: Path, *, largest: int) -> object:
    """What a JSON file holds, unchecked; `BadFile` if it is no JSON or has more bytes."""
    try:
        return msgspec.json.decode(whole_text(path, largest=largest))
    except (msgspec.DecodeError, RecursionError) as error:
        raise BadFile(f"{path}: is no JSON ({error}); correct it, or fetch it again") from error


def lines_of(data: bytes, path: Path) -> list[str]:
    """The lines of a UTF-8 text that came from `path`."""
    text = text_of(data, path)
    if sum(map(text.count, ENDS_OF_LINES)) > MOST_LINES:
        raise BadFile(f"{path}: has more than {MOST_LINES} lines; split the file")
    return text.splitlines()


def most_unpacked(packed: int, largest: int) -> int:
    """How many bytes may come out of a file that has so many, where `largest` may at all."""
    return min(largest, max(SURELY_FINE, MOST_FOLD * packed))


def text_of(data: bytes, path: Path) -> str:
    """A UTF-8 text that came from `path`, without what is blank at its end; never empty."""
    try:
        text = data.decode("utf-8-sig")
        broken = data.find(b"\0")
    except UnicodeDecodeError as error:
        broken = error.start
    if broken >= 0:
        line = data.count(b"\n", 0, broken) + 1
        raise bad_line(path, f"line {line}", "is not text", "a text file in UTF-8")
    text = text.rstrip()
    if not text:
        raise BadFile(
            f"{path}: line 1 is missing, expected a text file that is not empty; save it again"
        )
    return text


def bad_line(path: Path, where: str, problem: str, expected: str) -> BadFile:
    """The error for one wrong place in a file, as in 'line 12' 'has 3 columns' 'x and y'."""
    return BadFile(f"{path}: {where} {problem}, expected {expected}; correct or remove it")


def quoted(text: str) -> str:
    """The text in quotes, cut where it is too long for a sentence."""
    return repr(text if len(text) <= LONGEST_QUOTE else text[:LONGEST_QUOTE] + "...")


def _bounded_bytes(path: Path, largest: int) -> bytes:
    try:
        with opened(path) as file:
            if path.suffix != ".gz":
                return bounded_stream(file, path, largest)
            most = most_unpacked(os.fstat(file.fileno()).st_size, largest)
            with gzip.open(file) as unpacked:
                return bounded_stream(unpacked, path, most, too_large=UNPACK)
    except (OSError, EOFError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise BadFile(
            f"{path}: cannot be read ({reason}), expected a text file, packed by gzip if its name "
            "ends in .gz; check the name or fetch the file again"
        ) from error
