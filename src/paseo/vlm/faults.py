"""What can be wrong with a reply: models are written by anybody, and servers say anything."""

import math

from paseo.vlm.likelihoods import MOST_TOKENS as MOST_LIKELIHOODS
from paseo.vlm.models import Reply, Token, Usage

LONGEST_TEXT = 8 << 20  # characters
MOST_TOKENS = 10**9  # of one request
MOST_COUNTED = 10**8  # of one kind, whatever a server tells


def reply_faults(reply: object) -> list[str]:
    """What keeps a reply from being stored and counted, in words; empty if nothing does."""
    if not isinstance(reply, Reply):
        return [f"ask() returned {type(reply).__name__}, expected a Reply"]
    faults = []
    for field in ("text", "ending", "model", "thoughts"):
        value = getattr(reply, field)
        if not isinstance(value, str):
            faults.append(f"the reply's {field} is {value!r:.80}, expected text")
        elif len(value) > LONGEST_TEXT:
            faults.append(f"the reply's {field} is longer than {LONGEST_TEXT} characters")
    if not isinstance(reply.latency_s, int | float) or not 0 <= reply.latency_s < math.inf:
        faults.append(f"the reply's latency_s is {reply.latency_s!r:.80}, expected seconds")
    if not _are_tokens(reply.tokens):
        faults.append(f"the reply's tokens are {reply.tokens!r:.80}, expected those of `tokens_in`")
    return faults + _usage_faults(reply.usage)


def _are_tokens(tokens: object) -> bool:
    return (
        isinstance(tokens, tuple)
        and len(tokens) <= MOST_LIKELIHOODS
        and all(isinstance(each, Token) for each in tokens)
    )


def _usage_faults(usage: object) -> list[str]:
    if usage is None:
        return []
    if not isinstance(usage, Usage):
        return [f"the reply's usage is {usage!r:.80}, expected Usage or None"]
    counts = {name: getattr(usage, name) for name in Usage.__slots__}
    return [
        f"the reply's {name} is {count!r:.80}, expected a number from 0 to {MOST_TOKENS}"
        for name, count in counts.items()
        if not isinstance(count, int) or not 0 <= count <= MOST_TOKENS
    ]


def token_count(said: object) -> int:
    """The number of tokens that a server told of; 0 for what is none, and never absurd."""
    if not isinstance(said, int | float) or math.isnan(said):
        return 0
    return int(min(max(said, 0), MOST_COUNTED))
