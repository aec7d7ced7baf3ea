"""Meshes of the user's own, from glTF and OBJ; their files may be broken or hostile."""

from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image as Picture

from paseo.camera.meshes import ByteArray, Float32Array, Material, Mesh, Surface
from paseo.camera.places.meshchecks import (
    BROKEN,
    LARGEST_FILE,
    MOST_NODES,
    MOST_TRIANGLES,
    Folder,
    check_gltf,
    check_obj,
)
from paseo.camera.scene import Place
from paseo.errors import BadFile, BadValue, require
from paseo.files import bounded

KINDS = (".glb", ".gltf", ".obj")
TEXELS = 2048  # along a side of a texture that are kept
MOST_TEXELS = 1 << 27  # of all textures that are kept
GREY = (0.6, 0.6, 0.6, 1.0)
LIFT = np.array([[1, 0, 0], [0, 0, -1], [0, 1, 0]], float)  # Y up to Z up
FARTHEST = 1e5  # metres from the origin, of a point; shadows and pictures are made in 32 bits
METALLIC = 0.5  # share from which on a material is lit as metal


def place_from_file(path: Path) -> Place:
    """What a file holds (.glb, .gltf or .obj with its .mtl and textures), as a place.

    Lengths are metres and Y is up, as in glTF. It needs the extra `mesh`. Nothing is read but
    files in the mesh's own folder; `BadFile` says what is wrong with one.
    """
    check_mesh(path)
    trimesh = require("trimesh", "mesh", "reads meshes")
    content = bounded(path, LARGEST_FILE)
    folder = Folder(path.parent)
    if path.suffix.lower() == ".obj":
        check_obj(path, content)
    else:
        check_gltf(path, content, folder)
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
    textures: dict[int, ByteArray] = {}  # by the picture they are made from, which many may share
    for part, transform in parts:
        raw = getattr(part.visual, "material", None)
        if id(raw) not in known or raw is None:
            known[id(raw)] = len(materials)
            materials.append(_understood(path, raw, len(materials), textures))
            _check_texels(path, materials)
        meshes.append((part, transform, known[id(raw)]))
    if not meshes:
        raise BadFile(f"{path}: has no triangles; export surfaces")
    try:
        mesh = _mesh(meshes)
        return Place(name=path.stem, mesh=mesh, materials=tuple(materials))
    except (BadValue, ValueError, IndexError) as error:
        raise BadFile(f"{path}: {error}") from error


def _check_texels(path: Path, materials: list[Material]) -> None:
    """Materials may share a texture; those that cut it out differently each have their own."""
    kept = {id(each.texture): each.texture for each in materials if each.texture is not None}
    if sum(each.size for each in kept.values()) > 4 * MOST_TEXELS:
        raise BadFile(
            f"{path}: its materials have more than {MOST_TEXELS} pixels of textures, expected at "
            "most that many; make them smaller"
        )


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
        if np.abs(moved).max(initial=0.0) > FARTHEST:
            raise BadValue(f"it has points more than {FARTHEST:g} m off; repair or shrink it")
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


def _understood(path: Path, raw: Any, place: int, textures: dict[int, ByteArray]) -> Material:
    try:
        return _material(path, raw, place, textures)
    except (ValueError, TypeError) as error:  # a colour of lists, a share in words
        raise BadFile(
            f"{path}: has a material that is none ({_reason(error)}); export it again"
        ) from error


def _material(path: Path, raw: Any, place: int, textures: dict[int, ByteArray]) -> Material:
    """A material of glTF, or of an MTL, as ours; `textures` are those made so far."""
    factor = getattr(raw, "baseColorFactor", None)
    picture = getattr(raw, "baseColorTexture", None)
    if hasattr(raw, "diffuse"):
        factor, picture = raw.diffuse, getattr(raw, "image", None)
    texture = None if picture is None else textures.get(id(picture))
    if picture is not None and texture is None:
        texture = textures[id(picture)] = _texture(path, picture)
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
    try:
        whole = picture.convert("RGBA")
    except BROKEN as error:
        raise BadFile(f"{path}: has a broken texture ({error}); export it again") from error
    whole.thumbnail((TEXELS, TEXELS), Picture.Resampling.BOX)
    return np.asarray(whole, np.uint8)
