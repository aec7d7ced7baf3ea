"""CPU-seconds of a picture with 40 people in it; the first one, cold and warm; embree beside it.

Usage: python benchmarks/camera/rendering.py    (needs `pip install 'paseo[camera]' embreex`)

The place is Paseo's floor plan of Zara, built up; the people are puppets of three levels of detail,
of 43,000, 10,600 and 2,500 triangles, of which each is drawn as finely as it is seen. Everybody
moves in every frame, so that skinning is part of it. In a second round all have 10,600, as the
prototype that the limits come from had. Times are CPU seconds on one thread, the best of several
frames: who else is at work on the machine only adds to them. Embree is given the same triangles
and the same primary rays, built anew as it must be for every frame, and shades nothing. Fails where
a limit is not kept.
"""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from embreex import rtcore_scene
from embreex.mesh_construction import TriangleMesh

from paseo.camera.lens.presets import preset
from paseo.camera.lens.projection import pixel_rays
from paseo.camera.meshes import Body
from paseo.camera.places.places import place_of
from paseo.camera.renderer import Effort, SceneRenderer
from paseo.camera.scene import Figure
from paseo.data.maps.floorplans import shipped_floorplan
from paseo.world.cameras import Camera
from paseo.world.motion import Pose

sys.path.insert(0, str(Path(__file__).parents[2] / "tests" / "support"))
from puppets import puppet, puppet_pose

PEOPLE, FRAMES = 40, 7
FINE, EVEN = (28, 14, 7), (14,)  # rings of a puppet's capsules, level by level
WHERE = Pose(2.5, 7.0, 0.0)  # looks along the square
PLAIN = Effort(smooth_edges=False, occlusion=False)
MOST = {  # CPU-s of a frame
    ((640, 480), PLAIN): 0.30,
    ((320, 240), PLAIN): 0.11,
    ((640, 480), Effort()): 0.42,
    ((320, 240), Effort()): 0.16,
}
MOST_WARM, MOST_COLD = 2.0, 15.0  # CPU-s from the start of Python to the first picture
WORDS = {PLAIN: "soft shadows, textures", Effort(): "and smooth edges, ambient occlusion"}


@dataclass(frozen=True)
class Crowd:
    """People who walk about on a square, the same every time."""

    bodies: tuple[Body, ...]
    places: np.ndarray  # (people, 2)
    headings: np.ndarray  # (people,)

    def figures(self, frame: int) -> list[Figure]:
        swing = 0.5 * np.sin(0.7 * frame + np.arange(len(self.places)))
        ahead = np.stack([np.cos(self.headings), np.sin(self.headings)], axis=1) * 0.02 * frame
        found = []
        for person, (x, y) in enumerate(self.places + ahead):
            body = self.bodies[person % len(self.bodies)]
            pose = puppet_pose(body, x, y, self.headings[person], swing=swing[person])
            found.append(Figure(person, body.name, pose))
        return found


def crowd(rings: tuple[int, ...], *, people: int = PEOPLE, behind: int = 0) -> Crowd:
    """Some on the square before the camera, and some far behind it."""
    rng = np.random.default_rng(11)
    plan = shipped_floorplan("Zara")
    x0, y0, x1, y1 = plan.bounds
    places = rng.uniform((x0, y0), (x1, y1), (4000, 2))
    free = (plan.grid_clearances(places) > 0.4) & (np.hypot(*(places - (2.5, 7.0)).T) > 1.2)
    away = rng.uniform((-80, -40), (-45, 40), (behind, 2))
    places = np.concatenate([places[free][:people], away])
    bodies = tuple(puppet(f"puppet {k}", rings=rings, seed=k) for k in range(12))
    return Crowd(bodies, places, rng.uniform(-np.pi, np.pi, len(places)))


def camera(size: tuple[int, int]) -> Camera:
    level, scale = preset("level"), size[0] / 640
    optics = {key: getattr(level, key) * scale for key in ("fx", "fy", "cx", "cy")}
    return replace(level, width_px=size[0], height_px=size[1], height=1.5, **optics)


def best(work: Callable[[int], object]) -> float:
    """CPU seconds of the quickest of some rounds, after one that counts for nothing."""
    work(0)
    times = []
    for frame in range(1, FRAMES + 1):
        before = time.process_time()
        work(frame)
        times.append(time.process_time() - before)
    return min(times)


def rendering(people: Crowd, size: tuple[int, int], effort: Effort) -> float:
    place = place_of(shipped_floorplan("Zara"))
    renderer = SceneRenderer(place, people.bodies, effort=effort, device="cpu")
    lens = camera(size)
    frames = [people.figures(frame) for frame in range(FRAMES + 1)]
    return best(lambda frame: renderer.render(frames[frame], lens, lens.view(WHERE)))


def tracing(people: Crowd, size: tuple[int, int]) -> tuple[float, float]:
    """CPU seconds that embree needs to build a frame's triangles, and for its primary rays."""
    mesh = place_of(shipped_floorplan("Zara")).mesh
    corners = [mesh.points[mesh.triangles]]
    bodies = {body.name: body for body in people.bodies}
    for each in people.figures(0):
        level = bodies[each.body].levels[min(1, len(bodies[each.body].levels) - 1)]
        bones = np.einsum("nk,nkij->nij", level.bone_weights, each.pose[level.bone_indices])
        points = np.einsum("nij,nj->ni", bones[:, :, :3], level.mesh.points) + bones[:, :, 3]
        corners.append(points[level.mesh.triangles])
    soup = np.concatenate(corners).astype(np.float32)
    lens = camera(size)
    flat = pixel_rays(lens).reshape(-1, 2)
    view = lens.view(WHERE)
    ways = (np.c_[flat, np.ones(len(flat))] @ view.rotation.T).astype(np.float32)
    starts = np.tile(view.position.astype(np.float32), (len(flat), 1))
    scenes = []

    def build(_: int) -> None:
        scenes[:] = [rtcore_scene.EmbreeScene()]
        TriangleMesh(scenes[0], soup)
        scenes[0].run(starts[:1], ways[:1])  # only then it is built

    return best(build), best(lambda _: scenes[0].run(starts, ways))


FIRST = """
import time
from paseo.camera.renderer import SceneRenderer
import rendering
people = rendering.crowd(rendering.FINE)
place = rendering.place_of(rendering.shipped_floorplan("Zara"))
figures, lens = people.figures(0), rendering.camera((640, 480))
made = time.process_time()
rendered = SceneRenderer(place, people.bodies, device="cpu")
rendered.render(figures, lens, lens.view(rendering.WHERE))
print(time.process_time(), made)
"""


def first_picture(cache: Path) -> float:
    """CPU seconds of a new Python up to its first picture; making puppets is not counted."""
    paths = [str(Path(__file__).parent), os.environ.get("PYTHONPATH", "")]
    environment = {
        **os.environ,
        "WARP_CACHE_PATH": str(cache),
        "PYTHONPATH": os.pathsep.join(filter(None, paths)),
    }
    done = subprocess.run(
        [sys.executable, "-c", FIRST], env=environment, capture_output=True, text=True, check=True
    )
    end, made = map(float, done.stdout.split())
    return end - made + bare_start(environment)


def bare_start(environment: dict[str, str]) -> float:
    """CPU seconds of a Python that only imports the renderer."""
    words = "import time, paseo.camera.renderer; print(time.process_time())"
    done = subprocess.run(
        [sys.executable, "-c", words], env=environment, capture_output=True, text=True, check=True
    )
    return float(done.stdout)


def told(what: str, seconds: float, most: float) -> bool:
    kept = seconds <= most
    print(f"{what:62} {seconds:7.3f} s   at most {most:5.2f}{'' if kept else '   TOO SLOW'}")
    return kept


def main() -> int:
    kept = []
    for rings, name in ((FINE, "fine where near"), (EVEN, "10,600 triangles each")):
        people = crowd(rings)
        for (size, effort), most in MOST.items():
            what = f"{size[0]}x{size[1]}, {name}, {WORDS[effort]}"
            seconds = rendering(people, size, effort)
            kept.append(told(what, seconds, most))
            if size == (640, 480) and effort == PLAIN:
                build, trace = tracing(people, size)
                ratio = seconds / (build + trace)
                print(
                    f"{'':8}embree: built in {build:.3f} s, primary rays {trace:.3f} s, nothing "
                    f"shaded; our frame is {ratio:.2f} of that, {seconds / trace:.1f} of the rays"
                )
    alone = rendering(crowd(FINE), (320, 240), PLAIN)
    crowded = rendering(crowd(FINE, behind=160), (320, 240), PLAIN)
    kept.append(told("320x240, and 160 people out of sight", crowded, alone * 1.15 + 0.005))
    with tempfile.TemporaryDirectory() as folder:
        for what, most in (("nothing compiled", MOST_COLD), ("kernels in the cache", MOST_WARM)):
            kept.append(told(f"first picture, {what}", first_picture(Path(folder)), most))
    return 0 if all(kept) else 1


if __name__ == "__main__":
    sys.exit(main())
