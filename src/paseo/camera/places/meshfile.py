"""Meshes of the user's own, from glTF and OBJ; their files may be broken or hostile."""

import json
import struct
from io import BytesIO
from pathlib import Path, PurePosixPath
from typing import Any, NoReturn
from urllib.parse import unquote

import numpy as np
from PIL import Image as Picture

from paseo.camera.meshes import ByteArray, Float32Array, Material, Mesh, Surface
from paseo.camera.scene import Place
from paseo.errors import BadFile, BadValue, require
from paseo.files import bounded

KINDS = (".glb", ".gltf", ".obj")
LARGEST_FILE = 256 << 20  # bytes, of the mesh and of each file beside it
MOST_FILES = 256  # beside it
MOST_TRIANGLES = 2_000_000
MOST_NODES = 50_000
MOST_PIXELS = 1 << 26  # of a texture
TEXELS = 2048  # along a side that are kept of one
GREY = (0.6, 0.6, 0.6, 1.0)
LIFT = np.array([[1, 0, 0], [0, 0, -1], [0, 1, 0]], float)  # Y up to Z up
METALLIC = 0.5  # share from which on a material is lit as metal
NO_TREE = (ValueError, LookupError, TypeError, AttributeError, OverflowError, RecursionError)
COMPRESSED = ("KHR_draco_mesh_compression", "EXT_meshopt_compression", "KHR_texture_basisu")


def place_from_file(path: Path) -> Place:
    """What a file holds (.glb, .gltf or .obj with its .mtl and textures), as a place.

    Lengths are metres and Y is up, as in glTF. It needs the extra `mesh`. Nothing is read but
    files in the mesh's own folder; `BadFile` says what is wrong with one.
    """
    check_mesh(path)
    trimesh = require("trimesh", "mesh", "reads meshes")
    content = bounded(path, LARGEST_FILE)
    if path.suffix.lower() != ".obj":
        _check_gltf(path, content)
    folder = _Folder(path.parent)
    try:
        scene = trimesh.load_scene(
            BytesIO(content), file_type=path.suffix[1:].lower(), resolver=folder, process=False
        )
        parts = list(_parts(scene))
    except Exception as error:  # whatever a reader of foreign files trips over
        folder.tell(path)
        raise BadFile(
            f"{path}: is no mesh that can be read ({_reason(error)}); export it again"
        ) from error
    folder.tell(path)
    return _place(path, parts)


def check_mesh(path: Path) -> None:
    """`BadFile` for what cannot be a mesh by its name, or is not there; nothing of it is read."""
    if path.suffix.lower() not in KINDS:
        raise BadFile(f"{path}: is no mesh that can be read; expected {', '.join(KINDS)}")
    if not path.is_file():
        raise BadFile(f"{path}: cannot be read, there is no such file; check the name")


def _reason(error: Exception) -> str:
    """What a reader of foreign files tripped over, in a few words."""
    if isinstance(error, IndexError):
        return "a face names a corner that is not there"
    return str(error).splitlines()[0][:200] if str(error) else type(error).__name__


class _Folder:
    """Files beside a mesh, by the names that it has for them; none from elsewhere."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder.resolve()
        self._refused: list[str] = []
        self._read = 0

    def get(self, name: str) -> bytes:
        """What a file holds; `BadFile` where it is not in the folder."""
        wanted = PurePosixPath(unquote(name.strip()).replace("\\", "/"))
        path = (self._folder / wanted).resolve()
        self._read += 1
        if "://" in name:
            self._refuse(f"names '{name[:80]}' on another machine, which is not fetched")
        if not path.is_relative_to(self._folder):
            self._refuse(f"names '{name[:80]}' outside its own folder, which is not read")
        if self._read > MOST_FILES:
            self._refuse(f"names more than {MOST_FILES} files")
        if not path.is_file():
            self._refuse(f"names '{name[:80]}', which is not there")
        return bounded(path, LARGEST_FILE)

    def __getitem__(self, name: str) -> bytes:
        return self.get(name)

    def tell(self, path: Path) -> None:
        """`BadFile` if a file was asked for that is not given: a reader may have gone on."""
        if self._refused:
            raise BadFile(f"{path}: {self._refused[0]}; put it beside the mesh and name it so")

    def _refuse(self, why: str) -> NoReturn:
        self._refused.append(why)
        raise BadFile(why)


def _check_gltf(path: Path, content: bytes) -> None:
    """That a glTF is not larger than it says, before anything is made of it."""
    try:
        tree = json.loads(_json_of(content) if path.suffix.lower() == ".glb" else content)
        used = set(tree.get("extensionsRequired", []))
        accessors, nodes = tree.get("accessors", []), tree.get("nodes", [])
        entries = _entries(tree, [int(each["count"]) for each in accessors])
        holes = [each for each in accessors if "bufferView" not in each and "sparse" not in each]
    except (*NO_TREE, struct.error) as error:
        raise BadFile(f"{path}: is no glTF ({error}); export it again") from error
    if used & set(COMPRESSED):
        raise BadFile(f"{path}: is compressed ({', '.join(used)}); export it without compression")
    if entries > 12 * MOST_TRIANGLES or len(nodes) > MOST_NODES:
        raise BadFile(
            f"{path}: has {entries} entries and {len(nodes)} nodes, expected at most "
            f"{12 * MOST_TRIANGLES} and {MOST_NODES}; make it simpler"
        )
    if holes:
        raise BadFile(f"{path}: has points without data; export it again")


def _entries(tree: Any, counts: list[int]) -> int:
    """How many are stored, or are made where surfaces share what is stored: whichever is more."""
    if min(counts, default=0) < 0:
        raise ValueError("it counts less than nothing")
    surfaces = [each for mesh in tree.get("meshes", []) for each in mesh["primitives"]]
    used = [place for each in surfaces for place in each["attributes"].values()]
    used += [each["indices"] for each in surfaces if "indices" in each]
    return max(sum(counts), sum(counts[place] for place in used if place < len(counts)))


def _json_of(content: bytes) -> bytes:
    """The first chunk of a binary glTF."""
    magic, _, whole, length, kind = struct.unpack("<4sIII4s", content[:20])
    if magic != b"glTF" or kind != b"JSON":
        raise ValueError("it does not begin as one")
    if whole > len(content) or 20 + length > len(content):
        raise ValueError(f"it is cut off: {len(content)} of {whole} bytes")
    return content[20 : 20 + length]


def _parts(scene: Any) -> Any:
    """Each part of a scene with its transform, (4, 4), into the world."""
    count, known = 0, {scene.graph.base_frame: np.eye(4)}
    for node in scene.graph.nodes_geometry:
        part = scene.geometry[scene.graph.transforms.node_data[node]["geometry"]]
        faces = getattr(part, "faces", None)
        if faces is None:  # lines and points have no surface
            continue
        count += len(faces)
        if count > MOST_TRIANGLES:
            raise BadValue(f"more than {MOST_TRIANGLES} triangles; make it simpler")
        yield part, _transform(scene.graph.transforms, node, known)


def _transform(graph: Any, node: Any, known: dict[Any, Any]) -> Any:
    """Of a node into the world, (4, 4); those on the way to it are `known` from then on.

    trimesh multiplies the whole way for each node, which takes hours where many nest deeply.
    """
    way = []
    while node not in known:
        way.append(node)
        node = graph.parents[node]
        if len(way) > MOST_NODES:
            raise BadValue("nodes that hold themselves")
    for each in reversed(way):
        step = graph.edge_data[(node, each)].get("matrix")
        known[each] = known[node] if step is None else known[node] @ np.asarray(step, float)
        node = each
    return known[node]


def _place(path: Path, parts: list[tuple[Any, Any]]) -> Place:
    materials: list[Material] = []
    meshes = []
    known: dict[int, int] = {}
    for part, transform in parts:
        raw = getattr(part.visual, "material", None)
        if id(raw) not in known or raw is None:
            known[id(raw)] = len(materials)
            materials.append(_material(path, raw, len(materials)))
        meshes.append((part, transform, known[id(raw)]))
    if not meshes:
        raise BadFile(f"{path}: has no triangles; export surfaces")
    try:
        mesh = _mesh(meshes)
        return Place(name=path.stem, mesh=mesh, materials=tuple(materials))
    except (BadValue, ValueError, IndexError) as error:
        raise BadFile(f"{path}: {error}") from error


def _mesh(parts: list[tuple[Any, Any, int]]) -> Mesh:
    points, normals, uv, triangles, used, taken = [], [], [], [], [], 0
    for part, transform, material in parts:
        faces = np.asarray(part.faces, np.int64)
        at = np.asarray(part.vertices, float)
        if len(faces) and not 0 <= faces.min() <= faces.max() < len(at):
            raise BadValue(f"it has corners outside its {len(at)} points; repair it")
        if not np.isfinite(transform).all():
            raise BadValue("it has points that are not finite; repair it")
        turn = LIFT @ transform[:3, :3]
        moved = (at @ turn.T + LIFT @ transform[:3, 3]).astype(np.float32)
        if np.linalg.det(turn) < 0:
            faces = faces[:, ::-1]
        points.append(moved)
        normals.append(_normals(part, turn, moved, faces))
        uv.append(_uv(part, len(at)))
        triangles.append(faces + taken)
        used.append(np.full(len(faces), material, np.int16))
        taken += len(at)
    return Mesh(
        points=np.concatenate(points),
        triangles=np.concatenate(triangles).astype(np.int32),
        uv=np.concatenate(uv),
        normals=np.concatenate(normals),
        material=np.concatenate(used),
    )


def _normals(part: Any, turn: Any, points: Float32Array, faces: Any) -> Float32Array:
    """Those of the file where it has some, else those of the triangles around each point."""
    if not np.isfinite(points).all():
        raise BadValue("it has points that are not finite; repair it")
    stored = part._cache.cache.get("vertex_normals")
    if stored is not None and np.shape(stored) == points.shape and np.isfinite(stored).all():
        found = np.asarray(stored, float) @ np.linalg.pinv(turn)
    else:
        a, b, c = points[faces].astype(float).transpose(1, 0, 2)
        found = np.zeros(points.shape)
        for corner in faces.T:
            np.add.at(found, corner, np.cross(b - a, c - a))
    length = np.linalg.norm(found, axis=1, keepdims=True)
    unit = np.where(length > 1e-12, found / np.maximum(length, 1e-12), (0.0, 0.0, 1.0))
    return unit.astype(np.float32)


def _uv(part: Any, count: int) -> Float32Array:
    raw = getattr(part.visual, "uv", None)
    if raw is None or np.shape(raw) != (count, 2) or not np.isfinite(raw).all():
        return np.zeros((count, 2), np.float32)
    return np.asarray(raw, np.float32)


def _material(path: Path, raw: Any, place: int) -> Material:
    """A material of glTF, or of an MTL, as ours."""
    factor = getattr(raw, "baseColorFactor", None)
    picture = getattr(raw, "baseColorTexture", None)
    if hasattr(raw, "diffuse"):
        factor, picture = raw.diffuse, getattr(raw, "image", None)
    texture = None if picture is None else _texture(path, picture)
    cut = getattr(raw, "alphaMode", None) in ("MASK", "BLEND") and texture is not None
    if cut and texture is not None:
        limit = _share(getattr(raw, "alphaCutoff", None) or None, 0.5)
        alpha = np.clip(texture[..., 3] * (0.5 / max(limit, 0.01)), 0, 255)
        texture = np.dstack([texture[..., :3], alpha.astype(np.uint8)])
    metallic = getattr(raw, "metallicFactor", None)
    rough = getattr(raw, "roughnessFactor", None)
    return Material(
        name=str(getattr(raw, "name", None) or f"material {place}")[:80],
        surface=Surface.METAL if metallic is not None and metallic > METALLIC else Surface.WALL,
        colour=_colour(factor, textured=texture is not None),
        texture=texture,
        roughness=max(_share(rough, 0.8), 0.05),
        alpha_tested=cut,
    )


def _share(value: Any, usual: float) -> float:
    """A number from 0 to 1; the usual one where there is none."""
    return float(np.clip(value, 0, 1)) if value is not None and np.isfinite(value) else usual


def _colour(factor: Any, *, textured: bool) -> tuple[float, float, float]:
    """A colour in linear light; trimesh has bytes, in a glTF they are of linear light already."""
    if factor is None:
        factor = (1.0, 1.0, 1.0) if textured else GREY
    values = np.asarray(factor)
    values = values / 255 if values.dtype.kind in "ui" else values.astype(float)
    if not np.isfinite(values).all():
        values = np.array(GREY)
    red, green, blue = np.clip(values, 0, 1)[:3].tolist()
    return red, green, blue


def _texture(path: Path, picture: Any) -> ByteArray:
    if picture.width * picture.height > MOST_PIXELS:
        raise BadFile(
            f"{path}: has a texture of {picture.width}x{picture.height} pixels, expected at most "
            f"{MOST_PIXELS} in all; make it smaller"
        )
    try:
        whole = picture.convert("RGBA")
    except (OSError, ValueError, SyntaxError) as error:
        raise BadFile(f"{path}: has a broken texture ({error}); export it again") from error
    whole.thumbnail((TEXELS, TEXELS), Picture.Resampling.BOX)
    return np.asarray(whole, np.uint8)
