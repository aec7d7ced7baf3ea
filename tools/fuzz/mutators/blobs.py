"""Damage to bytes, whatever they mean."""

import random
from collections.abc import Callable

MOST_ADDED = 4096  # bytes; bombs are tested elsewhere
ENDINGS = (b"\0", b"\xff", b"\xff\xff\xff\xff", b"\n", b"\x80", b"\x7f\xff\xff\xff")


def mutated_bytes(content: bytes, rng: random.Random) -> bytes:
    """The bytes with one thing wrong."""
    if not content:
        return rng.randbytes(rng.randrange(1, 64))
    return rng.choice(DAMAGES)(content, rng)


def _flip(content: bytes, rng: random.Random) -> bytes:
    changed = bytearray(content)
    for _ in range(rng.choice([1, 1, 2, 8])):
        changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
    return bytes(changed)


def _overwrite(content: bytes, rng: random.Random) -> bytes:
    place, new = rng.randrange(len(content)), rng.choice(ENDINGS)
    return content[:place] + new + content[place + len(new) :]


def _cut_end(content: bytes, rng: random.Random) -> bytes:
    return content[: rng.randrange(len(content))]


def _cut_out(content: bytes, rng: random.Random) -> bytes:
    start = rng.randrange(len(content))
    return content[:start] + content[start + rng.randrange(1, 64) :]


def _insert(content: bytes, rng: random.Random) -> bytes:
    place = rng.randrange(len(content) + 1)
    new = rng.choice([rng.randbytes(rng.randrange(1, 64)), rng.choice(ENDINGS)])
    return content[:place] + new + content[place:]


def _double(content: bytes, rng: random.Random) -> bytes:
    start = rng.randrange(len(content))
    block = content[start : start + rng.randrange(1, MOST_ADDED)]
    return content[:start] + block * rng.choice([2, 2, 3]) + content[start + len(block) :]


def _splice(content: bytes, rng: random.Random) -> bytes:
    """A piece of it in place of another."""
    size = rng.randrange(1, max(2, min(MOST_ADDED, len(content))))
    here, there = (rng.randrange(len(content)) for _ in range(2))
    return content[:here] + content[there : there + size] + content[here + size :]


def _prepend(content: bytes, rng: random.Random) -> bytes:
    return rng.choice([b"\xef\xbb\xbf", b"\xff\xfe", b"\0", b"#", b"\n", b"PK\x03\x04"]) + content


DAMAGES: tuple[Callable[[bytes, random.Random], bytes], ...] = (
    _flip, _flip, _flip, _overwrite, _cut_end, _cut_out, _insert, _double, _splice, _prepend,
)  # fmt: skip
