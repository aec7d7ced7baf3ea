"""Damage to pictures and meshes, with their sums made right again."""

import json
import random
import re
import struct
import zlib

from fuzz.mutators import nasty
from fuzz.mutators.blobs import mutated_bytes
from fuzz.mutators.trees import mutated_tree

SIGNATURE = b"\x89PNG\r\n\x1a\n"
NAMES = tuple(
    b"iCCP tEXt zTXt iTXt tRNS PLTE gAMA pHYs eXIf acTL fcTL fdAT cHRM sRGB IDAT IEND IHDR".split()
)
Chunk = tuple[bytes, bytes]


def mutated_png(content: bytes, rng: random.Random) -> bytes:
    """A PNG with a chunk changed, dropped, doubled, moved or added; its sums are right."""
    chunks = _chunks(content)
    place = rng.randrange(len(chunks))
    name, held = chunks[place]
    match rng.randrange(6):
        case 0:
            del chunks[place]
        case 1:
            chunks.insert(rng.randrange(len(chunks) + 1), chunks[place])
        case 2:
            chunks[place] = (name, mutated_bytes(held, rng))
        case 3:
            chunks[place] = (rng.choice(NAMES), held)
        case 4:
            chunks[0] = (b"IHDR", _header(chunks[0][1], rng))
        case _:
            chunks.insert(rng.randrange(len(chunks)), (rng.choice(NAMES), _held(rng)))
    return SIGNATURE + b"".join(map(_written, chunks))


def _chunks(content: bytes) -> list[Chunk]:
    found, place = [], len(SIGNATURE)
    while place + 8 <= len(content):
        size, name = struct.unpack_from(">I4s", content, place)
        found.append((name, content[place + 8 : place + 8 + size]))
        place += 12 + size
    return found


def _written(chunk: Chunk) -> bytes:
    name, held = chunk
    return struct.pack(">I", len(held)) + name + held + struct.pack(">I", zlib.crc32(name + held))


def _header(held: bytes, rng: random.Random) -> bytes:
    """Another size, depth or kind of colour; never so large that it is a bomb."""
    fields = list(struct.unpack(">IIBBBBB", held[:13].ljust(13, b"\0")))
    place = rng.randrange(7)
    fields[place] = rng.choice(
        [0, 1, 2, 3, 4, 6, 8, 16, 255] if place > 1 else [0, 1, 7, 2**31, 5000]
    )
    return struct.pack(">IIBBBBB", *fields)


def _held(rng: random.Random) -> bytes:
    name = rng.choice([b"", b"a\0", b"a\0\0", b"icc\0\x01", b"\xff\0\0", b"a" * 90 + b"\0\0"])
    packed = zlib.compress(nasty.text(rng).encode("utf-8", "replace"))
    return name + rng.choice([b"", packed, packed[:-3], rng.randbytes(8), struct.pack(">I", 2**31)])


def mutated_pgm(content: bytes, rng: random.Random) -> bytes:
    """A PGM with another word in its header."""
    words = list(re.finditer(rb"\S+", content[:20]))[:4]
    word = rng.choice(words)
    new = str(rng.choice([nasty.number(rng), "P2", "P5", "P6", "#", 3, 65_535, 65_536])).encode()
    return content[: word.start()] + new + content[word.end() :]


def mutated_glb(content: bytes, rng: random.Random) -> bytes:
    """A .glb with one thing wrong in its tree, or in the bytes behind it."""
    size = struct.unpack_from("<I", content, 12)[0]
    tree, rest = json.loads(content[20 : 20 + size]), content[20 + size :]
    if rng.random() < 0.2:
        rest = mutated_bytes(rest, rng)
    else:
        tree = mutated_tree(tree, rng)
    text = json.dumps(tree).encode()
    text += b" " * (-len(text) % 4)
    head = struct.pack("<4sII", b"glTF", 2, 20 + len(text) + len(rest))
    return head + struct.pack("<I4s", len(text), b"JSON") + text + rest
