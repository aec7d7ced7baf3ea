"""How well perceptions see people of flesh in a street, over a whole episode."""

from dataclasses import replace

import numpy as np
import pytest

from paseo.camera.lens.presets import preset
from paseo.data.suites.episodes import episode
from paseo.perception.names import PERCEPTIONS, make_perception
from paseo.perception.tracking import pairs_within
from paseo.sim.episode import EpisodeRun
from paseo.sim.sensing import NOBODY
from paseo.world.cameras import RgbdImage
from paseo.world.motion import Twist
from paseo.world.planning import Observation

pytestmark = [pytest.mark.slow, pytest.mark.extra("camera"), pytest.mark.recordings]

CAMERA = preset("realsense")
NEAR, PIXELS, MATCH = 8.0, 150, 0.5  # metres; of somebody at 8 m 300 are seen; metres


@pytest.mark.parametrize("name", PERCEPTIONS.shipped)
def test_who_is_in_view_is_told_and_who_is_told_is_there(name: str) -> None:
    from paseo.camera.renderer import Effort
    from paseo.camera.view import CameraView

    world = episode("dense_zara")
    effort = Effort(shadows=False, smooth_edges=False, occlusion=False)
    view, run = CameraView(world.floorplan, effort=effort), EpisodeRun(world)
    perception = make_perception(name)
    perception.begin(replace(run.briefing, camera=CAMERA))
    in_view = found = told = there = 0
    offs: list[float] = []
    for _ in range(100):
        now, truth = run.snapshot, run.snapshot.crowd
        image = view.render(now, CAMERA)
        ids = image.ids if perception.needs_ids else None
        shown = RgbdImage(now.time, now.robot.pose, image.rgb, image.depth, ids)
        crowd = perception.people(Observation(now.time, now.robot, NOBODY, shown))
        away = np.hypot(*(truth.positions - (now.robot.pose.x, now.robot.pose.y)).T)
        pixels = np.array([(image.ids == person).sum() for person in truth.ids])
        seen = (away < NEAR) & (pixels >= PIXELS)
        pairs = pairs_within(truth.positions, crowd.positions, MATCH)
        in_view, found = in_view + int(seen.sum()), found + sum(bool(seen[k]) for k in pairs)
        told, there = told + len(crowd), there + len(pairs)
        gaps = truth.positions[[*pairs]] - crowd.positions[[*pairs.values()]]
        offs += np.hypot(*gaps.T).tolist()
        for _ in range(2):
            run.advance(Twist(0.1, 0.15))  # slowly round, so that people come and go
    print(f"{name}: recall {found / in_view:.3f} of {in_view}, precision {there / told:.3f}, ")
    print(f"median {np.median(offs):.3f} m off")
    assert in_view > 100
    assert found / in_view > 0.9
    assert there / told > 0.8
    assert np.median(offs) < 0.1
