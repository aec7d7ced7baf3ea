"""What figures and frames say of a robot, and how wide words of a figure are."""

from bisect import bisect_left
from collections.abc import Callable
from functools import lru_cache

from paseo.render.replaying import Moment
from paseo.render.saving import printable
from paseo.world.records import Outcome

DOTS = "\N{HORIZONTAL ELLIPSIS}"


def news(moment: Moment) -> str:
    """What there is to say about a robot: how it ended and when, how often it touched people."""
    count = sum(contact.counted for contact in moment.contacts)
    contacts = f"{count} contact{'s' * (count != 1)}" if count else ""
    ending = ""
    if moment.ending:
        is_goal = moment.ending == Outcome.REACHED_GOAL
        how = "goal in" if is_goal else f"{moment.ending} at"
        ending = f"{how} {moment.snapshot.time:.1f} s"
    return ", ".join(word for word in (ending, contacts) if word)


def in_one_line(text: str) -> str:
    """With a question mark for every sign that cannot be seen, so that no name breaks a picture."""
    return "".join(sign if sign.isprintable() else "?" for sign in " ".join(text.split()))


@lru_cache(maxsize=4096)
def length(words: str, points: float, weight: str = "normal") -> float:
    """How many inches a line of text takes in matplotlib's own font."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import TextPath

    if not words.strip():
        return 0.0
    font = FontProperties(family="DejaVu Sans", weight=weight)
    return float(TextPath((0, 0), printable(words), size=points, prop=font).get_extents().x1) / 72


def shortened(words: str, room: float, points: float, weight: str = "normal") -> str:
    """As much of a line of text as fits into so many inches."""
    return cut(words, lambda line: length(line, points, weight) <= room)


def cut(words: str, fits: Callable[[str], bool]) -> str:
    """The line if it fits, else as much of its beginning as does, and three dots."""
    if fits(words):
        return words
    letters = range(1, len(words))
    kept = bisect_left(letters, True, key=lambda count: not fits(words[:count].rstrip() + DOTS))
    return words[:kept].rstrip() + DOTS if kept else ""
