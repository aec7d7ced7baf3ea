"""Front views of staged scenes, as the camera sees them: people who walk at a place with a sun."""

import math
import os
import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from paseo.camera.gait.steps.footwork import Footwork, walks_of
from paseo.camera.lens.image import Image
from paseo.camera.lens.presets import preset
from paseo.camera.meshes import Body
from paseo.camera.people.library import Library, People, place_for
from paseo.camera.scene import Sun
from paseo.camera.view import CameraView
from paseo.data.maps.floorplans import shipped_floorplan
from paseo.data.scenes.socialnavsub import TIMING
from paseo.progress import Progress, silent
from paseo.vqa.synthetic.casting import Staging
from paseo.vqa.synthetic.scenery import Scenery, scenery_for
from paseo.world.arrays import FloatArray
from paseo.world.cameras import Camera as Lens
from paseo.world.motion import RobotState, Twist
from paseo.world.people import Crowd, Snapshot
from paseo.world.scenes import Camera

if TYPE_CHECKING:
    from paseo.camera.renderer import Effort

BEFORE = 2.0  # seconds that people walk before the first frame, to be in their stride
AFTER = 0.5  # seconds that they walk on after the last
RATE = 20  # positions a second that their feet are led along
RADIUS = 0.3  # metres, of the robot; its own camera does not see it
SUN = (math.radians(48), math.radians(65))  # lowest and highest


@dataclass(frozen=True, slots=True)
class Extras:
    """A few people of the library in everybody's place, each for those of about their height."""

    count: int

    def __len__(self) -> int:
        return len(Library())

    def body(self, place: int) -> Body:
        """That of somebody about as tall."""
        return Library().body(self._stand_in(place))

    def leg_length(self, place: int) -> float:
        """Of the same."""
        return Library().leg_length(self._stand_in(place))

    def is_kept(self, place: int) -> bool:
        """Of the same."""
        return Library().is_kept(self._stand_in(place))

    def _stand_in(self, place: int) -> int:
        height = Library().height
        by_height = sorted(range(len(self)), key=height)
        few = by_height[len(self) // (2 * self.count) :: len(self) // self.count]
        return min(few, key=lambda each: abs(height(each) - height(place)))


class Studio:
    """A floor plan with a sun, where scenes are filmed one after the other; needs warp."""

    def __init__(
        self,
        plan: str,
        *,
        seed: int,
        people: People,
        effort: "Effort | None" = None,
        progress: Progress = silent,
    ) -> None:
        rng = random.Random(f"sun {seed} {plan}")
        sun = Sun(rng.uniform(-math.pi, math.pi), rng.uniform(*SUN))
        self._plan, self._people = plan, people
        self._view = CameraView(
            shipped_floorplan(plan),
            people=people,
            sun=sun,
            effort=effort,
            threads=os.cpu_count() or 1,
            progress=progress,
        )

    def film(self, staging: Staging, camera: Camera) -> Iterator[Image]:
        """What the robot's camera sees at each frame of a scene; ids are those of `person`."""
        scenery = scenery_for(staging, self._plan)
        lens, footwork = lens_of(camera), self._footwork(staging, scenery)
        for frame in range(TIMING.frames):
            time = frame * TIMING.period
            pose = scenery.pose(*staging.drive.pose(time))
            robot = RobotState(pose, Twist(0.0, 0.0), RADIUS)
            moment = Snapshot(time=BEFORE + time, robot=robot, crowd=NOBODY)
            yield self._view.render(moment, lens, footwork)

    def _footwork(self, staging: Staging, scenery: Scenery) -> Footwork:
        times = np.arange(round(RATE * (BEFORE + TIMING.duration + AFTER))) / RATE
        ids = np.array([walker.person for walker in staging.walkers])
        walked = [[w.walk.position(time - BEFORE) for w in staging.walkers] for time in times]
        places = [place_for(int(id), 0, len(self._people)) for id in ids]
        legs = np.array([self._people.leg_length(place) for place in places])
        paths: FloatArray = scenery.onto_plan(np.array(walked))
        return walks_of(times, paths, ids, leg_lengths=legs)


NOBODY = Crowd(np.empty(0, np.int64), np.empty((0, 2)), np.empty((0, 2)), np.empty(0))


def lens_of(camera: Camera) -> Lens:
    """The camera on the robot that has these intrinsics."""
    return replace(
        preset("socialnavsub"),
        width_px=camera.width_px,
        height_px=camera.height_px,
        fx=camera.fx,
        fy=camera.fy,
        cx=camera.cx,
        cy=camera.cy,
    )
