"""How well people walk for the camera, and what it costs.

    PASEO_DATA=... python benchmarks/camera/walking.py

Prints tables: how far planted feet slip, what joints and soles do, at several speeds, straight on,
round a circle of 2 m and along recordings; and CPU milliseconds a frame for 40 people.
"""

import os
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from paseo.camera.gait.bones.clips import at_phases, free_walk
from paseo.camera.gait.bones.poses import rig_poses
from paseo.camera.gait.bones.rig import rig_of
from paseo.camera.gait.bones.sticks import stick_skeleton
from paseo.camera.gait.quality import Motion, angular_speeds, motion_of, slips
from paseo.camera.gait.steps.footwork import Footwork, walks_of
from paseo.camera.gait.steps.strides import strides_per_second
from paseo.camera.gait.steps.tracker import WalkTracker
from paseo.camera.gait.steps.walks import Walks
from paseo.data.recordings.recordings import read_recording
from paseo.data.store.catalog import known_recordings
from paseo.report.table import text_table
from paseo.world.arrays import FloatArray
from paseo.world.motion import Pose, RobotState, Twist
from paseo.world.people import Crowd, Snapshot

STICK = stick_skeleton()
LEG = float(STICK.joints[STICK.names.index("thigh_l"), 2])
ROBOT = RobotState(Pose(0.0, 0.0, 0.0), Twist(0.0, 0.0), 0.3)
FRAME = 0.04  # seconds
HEADER = [
    "walk", "steps", "slip p50 mm", "p95", "max", "sole mm", "knee deg", "hip deg", "rad/s p99.9",
    "max", "off mm p50", "max",
]  # fmt: skip


def footwork_of(times: FloatArray, places: FloatArray) -> Footwork:
    """Of people at these places, (times, people, 2)."""
    people = places.shape[1]
    return walks_of(times, places, np.arange(people), leg_lengths=np.full(people, LEG))


def row(
    name: str, walks_at: Callable[[float], Walks], times: FloatArray, places: FloatArray
) -> list[str]:
    """One line of the table: how these people walk, and how far from where they were."""
    frames = np.arange(times[0] + 0.5, times[-1] - 0.5, FRAME)
    ids = np.arange(places.shape[1])
    motion = motion_of(walks_at, frames, ids, [STICK] * len(ids))
    found, fast = 1000.0 * slips(motion), angular_speeds(motion)
    return [
        name,
        str(len(found)),
        *(f"{each:.1f}" for each in (np.median(found), np.percentile(found, 95), found.max())),
        f"{1000.0 * np.nanmin(motion.soles[..., 2]):.0f}",
        *(
            f"{np.degrees(np.nanmin(a)):.0f} to {np.degrees(np.nanmax(a)):.0f}"
            for a in (motion.knees, motion.hips)
        ),
        f"{np.nanpercentile(fast, 99.9):.1f}",
        f"{np.nanmax(fast):.1f}",
        *(f"{1000.0 * each:.0f}" for each in off(motion, times, places)),
    ]


def off(motion: Motion, times: FloatArray, places: FloatArray) -> tuple[float, float]:
    """How far the pelvis is from where the person was, in the middle and at most."""
    there = np.stack(
        [
            [np.interp(motion.times, times, person[:, axis]) for axis in (0, 1)]
            for person in places.swapaxes(0, 1)
        ]
    ).transpose(2, 0, 1)
    apart = np.hypot(*(motion.pelvis[..., :2] - there).transpose(2, 0, 1))
    return float(np.nanmedian(apart)), float(np.nanmax(apart))


def live(times: FloatArray, places: FloatArray) -> Callable[[float], Walks]:
    """People who are seen one snapshot after the other, in order."""
    tracker = WalkTracker(lambda person: LEG)
    velocities = np.gradient(places, times, axis=0)

    def walks_at(now: float) -> Walks:
        here, going = (
            np.array(
                [
                    [np.interp(now, times, each[:, k, a]) for a in (0, 1)]
                    for k in range(each.shape[1])
                ]
            )
            for each in (places, velocities)
        )
        there = ~np.isnan(here[:, 0] + going[:, 0])
        ids = np.flatnonzero(there)
        crowd = Crowd(ids, here[there], going[there], np.full(len(ids), 0.3))
        return tracker.update(Snapshot(now, ROBOT, crowd))

    return walks_at


def made_up() -> list[list[str]]:
    """Straight on and round a circle, at several speeds."""
    rows, times = [], np.arange(0.0, 30.0, 0.05)
    for speed in (0.6, 1.3, 1.8):
        angle = speed / 2.0 * times
        ways = {
            "straight": np.column_stack([speed * times, np.zeros_like(times)]),
            "circle": 2.0 * np.column_stack([np.cos(angle), np.sin(angle)]),
        }
        for way, places in ways.items():
            footwork = footwork_of(times, places[:, None])
            rows.append(row(f"{way} {speed} m/s", footwork.at, times, places[:, None]))
    return rows


def recorded(data: Path) -> list[list[str]]:
    """The first 40 s of real recordings, known ahead and seen live."""
    rows = []
    for name in ("eth", "hotel", "zara01", "zara02", "univ"):
        fps = known_recordings()[name].fps
        recording = read_recording(data / f"ethucy/{name}.csv.gz", fps=fps)
        start = min(track.times[0] for track in recording.tracks)
        times = np.arange(0.0, 40.0, 1.0 / recording.fps)
        tracks = [track.positions_at(start + times) for track in recording.tracks]
        places = np.stack([each for each in tracks if np.isfinite(each).any()], axis=1)
        rows.append(row(name, footwork_of(times, places).at, times, places))
        rows.append(row(f"{name} live", live(times, places), times, places))
    return rows


def curves() -> list[list[str]]:
    """How far joints are from the measured curves, and the cadence, by speed."""
    rows, times, clip = [], np.arange(0.0, 20.0, 0.05), free_walk()
    for speed in (0.6, 1.0, 1.3, 1.6, 1.8):
        footwork = footwork_of(times, np.column_stack([speed * times, 0.0 * times])[:, None])
        frames = np.arange(4.0, 16.0, 0.02)
        motion = motion_of(footwork.at, frames, np.arange(1), [STICK])
        phases = np.array([footwork.at(float(each)).phases[0] for each in frames])
        pairs = (
            (motion.hips, clip.hip - clip.tilt),
            (motion.knees, clip.knee),
            (motion.feet, clip.foot),
        )
        offs = [
            np.degrees(np.sqrt(np.mean((a[:, 0, 0] - at_phases(b, phases)) ** 2))) for a, b in pairs
        ]
        seen = 60.0 * 2.0 * (phases[-1] - phases[0]) / (frames[-1] - frames[0])
        bob = 1000.0 * np.ptp(motion.pelvis[:, 0, 2])
        formula = 120.0 * strides_per_second(speed, LEG)
        rows.append(
            [
                f"{speed}",
                f"{formula:.1f}",
                f"{seen:.1f}",
                *(f"{each:.1f}" for each in offs),
                f"{bob:.0f}",
            ]
        )
    return rows


def cost() -> list[list[str]]:
    """CPU milliseconds for 40 people."""
    rng = np.random.default_rng(0)
    times = np.arange(0.0, 30.0, 0.05)
    headings = rng.uniform(0.0, 2.0 * np.pi, 40)
    steps = np.stack([np.cos(headings), np.sin(headings)], axis=1) * rng.uniform(0.0, 1.6, (40, 1))
    places = rng.uniform(-10.0, 10.0, (40, 2)) + times[:, None, None] * steps
    footwork, rig = footwork_of(times, places), rig_of([STICK] * 40)
    seen, moments = live(times, places), [footwork.at(0.1 * k) for k in range(60)]
    jobs: dict[str, tuple[int, Callable[[int], object]]] = {
        "all footsteps of 30 s": (3, lambda k: footwork_of(times, places)),
        "walks at a moment": (60, lambda k: footwork.at(0.1 * k)),
        "walks of a snapshot, live": (60, lambda k: seen(0.04 * k)),
        "poses": (60, lambda k: rig_poses(rig, moments[k], free_walk())),
    }
    rows = []
    for name, (count, job) in jobs.items():
        spent = []
        for k in range(count):
            began = time.process_time()
            job(k)
            spent.append(1000.0 * (time.process_time() - began))
        rows.append([name, f"{np.median(spent):.2f}", f"{max(spent[1:]):.2f}"])
    return rows


def main() -> None:
    print(text_table(HEADER, made_up()))
    header = ["m/s", "steps/min by formula", "seen", "thigh off deg", "knee", "foot", "bob mm"]
    print(text_table(header, curves()))
    print(text_table(["40 people", "CPU ms p50", "max"], cost()))
    if "PASEO_DATA" in os.environ:
        print(text_table(HEADER, recorded(Path(os.environ["PASEO_DATA"]))))


if __name__ == "__main__":
    main()
