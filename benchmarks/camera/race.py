"""The camera beside newton's SensorCamera and embree: the same place, people, poses and pixels.

Usage: python benchmarks/camera/race.py [--picture FILE.jpg]
       (needs `pip install 'paseo[camera]' embreex`; for newton, which is not installed with Paseo,
       `pip install --no-deps --target DIR newton` and DIR on PYTHONPATH)

40 people who ship stand on the square of Zara, as finely as our renderer draws them, and take a
step in every frame. Times are CPU seconds of a frame on one thread, the best of several.

Ours: footwork, poses, skinning, rasterising, soft shadows, textures with mip-maps, holes in hair,
then colours, depth, ids and normals; once more with smooth edges and ambient occlusion.
newton: points and normals that numpy has skinned beforehand are put into its meshes, these are
refitted and the shapes' boxes built anew; then colours, planar depth and shape of each pixel by
rays, textures without mip-maps, hard shadows, no holes. Newton has one texture for each mesh, so
that a person is as many meshes as materials; the time of moving them is told apart.
embree: all triangles built anew, as its binding must, one primary ray a pixel and one to the sun
from where these end; nothing is shaded.
"""

import argparse
import importlib.util
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image as Picture

sys.path.insert(0, str(Path(__file__).parent))
import stage

from paseo.camera.kernels.daylight import sun_direction
from paseo.camera.lens.projection import pixel_rays
from paseo.camera.meshes import BRIGHTEST, Material, Mesh
from paseo.camera.places.places import place_of
from paseo.camera.renderer import Effort
from paseo.camera.view import CameraView

SIZES = ((640, 480), (320, 240))
PLAIN = Effort(smooth_edges=False, occlusion=False)
FRAMES = 4
SKY = 0xE6C8A0  # newton's has one colour: blue, green, red
HOW = "newton is not here: pip install --no-deps --target DIR newton, and put DIR on PYTHONPATH"


@dataclass(frozen=True)
class Posed:
    """Everybody's points and normals at some frames, as numpy skins them."""

    meshes: tuple[Mesh, ...]  # at rest, of each person
    materials: tuple[tuple[Material, ...], ...]
    frames: tuple[tuple[tuple[np.ndarray, np.ndarray], ...], ...]


def posed(scene: stage.Scene, lens: Any) -> Posed:
    bodies, first = scene.bodies, scene.figures(0)
    levels = [stage.drawn_level(bodies[each.body], each, lens) for each in first]
    frames = [
        tuple(
            stage.skinned(level, figure.pose)
            for level, figure in zip(levels, scene.figures(frame), strict=True)
        )
        for frame in range(FRAMES + 1)
    ]
    materials = tuple(bodies[each.body].materials for each in first)
    return Posed(tuple(level.mesh for level in levels), materials, tuple(frames))


def ours(scene: stage.Scene, size: tuple[int, int], effort: Effort) -> tuple[float, Any]:
    """CPU seconds of a frame, and the first picture."""
    view, lens = CameraView(stage.PLAN, effort=effort, threads=1), stage.camera(size)

    def picture(frame: int) -> Any:
        return view.render(scene.snapshot(frame), lens, scene.footwork)

    return stage.best(picture, FRAMES), picture(0)


def painted(material: Material) -> np.ndarray | None:
    """A material's texture in its own colours: newton knows of no dyes."""
    if material.dyes is None or material.texture is None:
        return material.texture
    first, second = 255 * np.array(material.dyes)
    share, bright = (material.texture[..., [channel]] / 255 for channel in (0, 1))
    mixed = (first + (second - first) * share) * bright * BRIGHTEST
    whole = np.concatenate([mixed, material.texture[..., 3:]], axis=2)
    return np.clip(whole, 0, 255).astype(np.uint8)


class Newton:
    """The same in newton: each material of each person, and of the place, is a shape."""

    def __init__(self, people: Posed) -> None:
        import newton
        import warp as wp
        from newton.sensors import SensorCamera

        self._wp, self._sensor = wp, SensorCamera
        builder = newton.ModelBuilder(up_axis=newton.Axis.Z)
        place = place_of(stage.PLAN)
        self.owners: list[int] = []
        for mesh in self._pieces(newton, place.mesh, place.materials):
            builder.add_shape_mesh(body=-1, mesh=mesh[0])
            self.owners.append(-1)
        self._parts: list[tuple[Any, int, np.ndarray]] = []  # mesh, person, points of the body
        for person, mesh in enumerate(people.meshes):
            for part, points in self._pieces(newton, mesh, people.materials[person]):
                builder.add_shape_mesh(body=-1, mesh=part)
                self._parts.append((part, person, points))
                self.owners.append(person)
        self._model = builder.finalize(device="cpu")
        self._state = self._model.state()
        self._camera = SensorCamera(
            self._model,
            default_clear_data=SensorCamera.ClearData(clear_color=SKY),
            default_render_config=SensorCamera.RenderConfig(
                enable_shadows=True, enable_textures=True, enable_backface_culling=False
            ),
        )
        towards = sun_direction(place.sun)
        self._camera.create_default_light(direction=wp.vec3f(*(-towards).tolist()))
        self._shaded = self._camera._render_context._mesh_data_source  # it has no other way in

    @staticmethod
    def _pieces(newton: Any, mesh: Mesh, materials: Any) -> Any:
        """Newton's meshes of one material each, and which points they took."""
        for place, material in enumerate(materials):
            chosen = mesh.triangles[mesh.material == place]
            if not len(chosen):
                continue
            points, corners = np.unique(chosen, return_inverse=True)
            colour = np.clip(material.colour, 0.0, 1.0)
            encoded = np.where(colour <= 0.0031308, colour * 12.92, 1.055 * colour**0.41667 - 0.055)
            yield (
                newton.Mesh(
                    mesh.points[points],
                    corners.ravel().astype(np.int32),
                    normals=mesh.normals[points],
                    uvs=mesh.uv[points],
                    texture=painted(material),
                    color=tuple(encoded.tolist()),
                    compute_inertia=False,
                ),
                points,
            )

    def move(self, frame: tuple[tuple[np.ndarray, np.ndarray], ...]) -> None:
        """Put everybody into their poses."""
        still = len(self.owners) - len(self._parts)
        for shape, (mesh, person, points) in enumerate(self._parts, start=still):
            mesh.mesh.points.assign(frame[person][0][points])
            mesh.mesh.refit()
            self._shaded[shape].normals.assign(frame[person][1][points])
        self._model.bvh_build_shapes(self._state)  # refitting keeps the first boxes

    def look(self, size: tuple[int, int]) -> None:
        """Prepare rays and pictures of a size."""
        wp, lens = self._wp, stage.camera(size)
        self._rays = self._sensor.compute_camera_rays_pinhole_opencv(
            *size, lens.fx, lens.fy, lens.cx, lens.cy, device="cpu"
        )
        view = lens.view(stage.WHERE)
        right, down, forward = view.rotation.T
        turn = wp.quat_from_matrix(wp.mat33f(*np.stack([right, -down, -forward], 1).ravel()))
        at = wp.transformf(wp.vec3f(*view.position.tolist()), turn)
        self._at = wp.array([at], dtype=wp.transformf, device="cpu")
        self._outputs = {
            "color_image": self._camera.allocate_image_color(1, *size),
            "forward_depth_image": self._camera.allocate_image_depth(1, *size),
            "shape_index_image": self._camera.allocate_image_shape_index(1, *size),
        }

    def trace(self) -> None:
        self._camera.update(self._state, self._at, self._rays, **self._outputs)

    def seen(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Colours, planar depth and ids."""
        colour, depth, shape = (each.numpy()[0] for each in self._outputs.values())
        rgb = colour.view(np.uint8).reshape(*colour.shape, 4)[..., :3]
        owners = np.array([*self.owners, -1])
        return rgb, depth, owners[np.minimum(shape, len(self.owners))]


def embree(people: Posed, size: tuple[int, int]) -> tuple[float, float]:
    """CPU seconds of building a frame's triangles, and of its rays."""
    from embreex import rtcore_scene
    from embreex.mesh_construction import TriangleMesh

    place = place_of(stage.PLAN)
    still = place.mesh.points[place.mesh.triangles]
    posed_now = zip(people.meshes, people.frames[0], strict=True)
    parts = [still, *(points[mesh.triangles] for mesh, (points, _) in posed_now)]
    soup = np.concatenate(parts).astype(np.float32)
    lens = stage.camera(size)
    view, flat = lens.view(stage.WHERE), pixel_rays(lens).reshape(-1, 2)
    ways = (np.c_[flat, np.ones(len(flat))] @ view.rotation.T).astype(np.float32)
    starts = np.tile(view.position.astype(np.float32), (len(flat), 1))
    towards = sun_direction(place.sun).astype(np.float32)
    scenes: list[Any] = []

    def build(_: int) -> None:
        scenes[:] = [rtcore_scene.EmbreeScene()]
        TriangleMesh(scenes[0], soup)
        scenes[0].run(starts[:1], ways[:1])  # only then it is built

    def trace(_: int) -> None:
        away = scenes[0].run(starts, ways, query="DISTANCE")
        met = away < 1e3
        ends = starts[met] + ways[met] * away[met, None] + 1e-3 * towards
        scenes[0].run(ends, np.tile(towards, (len(ends), 1)), query="OCCLUDED")

    return stage.best(build, FRAMES), stage.best(trace, FRAMES)


def against_newton(
    people: Posed, size: tuple[int, int], seconds: float, image: Any
) -> np.ndarray | None:
    """Print newton's times and how its picture differs; its colours."""
    peer = Newton(people)
    peer.look(size)
    moving = stage.best(lambda frame: peer.move(people.frames[frame]), FRAMES)
    tracing = stage.best(lambda _: peer.trace(), FRAMES)
    both = moving + tracing
    print(
        f"  newton: moved in {moving:.3f} s, rays {tracing:.3f} s; without skinning, hard shadows: "
        f"ours is {seconds / both:.2f} of both, {seconds / tracing:.2f} of its rays alone"
    )
    peer.move(people.frames[0])
    peer.trace()
    rgb, depth, ids = peer.seen()
    same = (ids == image.ids) & np.isfinite(image.depth)
    apart = np.abs(depth - image.depth)[same]
    print(
        f"  ids differ at {(ids != image.ids).mean():.2%} of pixels (it sees no holes in hair "
        f"and leaves); depth elsewhere: median {np.median(apart):.1e} m"
    )
    return rgb


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--picture", type=Path, help="newton's picture and ours, side by side")
    options = parser.parse_args()
    has_newton = importlib.util.find_spec("newton") is not None
    scene = stage.scene(40)
    for size in SIZES:
        people = posed(scene, stage.camera(size))
        triangles = sum(len(mesh.triangles) for mesh in people.meshes)
        seconds, image = ours(scene, size, PLAIN)
        whole, best_image = ours(scene, size, Effort())
        print(
            f"{size[0]}x{size[1]}, 40 people of {triangles:,} triangles: ours {seconds:.3f} s, "
            f"with smooth edges and ambient occlusion {whole:.3f} s"
        )
        building, tracing = embree(people, size)
        both = building + tracing
        print(
            f"  embree: built in {building:.3f} s, rays {tracing:.3f} s, nothing shaded: ours is "
            f"{seconds / both:.2f} of both, {seconds / tracing:.2f} of its rays alone"
        )
        if not has_newton:
            print(f"  {HOW}")
            continue
        theirs = against_newton(people, size, seconds, image)
        if options.picture and size == SIZES[0]:
            pair = np.concatenate([theirs, np.full((size[1], 8, 3), 255), best_image.rgb], axis=1)
            Picture.fromarray(pair.astype(np.uint8)).save(options.picture, quality=82)
    return 0


if __name__ == "__main__":
    sys.exit(main())
