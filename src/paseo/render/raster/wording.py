"""Words that must fit: broken into lines, or cut where the room ends."""

import re
from bisect import bisect_left
from collections.abc import Callable

DOTS = "\N{HORIZONTAL ELLIPSIS}"


def wrapped(words: str, fits: Callable[[str], bool]) -> list[str]:
    """The words in lines that fit, broken at spaces, else after a sign, else anywhere."""
    lines, line = [], ""
    for piece in re.findall(r"\s*[^\s\-_/:=.,]*[\-_/:=.,]*", words.strip())[:-1]:
        whole = line + piece if line else piece.strip()
        if fits(whole):
            line = whole
            continue
        lines += [line] * bool(line)
        line = piece.strip()
        while len(line) > 1 and not fits(line):
            kept = max(1, bisect_left(range(1, len(line)), True, key=lambda n: not fits(line[:n])))
            lines.append(line[:kept])
            line = line[kept:]
    return [*lines, line]


def cut(words: str, fits: Callable[[str], bool]) -> str:
    """The line if it fits, else as much of its beginning as does, and three dots."""
    if fits(words):
        return words
    letters = range(1, len(words))
    kept = bisect_left(letters, True, key=lambda count: not fits(words[:count].rstrip() + DOTS))
    return words[:kept].rstrip() + DOTS if kept else ""
