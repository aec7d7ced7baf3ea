"""Words that must fit: made one line, and cut where the room ends."""

from bisect import bisect_left
from collections.abc import Callable

DOTS = "\N{HORIZONTAL ELLIPSIS}"


def in_one_line(text: str) -> str:
    """With a question mark for every sign that cannot be seen, so that no name breaks a picture."""
    return "".join(sign if sign.isprintable() else "?" for sign in " ".join(text.split()))


def cut(words: str, fits: Callable[[str], bool]) -> str:
    """The line if it fits, else as much of its beginning as does, and three dots."""
    if fits(words):
        return words
    letters = range(1, len(words))
    kept = bisect_left(letters, True, key=lambda count: not fits(words[:count].rstrip() + DOTS))
    return words[:kept].rstrip() + DOTS if kept else ""
