"""A robot that sees by a camera: a picture and nobody's position, the same every time."""

import gc
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from paseo.checks import check_planner
from paseo.errors import BadScenario, BadValue, UnknownName
from paseo.planners.names import PLANNERS
from paseo.planners.stop import Stop
from paseo.sim.episode import EpisodeRun
from paseo.sim.simulate import simulate
from paseo.world.cameras import CameraSensor, Sight, level_camera
from paseo.world.motion import Pose, Twist
from paseo.world.people import Crowd
from paseo.world.planning import Briefing, Observation
from paseo.world.recordfile import load_record, record_bytes, save_record
from paseo.world.records import Outcome
from paseo.world.scenarios import Scenario, Sensor
from worlds import Driver, crossing, scenario, walk

pytestmark = pytest.mark.extra("camera")

CAMERA = level_camera(64, 48, across=math.radians(87))
SIGHT = Sight(camera=CAMERA)
WARY = f"{Path(__file__).parents[2] / 'examples' / 'wary.py'}:Wary"
STANDING = walk(2, (0, 6, 4.5), (500, 6, 4.5))


def task(sight: Sight | None = SIGHT, **changes: Any) -> Scenario:
    """Somebody crosses before the robot, which looks along x, and somebody stands there."""
    values: dict[str, Any] = {"time_limit": 0.6, **changes}
    return scenario(crossing(), STANDING, sight=sight, **values)


def shown(sight: Sight = SIGHT, **changes: Any) -> list[Observation]:
    driver = Driver()
    simulate(task(sight, **changes), driver)
    return driver.observations


def test_a_planner_is_shown_a_picture_and_told_of_nobody() -> None:
    observations = shown()
    for each in observations:
        assert len(each.crowd) == 0
        image = each.image
        assert image is not None and image.ids is None
        assert image.rgb.shape == (48, 64, 3) and image.rgb.dtype == np.uint8
        assert image.depth.shape == (48, 64) and image.depth.dtype == np.float32
        assert not image.rgb.flags.writeable and not image.depth.flags.writeable
    assert observations[0].image is not None and np.nanmin(observations[0].image.depth) < 5


def test_from_what_a_planner_holds_no_way_leads_to_where_people_are() -> None:
    class Nosy(Stop):
        def begin(self, briefing: Briefing) -> None:
            self.held: list[object] = [briefing]

        def plan(self, observation: Observation) -> Twist:
            self.held.append(observation)
            return Twist(0.0, 0.0)

    nosy = Nosy()
    for perception in ("", "ids"):
        simulate(task(replace(SIGHT, perception=perception)), nosy)
        reached: list[object] = list(nosy.held)
        known = {id(each) for each in reached}
        for each in reached:  # grows while it is walked through
            plain = (type, type(gc), type(lambda: 0))
            for other in gc.get_referents(each):
                if id(other) not in known and not isinstance(other, plain):
                    known.add(id(other))
                    reached.append(other)
        crowds = [each for each in reached if isinstance(each, Crowd)]
        true = {(6.0, 4.5)}
        assert not any(tuple(place) in true for crowd in crowds for place in crowd.positions)
        assert not any(isinstance(each, Scenario) for each in reached)
        images = [each.image for each in reached if isinstance(each, Observation)]
        assert all(image is not None and image.ids is None for image in images)


def test_without_a_sight_there_is_no_picture_and_no_camera() -> None:
    run = EpisodeRun(task(None))
    assert run.observation.image is None and run.briefing.camera is None
    assert EpisodeRun(task()).briefing.camera == CAMERA


def test_a_picture_is_held_until_the_next_one_is_due() -> None:
    times = [each.image.time for each in shown(replace(SIGHT, period=0.15)) if each.image]
    assert times == pytest.approx([0, 0, 0, 0.15, 0.15, 0.15, 0.3, 0.3, 0.3, 0.45, 0.45, 0.45])


@pytest.mark.parametrize("perception", ["ids", "depth"])
def test_a_perception_finds_people_in_the_picture(perception: str) -> None:
    run = EpisodeRun(task(replace(SIGHT, perception=perception), time_limit=2.0))
    for _ in range(20):
        run.advance(Twist(0.0, 0.0))
    truth = run.snapshot.crowd.positions
    found = run.observation.crowd
    assert len(found) == len(truth) == 2
    gaps = np.hypot(*np.moveaxis(truth[:, None] - found.positions[None], 2, 0))
    assert (gaps.min(axis=1) < 0.2).all()
    speeds = np.hypot(*(run.snapshot.crowd.velocities - found.velocities[gaps.argmin(axis=1)]).T)
    assert (speeds < 0.4).all()
    if perception == "ids":
        assert found.ids.tolist() == run.snapshot.crowd.ids.tolist()


def test_records_are_the_same_again_and_say_what_was_perceived(tmp_path: Path) -> None:
    noisy = CameraSensor(depth_noise=0.005, noise=3)
    seeing = task(replace(SIGHT, sensor=noisy, perception="depth"))
    record = simulate(seeing, Stop())
    content = record_bytes(record)
    assert content == record_bytes(simulate(seeing, Stop()))
    assert content != record_bytes(simulate(replace(seeing, seed=1), Stop()))
    assert record.seen is None and record.perceived is not None
    assert record.perceived.shape[1] == 4 and len(record.perceived) > 0
    save_record(record, tmp_path / "seen.npz")
    again = load_record(tmp_path / "seen.npz")
    assert again.scenario.sight == seeing.sight
    assert record_bytes(again) == content


def test_a_record_without_a_sight_says_nothing_of_one() -> None:
    content = simulate(task(None), Stop())
    assert b"sight" not in record_bytes(content) and content.perceived is None


def test_a_camera_in_a_wall_sees_nothing() -> None:
    poking = replace(CAMERA, forward=5.0)
    run = EpisodeRun(task(replace(SIGHT, camera=poking, perception="depth"), start=Pose(7.0, 5.0)))
    image = run.observation.image
    assert image is not None and np.isnan(image.depth).all() and not image.rgb.any()


def test_faults_are_told_in_a_sentence() -> None:
    with pytest.raises(BadScenario, match="sees by a camera, so that no sensor tells it"):
        task(sensor=Sensor(range=5))
    with pytest.raises(BadValue, match="stands at a place of its own; omit at"):
        Sight(camera=replace(CAMERA, at=Pose(1, 1)))
    with pytest.raises(BadValue, match="pictures are taken every 0 s, expected over 0"):
        Sight(camera=CAMERA, period=0)
    with pytest.raises(UnknownName, match="no perception is called 'dept'"):
        simulate(task(replace(SIGHT, perception="dept")), Stop())


def test_the_planner_of_the_examples_looks_where_it_goes() -> None:
    wary = PLANNERS.find(WARY)
    check_planner(wary)
    ahead = walk(1, (0, 4.5, 5), (500, 4.5, 5))
    blocked = scenario(ahead, sight=SIGHT, time_limit=6.0)
    assert simulate(blocked, wary()).touches == 0
    blind = simulate(replace(blocked, sight=None), wary())
    assert blind.outcome is Outcome.PLANNER_FAILED
    assert "Wary drives by what a camera shows; run it with sensing full" in blind.reason
