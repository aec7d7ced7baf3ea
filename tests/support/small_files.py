"""Small good files of every ending that the fuzzer knows, and mutants of them."""

import io
import json
import pickle
import sqlite3
import zipfile
from contextlib import closing

import numpy as np
from fuzz.damage import chance
from fuzz.mutators.files import Odd, mutant
from PIL import Image


def samples() -> dict[str, bytes]:
    """A small good file for each ending that is known."""
    text = b'{"a": [1, 2.5, "x"], "b": {"c": null}}'
    picture, arrays, packed = io.BytesIO(), io.BytesIO(), io.BytesIO()
    Image.new("L", (3, 2), 7).save(picture, "PNG")
    np.savez(arrays, header=np.frombuffer(text, np.uint8), robot=np.ones((3, 2)))
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr(zipfile.ZipInfo("in.csv"), "a,b\n1,2\n")
    with closing(sqlite3.connect(":memory:")) as db:
        db.execute("CREATE TABLE t (a, b)")
        db.execute("INSERT INTO t VALUES (1, 'x')")
        db.commit()
        stored = db.serialize()
    held = json.dumps({"asset": {"version": "2.0"}}).encode() + b"  "
    chunk = len(held).to_bytes(4, "little") + b"JSON" + held
    whole = (12 + len(chunk)).to_bytes(4, "little")
    known = {
        ".png": picture.getvalue(),
        ".pgm": b"P5\n2 1\n255\n\x00\xff",
        ".npz": arrays.getvalue(),
        ".zip": packed.getvalue(),
        ".sqlite": stored,
        ".pkl": pickle.dumps({"position": np.ones((3, 2)), "yaw": np.ones(3)}),
        ".glb": b"glTF\x02\0\0\0" + whole + chunk,
        ".json": text,
        ".gltf": text,
        ".jsonl": text + b"\n" + text + b"\n",
        ".ndjson": text + b"\n",
        ".toml": b'a = [1, 2.5]\n[b]\nc = "x"\n',
        ".yaml": b"a: [1, 2.5]\nb:\n  c: x\n",
        ".jpg": b"\xff\xd8\xff\xe0 and so on",
    }
    return known | dict.fromkeys([".csv", ".txt", ".vsp", ".obj", ".mtl", ".poly"], b"a,b\n1,2\n")


def mutants(ending: str, content: bytes) -> list[bytes | Odd]:
    name = f"file{ending}"
    return [mutant(name, content, chance("seed", ending, number)) for number in range(60)]
