"""Errors that stay the same over a drive, or for some frames: against planted ones."""

import math
from dataclasses import replace

import numpy as np
import pytest

from paseo.pipeline.drives.drive import Odometry
from paseo.pipeline.locating.doubts import DOUBTS, Doubts
from paseo.pipeline.locating.placing import located, places
from paseo.pipeline.locating.seen import Seen, SeenFrame
from paseo.pipeline.locating.sightings import sightings
from paseo.pipeline.places import Places
from paseo.pipeline.smoothing.draws import draws
from paseo.pipeline.smoothing.smoother import smooth
from paseo.world.arrays import FloatArray
from paseo.world.cameras import Camera
from paseo.world.motion import Pose
from staged_boxes import CAMERA, Cast, Staged, box_of, miscalibrated, staged, view_of

TIMES = np.arange(0.2, 3.0, 0.2)
TURNING = Odometry(
    times=np.arange(0, 3.5, 0.1),
    poses=np.column_stack([np.arange(35) * 0.08, np.zeros(35), 0.3 * np.sin(np.arange(35) / 10)]),
)
WHITE = replace(DOUBTS, slipping=0.0, rocking=0.0)


def walked(
    heights: tuple[float, float] = (1.67, 1.67), *, feet: bool = True, step: float = DOUBTS.step
) -> list[SeenFrame]:
    """Two people before a robot that turns, 4 to 9 m away; boxes are exact."""
    frames = []
    for number, time in enumerate(TIMES.tolist()):
        robot = Pose(*TURNING.at(np.array([time]))[0].tolist())
        view, people = view_of(CAMERA, robot, 0.0, 0.0), []
        for person, place in enumerate([(7.0, 1.0 + 0.3 * time), (9.0 - 0.5 * time, -1.5)]):
            tall, at = heights[person], np.array(place)
            box = box_of(at, CAMERA, view, tall=tall, step=step)
            assert box is not None
            left, top, right, bottom = box.tolist()
            waist = (top + bottom) / 2
            people.append(Seen(person=person, box=(left, top, right, bottom if feet else waist)))
            if not feet:  # somebody who is nearer stands before their legs
                before = (left - 40, waist - 20, right + 40, float(CAMERA.height_px))
                people.append(Seen(person=person + 2, box=before))
        frames.append(SeenFrame(number, people))
    return frames


def late(odometry: Odometry, rng: np.random.Generator, doubts: Doubts) -> Odometry:
    return replace(odometry, times=odometry.times + rng.normal(0, doubts.clock))


def lasting_of(told: Places) -> FloatArray:
    assert told.lasting is not None
    return told.lasting


@pytest.mark.parametrize(
    ("error", "camera", "clock"),
    [
        (0, CAMERA, WHITE.clock),
        (1, replace(CAMERA, pitch=CAMERA.pitch - WHITE.pitch), 0.0),
        (2, replace(CAMERA, fx=CAMERA.fx * (1 - WHITE.focal), fy=CAMERA.fy * (1 - WHITE.focal)), 0),
        (3, replace(CAMERA, height=CAMERA.height - WHITE.camera_height), 0.0),
        (4, replace(CAMERA, yaw=-WHITE.yaw), 0.0),
    ],
)
def test_a_lasting_error_is_what_a_calibration_that_is_off_by_a_deviation_does(
    error: int, camera: Camera, clock: float
) -> None:
    told = places(TURNING, TIMES, walked(), CAMERA, WHITE)
    odometry = replace(TURNING, times=TURNING.times + clock)
    moved = places(odometry, TIMES, walked(), camera, WHITE)
    for before, after in zip(told, moved, strict=True):
        assert before.common == 5
        change = before.positions - after.positions
        np.testing.assert_allclose(lasting_of(before)[..., error], change, rtol=0.12, atol=4e-3)


@pytest.mark.slow
def test_lasting_errors_of_all_places_together_are_what_monte_carlo_finds() -> None:
    rng, frames = np.random.default_rng(1), walked()
    told = places(TURNING, TIMES, frames, CAMERA, WHITE)
    drawn = []
    for _ in range(300):
        odometry, camera = late(TURNING, rng, WHITE), miscalibrated(WHITE, rng)
        found = places(odometry, TIMES, frames, camera, WHITE)
        drawn.append(np.concatenate([each.positions.ravel() for each in found]))
    by_error = np.concatenate([lasting_of(each)[..., : each.common] for each in told])
    flat = by_error.reshape(-1, told[0].common)
    # Of everybody with everybody, at all times: one error, the same for all.
    expected, found = flat @ flat.T, np.cov(np.array(drawn).T)
    scale = np.sqrt(np.diag(expected))
    assert scale.max() > 0.1
    assert np.abs((found - expected) / np.outer(scale, scale)).max() < 0.2


def test_a_body_height_is_the_persons_own_and_the_same_all_the_time() -> None:
    taller = WHITE.body_height + WHITE.body_height_sd
    told = places(TURNING, TIMES, walked(feet=False), CAMERA, WHITE)[:2]
    tall = places(TURNING, TIMES, walked((taller, 1.67), feet=False), CAMERA, WHITE)[:2]
    first, second = (each.positions - then.positions for each, then in zip(told, tall, strict=True))
    own = lasting_of(told[0])[..., told[0].common :]
    assert own.shape == (len(TIMES), 2, 2) and np.abs(own).max() > 0.5
    np.testing.assert_allclose(first, own[..., 0], rtol=0.15, atol=0.02)
    assert np.abs(second).max() < 1e-9


def test_long_steps_are_the_persons_own_and_the_same_all_the_time() -> None:
    """They take feet nearer, and make who is learnt from them shorter by as much."""
    told = places(TURNING, TIMES, walked(), CAMERA, WHITE)
    strides = walked(step=DOUBTS.step + DOUBTS.gait)
    long = places(TURNING, TIMES, strides, CAMERA, WHITE)
    for each, then in zip(told, long, strict=True):
        gait = lasting_of(each)[..., each.common + 1]
        assert np.hypot(*gait.T).min() > 0.5 * DOUBTS.gait
        np.testing.assert_allclose(each.positions - then.positions, gait, atol=0.012)


def test_places_tell_where_the_camera_was() -> None:
    for each in places(TURNING, TIMES, walked(), CAMERA):
        poses = TURNING.at(TIMES)
        ahead = np.column_stack([np.cos(poses[:, 2]), np.sin(poses[:, 2])])
        assert each.origins is not None
        np.testing.assert_allclose(each.origins, poses[:, :2] + CAMERA.forward * ahead, atol=1e-9)


def track_errors(stage: Staged, found: tuple[Places, ...]) -> FloatArray:
    """Squared errors of all tracks by their covariances; 2 on average is right."""
    squares = []
    for track in smooth(found):
        person = track.person if track.seen_as is None else track.seen_as
        frames = np.searchsorted(stage.frame_times, track.times).tolist()
        truth = np.array([stage.truth[frame, person] for frame in frames])
        off = (track.states[:, :2] - truth)[:, :, None]
        squares.append((off * np.linalg.solve(track.covariances[:, :2, :2], off)).sum(axis=(1, 2)))
    return np.concatenate(squares)


def without_lasting(told: Places) -> Places:
    return replace(told, lasting=None, common=0)


def test_tracks_are_as_sure_as_a_calibration_that_is_off_all_the_time_allows() -> None:
    rng = np.random.default_rng(3)
    right, wrong = [], []
    for seed in range(16):
        stage = staged(Cast(seed=600 + seed, seconds=10, people=8))
        odometry, camera = late(stage.odometry, rng, WHITE), miscalibrated(WHITE, rng)
        found = located(odometry, stage.frame_times, stage.seen, camera, WHITE).places
        right.append(track_errors(stage, found).mean())
        wrong.append(track_errors(stage, tuple(map(without_lasting, found))).mean())
    assert 1.2 < np.mean(right) < 2.8, f"expected 2 of two numbers, found {np.mean(right):.2f}"
    assert np.mean(wrong) > 4  # the same errors, taken for new in every frame


def test_draws_have_the_cameras_errors_in_common_and_body_heights_apart() -> None:
    tracks = smooth(places(TURNING, TIMES, walked(), CAMERA, WHITE))
    first, second = draws(tracks, np.random.default_rng(4), 4000)
    shared = [each.lasting[7, 0, : each.common] for each in tracks if each.lasting is not None]
    spread = math.sqrt(math.prod(float(each.covariances[7, 0, 0]) for each in tracks))
    together = shared[0] @ shared[1] / spread
    assert together > 0.4
    assert np.corrcoef(first[:, 7, 0], second[:, 7, 0])[0, 1] == pytest.approx(together, abs=0.04)
    certain = replace(
        WHITE, pitch=0.0, yaw=0.0, focal=0.0, camera_height=0.0, clock=0.0, cues=("height",)
    )
    tracks = smooth(places(TURNING, TIMES, walked(feet=False), CAMERA, certain)[:2])
    first, second = draws(tracks, np.random.default_rng(4), 2000)
    for one, other, alike in ((first, first, True), (first, second, False)):
        moments = one[:, 2, 0], other[:, 11, 0]
        assert (np.corrcoef(*moments)[0, 1] > 0.8) == alike


def test_frames_that_count_as_one_by_hand() -> None:
    rows = sightings(TURNING, TIMES, walked()[:3], CAMERA)
    left = math.exp(-1)  # of an error after one step of 0.2 s
    np.testing.assert_allclose(rows.alike(0.2), (1 + left) / (1 - left))
    np.testing.assert_allclose(rows.alike(1e-3), 1.0)
    np.testing.assert_array_equal(rows.alike(0.0), 1.0)
    alone = sightings(TURNING, TIMES, walked()[:1], CAMERA)
    np.testing.assert_array_equal(alone.alike(5.0), 1.0)


@pytest.mark.parametrize("slipping", [0.1, 0.3])
def test_tracks_at_30_frames_a_second_are_not_too_sure_of_boxes_that_slip(slipping: float) -> None:
    right, wrong = [], []
    for seed in range(3):
        stage = staged(
            Cast(seed=700 + seed, seconds=8, people=8, fps=30, box_px=4.0, slipping=slipping)
        )
        for doubts, squares in (
            (Doubts(box_px=4.0, slipping=slipping), right),
            (Doubts(box_px=4.0, slipping=0.0), wrong),
        ):
            exact = replace(
                doubts, pitch=0.0, rocking=0.0, yaw=0.0, focal=0.0, camera_height=0.0, clock=0.0
            )
            found = places(stage.odometry, stage.frame_times, stage.seen, CAMERA, exact)
            squares.append(track_errors(stage, found))
    told, untold = (float(np.concatenate(each).mean()) for each in (right, wrong))
    assert 1.2 < told < 2.8, f"expected 2 of two numbers, found {told:.2f}"
    assert untold > 1.5 * told
