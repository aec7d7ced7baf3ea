"""Text and JSON files read within bounds, and the sentence for a line that is wrong."""

import gzip
import zlib
from pathlib import Path

import msgspec

from paseo.errors import BadFile
from paseo.files import bounded_stream

LARGEST_FILE = 256 * 2**20  # bytes after decompression; parsing takes up to ten times as much
LONGEST_QUOTE = 40


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
    return text_of(data, path).splitlines()


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
        with gzip.open(path) if path.suffix == ".gz" else path.open("rb") as file:
            return bounded_stream(file, path, largest)
    except (OSError, EOFError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise BadFile(
            f"{path}: cannot be read ({reason}), expected a text file, packed by gzip if its name "
            "ends in .gz; check the name or fetch the file again"
        ) from error
