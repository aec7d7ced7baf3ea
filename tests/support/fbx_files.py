"""FBX files written from nodes, whole or with something wrong in them."""

import random
import struct
from pathlib import Path
from typing import Any

import numpy as np

from paseo.camera.people.rocketbox.fbx import MAGIC, Node

ARRAYS = {"float32": b"f", "float64": b"d", "int64": b"l", "int32": b"i", "bool": b"b"}
EXTREMES = (0, 1, -1, 2**31 - 1, -(2**31), 2**16, float("nan"), float("inf"), 1e300, -1e300)


def write_fbx(file: Path, root: Node) -> None:
    """Write the nodes inside a root as binary FBX 7.4, nothing compressed."""
    content = MAGIC + struct.pack("<I", 7400)
    for node in root.inside:
        content += _node(node, len(content))
    file.write_bytes(content + bytes(13))


def _node(node: Node, start: int) -> bytes:
    name, values = node.name.encode(), b"".join(_value(each) for each in node.values)
    place = start + 13 + len(name) + len(values)
    inside = b""
    for each in node.inside:
        inside += _node(each, place + len(inside))
    if node.inside:
        inside += bytes(13)
    head = struct.pack("<IIIB", place + len(inside), len(node.values), len(values), len(name))
    return head + name + values + inside


def _value(value: Any) -> bytes:
    if isinstance(value, np.ndarray):
        raw = value.tobytes()
        return ARRAYS[value.dtype.name] + struct.pack("<III", len(value), 0, len(raw)) + raw
    if isinstance(value, str | bytes):
        raw = value.encode("latin-1") if isinstance(value, str) else value
        return (b"S" if isinstance(value, str) else b"R") + struct.pack("<I", len(raw)) + raw
    if isinstance(value, bool):
        return b"C" + struct.pack("<?", value)
    if isinstance(value, int):
        return b"L" + struct.pack("<q", value)
    return b"D" + struct.pack("<d", value)


def spoiled(root: Node, rng: random.Random) -> Node:
    """The same nodes with one to three things wrong somewhere."""
    for _ in range(rng.randint(1, 3)):
        root = _spoiled_once(root, rng)
    return root


def _spoiled_once(node: Node, rng: random.Random) -> Node:
    inside = list(node.inside)
    if inside and rng.random() < 0.85:
        place = rng.randrange(len(inside))
        if rng.random() < 0.1:
            del inside[place]
        elif rng.random() < 0.1:
            inside.append(rng.choice(inside))
        else:
            inside[place] = _spoiled_once(inside[place], rng)
        return Node(node.name, node.values, inside)
    values = list(node.values)
    if values and rng.random() < 0.95:
        place = rng.randrange(len(values))
        values[place] = _spoiled_value(values[place], rng)
        return Node(node.name, tuple(values), inside)
    return Node(rng.choice(["", "Model", "Vertices", node.name[::-1]]), tuple(values), inside)


def _spoiled_value(value: Any, rng: random.Random) -> Any:
    if not isinstance(value, np.ndarray) or not len(value):
        return rng.choice([0, -1, 2**40, "", "Bip01 L Thigh", 1e300, float("nan"), b"", value])
    way = rng.random()
    if way < 0.2:
        return value[: rng.randrange(len(value))]
    if way < 0.3:
        return value.astype(rng.choice(["float32", "int32", "float64"]))
    if way < 0.4:
        return np.concatenate([value, value])
    changed = value.astype(np.float64)
    changed[rng.randrange(len(value))] = rng.choice(EXTREMES)
    with np.errstate(invalid="ignore", over="ignore"):
        return changed.astype(value.dtype)
