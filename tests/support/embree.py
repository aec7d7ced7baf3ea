"""Embree as an oracle for the camera: it traces the same rays through the same triangles."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from paseo.camera.lens.image import Image
from paseo.camera.lens.projection import pixel_rays
from paseo.camera.meshes import Body, Material
from paseo.camera.scene import Figure, Place
from paseo.world.cameras import Camera, View

NEVER = np.uint32(0xFFFFFFFF)
MOST_LAYERS = 40  # that a ray passes through holes of


@dataclass(frozen=True, eq=False)
class Scene:
    place: Place
    figures: tuple[Figure, ...]
    camera: Camera
    view: View


@dataclass(frozen=True, eq=False)
class Soup:
    """All triangles of a scene, skinned by numpy."""

    points: NDArray[np.float32]  # (points, 3)
    normals: NDArray[np.float32]
    uv: NDArray[np.float32]
    triangles: NDArray[np.int64]
    owners: NDArray[np.int64]  # person of each triangle; -1: the place
    materials: tuple[Material, ...]
    material: NDArray[np.int64]  # of each triangle


def soup_of(scene: Scene, bodies: Sequence[Body]) -> Soup:
    """What a scene is made of; people as the finest level of their bodies has them."""
    by_name = {body.name: body for body in bodies}
    mesh = scene.place.mesh
    points, normals, uv = [mesh.points], [mesh.normals], [mesh.uv]
    triangles = [mesh.triangles.astype(np.int64)]
    owners, material = [np.full(len(mesh.triangles), -1)], [mesh.material.astype(np.int64)]
    materials, shift = list(scene.place.materials), len(mesh.points)
    for each in scene.figures:
        level = by_name[each.body].levels[0]
        moved = np.einsum("nk,nkij->nij", level.bone_weights, each.pose[level.bone_indices])
        at = np.einsum("nij,nj->ni", moved[:, :, :3], level.mesh.points) + moved[:, :, 3]
        points.append(at.astype(np.float32))
        normals.append(np.einsum("nij,nj->ni", moved[:, :, :3], level.mesh.normals))
        uv.append(level.mesh.uv)
        triangles.append(level.mesh.triangles.astype(np.int64) + shift)
        owners.append(np.full(len(level.mesh.triangles), each.person))
        material.append(level.mesh.material.astype(np.int64) + len(materials))
        materials += by_name[each.body].materials
        shift += len(at)
    parts = (np.concatenate(each) for each in (points, normals, uv, triangles, owners))
    return Soup(*parts, tuple(materials), np.concatenate(material))


@dataclass(frozen=True, eq=False)
class Traced:
    """What embree finds along the ray of each pixel."""

    depth: NDArray[np.float64]  # (height, width); NaN: nothing
    ids: NDArray[np.int64]
    normals: NDArray[np.float64]  # (height, width, 3), towards the camera


def traced(soup: Soup, camera: Camera, view: View) -> Traced:
    """By embree; beyond holes and before the near plane it looks on."""
    from embreex import rtcore_scene
    from embreex.mesh_construction import TriangleMesh

    embree = rtcore_scene.EmbreeScene()
    TriangleMesh(embree, soup.points[soup.triangles].astype(np.float32))
    flat = pixel_rays(camera).reshape(-1, 2)
    ways = (np.c_[flat, np.ones(len(flat))] @ view.rotation.T).astype(np.float32)
    origin = view.position.astype(np.float32)
    depth, ids = np.full(len(flat), np.nan), np.full(len(flat), -1)
    normals = np.full((len(flat), 3), np.nan)
    looking, begun = np.arange(len(flat)), np.full(len(flat), camera.near)
    for _ in range(MOST_LAYERS):
        starts = (origin + ways[looking] * begun[looking, None]).astype(np.float32)
        hit = embree.run(starts, ways[looking], output=True)
        met = hit["primID"].astype(np.uint32) != NEVER
        looking = looking[met]
        if not len(looking):
            break
        triangle = hit["primID"][met].astype(np.int64)
        away = begun[looking] + hit["tfar"][met]
        weights = np.c_[1 - hit["u"] - hit["v"], hit["u"], hit["v"]][met]
        kept = (alpha(soup, triangle, weights) >= 127.5) & (away <= camera.far)
        depth[looking[kept]], ids[looking[kept]] = away[kept], soup.owners[triangle[kept]]
        normals[looking[kept]] = _towards(soup, triangle[kept], weights[kept], ways[looking[kept]])
        begun[looking] = away + 1e-5 * (1 + away)
        looking = looking[~kept & (away <= camera.far)]
    shape = (camera.height_px, camera.width_px)
    return Traced(depth.reshape(shape), ids.reshape(shape), normals.reshape(*shape, 3))


def _towards(soup: Soup, triangle: NDArray, weights: NDArray, ways: NDArray) -> NDArray:
    """Normals between the corners of triangles, turned towards who looks along `ways`."""
    found = np.einsum("nk,nkc->nc", weights, soup.normals[soup.triangles[triangle]])
    found /= np.linalg.norm(found, axis=1, keepdims=True)
    away = np.einsum("nc,nc->n", found, ways) > 0
    return np.where(away[:, None], -found, found)


def alpha(soup: Soup, triangle: NDArray, weights: NDArray) -> NDArray:
    """Of the texture, between its texels, at places in triangles."""
    uv = np.einsum("nk,nkc->nc", weights, soup.uv[soup.triangles[triangle]])
    found = np.full(len(triangle), 255.0)
    for place, material in enumerate(soup.materials):
        here = soup.material[triangle] == place
        if material.alpha_tested and material.texture is not None and here.any():
            found[here] = between(material.texture[..., 3].astype(float), uv[here])
    return found


def between(texture: NDArray, uv: NDArray) -> NDArray:
    height, width = texture.shape
    x, y = uv[:, 0] * width - 0.5, (1 - uv[:, 1]) * height - 0.5
    i, j = np.floor(x).astype(int), np.floor(y).astype(int)
    s, t = x - i, y - j
    four = {(p, q): texture[(j + q) % height, (i + p) % width] for p in (0, 1) for q in (0, 1)}
    upper = four[0, 0] * (1 - s) + four[1, 0] * s
    return upper * (1 - t) + (four[0, 1] * (1 - s) + four[1, 1] * s) * t


def is_hidden(soup: Soup, points: NDArray, towards: NDArray) -> NDArray:
    """Whether something stands between points and the sun; holes let it through."""
    from embreex import rtcore_scene
    from embreex.mesh_construction import TriangleMesh

    embree = rtcore_scene.EmbreeScene()
    TriangleMesh(embree, soup.points[soup.triangles].astype(np.float32))
    hidden, looking, starts = np.zeros(len(points), bool), np.arange(len(points)), points
    for _ in range(MOST_LAYERS):
        ways = np.tile(towards, (len(looking), 1)).astype(np.float32)
        hit = embree.run(starts.astype(np.float32), ways, output=True)
        met = hit["primID"].astype(np.uint32) != NEVER
        weights = np.c_[1 - hit["u"] - hit["v"], hit["u"], hit["v"]][met]
        whole = alpha(soup, hit["primID"][met].astype(np.int64), weights) >= 127.5
        hidden[looking[met][whole]] = True
        starts = (starts[met] + towards * (hit["tfar"][met] + 1e-4)[:, None])[~whole]
        looking = looking[met][~whole]
        if not len(looking):
            break
    return hidden


@dataclass(frozen=True)
class Unlike:
    """How a picture differs from what embree finds."""

    ids: int  # pixels
    holes: int  # pixels where one sees something and the other does not
    depth: float  # metres that one pixel in a thousand exceeds
    normals: float  # radians that one pixel in a hundred exceeds


def unlike(image: Image, found: Traced) -> Unlike:
    """Compare what both tell of each pixel."""
    both = np.isfinite(image.depth) & np.isfinite(found.depth)
    straight = np.einsum("nc,nc->n", image.normals[both], found.normals[both])
    return Unlike(
        ids=int((image.ids != found.ids).sum()),
        holes=int((np.isfinite(image.depth) != np.isfinite(found.depth)).sum()),
        depth=float(np.quantile(np.abs(image.depth - found.depth)[both], 0.999)),
        normals=float(np.quantile(np.arccos(np.clip(straight, -1, 1)), 0.99)),
    )
