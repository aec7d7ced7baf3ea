"""Damage to text: to words, lines and cells, and to what JSON, TOML and YAML say."""

import json
import random
import re
import tomllib
from collections.abc import Callable
from typing import Any

import tomli_w
import yaml

from fuzz.mutators import nasty
from fuzz.mutators.trees import Tree, mutated_tree

WORD = re.compile(r"[^\s,;:=\[\]{}()\"']+|\"[^\"\n]*\"")
YAML_WORDS = (
    "&a [*a]", "*a", "!!python/object:os.system {}", "!!binary AAAA", "!!set {a}", "2001-01-01",
    "1:59:59.5", "0o17", ".inf", ".nan", "~", "<<: *a", "? a", "!!float x", "|\n  a", "0x_",
    "190:20", "!!bool x", "!!int ''", "!!timestamp x", "2001-01-01T00:00:00+99:99", "1__0", "- -",
)  # fmt: skip


def mutated_words(content: bytes, rng: random.Random) -> bytes:
    """The text with one word, line or cell replaced, dropped, doubled or moved."""
    text = content.decode("utf-8", "surrogateescape")
    return rng.choice(TEXT_DAMAGES)(text, rng).encode("utf-8", "surrogatepass")


def mutated_json(content: bytes, rng: random.Random) -> bytes:
    """The JSON with one thing wrong in what it says."""
    if rng.random() < 0.1:
        return _doubled_key(content, rng)
    return _json(mutated_tree(json.loads(content), rng))


def mutated_json_line(content: bytes, rng: random.Random) -> bytes:
    """One line of JSON with one thing wrong."""
    lines = content.splitlines(keepends=True)
    place = rng.randrange(len(lines))
    lines[place] = _json(mutated_tree(json.loads(lines[place]), rng)) + b"\n"
    return b"".join(lines)


def mutated_toml(content: bytes, rng: random.Random) -> bytes:
    """The TOML with one thing wrong in what it says."""
    return tomli_w.dumps(mutated_tree(tomllib.loads(content.decode()), rng)).encode()


def mutated_yaml(content: bytes, rng: random.Random) -> bytes:
    """The YAML with one thing wrong, or with a word that only YAML knows."""
    if rng.random() < 0.3:
        return _words(content.decode(), rng, rng.choice(YAML_WORDS)).encode()
    tree = mutated_tree(yaml.safe_load(content), rng)
    return yaml.safe_dump(tree, sort_keys=False).encode()


def _json(tree: Tree) -> bytes:
    try:
        return json.dumps(tree).encode()
    except RecursionError:  # the only nests deeper than json writes are made by `nasty.nest`
        return b"[" * 20_000 + b"]" * 20_000


def _doubled_key(content: bytes, rng: random.Random) -> bytes:
    """The same key twice in one table, with another value, which parsers let pass."""
    keys = list(re.finditer(rb'"[^"\n]*"\s*:', content))
    if not keys:
        return content + b" 1"
    key = rng.choice(keys)
    return content[: key.start()] + key[0] + _json(nasty.value(rng)) + b"," + content[key.start() :]


def _words(text: str, rng: random.Random, new: str) -> str:
    found = list(WORD.finditer(text))
    if not found:
        return text + new
    word = rng.choice(found)
    return text[: word.start()] + new + text[word.end() :]


def _word(text: str, rng: random.Random) -> str:
    return _words(text, rng, str(nasty.value(rng)))


def _digits(text: str, rng: random.Random) -> str:
    """A number that is another number."""
    found = list(re.finditer(r"-?\d+(\.\d+)?", text))
    if not found:
        return _word(text, rng)
    word = rng.choice(found)
    old: Any = float(word[0]) if "." in word[0] else int(word[0])
    return text[: word.start()] + str(nasty.near(old, rng)) + text[word.end() :]


def _line(text: str, rng: random.Random) -> str:
    lines = text.splitlines(keepends=True) or [""]
    here, there = (rng.randrange(len(lines)) for _ in range(2))
    match rng.randrange(5):
        case 0:
            del lines[here]
        case 1:
            lines.insert(here, lines[there])
        case 2:
            lines[here], lines[there] = lines[there], lines[here]
        case 3:
            lines[here] = nasty.text(rng) + "\n"
        case _:
            lines = lines[: here + 1] * 2 + lines[here + 1 :]
    return "".join(lines)


def _cell(text: str, rng: random.Random) -> str:
    """A cell of a table without a word in it, or one too many or too few."""
    separator = max(",", "\t", " ", ";", key=text.count)
    lines = text.splitlines(keepends=True) or [""]
    here = rng.randrange(len(lines))
    cells = lines[here].rstrip("\n").split(separator)
    place = rng.randrange(len(cells))
    match rng.randrange(4):
        case 0:
            del cells[place]
        case 1:
            cells.insert(place, cells[place])
        case 2:
            cells[place] = str(nasty.number(rng))
        case _:
            cells[place] = nasty.text(rng)
    lines[here] = separator.join(cells) + "\n"
    return "".join(lines)


def _line_ends(text: str, rng: random.Random) -> str:
    return text.replace("\n", rng.choice(["\r\n", "\r", "\n\n", "\u2028", "\x0b", ""]))


TEXT_DAMAGES: tuple[Callable[[str, random.Random], str], ...] = (
    _word, _word, _digits, _digits, _line, _cell, _cell, _line_ends,
)  # fmt: skip
