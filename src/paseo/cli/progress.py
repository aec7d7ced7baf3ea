"""Progress bars on stderr, for whoever sits before a terminal."""

import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import NoReturn

from paseo.progress import Progress


@contextmanager
def bar(unit: str) -> Iterator[Progress]:
    """A bar that shows whatever it is told; where stderr is no terminal, nothing."""
    from tqdm import tqdm  # not needed for a word of help

    with tqdm(unit=unit, unit_scale=unit == "B", disable=None, file=sys.stderr) as shown:

        def progress(what: str, done: int, total: int) -> None:
            shown.set_description_str(what, refresh=False)
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
                tqdm.write(f"paseo: {what}", file=sys.stderr)  # above the bars, if there are any
                return
            if what not in by_unit:
                fresh = tqdm(unit=what, total=total, disable=None, file=sys.stderr)
                by_unit[what] = shown.enter_context(fresh)
            by_unit[what].update(done - by_unit[what].n)

        yield progress


def say(message: str) -> None:
    """A line of talk, on stderr."""
    print(f"paseo: {message}", file=sys.stderr)
