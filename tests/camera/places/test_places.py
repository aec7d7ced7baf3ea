"""Floor plans as places to look at."""

from functools import cache
from pathlib import Path

import numpy as np
import pytest
import shapely
from numpy.typing import NDArray

from left_out import DATA
from paseo.camera.lens.presets import preset
from paseo.camera.meshes import Surface
from paseo.camera.places.paint.stones import SIZE, brick, noise, slabs
from paseo.camera.places.places import check_view
from paseo.camera.places.places import place_of as built
from paseo.camera.scene import Place
from paseo.data.maps.floorplans import shipped_floorplan, shipped_maps
from paseo.data.store.locations import DataFolder
from paseo.data.suites.episodes import Choices, scenario
from paseo.data.suites.suite_file import shipped_suites
from paseo.errors import BadValue
from paseo.world.motion import Pose
from paseo.world.space.floorplan import floor_plan


@cache
def place_of(name: str) -> Place:
    return built(shipped_floorplan(name))


@pytest.mark.parametrize("name", shipped_maps())
def test_nothing_stands_where_one_can_walk(name: str):
    plan = shipped_floorplan(name)
    place = place_of(name)
    mesh = place.mesh
    raised = mesh.points[mesh.triangles].mean(axis=1)
    raised = raised[(raised[:, 2] > 0.05) & (raised[:, 2] < 2.0)]
    assert len(raised) > 100
    # Sills and plinths stand out by a hand's breadth.
    assert plan.grid_clearances(raised[:, :2].astype(float)).max() < 0.2


HEADS = 2.0  # metres
KEPT = 0.15  # metres that people's middles keep from all that stands


def lowest_distance(name: str, walked: NDArray[np.float64], *, behind: float = -9.0) -> float:
    """How near people's middles come to anything between their ankles and their heads.

    Only what stands so far behind the walls of the plan counts.
    """
    plan = shipped_floorplan(name)
    mesh = place_of(name).mesh
    corners = mesh.points[mesh.triangles].astype(float)
    standing = (corners[:, :, 2].max(axis=1) > 0.2) & (corners[:, :, 2].min(axis=1) < HEADS)
    inside = plan.grid_clearances(corners[:, :, :2].reshape(-1, 2)).reshape(-1, 3)
    standing &= inside.max(axis=1) < -behind
    standing = corners[standing]
    lines = shapely.linestrings(standing[:, [0, 1, 2, 0], :2])
    tree = shapely.STRtree(lines)
    cells = np.unique(np.round(walked / 0.1), axis=0) * 0.1  # to a tenth of a metre
    _, distances = tree.query_nearest(shapely.points(cells), return_distance=True)
    return float(distances.min())


def walked_on(name: str, suite: str, data: Path) -> NDArray[np.float64]:
    """Where people walk in all episodes of a suite on a map, (positions, 2)."""
    worlds = [
        scenario(entry, Choices(), DataFolder(data))
        for entry in shipped_suites()[suite].episodes
        if entry.map == name
    ]
    walked = np.concatenate([track.positions for world in worlds for track in world.tracks])
    return walked[np.isfinite(walked).all(axis=1)]


@pytest.mark.parametrize("name", shipped_maps())
def test_nobody_of_the_crowds_that_ship_walks_through_furniture(name: str):
    walked = walked_on(name, "paseo-33", Path("no such folder"))
    assert len(walked) > 1000
    assert lowest_distance(name, walked) > KEPT - 0.08  # a cell's half diagonal


@pytest.mark.slow
@pytest.mark.recordings
@pytest.mark.parametrize("name", shipped_maps())
def test_nobody_of_the_recordings_walks_through_furniture(name: str):
    walked = walked_on(name, "socnavbench-33", DATA)
    # Some are recorded beyond the map: furniture keeps clear of them too. Some enter its houses.
    plan = shipped_floorplan(name)
    x0, y0, x1, y1 = plan.bounds
    beyond = (walked < (x0, y0)).any(axis=1) | (walked > (x1, y1)).any(axis=1)
    walked = walked[beyond | (plan.grid_clearances(walked) > 0)]
    assert lowest_distance(name, walked, behind=0.8) > KEPT


def test_the_same_plan_gives_the_same_place():
    one, again = (built(shipped_floorplan("Univ")).mesh for _ in range(2))
    assert one.points.tobytes() == again.points.tobytes()
    assert one.uv.tobytes() == again.uv.tobytes()


def test_places_have_trees_benches_lamps_and_bins_beyond_their_edges():
    for name in shipped_maps():
        plan, place = shipped_floorplan(name), place_of(name)
        surfaces = {place.materials[k].surface for k in np.unique(place.mesh.material)}
        assert {Surface.LEAF, Surface.METAL, Surface.GLASS} <= surfaces
        names = {place.materials[k].name for k in np.unique(place.mesh.material)}
        assert {"planks", "lamp", "bark", "leaves"} <= names
        planks = [place.materials[k].name == "planks" for k in place.mesh.material]
        seats = place.mesh.points[place.mesh.triangles[np.array(planks)]].reshape(-1, 3)
        assert plan.grid_clearances(seats[:, :2].astype(float)).max() < 0, "where nobody walks"


def test_a_plan_of_ones_own_is_built_up_too():
    ring = np.array([[0, 0], [8, 0], [8, 6], [0, 6], [0, 0]], float)
    plan = floor_plan("my yard", np.stack([ring[:-1], ring[1:]], axis=1))
    place = built(plan)
    high = place.mesh.points[:, 2].max()
    assert 5 < high < 30


def test_walls_show_their_front_to_those_who_walk():
    plan, place = shipped_floorplan("Zara"), place_of("Zara")
    glass = [place.materials[k].name == "glass" for k in place.mesh.material]
    corners = place.mesh.triangles[np.array(glass)][:, 0]
    near = plan.grid_clearances(place.mesh.points[corners][:, :2].astype(float)) > -0.3
    corners = corners[near]
    ahead = place.mesh.points[corners] + 0.5 * place.mesh.normals[corners]
    assert len(ahead) > 20
    assert plan.grid_clearances(ahead[:, :2].astype(float)).min() > 0


def test_the_corners_of_triangles_run_anticlockwise_before_their_normals():
    place = place_of("DoubleHotel")
    mesh = place.mesh
    # Leaves hang as they like and are lit as a whole crown.
    stiff = np.array([each.surface is not Surface.LEAF for each in place.materials])
    triangles = mesh.triangles[stiff[mesh.material]]
    a, b, c = mesh.points[triangles].transpose(1, 0, 2)
    facing = np.cross(b - a, c - a)
    assert (np.einsum("ij,ij->i", facing, mesh.normals[triangles[:, 0]]) > 0).all()


def test_doors_are_where_the_plan_has_places():
    place = place_of("Zara")
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
        tuple(id(each.texture) for each in place_of(name).materials[:2]) for name in shipped_maps()
    }
    assert len(looks) == len(shipped_maps())


def test_textures_repeat_without_a_seam():
    for field in (noise(3, 1.2), brick((0.6, 0.3, 0.2), 1).texture[..., 0].astype(float)):
        inside = np.abs(np.diff(field, axis=1)).mean()
        seam = np.abs(field[:, 0] - field[:, -1]).mean()
        assert seam < 2 * inside
    assert slabs((0.5, 0.5, 0.5), 1, rows=8, tile_m=2.0).texture.shape == (SIZE, SIZE, 4)
