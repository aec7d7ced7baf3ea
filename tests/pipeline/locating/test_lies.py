"""The lie detector of calibrations: planted errors are found, right ones are not accused."""

import math
from dataclasses import replace

import numpy as np
import pytest

from paseo.pipeline.drives.drive import Odometry
from paseo.pipeline.locating.lies.findings import Plausibility, plausibility
from paseo.world.cameras import Camera
from staged_boxes import CAMERA, Cast, Staged, staged

SHOWN = Cast(seed=100, people=20, seconds=40, body_height_sd=0.09, gait=0.0)  # grown-ups


@pytest.fixture(scope="module")
def stage() -> Staged:
    return staged(SHOWN)


def told(stage: Staged, camera: Camera = CAMERA, odometry: Odometry | None = None) -> Plausibility:
    return plausibility(
        odometry or stage.odometry, stage.frame_times, stage.seen, camera, tilts=stage.tilts
    )


def kinds(found: Plausibility) -> set[str]:
    return {each.kind for each in found.findings}


def test_a_right_calibration_is_not_accused(stage: Staged) -> None:
    found = told(stage)
    assert found.findings == ()
    assert found.proposed == CAMERA and found.clock == 0


def test_a_camera_that_looks_elsewhere_makes_people_float(stage: Staged) -> None:
    found = told(stage, replace(CAMERA, pitch=CAMERA.pitch - math.radians(3)))
    assert "pitch" in kinds(found) and not kinds(found) & {"height", "focal", "clock"}
    assert math.degrees(found.proposed.pitch) == pytest.approx(2.0, abs=0.4)
    (sentence,) = (each.sentence for each in found.findings if each.kind == "pitch")
    assert sentence.startswith("people who are far seem to float above it: the camera looks ")


@pytest.mark.slow
def test_a_camera_that_hangs_elsewhere_makes_giants(stage: Staged) -> None:
    found = told(stage, replace(CAMERA, height=CAMERA.height * 1.2))
    assert kinds(found) == {"height"}
    assert found.proposed.height == pytest.approx(0.85, abs=0.05)


@pytest.mark.slow
def test_a_focal_length_that_is_off_makes_people_swing(stage: Staged) -> None:
    wrong = replace(CAMERA, fx=CAMERA.fx * 0.85, fy=CAMERA.fy * 0.85)
    found = told(stage, wrong)
    assert kinds(found) == {"focal"}
    assert found.proposed.fx == pytest.approx(CAMERA.fx, rel=0.06)


@pytest.mark.slow
def test_a_clock_that_is_off_makes_people_swing(stage: Staged) -> None:
    late = Odometry(times=stage.odometry.times + 0.5, poses=stage.odometry.poses)
    found = told(stage, odometry=late)
    assert kinds(found) - {"speed"} == {"clock"}
    assert found.clock == pytest.approx(0.5, abs=0.1)


@pytest.mark.slow
def test_intervals_hold_the_truth_mostly(stage: Staged) -> None:
    found = {each.what: each for each in told(stage).estimates}
    assert found["pitch"].low - 0.005 < CAMERA.pitch < found["pitch"].high + 0.005
    assert found["clock"].low < 0 < found["clock"].high


@pytest.mark.slow
def test_people_who_run_everywhere_are_told() -> None:
    fast = staged(replace(SHOWN, speed=3.2, people=25))
    found = told(fast)
    assert "speed" in kinds(found)
    assert "half of all people walk faster than" in found.findings[-1].sentence


@pytest.mark.slow
def test_feet_above_the_horizon_are_told(stage: Staged) -> None:
    found = told(stage, replace(CAMERA, pitch=math.radians(-12)))
    assert "horizon" in kinds(found)


@pytest.mark.slow
def test_of_few_people_nothing_is_said() -> None:
    nobody = staged(replace(SHOWN, people=0, seconds=3))
    assert told(nobody).people == 0 and told(nobody).findings == ()
    few = staged(replace(SHOWN, people=2, seconds=20))
    wrong = replace(CAMERA, height=CAMERA.height * 1.2)
    assert not kinds(told(few, wrong)) & {"pitch", "height", "focal", "clock"}


@pytest.mark.slow
def test_right_calibrations_are_accused_hardly_ever() -> None:
    accused = [bool(told(staged(replace(SHOWN, seed=seed))).findings) for seed in range(200, 225)]
    print(f"accused {np.sum(accused)} of {len(accused)} right calibrations")
    assert np.sum(accused) <= 1
