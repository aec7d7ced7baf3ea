"""Who may come in and how often: the public address, secrets of browsers, limits."""

import re
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field

from paseo.errors import BadValue

SESSION = re.compile(r"[A-Za-z0-9_-]{32}")
MOST_KNOWN = 20_000  # keys that are remembered at a time
ORIGIN = re.compile(r"https?://[A-Za-z0-9.:\[\]-]+")


def public_origin(url: str) -> str:
    """The origin of a public address: a scheme and a host, without a path."""
    bare = url.rstrip("/")
    if not ORIGIN.fullmatch(bare):
        raise BadValue(
            f"public_url is '{url[:100]}', expected a scheme and a host and nothing else, such as "
            "https://study.example.org",
            parameters=("public_url",),
        )
    return bare.lower()


def new_session() -> str:
    """A secret for somebody's browser."""
    return secrets.token_urlsafe(24)


@dataclass(slots=True, eq=False)
class Limit:
    """So many requests at once, and so many in a second after that, of everybody by a key."""

    at_once: float
    per_second: float
    clock: Callable[[], float]
    _left: dict[str, tuple[float, float]] = field(default_factory=dict)

    def allows(self, key: str) -> bool:
        """Whether one more may pass; it is counted if so."""
        now = self.clock()
        left, then = self._left.pop(key, (self.at_once, now))
        left = min(self.at_once, left + (now - then) * self.per_second)
        passes = left >= 1.0
        self._left[key] = (left - 1.0 if passes else left, now)
        if len(self._left) > MOST_KNOWN:  # who was seen last stays
            del self._left[next(iter(self._left))]
        return passes
