"""Depth and ids against embree, which traces the same rays through the same triangles."""

from dataclasses import dataclass, replace
from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray

from paseo.camera.lens.image import Image
from paseo.camera.lens.presets import preset
from paseo.camera.lens.projection import pixel_rays, project, unproject
from paseo.camera.meshes import Body, Material
from paseo.camera.scene import Figure, Place
from paseo.errors import InputError
from paseo.world.cameras import Camera, View, facing
from puppets import figure, puppet, yard

pytestmark = pytest.mark.extra("camera", "dev")
BODIES = tuple(puppet(f"p{k}", seed=k, rings=(8,), hair_with_holes=k % 2 == 0) for k in range(4))
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
    uv: NDArray[np.float32]
    triangles: NDArray[np.int64]
    owners: NDArray[np.int64]  # person of each triangle; -1: the place
    materials: tuple[Material, ...]
    material: NDArray[np.int64]  # of each triangle


def body(name: str) -> Body:
    return next(each for each in BODIES if each.name == name)


def soup_of(scene: Scene) -> Soup:
    mesh = scene.place.mesh
    points, uv, triangles = [mesh.points], [mesh.uv], [mesh.triangles.astype(np.int64)]
    owners, material = [np.full(len(mesh.triangles), -1)], [mesh.material.astype(np.int64)]
    materials, shift = list(scene.place.materials), len(mesh.points)
    for each in scene.figures:
        level = body(each.body).levels[0]
        moved = np.einsum("nk,nkij->nij", level.bone_weights, each.pose[level.bone_indices])
        at = np.einsum("nij,nj->ni", moved[:, :, :3], level.mesh.points) + moved[:, :, 3]
        points.append(at.astype(np.float32))
        uv.append(level.mesh.uv)
        triangles.append(level.mesh.triangles.astype(np.int64) + shift)
        owners.append(np.full(len(level.mesh.triangles), each.person))
        material.append(level.mesh.material.astype(np.int64) + len(materials))
        materials += body(each.body).materials
        shift += len(at)
    parts = (np.concatenate(each) for each in (points, uv, triangles, owners))
    return Soup(*parts, tuple(materials), np.concatenate(material))


def traced(soup: Soup, camera: Camera, view: View) -> tuple[NDArray, NDArray]:
    """Depth and ids by embree; beyond holes and before the near plane it looks on."""
    from embreex import rtcore_scene
    from embreex.mesh_construction import TriangleMesh

    embree = rtcore_scene.EmbreeScene()
    TriangleMesh(embree, soup.points[soup.triangles].astype(np.float32))
    flat = pixel_rays(camera).reshape(-1, 2)
    ways = (np.c_[flat, np.ones(len(flat))] @ view.rotation.T).astype(np.float32)
    origin = view.position.astype(np.float32)
    depth, ids = np.full(len(flat), np.nan), np.full(len(flat), -1)
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
        begun[looking] = away + 1e-5 * (1 + away)
        looking = looking[~kept & (away <= camera.far)]
    shape = (camera.height_px, camera.width_px)
    return depth.reshape(shape), ids.reshape(shape)


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


def rendered(scene: Scene, **options: object) -> Image:
    from paseo.camera.renderer import SceneRenderer

    renderer = SceneRenderer(scene.place, BODIES, device="cpu", **options)
    return renderer.render(scene.figures, scene.camera, scene.view)


@cache
def seen_in(seed: int) -> Image:
    """The picture of a random scene."""
    return rendered(random_scene(seed))


def random_scene(seed: int) -> Scene:
    """People all around a camera that hangs anywhere; lens, near plane and far plane vary."""
    rng = np.random.default_rng(seed)
    people = tuple(
        figure(100 + k, BODIES[k % 4], *rng.uniform(-5, 5, 2), rng=rng) for k in range(30)
    )
    camera = replace(
        preset("level"),
        width_px=200,
        height_px=150,
        fx=float(rng.uniform(60, 200)),
        fy=float(rng.uniform(60, 200)),
        cx=float(rng.uniform(80, 120)),
        cy=float(rng.uniform(60, 90)),
        near=float(rng.choice([0.05, 1.5])),
        far=float(rng.choice([6.0, 100.0])),
        distortion=() if seed % 2 else (-0.1, 0.01, 0.001, -0.001),
    )
    rotation = facing(rng.uniform(-3, 3), rng.uniform(-0.3, 0.8))
    view = View(np.array([*rng.uniform(-3, 3, 2), rng.uniform(0.4, 2.2)]), rotation)
    return Scene(yard(seed), people, camera, view)


def unlike(image: Image, depth: NDArray, ids: NDArray) -> tuple[int, float]:
    """How many ids differ, and the depth error that one pixel in a thousand exceeds."""
    differ = int((image.ids != ids).sum())
    both = np.isfinite(image.depth) & np.isfinite(depth)
    return differ, float(np.quantile(np.abs(image.depth - depth)[both], 0.999))


# With people cut by the near plane, holes before people and walls, bent lenses, and none of these.
@pytest.mark.parametrize("seed", [1, 4, 6, 12, 13, 20, 35, 39])
def test_depth_and_ids_are_those_that_embree_finds(seed: int):
    scene = random_scene(seed)
    image = seen_in(seed)
    depth, ids = traced(soup_of(scene), scene.camera, scene.view)
    differ, error = unlike(image, depth, ids)
    assert len(np.unique(ids)) > 4, "several people are in view"
    assert differ == 0
    assert error < 5e-5
    assert (np.isfinite(image.depth) == np.isfinite(depth)).all()


@pytest.mark.slow
def test_of_forty_random_scenes_no_id_differs():
    differing = {}
    for seed in range(40):
        scene = random_scene(seed)
        depth, ids = traced(soup_of(scene), scene.camera, scene.view)
        differ, error = unlike(rendered(scene), depth, ids)
        if differ or error > 5e-5:
            differing[seed] = (differ, error)
    assert not differing


def test_half_a_pixel_aside_it_is_another_picture():
    scene = random_scene(39)
    image = seen_in(39)
    aside = replace(scene.camera, cx=scene.camera.cx + 0.5)
    differ, error = unlike(image, *traced(soup_of(scene), aside, scene.view))
    assert differ > 200
    assert error > 0.1


def test_the_scenes_do_try_holes_and_the_near_plane():
    scene = random_scene(39)
    soup = soup_of(scene)
    depth, _ = traced(soup, scene.camera, scene.view)
    whole = tuple(replace(each, alpha_tested=False) for each in soup.materials)
    filled, _ = traced(replace(soup, materials=whole), scene.camera, scene.view)
    assert (filled < depth - 0.01).sum() > 50
    scene = random_scene(13)
    depth, _ = traced(soup_of(scene), scene.camera, scene.view)
    uncut, _ = traced(soup_of(scene), replace(scene.camera, near=0.05), scene.view)
    assert (uncut < depth - 0.01).sum() > 50


def test_known_points_are_seen_at_the_pixel_that_projection_says():
    scene = random_scene(4)
    image = seen_in(4)
    row, column = np.mgrid[5:145:10, 5:195:10].reshape(2, -1)
    seen = np.isfinite(image.depth[row, column])
    row, column = row[seen], column[seen]
    pixels = np.stack([column, row], axis=1) + 0.5
    world = unproject(pixels, image.depth[row, column].astype(float), scene.camera, scene.view)
    floor = np.abs(image.normals[row, column, 2]) > 0.999
    assert floor.sum() > 20
    u, v, _ = project(world, scene.camera, scene.view).T
    assert np.abs(world[floor & (world[:, 2] < 0.1), 2]).max() < 1e-4, "the floor is at z = 0"
    assert np.abs(u - pixels[:, 0]).max() < 1e-4 and np.abs(v - pixels[:, 1]).max() < 1e-4


def test_the_same_input_gives_the_same_bytes_with_one_thread_and_with_two():
    from paseo.camera.renderer import SceneRenderer

    scene, other = random_scene(39), random_scene(12)
    one = SceneRenderer(scene.place, BODIES, device="cpu")
    first = one.render(scene.figures, scene.camera, scene.view)
    one.render(other.figures, other.camera, other.view)
    again = one.render(scene.figures, scene.camera, scene.view)
    two = rendered(scene, threads=2)
    for name in ("rgb", "depth", "ids", "normals"):
        wanted = getattr(first, name).tobytes()
        assert getattr(again, name).tobytes() == wanted, name
        assert getattr(two, name).tobytes() == wanted, name


def test_effort_changes_colours_and_nothing_else():
    from paseo.camera.renderer import Effort

    scene = random_scene(39)
    whole = seen_in(39)
    plain = rendered(scene, effort=Effort(shadows=False, smooth_edges=False, occlusion=False))
    assert (plain.rgb != whole.rgb).any()
    for name in ("depth", "ids", "normals"):
        assert getattr(plain, name).tobytes() == getattr(whole, name).tobytes(), name


def test_shadows_fall_where_embree_finds_the_sun_hidden():
    from paseo.camera.renderer import Effort

    scene = replace(random_scene(4), camera=replace(random_scene(4).camera, distortion=()))
    options = {"smooth_edges": False, "occlusion": False}
    lit = rendered(scene, effort=Effort(shadows=False, **options)).rgb.astype(int).sum(axis=2)
    image = rendered(scene, effort=Effort(**options))
    dark = image.rgb.astype(int).sum(axis=2) < 0.85 * lit
    row, column = np.nonzero(np.isfinite(image.depth))
    pixels = np.stack([column, row], axis=1) + 0.5
    depth = image.depth[row, column].astype(float)
    world = unproject(pixels, depth, scene.camera, scene.view)
    normal = image.normals[row, column]
    from paseo.camera.kernels.daylight import sun_direction

    towards = sun_direction(scene.place.sun)
    sunny = normal @ towards > 0.3
    hidden = is_hidden(soup_of(scene), world + 0.01 * normal, towards)
    agree = (dark[row, column] == hidden)[sunny]
    assert hidden[sunny].mean() > 0.05, "something is in the shade"
    assert agree.mean() > 0.97, "all but the soft rims"


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"body": "nobody"}, "no body is called 'nobody'"),
        ({"pose": np.zeros((3, 3, 4), np.float32)}, "pose of shape"),
    ],
)
def test_a_figure_that_cannot_be_drawn_is_told(change: dict[str, object], sentence: str):
    scene = random_scene(1)
    with pytest.raises(InputError, match=sentence):
        rendered(replace(scene, figures=(replace(scene.figures[0], **change),)))


def test_an_empty_yard_needs_nobody():
    image = rendered(replace(random_scene(1), figures=()))
    assert (image.ids == -1).all()
