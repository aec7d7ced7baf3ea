"""Depth and ids against embree, which traces the same rays through the same triangles."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from embree import Scene, is_hidden, soup_of, traced, unlike
from paseo.camera.lens.image import Image
from paseo.camera.lens.presets import preset
from paseo.camera.lens.projection import project, unproject
from paseo.errors import InputError
from paseo.world.cameras import View, facing
from puppets import figure, puppet, yard
from thinning import mostly_slow

pytestmark = pytest.mark.extra("camera", "dev")
BODIES = tuple(puppet(f"p{k}", seed=k, rings=(8,), hair_with_holes=k % 2 == 0) for k in range(4))


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


# With people cut by the near plane, holes before people and walls, bent lenses, and none of these.
@pytest.mark.parametrize("seed", mostly_slow([1, 4, 6, 12, 13, 20, 35, 39], quick=4))
def test_depth_and_ids_are_those_that_embree_finds(seed: int):
    scene = random_scene(seed)
    image = seen_in(seed)
    found = traced(soup_of(scene, BODIES), scene.camera, scene.view)
    differ = unlike(image, found)
    assert len(np.unique(found.ids)) > 4, "several people are in view"
    assert (differ.ids, differ.holes) == (0, 0)
    assert differ.depth < 5e-5
    assert differ.normals < 2e-3


@pytest.mark.slow
def test_of_forty_random_scenes_no_id_differs():
    differing = {}
    for seed in range(40):
        scene = random_scene(seed)
        found = traced(soup_of(scene, BODIES), scene.camera, scene.view)
        differ = unlike(rendered(scene), found)
        if differ.ids or differ.holes or differ.depth > 5e-5 or differ.normals > 2e-3:
            differing[seed] = differ
    assert not differing


def test_half_a_pixel_aside_it_is_another_picture():
    scene = random_scene(39)
    image = seen_in(39)
    aside = replace(scene.camera, cx=scene.camera.cx + 0.5)
    differ = unlike(image, traced(soup_of(scene, BODIES), aside, scene.view))
    assert differ.ids > 200
    assert differ.depth > 0.1


def test_the_scenes_do_try_holes_and_the_near_plane():
    scene = random_scene(39)
    soup = soup_of(scene, BODIES)
    depth = traced(soup, scene.camera, scene.view).depth
    whole = tuple(replace(each, alpha_tested=False) for each in soup.materials)
    filled = traced(replace(soup, materials=whole), scene.camera, scene.view).depth
    assert (filled < depth - 0.01).sum() > 50
    scene = random_scene(13)
    depth = traced(soup_of(scene, BODIES), scene.camera, scene.view).depth
    nearer = replace(scene.camera, near=0.05)
    uncut = traced(soup_of(scene, BODIES), nearer, scene.view).depth
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
    hidden = is_hidden(soup_of(scene, BODIES), world + 0.01 * normal, towards)
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
