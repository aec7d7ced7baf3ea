"""People walk: their feet stay where they are put, and their joints do what joints do."""

import math
from pathlib import Path

import numpy as np
import pytest

from paseo.camera.gait.bones.clips import at_phases, free_walk
from paseo.camera.gait.quality import angular_speeds, motion_of, slips
from paseo.camera.gait.steps.strides import stride_length, strides_per_second
from paseo.camera.gait.steps.tracker import WalkTracker
from paseo.camera.gait.steps.walks import Walks
from paseo.data.recordings.recordings import read_recording
from paseo.world.arrays import FloatArray
from paseo.world.motion import Pose, RobotState, Twist
from paseo.world.people import Crowd, Snapshot
from strolls import LEG, STICK, circle, feet_along, seen, straight

DEGREES = math.degrees(1.0)
ROBOT = RobotState(Pose(0.0, 0.0, 0.0), Twist(0.0, 0.0), 0.3)


@pytest.mark.parametrize("speed", [0.6, 1.3, 1.8])
@pytest.mark.parametrize("way", [straight, circle])
def test_planted_feet_stay_within_two_millimetres(speed: float, way: object) -> None:
    times, places = straight(speed) if way is straight else circle(speed)
    found = slips(seen(feet_along(times, places), 1.0, 10.0))
    assert len(found) > 8
    assert np.median(found) < 0.001
    assert np.percentile(found, 95) < 0.002


def test_feet_that_are_dragged_along_are_found_to_slip() -> None:
    times, places = straight(1.3)
    footwork = feet_along(times, places)

    def dragged(time: float) -> object:
        walks = footwork.at(time)
        walks.prints[..., 0] += 0.1 * time
        return walks

    motion = motion_of(dragged, np.arange(1.0, 6.0, 0.02), footwork.ids, [STICK])  # type: ignore[arg-type]
    assert np.median(slips(motion)) > 0.03


@pytest.mark.parametrize("speed", [0.6, 1.3, 1.8])
def test_phase_advances_by_one_over_each_stride_length(speed: float) -> None:
    times, places = straight(speed)
    footwork = feet_along(times, places)
    before, after = footwork.at(2.0), footwork.at(9.0)
    strides = (after.phases - before.phases)[0]
    assert strides == pytest.approx(7.0 * speed / stride_length(speed, LEG), rel=1e-3)


@pytest.mark.parametrize("speed", [0.6, 1.0, 1.3, 1.8])
def test_heels_strike_at_the_cadence_of_the_formula(speed: float) -> None:
    times, places = straight(speed, 20.0)
    footwork = feet_along(times, places)
    frames = np.arange(1.0, 19.0, 0.02)
    lifted = np.array([footwork.at(float(time)).lifted[0, 0] for time in frames])
    down = np.flatnonzero(lifted[:-1] & ~lifted[1:])
    rate = (len(down) - 1) / (frames[down[-1]] - frames[down[0]])
    assert rate == pytest.approx(strides_per_second(speed, LEG), rel=0.01)


@pytest.mark.parametrize(
    ("speed", "height", "hertz", "within"),
    [
        (1.54, 1.759, 117 / 120, 0.04),
        (1.31, 1.619, 117 / 120, 0.04),
        (1.28, 1.55, 1 / 1.072, 0.11),
        (1.20, 1.25, 1 / 0.955, 0.11),
    ],
    ids=[
        "men, Murray et al. 1964",
        "women, Murray et al. 1970",
        "11 to 14 years, Hausdorff et al. 1999",
        "6 and 7 years, Hausdorff et al. 1999",
    ],
)
def test_cadence_is_near_what_was_measured(
    speed: float, height: float, hertz: float, within: float
) -> None:
    leg = 0.53 * height  # Drillis & Contini 1966
    assert strides_per_second(speed, leg) == pytest.approx(hertz, rel=within)


def test_longer_legs_make_longer_and_slower_strides() -> None:
    legs = np.array([0.5, 0.7, 0.9, 1.0])
    assert (np.diff(stride_length(np.full(4, 1.3), legs)) > 0).all()
    assert (np.diff(strides_per_second(np.full(4, 1.3), legs)) < 0).all()


def test_joints_follow_the_measured_curves_at_a_free_pace() -> None:
    times, places = straight(1.3)
    footwork = feet_along(times, places)
    motion, clip = seen(footwork, 3.0, 7.0), free_walk()
    phases = np.array([footwork.at(float(time)).phases[0] for time in motion.times])

    def off(seen: FloatArray, curve: FloatArray) -> float:
        return DEGREES * float(np.sqrt(np.mean((seen[:, 0, 0] - at_phases(curve, phases)) ** 2)))

    assert off(motion.hips, clip.hip - clip.tilt) < 5.0
    assert off(motion.knees, clip.knee) < 8.0
    assert off(motion.feet, clip.foot) < 5.0


@pytest.mark.parametrize("speed", [0.4, 0.6, 1.3, 1.8, 2.2])
@pytest.mark.parametrize("way", [straight, circle])
def test_joints_and_soles_keep_their_limits(speed: float, way: object) -> None:
    times, places = straight(speed, 8.0) if way is straight else circle(speed, seconds=8.0)
    motion = seen(feet_along(times, places), 1.0, 7.0)
    assert motion.knees.min() > 0.0, "knees never bend backwards"
    assert motion.knees.max() * DEGREES < 80.0
    assert -45.0 < motion.hips.min() * DEGREES < motion.hips.max() * DEGREES < 50.0
    assert motion.soles[..., 2].min() > -0.01, "no part of a sole is below the floor"
    assert angular_speeds(motion).max() < 16.0


def test_somebody_always_stands_on_a_foot() -> None:
    times, places = straight(1.3)
    motion = seen(feet_along(times, places), 1.0, 8.0)
    assert not motion.lifted.all(axis=2).any()
    touching = motion.soles[..., 2].min(axis=(2, 3))
    assert np.abs(touching).max() < 0.01


def test_arms_swing_against_the_legs() -> None:
    times, places = straight(1.3)
    motion = seen(feet_along(times, places), 2.0, 8.0)
    arm, thigh = (STICK.names.index(f"{bone}_l") for bone in ("upperarm", "thigh"))
    forward = motion.turns[:, 0, [arm, thigh], 0, 2]  # how far what pointed up points forward
    assert np.asarray(np.corrcoef(forward.T))[0, 1] < -0.8


@pytest.mark.parametrize("speed", [0.6, 1.3, 1.8])
def test_bodies_face_where_they_walk(speed: float) -> None:
    times, places = circle(speed)
    footwork = feet_along(times, places)
    for time in np.arange(2.0, 10.0, 0.1):
        wanted = speed / 2.0 * time + math.pi / 2.0
        off = (footwork.at(float(time)).facings[0] - wanted + math.pi) % math.tau - math.pi
        assert abs(off) * DEGREES < 3.0


def test_pelvis_rises_and_falls_twice_a_stride_by_some_centimetres() -> None:
    times, places = straight(1.3)
    motion = seen(feet_along(times, places), 2.0, 8.0)
    assert 0.02 < np.ptp(motion.pelvis[:, 0, 2]) < 0.07
    assert np.hypot(*(motion.pelvis[:, 0, :2] - np.column_stack(
        [1.3 * motion.times, np.zeros_like(motion.times)]
    )).T).max() < 0.05  # fmt: skip


@pytest.mark.recordings
def test_recorded_people_keep_their_feet_where_they_put_them(data_dir: Path) -> None:
    recording = read_recording(data_dir / "ethucy/zara01.csv.gz", fps=25.0)
    times = np.arange(0.0, 12.0, 1.0 / recording.fps)
    places = [track.positions_at(times) for track in recording.tracks]
    walks = [each for each in places if np.isfinite(each).any()]
    footwork = feet_along(times, *walks)
    motion = seen(footwork, 0.5, 11.5, 0.04)
    found = slips(motion)
    assert len(found) > 100
    assert np.median(found) < 0.001
    assert np.percentile(found, 95) < 0.002
    assert np.nanmin(motion.soles[..., 2]) > -0.01
    assert np.nanmin(motion.knees) > 0.0
    there = np.stack([[np.interp(motion.times, times, one[:, k]) for k in (0, 1)] for one in walks])
    off = np.hypot(*(motion.pelvis[..., :2].transpose(2, 1, 0) - there.transpose(1, 0, 2)))
    assert np.nanmedian(off) < 0.03, "and are where they were recorded"


@pytest.mark.recordings
def test_recorded_people_who_are_seen_live_keep_their_feet_where_they_put_them(
    data_dir: Path,
) -> None:
    recording = read_recording(data_dir / "ethucy/zara01.csv.gz", fps=25.0)
    times = np.arange(20.0, 32.0, 1.0 / recording.fps)
    tracks = [track.positions_at(times) for track in recording.tracks]
    places = np.stack([each for each in tracks if np.isfinite(each).any()], axis=1)
    velocities = np.gradient(places, times, axis=0)
    there = ~np.isnan(places[..., 0] + velocities[..., 0])
    tracker, ids = WalkTracker(lambda person: LEG), np.arange(places.shape[1])

    def walks_at(time: float) -> Walks:
        row = int(np.searchsorted(times, time - 1e-6))
        here = np.flatnonzero(there[row])
        crowd = Crowd(ids[here], places[row, here], velocities[row, here], np.full(len(here), 0.3))
        return tracker.update(Snapshot(float(time), ROBOT, crowd))

    motion = motion_of(walks_at, times, ids, [STICK] * len(ids))
    found = slips(motion)
    assert len(found) > 100
    assert found.max() < 0.002, "also of those who stop or swerve suddenly"
