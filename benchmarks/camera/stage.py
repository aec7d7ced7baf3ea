"""The scene that the camera's benchmarks share: people who ship walk about on a square."""

import time
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from paseo.camera.gait.bones.poses import poses
from paseo.camera.gait.steps.footwork import Footwork, walks_of
from paseo.camera.kernels.frame import COARSER
from paseo.camera.lens.presets import preset
from paseo.camera.meshes import Body, Level
from paseo.camera.people.library import Library, body_for, place_for
from paseo.camera.scene import Figure
from paseo.data.maps.floorplans import shipped_floorplan
from paseo.world.arrays import FloatArray
from paseo.world.cameras import Camera
from paseo.world.motion import Pose, RobotState, Twist
from paseo.world.people import Crowd, Snapshot

PLAN = shipped_floorplan("Zara")
WHERE = Pose(2.5, 7.0, 0.0)  # looks along the square
ROBOT = RobotState(WHERE, Twist(0.0, 0.0), 0.3)
SPEED, BEGUN, STEP = 1.2, 1.0, 0.1  # m/s; seconds to the first frame and between frames
TIMES = np.arange(0.0, 4.0, 0.1)
NOBODY = Crowd(np.array([], int), np.empty((0, 2)), np.empty((0, 2)), np.array([]))


@dataclass(frozen=True)
class Scene:
    """People on their way, and where they are at a frame."""

    footwork: Footwork

    def snapshot(self, frame: int) -> Snapshot:
        return Snapshot(BEGUN + frame * STEP, ROBOT, NOBODY)

    def figures(self, frame: int) -> list[Figure]:
        """Everybody in their pose."""
        walks = self.footwork.at(BEGUN + frame * STEP)
        ids = walks.ids.tolist()
        bodies = [body_for(person) for person in ids]
        return [
            Figure(person, body.name, pose)
            for person, body, pose in zip(ids, bodies, poses(bodies, walks), strict=True)
        ]

    @property
    def bodies(self) -> dict[str, Body]:
        """Those that people wear, by name."""
        found = [body_for(person) for person in self.footwork.ids.tolist()]
        return {body.name: body for body in found}


def scene(people: int, *, behind: int = 0) -> Scene:
    """So many people on the square, most of them before the camera, and so many far behind it."""
    rng = np.random.default_rng(11)
    x0, y0, x1, y1 = PLAN.bounds
    places = rng.uniform((x0, y0), (x1, y1), (4000, 2))
    free = (PLAN.grid_clearances(places) > 0.4) & (np.hypot(*(places - (WHERE.x, WHERE.y)).T) > 1.8)
    away = rng.uniform((-80, -40), (-45, 40), (behind, 2))
    return walking(np.concatenate([places[free][:people], away]), rng)


def walking(places: FloatArray, rng: np.random.Generator) -> Scene:
    """People who pass these places, (people, 2), at the first frame, each in a direction."""
    count = len(places)
    headings = rng.uniform(-np.pi, np.pi, count)
    ways = np.stack([np.cos(headings), np.sin(headings)], axis=1) * SPEED
    tracks = places + ways * (TIMES - BEGUN)[:, None, None]
    library = Library()
    legs = [library.leg_length(place_for(person, 0, len(library))) for person in range(count)]
    return Scene(walks_of(TIMES, tracks, np.arange(count), leg_lengths=np.array(legs)))


def camera(size: tuple[int, int]) -> Camera:
    """The level one, 1.5 m high, with so many pixels."""
    level, scale = preset("level"), size[0] / 640
    optics = {key: getattr(level, key) * scale for key in ("fx", "fy", "cx", "cy")}
    return replace(level, width_px=size[0], height_px=size[1], height=1.5, **optics)


def drawn_level(body: Body, figure: Figure, lens: Camera) -> Level:
    """The level of detail that the renderer takes for somebody in view."""
    middle = figure.pose[0] @ [*body.skeleton.joints[0], 1.0]
    away = float(np.linalg.norm(middle - lens.view(WHERE).position))
    pixels = lens.fy * body.height / away
    return body.levels[min(sum(pixels < limit for limit in COARSER), len(body.levels) - 1)]


def skinned(level: Level, pose: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Points and normals of a level in a pose, by numpy."""
    bones = np.einsum("nk,nkij->nij", level.bone_weights, pose[level.bone_indices])
    points = np.einsum("nij,nj->ni", bones[:, :, :3], level.mesh.points) + bones[:, :, 3]
    normals = np.einsum("nij,nj->ni", bones[:, :, :3], level.mesh.normals)
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    return points.astype(np.float32), normals.astype(np.float32)


def best(work: Callable[[int], object], frames: int = 7) -> float:
    """CPU seconds of the quickest of some frames, after one that counts for nothing."""
    work(0)
    times = []
    for frame in range(1, frames + 1):
        before = time.process_time()
        work(frame)
        times.append(time.process_time() - before)
    return min(times)


def told(what: str, seconds: float, most: float) -> bool:
    """Print a time beside its limit, and whether it was kept."""
    kept = seconds <= most
    print(f"{what:62} {seconds:7.3f} s   at most {most:5.2f}{'' if kept else '   TOO SLOW'}")
    return kept
