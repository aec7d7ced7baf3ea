"""Values that readers of files stumble over: numbers, texts and nests of them."""

import math
import random
from typing import Any

NUMBERS: tuple[Any, ...] = (
    0, -0.0, 1, -1, 2, 7, 255, 65_536, 2**31 - 1, 2**31, -(2**31) - 1, 2**53 + 1, 2**63 - 1, 2**63,
    -(2**63) - 1, 2**64, 10**20, 10**400, 5e-324, 1e-9, 0.5, 1e6, 1e9, 1e30, 1e308, -1e308,
    math.nan, math.inf, -math.inf, True, False,
)  # fmt: skip
TEXTS: tuple[str, ...] = (
    "", " ", "\0", "a\nb", "\r", "\t", "\x1b[31mred\x1b[0m", "\x1b]0;title\x07", "\ud800",
    "a\udfff", "\ufeff", "\u202e", "e\u0301", "\u0663", "\u00b2", "\uff11", "x" * 5000, "9" * 5000,
    "99999999999999999999", "-", "--help", "../../x", "/", ".", "..", "~", "nowhere.json", "=1+1",
    "<b>", "|", "%s", "{0}", "$x$", "nan", "inf", "-inf", "1e400", "1_000", "0x10", "1,5", "null",
    "true", "robot", "0", "-1", "1.5",
)  # fmt: skip
DEPTHS = (2, 40, 1100, 20_000)


def number(rng: random.Random) -> Any:
    """A number, or what JSON or Python take for one."""
    return rng.choice(NUMBERS)


def text(rng: random.Random) -> str:
    """A text."""
    return rng.choice(TEXTS)


def value(rng: random.Random) -> Any:
    """Anything that stands in a file of settings."""
    kind = rng.randrange(12)
    if kind < 5:
        return number(rng)
    if kind < 9:
        return text(rng)
    return rng.choice([None, [], {}, [None], [[]], {"": {}}, [1, "a", None], [0.0] * 7])


def near(value: object, rng: random.Random) -> Any:
    """Another value of the same kind, not far off: what is wrong and does not look it."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + rng.choice([-1, 1, 2, 10, -value, -2 * value])
    if isinstance(value, float):
        return rng.choice([value * 10, -value, value / 7, value + 1e-9, float(round(value)), 0.0])
    if isinstance(value, str):
        place = rng.randrange(len(value) + 1)
        cut = value[:place] + value[place + 1 :]
        return rng.choice(
            [cut, value + value, value.upper(), value[::-1], value + " ", f"{value}_"]
        )
    return [value]


def nest(rng: random.Random) -> Any:
    """Lists or tables in each other, a few or very many."""
    inner: Any = None
    for _ in range(rng.choice(DEPTHS)):
        inner = [inner] if rng.random() < 0.5 else {"a": inner}
    return inner
