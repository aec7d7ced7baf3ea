"""Small files that would cost much: each is made when it is asked for, none is kept."""

import gzip
import io
import json
import os
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from paseo.sim.simulate import simulate
from paseo.world.motion import Twist
from paseo.world.recordfile import record_bytes
from worlds import Driver, scenario, walk

MOST = 9_900_000  # bytes of a bomb
LEVELS = range(1, 41)
RECORD = record_bytes(
    simulate(
        scenario(walk(2, (0.0, 5.0, 1.0), (1.0, 5.0, 2.0)), time_limit=0.5),
        Driver(Twist(0.5, 0.1)),
    )
)


def merges() -> bytes:
    rows = [f"a{i}: &a{i}\n  <<: [*a{i - 1}, *a{i - 1}, *a{i - 1}]\n" for i in LEVELS]
    return "".join(["a0: &a0 {x: 1}\n", *rows]).encode()


def arrays_of(content: bytes) -> dict[str, np.ndarray]:
    with np.load(io.BytesIO(content)) as members:
        return {name: members[name] for name in members.files}


def packed(arrays: dict[str, np.ndarray]) -> bytes:
    buffer = io.BytesIO()
    np.savez_compressed(buffer, **arrays)
    return buffer.getvalue()


def record_with(change: Callable[[dict[str, Any]], None]) -> bytes:
    """A record whose header was changed."""
    arrays = arrays_of(RECORD)
    header = json.loads(arrays["header"].tobytes())
    change(header)
    arrays["header"] = np.frombuffer(json.dumps(header).encode(), np.uint8)
    return packed(arrays)


def record_of(**changes: np.ndarray) -> bytes:
    """A record with other arrays."""
    return packed({**arrays_of(RECORD), **changes})


def in_header(value: bytes) -> bytes:
    return record_of(header=np.frombuffer(value, np.uint8))


def many_members() -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for number in range(80_000):
            archive.writestr(f"{number:x}.npy", b"")
    return buffer.getvalue()


def zip_of_zeros() -> bytes:
    buffer = io.BytesIO()
    with (
        zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive,
        archive.open("a.csv", "w") as stream,
    ):
        for _ in range(200):
            stream.write(b"1," * (1 << 19))
    return buffer.getvalue()


def tar_of_zeros() -> bytes:
    """A gigabyte of zeros before what is looked for."""
    buffer, zeros = io.BytesIO(), bytes(1 << 20)
    with gzip.open(buffer, "wb", compresslevel=1) as stream:
        info = tarfile.TarInfo("a.csv")
        info.size = 1 << 30
        stream.write(info.tobuf())
        for _ in range(1 << 10):
            stream.write(zeros)
        stream.write(bytes(10240))
    return buffer.getvalue()


def png(side: int) -> bytes:
    buffer = io.BytesIO()
    Image.new("1", (side, side), 1).save(buffer, "PNG")
    return buffer.getvalue()


def far_crowd(metres: float) -> bytes:
    rows = [f"{frame},{person},{metres + frame},{person}" for frame in range(50) for person in "12"]
    return "\n".join(["frame,ped_id,x_m,y_m", *rows]).encode()


def far_suite(scale: float) -> bytes:
    """People whom a wrong transform puts far away, and who answer the robot there."""
    person = {"id": 7, "path": [[0.0, 5.0 * scale, 1.0 * scale], [4.0, 5.0 * scale, 9.0 * scale]]}
    episode = {
        "name": "far", "map": "room.txt", "start": {"x_m": 2.0, "y_m": 5.0},
        "goal": {"x_m": 3.0, "y_m": 5.0}, "time_limit_s": 4.0, "people": [person],
    }  # fmt: skip
    content = {
        "format": "paseo-suite", "version": 1, "name": "far", "episodes": [episode],
        "settings": {"reaction": {"by": "social-force"}},
    }  # fmt: skip
    return json.dumps(content).encode()


def _set(part: str, key: str, value: object) -> Callable[[dict[str, Any]], None]:
    def change(header: dict[str, Any]) -> None:
        header[part][key] = value

    return change


DOTS = ".".join("a" * 50_000).encode()
# Of each kind of file: what costs much to read, by a name.
BOMBS: dict[str, dict[str, Callable[[], bytes]]] = {
    ".toml": {
        "dotted key": lambda: DOTS + b" = 1",
        "dotted table": lambda: b"[" + DOTS + b"]",
        "many lines": lambda: b"a=1\n" * (MOST // 4),
        "many keys": lambda: b"".join(b"k%d.a.b.c.d.e.f=1\n" % n for n in range(190_000)),
        "deep": lambda: b"a = " + b"[" * (MOST // 2),
        "one string": lambda: b'a = "' + b"\\n" * (MOST // 2) + b'"',
    },
    ".yaml": {
        "merge keys": merges,
        "many values": lambda: b"[" + b"a," * (MOST // 2) + b"]",
        "many pairs": lambda: b"".join(b"k%d: 0.5\n" % n for n in range(MOST // 13)),
        "deep": lambda: b"- " * (MOST // 2),
        "sixties": lambda: b"a: 1" + b":59" * (MOST // 3),
        "directives": lambda: b"".join(b"%%TAG !a%d! b\n" % n for n in range(500_000)) + b"--- a",
    },
    ".json": {
        "deep": lambda: b"[" * MOST,
        "many objects": lambda: b"[" + b"{}," * (MOST // 3) + b"{}]",
        "a long key": lambda: b'{"' + b"k" * MOST + b'": 1}',
        "many keys": lambda: (
            b"{" + b",".join(b'"k%d":1' % n for n in range(MOST // 13)) + b"}"
        ),
        "a long number": lambda: b'{"a": ' + b"9" * MOST + b"}",
    },
    ".npz": {
        "zeros": lambda: record_of(people=np.zeros((100, 150_000, 2))),
        "many members": many_members,
        "deep header": lambda: in_header(b"[" * MOST),
        "long header": lambda: in_header(b'{"format": "' + b"a" * MOST + b'"}'),
        "a goal of a light year": lambda: record_with(_set("scenario", "goal_radius", 9.2e18)),
        "wide people": lambda: record_with(_set("scenario", "person_radius", 1e30)),
        "a wide robot": lambda: record_with(
            lambda header: header["scenario"]["robot"].update(radius=1e30)
        ),
        "people far off": lambda: record_of(people=arrays_of(RECORD)["people"] + 1e308),
        "a robot far off": lambda: record_of(robot=arrays_of(RECORD)["robot"] + 1e300),
        "large cells": lambda: record_with(_set("floorplan", "cell_size", 1e300)),
    },
    ".csv.gz": {
        "one long line": lambda: gzip.compress(b"1" * 200_000_000, 1),
        "short lines": lambda: gzip.compress(b"12\n" * 66_000_000, 1),
        "rows": lambda: gzip.compress(b"frame,ped_id,x_m,y_m\n" + b"1,1,1.0,1.0\n" * 16_000_000, 1),
    },
    ".csv": {
        "one long line": lambda: b"1," * (MOST // 2),
        "short lines": lambda: b"12\n" * (MOST // 3),
        "many frames": lambda: b"frame,ped_id,x_m,y_m\n0,1,0,0\n1000000000000,1,1,1\n",
        "far off": lambda: far_crowd(1e9),
    },
    ".zip": {"zeros": zip_of_zeros},
    ".tgz": {"zeros": tar_of_zeros},
    ".ndjson": {"deep": lambda: b"[" * MOST, "one long line": lambda: b'{"a":"' + b"a" * MOST},
    ".pgm": {
        "a comment": lambda: b"P5\n#" + b"a" * MOST + b"\n2 2\n255\n\0\0\0\0",
        "blanks": lambda: b"P5\n" + b" " * MOST,
    },
    ".png": {"many pixels": lambda: png(30_000), "cut": lambda: png(8_000)[:-50]},
    ".py": {"no Python": lambda: b"#" * MOST, "deep": lambda: b"a = " + b"(" * 1_000_000},
}  # fmt: skip


def hash_bomb(fetch: bytes) -> bytes:
    """Sixty tuples, each of which holds the last twice, as a key: 2 to the 60 steps to hash."""
    return b"\x80\x04}K\x01" + (b"q\x00" + fetch + b"\x86") * 60 + b"K\x01s."


PICKLES = {
    "a tuple of tuples as a key": hash_bomb(b"h\x00"),
    "a tuple that is doubled": b"\x80\x04}K\x01" + b"2\x86" * 60 + b"K\x01s.",
    "a tuple behind another number": hash_bomb(b"K\x010h\x00"),
    "a tuple remembered late": b"\x80\x04}K\x01" + b"K\x010q\x00h\x00\x86" * 60 + b"K\x01s.",
    "a frozen set": b"\x80\x04}(K\x01\x91K\x01s.",
    "ten million nothings": b"\x80\x04" + b"N0" * (MOST // 2) + b"N.",
    "one text as bytes, again and again": (
        b"\x80\x02(c_codecs\nencode\nq\x01X\x00\x00\x10\x00" + b"a" * (1 << 20) + b"q\x02"
        b"X\x06\x00\x00\x00latin1q\x03" + b"h\x01h\x02h\x03\x86R" * 2000 + b"l."
    ),
}


def spilled(folder: Path, suffix: str, name: str) -> Path:
    """A bomb, or something that is no file: a device that never ends, a pipe nobody writes to."""
    path = folder / f"bomb{suffix}"
    if name == "a device":
        path.symlink_to("/dev/zero")
    elif name == "a pipe":
        os.mkfifo(path)
    elif name == "a hole":
        with path.open("wb") as stream:
            stream.truncate(1 << 40)
    else:
        path.write_bytes(BOMBS[suffix][name]())
        assert path.stat().st_size < 10_000_000
    return path
