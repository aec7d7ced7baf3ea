"""Bombs in what is rarely another's: meshes, films, priorities, logs of inspect_ai, databases."""

import io
import json
import shutil
import sqlite3
import struct
import zipfile
import zlib
from collections.abc import Callable
from contextlib import closing
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from ballots import label_file
from bombs import BOMBS
from costs import check_cost, cost_of
from exams import scene_folder
from paseo.cli.main import main
from paseo.suite.running import run
from paseo.suite.runs.planning import RunOptions
from runs import course
from studies import tiny_study
from tiny_scenes import clip_content, write_json

pytestmark = pytest.mark.slow
MOST = 9_900_000
ENDLESS = (
    "CREATE VIEW {} AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) "
    "SELECT {} FROM n"
)
LONG = "hex(zeroblob(30000000))"  # 60 MB in every row


def gltf(**parts: object) -> bytes:
    return json.dumps({"asset": {"version": "2.0"}, **parts}).encode()


def glb(**parts: object) -> bytes:
    words = gltf(**parts)
    words += b" " * (-len(words) % 4)
    inside = struct.pack("<I4s", len(words), b"JSON") + words
    return struct.pack("<4sII", b"glTF", 2, 12 + len(inside)) + inside


def accessor(count: int) -> dict[str, object]:
    """A triangle mesh whose points are said to be so many, of a buffer said to be as long."""
    return {
        "buffers": [{"byteLength": 12 * count}],
        "bufferViews": [{"buffer": 0, "byteLength": 12 * count}],
        "accessors": [{"bufferView": 0, "componentType": 5126, "count": count, "type": "VEC3"}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
        "nodes": [{"mesh": 0}],
        "scenes": [{"nodes": [0]}],
    }


def nested(levels: int) -> dict[str, object]:
    """Nodes of which each holds the next twice: 2 to the `levels` in all."""
    nodes = [{"children": [k + 1, k + 1]} for k in range(levels)]
    return {**accessor(3), "nodes": [*nodes, {"mesh": 0}], "scenes": [{"nodes": [0]}]}


def zip_of(megabytes: int, piece: bytes, said: int | None = None) -> bytes:
    """A packed log whose header is so long; said to be of `said` bytes, which begin alike."""
    stream, content = io.BytesIO(), piece * (1_000_000 // len(piece))
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        with archive.open("header.json", "w") as part:
            for _ in range(megabytes):
                part.write(content)
        if said is not None:
            (info,) = archive.infolist()
            info.file_size, info.CRC = said, zlib.crc32(content[:said])
    return stream.getvalue()


MESHES: dict[str, Callable[[], bytes]] = {
    "a.glb": lambda: glb(**accessor(1_000_000_000)),
    "b.glb": lambda: glb(**nested(40)),
    "c.glb": lambda: struct.pack("<4sIII4s", b"glTF", 2, 0xFFFFFFFF, 0xFFFFFFF0, b"JSON"),
    "a.gltf": lambda: b'{"asset":' * 1_000_000,
    "b.gltf": lambda: gltf(nodes=[{"children": [0]}], scenes=[{"nodes": [0]}]),
    "a.obj": lambda: b"v 0 0 0\nf 1 1 " + b"1 " * (MOST // 2 - 20) + b"\n",
    "b.obj": lambda: b"v 0 0 0\nf 999999999 2147483647 4294967296\n",
}


@pytest.mark.parametrize("name", MESHES)
def test_a_mesh(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(MESHES[name]())
    words = ["render", "scripted_eth_against", "--time-s", "0", "--mesh", name, "--out", "out"]
    check_cost(cost_of(words, tmp_path))


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small run of two planners."""
    folder = tmp_path_factory.mktemp("finished")
    options = RunOptions(runner="serial")
    target = course(folder, "one", time_limit_s=0.5)
    run(target, ["stop", "straight"], out=folder / "run", options=options)
    return folder / "run"


@pytest.mark.parametrize(
    ("suffix", "name"), [(suffix, name) for suffix in (".toml", ".json") for name in BOMBS[suffix]]
)
def test_priorities(tmp_path: Path, finished: Path, suffix: str, name: str) -> None:
    (tmp_path / f"bomb{suffix}").write_bytes(BOMBS[suffix][name]())
    check_cost(cost_of(["compare", str(finished), "--priorities", f"bomb{suffix}"], tmp_path))


def write_labels(folder: Path) -> None:
    """What people said of a scene."""
    place = folder / "human_labels" / "a"
    place.mkdir(parents=True)
    write_json(place / "common_answers.json", label_file("a"))


def nested_log() -> bytes:
    """A packed log whose header has lists in lists, each of which is closed."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("header.json", b"[" * 40_000 + b"]" * 40_000)
    return stream.getvalue()


LOGS: dict[str, Callable[[], bytes]] = {
    "deep.eval": lambda: zip_of(1500, b"["),
    "nested.eval": nested_log,
    "lists.eval": lambda: zip_of(100, b"[],"),
    "long.eval": lambda: zip_of(1000, b"a"),
    "liar.eval": lambda: zip_of(1000, b"a", said=10),
    "deep.json": lambda: b'{"version":2,"eval":' + b"[" * (MOST - 100),
    "nested.json": lambda: b'{"version":2,"eval":' + b"[" * 40_000 + b"]" * 40_000 + b"}",
    "many.json": lambda: b'{"version":2,"samples":[' + b"{}," * (MOST // 3 - 100) + b"{}]}",
}


@pytest.mark.parametrize("name", LOGS)
def test_a_log_of_inspect(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(LOGS[name]())
    write_labels(tmp_path)
    check_cost(cost_of(["score", name, "--labels", "."], tmp_path))


@pytest.fixture(scope="module")
def exam(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A whole exam about one scene."""
    folder = tmp_path_factory.mktemp("exam")
    words = ["--scenes", str(scene_folder(folder / "scenes", "a")), "--out", str(folder / "exam")]
    assert main(["ask", "scripted/constant", *words]) == 0
    return folder


def with_view(path: Path, table: str) -> None:
    """In the place of a table a view of it that never ends."""
    with closing(sqlite3.connect(path)) as db:
        fields = [row[1] for row in db.execute(f"PRAGMA table_info({table})")]
        db.execute("PRAGMA foreign_keys = OFF")
        db.execute(f"DROP TABLE {table}")
        db.execute(ENDLESS.format(table, ", ".join(f"i AS {field}" for field in fields)))
        db.commit()


def with_long_texts(path: Path, table: str, field: str) -> None:
    """A table in which a text is computed, and long, in each of many rows."""
    with closing(sqlite3.connect(path)) as db:
        db.execute(f"ALTER TABLE {table} RENAME COLUMN {field} TO before")
        db.execute(f"ALTER TABLE {table} ADD COLUMN {field} TEXT AS ({LONG})")
        db.commit()


@pytest.mark.parametrize(
    "command", [["score", "--labels", "."], ["exam", "show", "--out", "out.html"]]
)
@pytest.mark.parametrize("how", ["view", "texts"])
def test_replies_of_an_exam(tmp_path: Path, exam: Path, command: list[str], how: str) -> None:
    shutil.copytree(exam / "exam", tmp_path / "exam")
    write_labels(tmp_path)
    replies = tmp_path / "exam" / "replies.sqlite"
    if how == "view":
        with_view(replies, "replies")
    else:
        with_long_texts(replies, "replies", "text")
    cost = cost_of([*command, "exam"], tmp_path)
    check_cost(cost)
    assert "is computed" in cost.told


@pytest.mark.parametrize("how", ["view", "texts"])
def test_answers_of_a_study(tmp_path: Path, how: str) -> None:
    study = tiny_study(tmp_path / "study")
    assert main(["survey", "status", str(study.folder)]) == 0
    if how == "view":
        with_view(study.database, "answers")
    else:
        with_long_texts(study.database, "people", "name")
    cost = cost_of(["survey", "status", "study"], tmp_path)
    check_cost(cost)
    assert "is computed" in cost.told


def film(path: Path, side: int, frames: int) -> None:
    """A film of nothing, of which only the first picture is whole."""
    av = pytest.importorskip("av")
    with av.open(str(path), "w") as container:
        stream = container.add_stream("mpeg4", rate=Fraction(100), options={"g": "1000000"})
        stream.width, stream.height, stream.pix_fmt = side, side, "yuv420p"
        frame = av.VideoFrame.from_ndarray(np.zeros((side, side, 3), np.uint8), format="rgb24")
        for number in range(frames):
            frame.pts = number
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))


@pytest.mark.parametrize(("side", "frames"), [(8000, 2), (16, 200_000)])
def test_a_film(tmp_path: Path, side: int, frames: int) -> None:
    """One is wide; of the other all must be decoded to see the moment that is asked for."""
    film(tmp_path / "clip.mp4", side, frames)
    assert (tmp_path / "clip.mp4").stat().st_size < MOST
    robot = [{"time_s": t, "x_m": 0.0, "y_m": 0.0, "heading_deg": 0.0} for t in (0.0, 5000.0)]
    content = clip_content(start_s=1990.0, robot=robot, people=[])
    write_json(tmp_path / "tracks.json", content)
    words = ["scenes", "import", "clip.mp4", "tracks.json", "--out", "out"]
    check_cost(cost_of(words, tmp_path), may_be_read=True)
