"""Progress bars on stderr, for whoever sits before a terminal."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from tqdm import tqdm

from paseo.progress import Progress


@contextmanager
def bar(unit: str) -> Iterator[Progress]:
    """A bar that shows whatever it is told; where stderr is no terminal, nothing."""
    with tqdm(unit=unit, disable=None, file=sys.stderr) as shown:

        def progress(what: str, done: int, total: int) -> None:
            shown.set_description_str(what, refresh=False)
            shown.total = total or None
            shown.update(done - shown.n)

        yield progress


def say(message: str) -> None:
    """A line of talk, on stderr."""
    print(f"paseo: {message}", file=sys.stderr)
