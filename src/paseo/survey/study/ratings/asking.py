"""What is asked about clips: a file that a person can read and edit before the first answer."""

from collections.abc import Sequence
from enum import Enum
from pathlib import Path
from typing import Annotated, Any

import msgspec
import tomli_w

from paseo.data.settings_file import Entry, Share, converted, read_settings
from paseo.errors import BadFile, BadValue, UnknownName
from paseo.parsing.toml import toml_value
from paseo.survey.study.texts import Text, shipped

RATINGS = "ratings.toml"
ASPECTS = "aspects.toml"
FEWEST_POINTS, MOST_POINTS = 2, 11  # of a scale
LONGEST_CONTEXT = 500  # characters
HEAD = """\
# What is asked about the clips; edit it before the first answer. `points` are those of the scale
# (0: none, clips are only compared); `pairs` compares each clip with another drive through its
# episode by each aspect ("aspect"), once in all ("overall") or not ("none"). `again` is the share
# of clips that people see twice, and `context` a sentence that is shown beside every clip. Aspects
# of your own have a `key` of small letters, and more is better on every scale.

"""


class Pairs(Enum):
    """What is asked about two clips of one episode."""

    ASPECT = "aspect"  # which is better, by each aspect
    OVERALL = "overall"  # which is better, all in all
    NONE = "none"


class Aspect(Entry, frozen=True):
    """Something by which robots are rated, in words."""

    key: Annotated[str, msgspec.Meta(pattern=r"\A[a-z][a-z_]{0,39}\Z")]
    question: Text
    pair: Text  # what is asked about two clips
    low: Text  # the ends of the scale
    high: Text
    told: Annotated[str, msgspec.Meta(max_length=2000)] = ""


Aspects = Annotated[list[Aspect], msgspec.Meta(min_length=1, max_length=10)]


class Asking(Entry, frozen=True, kw_only=True):
    """What is asked about clips."""

    points: Annotated[int, msgspec.Meta(ge=0, le=MOST_POINTS)] = 7  # 0: there is no scale
    pairs: Pairs = Pairs.ASPECT
    no_difference: bool = True  # whether that may be said of two clips
    again: Share = 0.25  # of the clips
    context: Annotated[str, msgspec.Meta(max_length=LONGEST_CONTEXT)] = ""
    overall: Text = "All in all, in which clip did the robot behave better?"
    aspects: Aspects

    @property
    def compared(self) -> Sequence[Aspect]:
        """By what two clips are compared."""
        once = Aspect(key="overall", question=self.overall, pair=self.overall, low="-", high="-")
        return {Pairs.ASPECT: self.aspects, Pairs.OVERALL: [once], Pairs.NONE: []}[self.pairs]

    @property
    def scale(self) -> tuple[str, ...]:
        """The points, from the lowest."""
        return tuple(str(point) for point in range(1, self.points + 1))


class _Shipped(Entry, frozen=True):
    aspects: Aspects


def aspects_called(keys: Sequence[str]) -> list[Aspect]:
    """Aspects that come with Paseo, by their names."""
    known = {
        each.key: each for each in msgspec.convert(toml_value(shipped(ASPECTS)), _Shipped).aspects
    }
    for key in keys:
        if key not in known:
            raise UnknownName("aspect", key, known)
    if not keys or len(set(keys)) < len(keys):
        raise BadValue("ask names no aspect, or one twice; name each once", parameters=("ask",))
    return [known[key] for key in keys]


def new_asking(**chosen: Any) -> Asking:
    """What is asked, by its names in the file; `BadValue` where it cannot be."""
    try:
        plain = {name: msgspec.to_builtins(value) for name, value in chosen.items()}
        asking = converted(plain, Asking, where="what is asked")
        check_asking(asking, "what is asked")
    except BadFile as error:
        raise BadValue(str(error)) from error
    return asking


def check_asking(asking: Asking, where: str) -> None:
    """Raise `BadFile` where this cannot be asked."""
    if asking.points and asking.points < FEWEST_POINTS:
        raise BadFile(
            f"{where}: points: is {asking.points}, expected {FEWEST_POINTS} to {MOST_POINTS}, or 0 "
            "for no scale"
        )
    if not asking.points and asking.pairs is Pairs.NONE:
        raise BadFile(
            f"{where}: there is neither a scale nor a choice between two, so that nothing is "
            'asked; set points, or pairs = "aspect"'
        )
    keys = [each.key for each in asking.aspects]
    if len(set(keys)) < len(keys):
        raise BadFile(f"{where}: aspects: two have the same key; rename one")


def asking_text(asking: Asking) -> str:
    """What is asked, as a file with a word on it."""
    content = msgspec.to_builtins(asking)
    usual = Asking(aspects=asking.aspects)
    for name in usual.__struct_fields__:  # all of it can be edited, so all of it is there
        content.setdefault(name, msgspec.to_builtins(getattr(usual, name)))
    ordered = {name: content[name] for name in usual.__struct_fields__}
    return HEAD + tomli_w.dumps(ordered)


def read_asking(path: Path) -> Asking:
    """What a file asks."""
    asking = read_settings(path, Asking)
    check_asking(asking, str(path))
    return asking
