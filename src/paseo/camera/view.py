"""Moments as a camera sees them: a place and people by their ids in, pictures out."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np

from paseo.camera.gait.bones.poses import poses
from paseo.camera.gait.steps.footwork import Footwork, walks_of
from paseo.camera.gait.steps.tracker import WalkTracker
from paseo.camera.gait.steps.walks import Walks, of_some
from paseo.camera.lens.image import Image
from paseo.camera.meshes import Body
from paseo.camera.people.keeping import PEOPLE
from paseo.camera.people.library import Library, People, place_for
from paseo.camera.places.keeping import kept_place
from paseo.camera.places.places import check_view
from paseo.camera.robots import robot_body, robot_pose
from paseo.camera.scene import Figure, Place, Sun
from paseo.progress import Progress, silent
from paseo.world.cameras import Camera
from paseo.world.people import Snapshot
from paseo.world.records import Record
from paseo.world.space.floorplan import FloorPlan

if TYPE_CHECKING:
    from paseo.camera.renderer import Effort

NOBODY = -1  # whose pixels are no person's
PAINTING = "painting people, some 0.1 s each"


def prepare(progress: Progress = silent) -> None:
    """Compile the camera where that was not done yet, which takes some ten seconds and is told."""
    from paseo.camera.kernels.workers import best_device, load

    load(best_device(), progress)
    if PEOPLE.is_empty():
        progress(f"{PAINTING}, when they are first seen; later runs have them", 0, 0)


def drawn_by() -> str:
    """What pictures are drawn by on this machine: a graphics card, or the processor."""
    from paseo.camera.kernels.workers import best_device, device_words

    return device_words(best_device())


class CameraView:
    """Shows moments at one place; a person looks the same in every picture and every run.

    Needs the extra `camera`.
    """

    def __init__(
        self,
        place: FloorPlan | Place,
        *,
        plan: FloorPlan | None = None,
        people: People | None = None,
        sun: Sun | None = None,
        effort: "Effort | None" = None,
        threads: int = 1,
        progress: Progress = silent,
    ) -> None:
        from paseo.camera.renderer import SceneRenderer  # which needs warp

        # In whose walls no camera may stand.
        self._plan = place if isinstance(place, FloorPlan) else plan
        built = kept_place(place) if isinstance(place, FloorPlan) else place
        built = replace(built, sun=sun or built.sun)
        self._top = float(built.mesh.points[:, 2].max())
        self._renderer = SceneRenderer(built, effort=effort, threads=threads, progress=progress)
        self.device = self._renderer.device  # that renders, as warp calls it
        self.exposure = self._renderer.exposure  # which adapts to the light of the place
        self._people: People = people or Library()
        self._bodies: dict[str, Body] = {}
        self._progress, self._is_told = progress, False
        self._met: set[int] = set()  # places of people who were looked for
        self._dressing = Lock()  # moments with footwork may be asked for by several threads
        # Knows nothing of this view: who is in no circle is freed at once, with all its bodies.
        self._tracker = WalkTracker(partial(_leg_length, self._people))
        self._followed: tuple[Snapshot, Walks] | None = None

    def render(self, snapshot: Snapshot, camera: Camera, footwork: Footwork | None = None) -> Image:
        """What the camera sees, on the robot or where it stands; from there the robot is seen too.

        With the footwork of a record, moments may come in any order and look the same whenever
        they are asked for. Without it people are followed from one snapshot to the next.
        """
        view = camera.view(snapshot.robot.pose)
        if self._plan is not None and view.position[2] <= self._top:
            check_view(self._plan, view, forward=camera.forward)
        walks = self._follow(snapshot) if footwork is None else footwork.at(snapshot.time)
        places = walks.positions.tolist()
        near = [self._renderer.may_show(x, y, camera, view) for x, y in places]
        walks = of_some(walks, np.array(near, bool))
        ids = walks.ids.tolist()
        bodies = self._bodies_of(ids)
        figures = [
            Figure(person, body.name, pose)
            for person, body, pose in zip(ids, bodies, poses(bodies, walks), strict=True)
        ]
        robot = robot_body(snapshot.robot.radius)
        if camera.at is not None:
            figures.append(Figure(NOBODY, robot.name, robot_pose(snapshot.robot)))
        shown = {body.name: body for body in (*bodies, robot)}
        self._bodies |= shown
        self._renderer.welcome(tuple(shown.values()))
        return self._renderer.render(figures, camera, view)

    def footwork_of(self, record: Record) -> Footwork:
        """How everybody in a record walks, on the legs that they have here."""
        legs = np.array([_leg_length(self._people, person) for person in record.ids.tolist()])
        return walks_of(record.times, record.people, record.ids, leg_lengths=legs)

    @property
    def dressed(self) -> tuple[int, int]:
        """How many bodies people wear so far, and how many of them lack pictures and are plain."""
        worn = [body for body in self._bodies.values() if body.sex is not None]
        return len(worn), sum(any(each.plain for each in body.materials) for body in worn)

    def _bodies_of(self, ids: Sequence[int]) -> list[Body]:
        """What people wear; the first time that takes long, it is told."""
        places = [self._place_of(person) for person in ids]
        with self._dressing:
            new = set(places) - self._met
            if not self._is_told and not all(map(self._people.is_kept, new)):
                self._progress(PAINTING, 0, 0)
                self._is_told = True
            self._met |= new
            return [self._people.body(place) for place in places]

    def _follow(self, snapshot: Snapshot) -> Walks:
        """The walks at a snapshot, the same for each of several cameras."""
        if self._followed is None or self._followed[0] is not snapshot:
            self._followed = snapshot, self._tracker.update(snapshot)
        return self._followed[1]

    def _place_of(self, person: int) -> int:
        return place_for(person, 0, len(self._people))


def _leg_length(people: People, person: int) -> float:
    return people.leg_length(place_for(person, 0, len(people)))
