"""Log-probabilities of tokens, as far as providers tell them: bounded, whatever a server says."""

import math
from collections import deque
from collections.abc import Iterable

from paseo.text import hidden
from paseo.vlm.models import Token

MOST_TOKENS = 512  # of a reply, its last ones: that is where answers stand
MOST_TOLD = 20  # alternatives at each place
LONGEST = 200  # characters of a token
LEAST = -1000.0  # what is less likely is not told apart

Told = tuple[object, object]  # the text of a token and its log-probability


def tokens_in(told: Iterable[tuple[Told, Iterable[Told]]]) -> tuple[Token, ...]:
    """The last tokens of a reply, each with those that could have stood there."""
    kept: deque[tuple[Told, Iterable[Told]]] = deque(told, maxlen=MOST_TOKENS)
    return tuple(_token(said, others) for said, others in kept)


def _token(said: Told, others: Iterable[Told]) -> Token:
    listed: dict[str, float] = {}
    for text, chance in (said, *list(others)[:MOST_TOLD]):
        if isinstance(text, str) and isinstance(chance, int | float) and not math.isnan(chance):
            listed.setdefault(text[:LONGEST], min(max(float(chance), LEAST), 0.0))
    return Token(text=str(said[0])[:LONGEST], chances=tuple(listed.items()))


def without_secrets(tokens: tuple[Token, ...], keys: Iterable[str]) -> tuple[Token, ...]:
    """The tokens; none of them where they spell a key."""
    spelled = "".join(token.text for token in tokens)
    listed = "\n".join(text for token in tokens for text, _ in token.chances)
    said = f"{spelled}\n{listed}"
    return tokens if hidden(said, keys) == said else ()
