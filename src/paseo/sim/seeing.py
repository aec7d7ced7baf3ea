"""What the robot's camera shows it, and whom a perception finds there."""

import numpy as np

from paseo.perception.names import make_perception
from paseo.sim.seeds import derived_seed
from paseo.sim.sensing import NOBODY
from paseo.world.cameras import RgbdImage, Sight
from paseo.world.clocks import picture_steps
from paseo.world.motion import Pose
from paseo.world.people import Snapshot
from paseo.world.planning import Briefing, Observation
from paseo.world.scenarios import Scenario


class Seeing:
    """Turns snapshots into observations for one who has a camera and is told nothing of people."""

    def __init__(self, scenario: Scenario, sight: Sight, told: Briefing) -> None:
        from paseo.camera.lens.sensor import sensed
        from paseo.camera.renderer import Effort  # which needs warp
        from paseo.camera.view import CameraView

        self._sight, self._plan = sight, scenario.floorplan
        self._perception = make_perception(sight.perception) if sight.perception else None
        coloured = self._perception is None or self._perception.needs_colours
        effort = Effort(shadows=coloured, smooth_edges=coloured, occlusion=coloured)
        self._view = CameraView(scenario.floorplan, effort=effort)
        self._sensed = sensed
        self._rng = np.random.default_rng(derived_seed("camera", scenario))
        self._every = picture_steps(sight.period, scenario.dt)
        self._step = 0
        self._image: RgbdImage | None = None
        if self._perception is not None:
            self._perception.begin(told)

    def observation(self, snapshot: Snapshot) -> Observation:
        """What the planner is shown of this moment; call it once a step."""
        if self._image is None or self._step % self._every == 0:
            self._image = self._picture(snapshot)
        self._step += 1
        image = self._image
        shown = RgbdImage(image.time, image.pose, image.rgb, image.depth)  # without ids
        observation = Observation(snapshot.time, snapshot.robot, NOBODY, shown)
        if self._perception is None:
            return observation
        labelled = Observation(snapshot.time, snapshot.robot, NOBODY, image)
        asked = labelled if self._perception.needs_ids else observation
        crowd = self._perception.people(asked)
        return Observation(snapshot.time, snapshot.robot, crowd, shown)

    def _picture(self, snapshot: Snapshot) -> RgbdImage:
        camera, pose = self._sight.camera, snapshot.robot.pose
        x, y, _ = camera.view(pose).position.tolist()
        if self._plan.clearance(x, y) < 0:
            return _dark(snapshot.time, pose, (camera.height_px, camera.width_px))
        true = self._view.render(snapshot, camera)
        image = self._sensed(true, self._sight.sensor, self._rng)
        for array in (image.rgb, image.depth, image.ids):
            array.setflags(write=False)
        return RgbdImage(snapshot.time, pose, image.rgb, image.depth, image.ids)


def _dark(time: float, pose: Pose, shape: tuple[int, int]) -> RgbdImage:
    """What is seen with the camera in a wall: nothing."""
    nothing = np.full(shape, np.nan, np.float32)
    return RgbdImage(
        time, pose, np.zeros((*shape, 3), np.uint8), nothing, np.full(shape, -1, np.int32)
    )
