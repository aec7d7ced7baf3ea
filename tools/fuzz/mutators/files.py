"""A damaged file from a good one: by its ending, with what is known of such files."""

import random
from collections.abc import Callable, Sequence
from enum import Enum
from pathlib import PurePath

from fuzz.mutators import containers, pictures, texts
from fuzz.mutators.blobs import mutated_bytes

Mutator = Callable[[bytes, random.Random], bytes]
TRIES = 8
STRUCTURED = 0.7  # of all mutants know what kind of file they are
ODD = 0.02


class Odd(Enum):
    """What may lie in a file's place instead of another file."""

    MISSING = "missing"
    FOLDER = "folder"
    LOOP = "a link to itself"
    EMPTY = "empty"


BY_ENDING: dict[str, tuple[Mutator, ...]] = {
    ".json": (texts.mutated_json, texts.mutated_json, texts.mutated_words),
    ".gltf": (texts.mutated_json, texts.mutated_json, texts.mutated_words),
    ".jsonl": (texts.mutated_json_line, texts.mutated_json_line, texts.mutated_words),
    ".ndjson": (texts.mutated_json_line, texts.mutated_json_line, texts.mutated_words),
    ".toml": (texts.mutated_toml, texts.mutated_toml, texts.mutated_words),
    ".yaml": (texts.mutated_yaml, texts.mutated_yaml, texts.mutated_words),
    ".npz": (containers.mutated_npz,),
    ".sqlite": (containers.mutated_sqlite,),
    ".pkl": (containers.mutated_pickle,),
    ".png": (pictures.mutated_png,),
    ".pgm": (pictures.mutated_pgm,),
    ".glb": (pictures.mutated_glb,),
    **dict.fromkeys((".csv", ".txt", ".vsp", ".obj", ".mtl", ".poly"), (texts.mutated_words,)),
}


def mutant(name: str, content: bytes, rng: random.Random) -> bytes | Odd:
    """What takes the place of a good file: never the file itself, the same for the same chance."""
    if rng.random() < ODD:
        return rng.choice(list(Odd))
    for _ in range(TRIES):
        changed = content
        for _ in range(rng.choice([1, 1, 1, 2, 3])):
            changed = mutated_file(name, changed, rng)
        if changed != content:
            return changed
    return content + b"\0"


def mutated_file(name: str, content: bytes, rng: random.Random) -> bytes:
    """The content of a file of this name with one thing wrong."""
    known = _known(name)
    if known and rng.random() < STRUCTURED:
        try:
            return rng.choice(known)(content, rng)
        except Exception:  # what is damaged already is not understood; bytes always are
            return mutated_bytes(content, rng)
    return mutated_bytes(content, rng)


def _known(name: str) -> Sequence[Mutator]:
    path = PurePath(name)
    if path.suffix == ".gz":
        return [lambda held, rng: containers.mutated_gzip(path.stem, held, rng, mutated_file)]
    if path.suffix in (".zip", ".eval"):
        return [lambda held, rng: containers.mutated_zip(held, rng, mutated_file)]
    return BY_ENDING.get(path.suffix.lower(), ())
