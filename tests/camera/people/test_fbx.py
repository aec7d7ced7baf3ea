"""FBX files and textures that somebody spoiled: one sentence each, and soon."""

import random
import struct
import time
import zlib
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from fbx_files import spoiled, write_fbx
from paseo.camera.people.library import Library
from paseo.camera.people.rocketbox import avatars
from paseo.camera.people.rocketbox.avatars import Rocketbox
from paseo.camera.people.rocketbox.fbx import DEEPEST, MAGIC, Node, read_fbx
from paseo.camera.people.rocketbox.takes import TICKS, read_take
from paseo.camera.people.rocketbox.textures import KEPT, read_texture, textured
from paseo.errors import BadFile

OLD, NEW = struct.pack("<I", 7400), struct.pack("<I", 7700)
AVATAR = "Assets/Avatars/Children/Male_Child_01/Export/Male_Child_01.fbx"
CLIP = "Assets/Animations/all_animations_max_motextr_xy/m_walk_neutral.max.fbx"


def tga(width: int, height: int, *, packed: int = 0) -> bytes:
    """The header of a TGA picture of true colours."""
    return struct.pack("<BBBHHBHHHHBB", 0, 0, 2 + packed, 0, 0, 0, 0, 0, width, height, 24, 0)


def array(kind: bytes, count: int, packed: int, raw: bytes) -> bytes:
    return kind + struct.pack("<III", count, packed, len(raw)) + raw


def node(values: bytes, count: int = 1, end: int | None = None) -> bytes:
    """A file with one node, which ends where it should unless told."""
    start = len(MAGIC) + 4 + 13 + 1
    head = struct.pack("<IIIB", start + len(values) if end is None else end, count, 0, 1)
    return MAGIC + OLD + head + b"A" + values


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"solid cube", "is no binary FBX file"),
        (MAGIC, "is cut off"),
        (MAGIC + struct.pack("<I", 8000), "is FBX 8, expected 7 at most"),
        (node(b"", count=3, end=99), "is cut off"),
        (node(array(b"d", 2**31, 0, b"")), "is cut off"),
        (node(array(b"d", 2**25, 1, zlib.compress(bytes(2**20)))), "is cut off"),
        (node(array(b"i", 4, 1, zlib.compress(bytes(2**20)))), "is cut off"),
        (node(b"S" + struct.pack("<I", 2**32 - 1)), "is cut off"),
        (node(b"?"), "is cut off"),
        (node(b"", count=2**32 - 1), "is cut off"),
        (node(b"", count=0, end=3), "is cut off"),
        (MAGIC + NEW + struct.pack("<QQQB", 2**63, 1, 1, 1) + b"A", "is cut off"),
    ],
    ids=["text", "no version", "version", "short", "count", "bomb", "longer", "string"]
    + ["unknown kind", "values", "backwards", "wide"],
)
def test_files_that_cannot_be_read_are_named(tmp_path: Path, content: bytes, said: str) -> None:
    (tmp_path / "a.fbx").write_bytes(content)
    with pytest.raises(BadFile, match=f"a.fbx: .*{said}"):
        read_fbx(tmp_path / "a.fbx")


def test_nodes_inside_nodes_without_end_are_refused(tmp_path: Path) -> None:
    deep = Node("A")
    for _ in range(DEEPEST + 2):
        deep = Node("A", (), [deep])
    write_fbx(tmp_path / "a.fbx", Node("", (), [deep]))
    with pytest.raises(BadFile, match="cut off or broken"):
        read_fbx(tmp_path / "a.fbx")


def test_what_is_written_is_read(tmp_path: Path) -> None:
    inner = Node("Model", (5, "Bip01 Pelvis", 1.5, np.arange(4.0), b"raw"))
    write_fbx(tmp_path / "a.fbx", Node("", (), [Node("Objects", (), [inner]), Node("Takes")]))
    found = read_fbx(tmp_path / "a.fbx").first("Objects")
    assert found is not None and found.inside[0].values[:3] == (5, "Bip01 Pelvis", 1.5)
    np.testing.assert_array_equal(found.inside[0].values[3], np.arange(4.0))


def test_bones_that_hang_on_each_other_in_a_circle_are_one_sentence(tmp_path: Path) -> None:
    keys = Node("AnimationCurve", (9,), [
        Node("KeyTime", (np.array([0, TICKS], np.int64),)),
        Node("KeyValueFloat", (np.array([0.0, 1.0], np.float32),)),
    ])  # fmt: skip
    models = [Node("Model", (1, "Bip01 Pelvis")), Node("Model", (2, "Bip01 Spine"))]
    links = [("OO", 1, 2), ("OO", 2, 1), ("OP", 9, 8, "d|X"), ("OP", 8, 1, "Lcl Rotation")]
    objects = Node("Objects", (), [*models, keys])
    connections = Node("Connections", (), [Node("C", link) for link in links])
    write_fbx(tmp_path / "a.fbx", Node("", (), [objects, connections]))
    with pytest.raises(BadFile, match="its motion cannot be followed"):
        read_take(tmp_path / "a.fbx")


@pytest.mark.slow
@pytest.mark.recordings
@pytest.mark.parametrize("path", [AVATAR, CLIP])
def test_spoiled_files_are_read_or_refused_and_never_fall(
    data_dir: Path, tmp_path: Path, path: str
) -> None:
    whole = read_fbx(data_dir / "rocketbox" / path)
    kept = [each for each in whole.inside if each.name in ("Objects", "Connections")]
    file = tmp_path / path
    file.parent.mkdir(parents=True)
    skeleton = Library().body(0).skeleton
    pack = Rocketbox(tmp_path, skeleton.names, tuple(skeleton.parents.tolist()))
    refused = 0
    for seed in range(400):
        rng = random.Random(seed)
        write_fbx(file, Node("", (), [spoiled(each, rng) for each in kept]))
        avatars._body.cache_clear()
        read_take.cache_clear()
        started = time.process_time()
        try:
            pack.body(0) if path is AVATAR else read_take(file)
        except BadFile as error:
            refused += 1
            assert str(error).startswith(f"{file}: ") and "\n" not in str(error)
        assert time.process_time() - started < 5.0
    assert 50 < refused < 400


@pytest.mark.slow
@pytest.mark.recordings
def test_files_with_bytes_changed_or_cut_never_fall(data_dir: Path, tmp_path: Path) -> None:
    whole, file = (data_dir / "rocketbox" / CLIP).read_bytes(), tmp_path / "a.fbx"
    for seed in range(800):
        rng = random.Random(seed)
        content = bytearray(whole[: rng.randrange(len(whole))] if seed % 3 == 0 else whole)
        for _ in range(rng.choice((1, 4, 32))):
            content[rng.randrange(len(content))] = rng.choice((0, 255, 127, rng.randrange(256)))
        file.write_bytes(content)
        try:
            read_fbx(file)
        except BadFile as error:
            assert str(error).startswith(f"{file}: ")


def test_large_textures_are_made_smaller(tmp_path: Path) -> None:
    wide = np.zeros((16, 4 * KEPT, 3), np.uint8)
    wide[..., 0] = 200
    Image.fromarray(wide).save(tmp_path / "a.tga")
    picture = read_texture(tmp_path / "a.tga")
    assert picture.shape == (4, KEPT, 4)
    assert (picture == (200, 0, 0, 255)).all()


def test_edges_of_hair_keep_their_colour_when_made_smaller(tmp_path: Path) -> None:
    hair = np.full((64, 64, 4), (120, 80, 40, 0), np.uint8)
    hair[:, ::2, 3] = 255  # every other column is cut away
    Image.fromarray(hair).save(tmp_path / "a.png")
    picture = read_texture(tmp_path / "a.png", kept=32)
    assert (picture[..., :3] == (120, 80, 40)).all()
    assert abs(int(picture[0, 0, 3]) - 128) < 2


def test_only_hair_is_cut_out_by_its_alpha(tmp_path: Path) -> None:
    half = np.full((8, 8, 4), 90, np.uint8)
    for name in ("f001_opacity", "f001_body"):
        Image.fromarray(half).save(tmp_path / f"{name}_color.tga")
    hair, clothes = (textured(name, (), tmp_path) for name in ("f001_opacity", "f001_body"))
    assert hair.alpha_tested and hair.texture is not None and hair.texture[0, 0, 3] == 90
    assert not clothes.alpha_tested and clothes.texture is not None
    assert (clothes.texture[..., 3] == 255).all() and clothes.texture[0, 0, 0] == 90


def test_the_picture_that_the_avatar_names_comes_first(tmp_path: Path) -> None:
    Image.fromarray(np.full((8, 8, 3), 10, np.uint8)).save(tmp_path / "m7_skin.png")
    Image.fromarray(np.full((8, 8, 3), 99, np.uint8)).save(tmp_path / "m1_head_color.tga")
    texture = textured("m1_head", ("m7_skin",), tmp_path).texture
    assert texture is not None and texture[0, 0, 0] == 10


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "cannot be read as a TGA or PNG"),
        (b"\x89PNG\r\n\x1a\n" + bytes(40), "cannot be read as a TGA or PNG"),
        (tga(60000, 60000), "has too many pixels, expected at most 8192 a side"),
        (tga(9000, 9), "is 9000 x 9 pixels, expected at most 8192 a side"),
        (tga(12000, 9000), "is 12000 x 9000 pixels"),
        (tga(900, 900), "cannot be read"),
        (tga(9, 9, packed=8) + b"\xff", "cannot be read"),
    ],
    ids=["empty", "no header", "bomb", "wide", "large", "no pixels", "cut off"],
)
def test_pictures_that_cannot_be_read_are_named(tmp_path: Path, content: bytes, said: str) -> None:
    (tmp_path / "a.tga").write_bytes(content)
    with pytest.raises(BadFile, match=f"a.tga: .*{said}"):
        read_texture(tmp_path / "a.tga")
