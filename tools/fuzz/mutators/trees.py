"""Damage to what a file of settings says: to lists and tables of plain values."""

import copy
import random
from collections.abc import Callable
from typing import Any

from fuzz.mutators import nasty

Tree = Any
Key = str | int


def mutated_tree(tree: Tree, rng: random.Random) -> Tree:
    """A copy of the tree with one thing wrong."""
    holder = [copy.deepcopy(tree)]
    spots = list(_spots(holder))
    if rng.random() < 0.5 and len(spots) > 1:
        spots = spots[1:]  # the whole tree is seldom worth replacing
    where, key = rng.choice(spots)
    rng.choice(DAMAGES)(where, key, rng)
    return holder[0] if holder else None


def _spots(holder: Tree) -> list[tuple[Tree, Key]]:
    """Every place that holds a value, as what it is in and under which key."""
    found: list[tuple[Tree, Key]] = []
    rest: list[Tree] = [holder]
    met: set[int] = set()  # YAML has lists that hold themselves
    while rest:
        each = rest.pop()
        if id(each) in met:
            continue
        met.add(id(each))
        keys: list[Key] = list(each) if isinstance(each, dict) else list(range(len(each)))
        found += [(each, key) for key in keys]
        rest += [each[key] for key in keys if isinstance(each[key], dict | list)]
    return found


def _replace(where: Tree, key: Key, rng: random.Random) -> None:
    where[key] = nasty.value(rng)


def _shift(where: Tree, key: Key, rng: random.Random) -> None:
    where[key] = nasty.near(where[key], rng)


def _deepen(where: Tree, key: Key, rng: random.Random) -> None:
    where[key] = nasty.nest(rng)


def _drop(where: Tree, key: Key, rng: random.Random) -> None:
    del where[key]


def _rename(where: Tree, key: Key, rng: random.Random) -> None:
    if not isinstance(where, dict):
        return _replace(where, key, rng)
    items = list(where.items())
    place = list(where).index(key)
    new = rng.choice([nasty.text(rng), f"{key}x", str(key).upper(), rng.choice(items)[0]])
    items[place] = (new, items[place][1])
    where.clear()
    where.update(items)


def _add(where: Tree, key: Key, rng: random.Random) -> None:
    if isinstance(where, dict):
        where[nasty.text(rng)] = nasty.value(rng)
    else:
        where.insert(rng.randrange(len(where) + 1), nasty.value(rng))


def _double(where: Tree, key: Key, rng: random.Random) -> None:
    if isinstance(where, list):
        where.insert(int(key), copy.deepcopy(where[int(key)]))
    elif isinstance(where[key], list):
        where[key] = where[key] * 2
    else:
        where[f"{key} "] = copy.deepcopy(where[key])


def _swap(where: Tree, key: Key, rng: random.Random) -> None:
    keys = list(where) if isinstance(where, dict) else list(range(len(where)))
    other = rng.choice(keys)
    where[key], where[other] = where[other], where[key]


def _empty(where: Tree, key: Key, rng: random.Random) -> None:
    held = where[key]
    where[key] = type(held)() if isinstance(held, dict | list | str) else None


def _reverse(where: Tree, key: Key, rng: random.Random) -> None:
    if isinstance(where[key], list):
        where[key] = where[key][::-1]
    else:
        _shift(where, key, rng)


DAMAGES: tuple[Callable[[Tree, Key, random.Random], None], ...] = (
    _replace, _replace, _replace, _shift, _shift, _shift, _drop, _drop, _rename, _add, _double,
    _swap, _empty, _reverse, _deepen,
)  # fmt: skip
