"""Floor plans as places to look at."""

import numpy as np
import pytest

from paseo.camera.lens.presets import preset
from paseo.camera.meshes import Surface
from paseo.camera.places.places import check_view, place_of
from paseo.camera.places.textures import SIZE, brick, noise, slabs
from paseo.data.maps.floorplans import shipped_floorplan, shipped_maps
from paseo.errors import BadValue
from paseo.world.motion import Pose


@pytest.mark.parametrize("name", shipped_maps())
def test_nothing_stands_where_one_can_walk(name: str):
    plan = shipped_floorplan(name)
    place = place_of(plan)
    mesh = place.mesh
    raised = mesh.points[mesh.triangles].mean(axis=1)
    raised = raised[(raised[:, 2] > 0.05) & (raised[:, 2] < 2.0)]
    assert len(raised) > 100
    # Sills and plinths stand out by a hand's breadth.
    assert plan.grid_clearances(raised[:, :2].astype(float)).max() < 0.2


def test_walls_show_their_front_to_those_who_walk():
    plan = shipped_floorplan("Zara")
    place = place_of(plan)
    glass = [place.materials[k].surface is Surface.GLASS for k in place.mesh.material]
    corners = place.mesh.triangles[np.array(glass)][:, 0]
    ahead = place.mesh.points[corners] + 0.5 * place.mesh.normals[corners]
    assert len(ahead) > 20
    assert plan.grid_clearances(ahead[:, :2].astype(float)).min() > 0


def test_the_corners_of_triangles_run_anticlockwise_before_their_normals():
    mesh = place_of(shipped_floorplan("DoubleHotel")).mesh
    a, b, c = mesh.points[mesh.triangles].transpose(1, 0, 2)
    facing = np.cross(b - a, c - a)
    assert (np.einsum("ij,ij->i", facing, mesh.normals[mesh.triangles[:, 0]]) > 0).all()


def test_doors_are_where_the_plan_has_places():
    place = place_of(shipped_floorplan("Zara"))
    assert any(place.materials[k].name == "door" for k in place.mesh.material)


def test_a_camera_inside_a_wall_is_told():
    plan = shipped_floorplan("DoubleHotel")
    camera = preset("level")
    check_view(plan, camera.view(Pose(3.0, 3.0)))
    x0, y0, _, _ = plan.bounds
    with pytest.raises(BadValue, match="stands in a wall of 'DoubleHotel' at"):
        check_view(plan, camera.view(Pose(x0 - 0.5, y0 + 1.0)))


def test_the_five_maps_are_built_of_different_things():
    looks = {
        tuple(id(each.texture) for each in place_of(shipped_floorplan(name)).materials[:2])
        for name in shipped_maps()
    }
    assert len(looks) == len(shipped_maps())


def test_textures_repeat_without_a_seam():
    for field in (noise(3, 1.2), brick((0.6, 0.3, 0.2), 1).texture[..., 0].astype(float)):
        inside = np.abs(np.diff(field, axis=1)).mean()
        seam = np.abs(field[:, 0] - field[:, -1]).mean()
        assert seam < 2 * inside
    assert slabs((0.5, 0.5, 0.5), 1, rows=8, tile_m=2.0).texture.shape == (SIZE, SIZE, 4)
