"""The people that ship against embree: real hair of cards with holes, lashes and hems."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from embree import Scene, Traced, soup_of, traced, unlike
from paseo.camera.gait.bones.poses import poses
from paseo.camera.gait.steps.footwork import walks_of
from paseo.camera.lens.image import Image
from paseo.camera.meshes import Body
from paseo.camera.people.library import body_for
from paseo.camera.scene import Figure
from paseo.world.cameras import View, facing, level_camera
from puppets import yard

pytestmark = pytest.mark.extra("camera", "dev")
PEOPLE = (14, 6, 2)  # ids; the first two have long hair
TIMES = np.arange(0.0, 2.0, 0.1)


@cache
def bodies() -> tuple[Body, ...]:
    """Three people who ship, always as fine as can be."""
    found = map(body_for, PEOPLE)
    return tuple(replace(body, levels=body.levels[:1]) for body in found)


def portrait(near: float, *, distortion: tuple[float, ...] = ()) -> Scene:
    """Three people who walk past a camera that is at their heads, an arm's length away."""
    tracks = np.array([[0.75, 0.0], [1.2, 0.35], [1.6, -0.4]]) + TIMES[:, None, None] * [0.0, 0.05]
    legs = np.array([body.leg_length for body in bodies()])
    walks = walks_of(TIMES, tracks, np.array(PEOPLE), leg_lengths=legs).at(1.0)
    figures = tuple(
        Figure(person, body.name, pose)
        for person, body, pose in zip(PEOPLE, bodies(), poses(bodies(), walks), strict=True)
    )
    camera = replace(level_camera(240, 180, across=1.2), near=near, distortion=distortion)
    view = View(np.array([0.0, 0.0, 1.55]), facing(0.0, 0.1))
    return Scene(yard(3), figures, camera, view)


def both(scene: Scene) -> tuple[Image, Traced]:
    from paseo.camera.renderer import Effort, SceneRenderer

    none = Effort(shadows=False, smooth_edges=False, occlusion=False)
    renderer = SceneRenderer(scene.place, bodies(), device="cpu", effort=none)
    image = renderer.render(scene.figures, scene.camera, scene.view)
    return image, traced(soup_of(scene, bodies()), scene.camera, scene.view)


@pytest.mark.parametrize(
    ("near", "distortion"), [(0.05, ()), (0.72, ()), (0.05, (-0.1, 0.01, 0.001, -0.001))]
)
def test_hair_of_cards_is_where_embree_finds_it(near: float, distortion: tuple[float, ...]):
    scene = portrait(near, distortion=distortion)
    image, found = both(scene)
    differ = unlike(image, found)
    assert set(np.unique(found.ids)) == {-1, *PEOPLE}
    assert (differ.ids, differ.holes) == (0, 0)
    assert differ.depth < 5e-5
    assert differ.normals < 2e-3
    aside = replace(scene.camera, cx=scene.camera.cx + 0.5)
    moved = unlike(image, traced(soup_of(scene, bodies()), aside, scene.view))
    assert moved.ids > 100 and moved.depth > 0.05, "half a pixel aside is another picture"


def test_the_portraits_do_try_holes_and_the_near_plane():
    scene = portrait(0.05)
    soup = soup_of(scene, bodies())
    seen = traced(soup, scene.camera, scene.view).depth
    whole = tuple(replace(each, alpha_tested=False) for each in soup.materials)
    filled = traced(replace(soup, materials=whole), scene.camera, scene.view).depth
    assert (filled < seen - 0.001).sum() > 200
    cut = traced(soup, replace(scene.camera, near=0.72), scene.view).depth
    assert (seen < cut - 0.01).sum() > 200
