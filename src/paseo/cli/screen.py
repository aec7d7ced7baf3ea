"""What a person sees: data on stdout, talk and progress bars on stderr, whatever the words."""

import codecs
import io
import json
import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any, Literal, NoReturn, TextIO

from paseo.progress import Progress
from paseo.text import all_storable, in_lines, in_short, keys_in, without_keys

LONGEST_UNIT = 60  # characters of what a bar counts
# Our own signs where an output has no letter for them; all others are spelled as in Python.
PLAIN = {
    "±": "+/-",
    "·": "-",
    "…": "...",
    "\N{MULTIPLICATION SIGN}": "x",
    "²": "2",
    "³": "3",
    "●": "*",
    "○": "o",
}


class ReaderGone(Exception):
    """Whoever read stdout has seen enough, as in `| head -1`."""


def make_ready() -> None:
    """See to it that the input and both outputs are there, and that these take any letter.

    One that was closed from outside (`>&-`) is as if nobody looked at it. Its number must not be
    left to the next file that is opened: what a library prints would be written into that.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)  # takes the smallest number
    sys.stdin = sys.stdin or _nowhere("r")
    sys.stdout = sys.stdout or _nowhere("w")
    sys.stderr = sys.stderr or _nowhere("w")
    codecs.register_error("paseo.plain", _plain)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="paseo.plain")


def _nowhere(mode: Literal["r", "w"]) -> TextIO:
    return Path(os.devnull).open(mode, encoding="utf-8")


def _plain(error: UnicodeError) -> tuple[str | bytes, int]:
    """What is written in place of a letter that an output's encoding does not have."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    sign = error.object[error.start]
    return PLAIN.get(sign, sign.encode("unicode_escape").decode()), error.start + 1


def let_go() -> None:
    """Write what is left; an output that takes no more must not fail again when Python ends."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):  # of a stream that somebody's code has closed
            _forget(stream)


def _forget(stream: TextIO) -> None:
    with suppress(OSError, ValueError), Path(os.devnull).open("w") as nowhere:
        os.dup2(nowhere.fileno(), stream.fileno())


@contextmanager
def stdout() -> Iterator[TextIO]:
    """Where data goes, all of it written in the end; `ReaderGone` if nobody wants more."""
    try:
        yield sys.stdout
        sys.stdout.flush()
    except BrokenPipeError as error:
        raise ReaderGone from error


def output(data: object) -> None:
    """Print data: a table, a path, lines for a program."""
    with stdout() as stream:
        print(in_lines(str(data)), file=stream)


def json_text(content: Any) -> str:
    """Data for a program, in signs that every screen and every reader of JSON takes."""
    text = json.dumps(all_storable(content), indent=1)
    return text.replace("\x7f", "\\u007f")


def say(message: str) -> None:
    """A line of talk, on stderr; where that is gone, nobody is told and the work goes on."""
    _talk(f"paseo: {in_short(without_keys(message, keys_in(os.environ)))}\n")


def interrupt(message: str) -> None:
    """The same on a line of its own, below a bar that somebody's Ctrl-C has broken off."""
    _talk("\n")
    say(message)


def answer(question: str) -> str:
    """The line that whoever sits at the terminal types; nothing where nobody does."""
    if not sys.stdin.isatty():
        return ""
    _talk(f"paseo: {in_short(question)} ")
    return sys.stdin.readline().strip()


def _talk(text: str) -> None:
    try:
        sys.stderr.write(text)
        sys.stderr.flush()
    except (OSError, ValueError):
        _forget(sys.stderr)


@contextmanager
def bar(unit: str) -> Iterator[Progress]:
    """A bar that shows whatever it is told; where stderr is no terminal, nothing."""
    from tqdm import tqdm  # not needed for a word of help

    with tqdm(unit=unit, unit_scale=unit == "B", disable=None, file=sys.stderr) as shown:

        def progress(what: str, done: int, total: int) -> None:
            shown.set_description_str(in_short(what, LONGEST_UNIT), refresh=False)
            shown.total = total or None
            shown.update(done - shown.n)

        yield progress


@contextmanager
def bars() -> Iterator[Progress]:
    """A bar for each kind of thing that is counted; what cannot be counted is said in a line."""
    from tqdm import tqdm

    with ExitStack() as shown:
        by_unit: dict[str, tqdm[NoReturn]] = {}

        def progress(what: str, done: int, total: int) -> None:
            if not total:
                with tqdm.external_write_mode(file=sys.stderr):  # above the bars, if there are any
                    say(what)
                return
            if what not in by_unit:
                unit = in_short(what, LONGEST_UNIT)
                fresh = tqdm(unit=unit, total=total, disable=None, file=sys.stderr)
                by_unit[what] = shown.enter_context(fresh)
            by_unit[what].update(done - by_unit[what].n)

        yield progress
