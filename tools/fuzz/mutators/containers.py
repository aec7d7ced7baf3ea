"""Damage to what lies in containers: arrays, archives, databases and pickles."""

import gzip
import io
import json
import pickle
import random
import sqlite3
import warnings
import zipfile
from collections.abc import Callable
from contextlib import closing
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fuzz.mutators import nasty
from fuzz.mutators.blobs import mutated_bytes
from fuzz.mutators.trees import mutated_tree

Array = NDArray[Any]
Inner = Callable[[str, bytes, random.Random], bytes]  # damages a file of that name
KINDS = (
    "float32",
    "float64",
    ">f8",
    "int8",
    "int64",
    "uint8",
    "bool",
    "complex128",
    "U3",
    "S3",
    "M8[s]",
)


def mutated_npz(content: bytes, rng: random.Random) -> bytes:
    """Arrays in a .npz with one of them changed, missing, doubled or spelled wrong."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        members = [(name, archive.read(name)) for name in archive.namelist()]
    place = rng.randrange(len(members))
    name, held = members[place]
    kind = rng.randrange(8)
    if kind == 0:
        del members[place]
    elif kind == 1:
        members.append((rng.choice([name, f"{name}x", nasty.text(rng) or "x", "../x.npy"]), held))
    elif kind == 2:
        members[place] = (name, mutated_bytes(held[:128], rng) + held[128:])
    else:
        members[place] = (name, _npy(_array(np.load(io.BytesIO(held)), rng)))
    return _zip(members)


def _array(array: Array, rng: random.Random) -> Array:
    if array.dtype == np.uint8 and bytes(array[:1]) == b"{" and rng.random() < 0.8:
        text = json.dumps(mutated_tree(json.loads(array.tobytes()), rng)).encode()
        return np.frombuffer(text, np.uint8)
    return rng.choice([_values, _values, _values, _retyped, _reshaped, _longer])(array, rng)


def _values(array: Array, rng: random.Random) -> Array:
    changed = array.copy()
    if not changed.size:
        return _longer(array, rng)
    with np.errstate(all="ignore"):
        for _ in range(rng.choice([1, 1, 3, changed.size])):
            new = nasty.number(rng)
            try:
                changed.flat[rng.randrange(changed.size)] = new
            except (OverflowError, ValueError):
                changed.flat[rng.randrange(changed.size)] = 0
    return changed


def _retyped(array: Array, rng: random.Random) -> Array:
    with np.errstate(all="ignore"):
        return array.astype(rng.choice(KINDS), casting="unsafe")


def _reshaped(array: Array, rng: random.Random) -> Array:
    return rng.choice([array.ravel(), array[None], array[:0], array.T, array[..., :1]])


def _longer(array: Array, rng: random.Random) -> Array:
    if not array.ndim:
        return array[None]
    return rng.choice([array[:-1], array[1:], np.concatenate([array, array[-1:]]), array[::-1]])


def _npy(array: Array) -> bytes:
    buffer = io.BytesIO()
    np.lib.format.write_array(buffer, np.asarray(array), allow_pickle=False)
    return buffer.getvalue()


def _zip(members: list[tuple[str, bytes]]) -> bytes:
    buffer = io.BytesIO()
    with (
        warnings.catch_warnings(action="ignore"),  # two members of one name are meant
        zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive,
    ):
        for name, held in members:
            archive.writestr(zipfile.ZipInfo(name.encode("utf-8", "replace").decode()), held)
    return buffer.getvalue()


def mutated_zip(content: bytes, rng: random.Random, inner: Inner) -> bytes:
    """A .zip with one member changed as files of its name are, or another name."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        members = [(name, archive.read(name)) for name in archive.namelist()]
    place = rng.randrange(len(members))
    name, held = members[place]
    new = nasty.text(rng) or "x" if rng.random() < 0.2 else name
    members[place] = (new, inner(name, held, rng))
    return _zip(members)


def mutated_gzip(name: str, content: bytes, rng: random.Random, inner: Inner) -> bytes:
    """What is packed, changed as files of the inner name are."""
    return gzip.compress(inner(name, gzip.decompress(content), rng), mtime=0)


def mutated_sqlite(content: bytes, rng: random.Random) -> bytes:
    """A database with a cell, a row, a table or a word of its schema changed."""
    with closing(sqlite3.connect(":memory:")) as db:
        # One that was written with a log beside it cannot be opened in memory.
        db.deserialize(content[:18] + b"\x01\x01" + content[20:])
        query = "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name"
        tables = [row[0] for row in db.execute(query)]
        rng.choice([_cell, _cell, _cell, _cell, _row, _schema])(db, rng.choice(tables), rng)
        db.commit()
        return db.serialize()


def _cell(db: sqlite3.Connection, table: str, rng: random.Random) -> None:
    columns = [row[1] for row in db.execute(f"PRAGMA table_info({table})")]
    new = nasty.value(rng) if rng.random() < 0.7 else b"\xff\0\x80"
    if isinstance(new, list | dict | tuple):
        new = json.dumps(new)
    some = f"WHERE rowid = {rng.randrange(1, 30)}" if rng.random() < 0.7 else ""
    try:
        db.execute(f"UPDATE OR IGNORE {table} SET {rng.choice(columns)} = ? {some}", [new])
    except (OverflowError, UnicodeEncodeError, sqlite3.IntegrityError):
        db.execute(f"UPDATE OR IGNORE {table} SET {rng.choice(columns)} = x'ff00' {some}")


def _row(db: sqlite3.Connection, table: str, rng: random.Random) -> None:
    db.execute(f"DELETE FROM {table} WHERE rowid % {rng.choice([1, 2, 7])} = 0")


def _schema(db: sqlite3.Connection, table: str, rng: random.Random) -> None:
    columns = [row[1] for row in db.execute(f"PRAGMA table_info({table})")]
    match rng.randrange(4):
        case 0:
            db.execute(f"DROP TABLE {table}")
        case 1:
            db.execute(f"ALTER TABLE {table} RENAME TO gone")
        case 2:
            db.execute(f"ALTER TABLE {table} RENAME COLUMN {rng.choice(columns)} TO other")
        case _:
            db.execute(f"PRAGMA user_version = {rng.choice([0, 2, 2**31 - 1])}")


def mutated_pickle(content: bytes, rng: random.Random) -> bytes:
    """A pickle of our own with a value changed, in any protocol."""
    tree = pickle.loads(content)  # noqa: S301  one that we made
    key = rng.choice(list(tree))
    held = tree[key]
    tree[key] = _array(held, rng) if isinstance(held, np.ndarray) else mutated_tree(held, rng)
    if rng.random() < 0.3:
        tree[key] = nasty.value(rng)
    if rng.random() < 0.1:
        tree = rng.choice([[tree], {**tree, "more": object}, (tree,), {"a": tree}])
    return pickle.dumps(tree, protocol=rng.randrange(6))
