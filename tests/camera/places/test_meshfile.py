"""Meshes of one's own: what is read of them, and what of broken and hostile ones is told."""

import json
import math
import struct
import zlib
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from paseo.camera.lens.projection import pixel_rays
from paseo.camera.meshes import Surface
from paseo.camera.places.meshfile import MOST_TRIANGLES, place_from_file
from paseo.camera.places.places import open_ground
from paseo.camera.scene import joined
from paseo.errors import BadFile
from paseo.world.cameras import level_camera
from paseo.world.motion import Pose

pytestmark = pytest.mark.extra("mesh")
CUBE = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], np.float32)
FACES = np.array(
    [[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1],
     [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3]], np.uint16,
)  # fmt: skip


def picture(colour: tuple[int, int, int, int]) -> bytes:
    stream = BytesIO()
    Image.new("RGBA", (8, 8), colour).save(stream, "PNG")
    return stream.getvalue()


def gltf(**change: object) -> dict[str, object]:
    """A cube, 1 m up, turned by 90 degrees about the upright and twice as large, red by texture."""
    points, faces = CUBE.tobytes(), FACES.tobytes()
    uv = ((CUBE[:, :2] + 1) / 2).astype(np.float32).tobytes()
    return {
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [
            {"children": [1], "translation": [3, 2, -4]},
            {"mesh": 0, "scale": [2, 2, 2], "rotation": [0, 0.70710678, 0, 0.70710678]},
        ],
        "meshes": [
            {
                "primitives": [
                    {"attributes": {"POSITION": 0, "TEXCOORD_0": 2}, "indices": 1, "material": 0}
                ]
            }
        ],
        "materials": [
            {
                "name": "paint",
                "alphaMode": "MASK",
                "alphaCutoff": 0.5,
                "pbrMetallicRoughness": {
                    "baseColorTexture": {"index": 0},
                    "metallicFactor": 0.0,
                    "roughnessFactor": 0.4,
                },
            }
        ],
        "textures": [{"source": 0}],
        "images": [{"uri": "red%20paint.png"}],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": 8, "type": "VEC3",
             "min": [-1, -1, -1], "max": [1, 1, 1]},
            {"bufferView": 1, "componentType": 5123, "count": 36, "type": "SCALAR"},
            {"bufferView": 2, "componentType": 5126, "count": 8, "type": "VEC2"},
        ],
        "bufferViews": [
            {"buffer": 0, "byteOffset": 0, "byteLength": 96},
            {"buffer": 0, "byteOffset": 96, "byteLength": 72},
            {"buffer": 0, "byteOffset": 168, "byteLength": 64},
        ],
        "buffers": [{"uri": "cube.bin", "byteLength": len(points + faces + uv)}],
    } | change  # fmt: skip


def written(folder: Path, tree: dict[str, object], content: bytes | None = None) -> Path:
    """The files of a glTF."""
    uv = ((CUBE[:, :2] + 1) / 2).astype(np.float32).tobytes()
    whole = CUBE.tobytes() + FACES.tobytes() + uv
    (folder / "cube.bin").write_bytes(whole if content is None else content)
    (folder / "red paint.png").write_bytes(picture((200, 10, 10, 255)))
    (folder / "cube.gltf").write_text(json.dumps(tree))
    return folder / "cube.gltf"


def binary(folder: Path) -> Path:
    """The same in one file."""
    uv = ((CUBE[:, :2] + 1) / 2).astype(np.float32).tobytes()
    whole = CUBE.tobytes() + FACES.tobytes() + uv + picture((200, 10, 10, 255))
    tree = gltf(images=[{"bufferView": 3, "mimeType": "image/png"}])
    tree["buffers"] = [{"byteLength": len(whole)}]
    views = [*tree["bufferViews"], {"buffer": 0, "byteOffset": 232, "byteLength": len(whole) - 232}]
    words = json.dumps(tree | {"bufferViews": views}).encode()
    words += b" " * (-len(words) % 4)
    whole += b"\0" * (-len(whole) % 4)
    chunks = struct.pack("<I4s", len(words), b"JSON") + words
    chunks += struct.pack("<I4s", len(whole), b"BIN\0") + whole
    file = folder / "cube.glb"
    file.write_bytes(struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks)
    return file


def obj(folder: Path) -> Path:
    """The same cube as an OBJ of quads, without transforms."""
    lines = ["mtllib cube.mtl", "usemtl paint"]
    lines += [f"v {x} {y} {z}" for x, y, z in CUBE * 2 + [3, 2, -4]]
    lines += ["vt 0 0", "vt 1 0", "vt 1 1", "vt 0 1"]
    quads = ((1, 2, 4, 3), (5, 7, 8, 6), (1, 5, 6, 2), (3, 4, 8, 7), (1, 3, 7, 5), (2, 6, 8, 4))
    lines += ["f " + " ".join(f"{v}/{t}" for t, v in enumerate(quad, 1)) for quad in quads]
    (folder / "cube.obj").write_text("\n".join(lines))
    (folder / "cube.mtl").write_text("newmtl paint\nKd 1 1 1\nmap_Kd red.png\n")
    (folder / "red.png").write_bytes(picture((200, 10, 10, 255)))
    return folder / "cube.obj"


@pytest.mark.parametrize("kind", ["gltf", "glb", "obj"])
def test_a_cube_with_a_texture_is_where_its_nodes_put_it(kind: str, tmp_path: Path):
    makers = {"gltf": lambda folder: written(folder, gltf()), "glb": binary, "obj": obj}
    place = place_from_file(makers[kind](tmp_path))
    low, high = place.mesh.points.min(axis=0), place.mesh.points.max(axis=0)
    # Y up in the file: (3, 2, -4) is 3 to the right, 4 away and 2 high.
    assert np.allclose((low + high) / 2, [3, 4, 2], atol=1e-5)
    assert np.allclose(high - low, 4, atol=1e-5)
    assert len(place.mesh.triangles) == 12
    texture = place.materials[0].texture
    assert texture is not None and (texture[0, 0] == [200, 10, 10, 255]).all()
    a, b, c = place.mesh.points[place.mesh.triangles].transpose(1, 0, 2)
    outward = ((a + b + c) / 3 - [3, 4, 2]) * np.cross(b - a, c - a)
    assert (outward.sum(axis=1) > 0).all(), "fronts are outside"


@pytest.mark.extra("camera", "dev")
def test_a_mesh_is_seen_where_embree_finds_it(tmp_path: Path):
    from embreex import rtcore_scene
    from embreex.mesh_construction import TriangleMesh

    from paseo.camera.renderer import SceneRenderer

    place = joined(open_ground(0.0, 0.0), place_from_file(written(tmp_path, gltf())))
    camera = replace(level_camera(160, 120, across=1.6), height=1.3)
    view = camera.view(Pose(-2.0, 3.0, 0.2))
    image = SceneRenderer(place, device="cpu").render((), camera, view)
    embree = rtcore_scene.EmbreeScene()
    TriangleMesh(embree, place.mesh.points[place.mesh.triangles])
    flat = pixel_rays(camera).reshape(-1, 2)
    ways = (np.c_[flat, np.ones(len(flat))] @ view.rotation.T).astype(np.float32)
    starts = np.tile(view.position.astype(np.float32), (len(flat), 1))
    hit = embree.run(starts, ways, output=True)
    met = hit["primID"].astype(np.int64) >= 0
    met &= hit["tfar"] <= camera.far
    depth = np.where(met, hit["tfar"], np.nan).reshape(120, 160)
    assert (np.isfinite(image.depth) == np.isfinite(depth)).all()
    off = np.abs(image.depth - depth)
    assert np.nanquantile(off, 0.999) < 1e-4
    cube = np.isin(hit["primID"].reshape(120, 160), np.arange(2, 14))
    red = image.rgb[cube].astype(int)
    assert cube.sum() > 1000 and (red[:, 0] > 2 * red[:, 1]).mean() > 0.9


@pytest.mark.extra("camera")
def test_a_floor_of_ones_own_is_seen_all_over(tmp_path: Path):
    from paseo.camera.renderer import SceneRenderer

    (tmp_path / "red.mtl").write_text("newmtl red\nKd 0.8 0.05 0.05\n")
    floor = tmp_path / "floor.obj"
    corners = "v -40 0 -43\nv 41 0 -40\nv 44 0 42\nv -40 0 40\n"
    floor.write_text(f"mtllib red.mtl\nusemtl red\n{corners}f 1 2 3 4\n")
    camera = replace(level_camera(160, 120, across=1.3), pitch=0.5)
    view = camera.view(Pose(3.3, 4.7, 0.2))
    place = joined(open_ground(3.0, 4.0), place_from_file(floor))
    image = SceneRenderer(place, device="cpu").render((), camera, view)
    ways = np.dstack([pixel_rays(camera), np.ones((120, 160))]) @ view.rotation.T
    near = ways[..., 2] < -1 / 30
    assert near.sum() > 10_000
    assert (image.rgb[near][:, 0] > 1.5 * image.rgb[near][:, 1].astype(float)).all()
    assert np.abs(image.depth + 1 / ways[..., 2])[near].max() < 1e-3


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"images": [{"uri": "../secret.png"}]}, "outside its own folder, which is not read"),
        ({"images": [{"uri": "https://example.org/a.png"}]}, "on another machine, which is not"),
        ({"buffers": [{"uri": "/etc/passwd", "byteLength": 232}]}, "outside its own folder"),
        ({"images": [{"uri": "lost.png"}]}, "names 'lost.png', which is not there"),
        ({"extensionsRequired": ["KHR_draco_mesh_compression"]}, "export it without compression"),
        ({"accessors": [{"count": 10**12}]}, "make it simpler"),
        ({"accessors": [{"count": 8, "type": "VEC3", "componentType": 5126}]}, "without data"),
        ({"accessors": 3}, "is no glTF"),
        ({"nodes": 1e30}, "is no glTF"),
        ({"images": 7}, "is no glTF"),
        ({"nodes": [{"mesh": 0, "translation": [1, 2**63 - 1, 2]}]}, "more than 100000 m off"),
        ({"meshes": []}, "cube.gltf: "),
        ({"scenes": [{"nodes": []}]}, "cube.gltf: "),
    ],
)
def test_a_hostile_gltf_is_told(change: dict[str, object], sentence: str, tmp_path: Path):
    folder = tmp_path / "mesh"
    folder.mkdir()
    (tmp_path / "secret.png").write_bytes(picture((1, 2, 3, 255)))
    with pytest.raises(BadFile, match=sentence):
        place_from_file(written(folder, gltf(**change)))


def with_points(points: np.ndarray, faces: np.ndarray) -> bytes:
    uv = ((CUBE[:, :2] + 1) / 2).astype(np.float32).tobytes()
    return points.astype(np.float32).tobytes() + faces.astype(np.uint16).tobytes() + uv


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (with_points(np.where(CUBE > 0, np.nan, CUBE), FACES), "points that are not finite"),
        (with_points(CUBE, FACES + 9), "cube.gltf: "),
        (with_points(CUBE, FACES)[:100], "cube.gltf: "),
        (b"", "cube.gltf: "),
    ],
)
def test_broken_points_and_corners_are_told(content: bytes, sentence: str, tmp_path: Path):
    with pytest.raises(BadFile, match=sentence):
        place_from_file(written(tmp_path, gltf(), content))


def test_a_binary_gltf_that_is_cut_off_is_told(tmp_path: Path):
    file = binary(tmp_path)
    whole = file.read_bytes()
    for length in (0, 3, 19, 40, len(whole) // 2, len(whole) - 1):
        file.write_bytes(whole[:length])
        with pytest.raises(BadFile, match="cube.glb: is no "):
            place_from_file(file)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9", "names a corner that is not there|its 3 points"),
        ("v 0 0 0\nf 1 2 3", "names a corner that is not there|its 1 points"),
        ("v 0 0 0\nv 1 0 nan\nv 0 1 0\nf 1 2 3", "not finite"),
        ("mtllib ../../x.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3", "outside its own folder"),
        ("v 0 0 0\nv 1 0 0\nv 0 1 0", "odd.obj: "),
        ("", "odd.obj: "),
        ("\0\1\2 what is this", "odd.obj: "),
    ],
)
def test_a_broken_obj_is_told(words: str, sentence: str, tmp_path: Path):
    file = tmp_path / "odd.obj"
    file.write_text(words)
    with pytest.raises(BadFile, match=sentence):
        place_from_file(file)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"nodes": [{"children": [1]}, {"children": [0], "mesh": 0}]}, "hold themselves"),
        ({"nodes": [{"children": [0], "mesh": 0}]}, "hold themselves"),
        ({"nodes": [{"mesh": 0, "scale": [math.nan] * 3}]}, "not finite"),
        ({"accessors": [{"count": 10**9}, {"count": -(10**9)}]}, "less than nothing"),
        ({"accessors": [{"count": math.inf}]}, "is no glTF"),
        (
            {
                "meshes": [
                    {"primitives": [{"attributes": {f"_{n}": 1 for n in range(1000)}}] * 1000}
                ]
            },
            "has 36000000 entries",
        ),
    ],
)
def test_a_small_gltf_that_would_become_large_is_told(
    change: dict[str, object], sentence: str, tmp_path: Path
):
    with pytest.raises(BadFile, match=sentence):
        place_from_file(written(tmp_path, gltf(**change)))


def test_nodes_may_nest_deeply(tmp_path: Path):
    steps = [{"children": [place + 1], "translation": [0, 0.001, 0]} for place in range(3000)]
    place = place_from_file(written(tmp_path, gltf(nodes=[*steps, {"mesh": 0}])))
    assert place.mesh.points[:, 2].mean() == pytest.approx(3.0, abs=1e-3)


def test_a_material_whose_numbers_are_none_has_the_usual_ones(tmp_path: Path):
    tree = gltf(materials=[{"pbrMetallicRoughness": {"roughnessFactor": math.nan}}])
    assert place_from_file(written(tmp_path, tree)).materials[0].roughness == 0.8


def large(side: int) -> bytes:
    """A picture whose header promises more than it holds."""
    content = bytearray(picture((1, 2, 3, 255)))
    content[16:24] = struct.pack(">II", side, side)
    content[29:33] = struct.pack(">I", zlib.crc32(content[12:29]))
    return bytes(content)


def test_textures_that_would_be_dropped_without_a_word_are_told(tmp_path: Path):
    file = written(tmp_path, gltf())
    paint = tmp_path / "red paint.png"
    paint.write_bytes(large(30_000))
    with pytest.raises(BadFile, match="has picture 0 of 900000000 pixels|cannot be read"):
        place_from_file(file)
    paint.write_bytes(b"no picture at all")
    with pytest.raises(BadFile, match="has picture 0, which cannot be read"):
        place_from_file(file)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"textures": []}, "material 0 names texture 0 of 0; repair it"),
        ({"textures": [{"source": 99}]}, "texture 0 names picture 99 of 1; repair it"),
        ({"images": [{"bufferView": 99}]}, "has a picture that is not there"),
        (
            {"materials": [{"pbrMetallicRoughness": {"baseColorFactor": [[0.8, 0.2, 0.1, 1]]}}]},
            "has a material that is none",
        ),
        (
            {"materials": [{"pbrMetallicRoughness": {"metallicFactor": [0.1, 0.2]}}]},
            "has a material that is none|no mesh that can be read",
        ),
        ({"materials": [{}] * 2000}, "has 2000 materials, expected at most 1000"),
        (
            {
                "materials": [
                    {
                        "extensions": {
                            "KHR_materials_pbrSpecularGlossiness": {"diffuseTexture": {"index": 0}}
                        }
                    }
                ]
            },
            "material 0 has textures of the old kind specular-glossiness",
        ),
    ],
)
def test_materials_that_name_nothing_or_too_much_are_told(
    change: dict[str, object], sentence: str, tmp_path: Path
):
    with pytest.raises(BadFile, match=sentence):
        place_from_file(written(tmp_path, gltf(**change)))


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("f 0 1 2", "line 4 names corner 0, but they count from 1"),
        ("f 1 2 0/1", "line 4 names corner 0"),
        ("usemtl a\n" * 100_000 + "f 1 2 3", "has 100000 changes of material, expected at most"),
    ],
)
def test_an_obj_that_asks_for_what_it_has_not_is_told(words: str, sentence: str, tmp_path: Path):
    (tmp_path / "a.obj").write_text(f"v 0 0 0\nv 1 0 0\nv 0 1 0\n{words}\n")
    with pytest.raises(BadFile, match=sentence):
        place_from_file(tmp_path / "a.obj")


def test_many_materials_share_one_picture(tmp_path: Path):
    """Sixty materials on one picture are one texture, made once."""
    change = gltf()
    change["materials"] = change["materials"] * 60  # type: ignore[operator]
    change["meshes"] = [
        {"primitives": [{**change["meshes"][0]["primitives"][0], "material": n} for n in range(60)]}  # type: ignore[index]
    ]
    change["materials"] = [{**each, "alphaMode": "OPAQUE"} for each in change["materials"]]
    place = place_from_file(written(tmp_path, change))
    assert len({id(each.texture) for each in place.materials}) == 1


def test_too_many_triangles_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("paseo.camera.places.meshfile.MOST_TRIANGLES", 11)
    assert MOST_TRIANGLES > 1_000_000
    with pytest.raises(BadFile, match="more than 11 triangles; make it simpler"):
        place_from_file(obj(tmp_path))


def test_other_files_are_told(tmp_path: Path):
    for name, sentence in (("house.blend", "expected .glb, .gltf, .obj"), ("no.glb", "cannot be")):
        with pytest.raises(BadFile, match=sentence):
            place_from_file(tmp_path / name)


def test_metal_is_lit_as_metal(tmp_path: Path):
    tree = gltf(materials=[{"pbrMetallicRoughness": {"metallicFactor": 1.0}}])
    assert place_from_file(written(tmp_path, tree)).materials[0].surface is Surface.METAL
