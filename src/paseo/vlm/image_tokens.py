"""How many tokens a picture is billed as, by the rules that providers publish."""

import math
from collections.abc import Callable
from dataclasses import dataclass

Size = tuple[int, int]  # width and height in pixels


@dataclass(frozen=True, slots=True)
class TokenRule:
    """A provider's rule: in words, and as a function of a picture's size."""

    words: str
    tokens: Callable[[Size], int]


def _openai_tiles(size: Size) -> int:
    scale = min(1.0, 2048 / max(size), 768 / min(size))
    return _tiles((size[0] * scale, size[1] * scale), 512)


def _gemini(size: Size) -> int:
    return 258 * (1 if max(size) <= 384 else _tiles(size, 768))


def _anthropic(size: Size) -> int:
    scale = min(1.0, 1568 / max(size))
    return min(1600, math.ceil(size[0] * size[1] * scale**2 / 750))


def _tiles(size: tuple[float, float], side: int) -> int:
    # A little less than the size: a side that was scaled to 768.0000001 is no new tile.
    return math.prod(math.ceil(each / side - 1e-9) for each in size)


OPENAI = TokenRule(
    "85, and 170 for each tile of 512 px; at most 2048 px long and 768 px on the shorter side",
    lambda size: 85 + 170 * _openai_tiles(size),
)
OPENAI_MINI = TokenRule(
    "2833, and 5667 for each tile of 512 px; at most 2048 px long, 768 px on the shorter side",
    lambda size: 2833 + 5667 * _openai_tiles(size),
)
GEMINI = TokenRule("258 for each tile of 768 px; a picture of at most 384 px is one tile", _gemini)
ANTHROPIC = TokenRule(
    "One for 750 pixels, after fitting into 1568 px, and at most 1600", _anthropic
)
UNKNOWN = TokenRule("A thousand: an even number for want of a rule", lambda size: 1000)
