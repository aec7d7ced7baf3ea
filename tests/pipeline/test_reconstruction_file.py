"""Reconstructions on disk: what was written comes back, and damage is a sentence."""

import io
import json
import zipfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from paseo.errors import BadFile, BadValue
from paseo.pipeline.drives.drive import Odometry
from paseo.pipeline.locating.seen import Seen, SeenFrame
from paseo.pipeline.reconstruction import Reconstruction
from paseo.pipeline.reconstruction_file import (
    load_reconstruction,
    reconstruction_bytes,
    reconstruction_from,
    save_reconstruction,
)
from paseo.pipeline.smoothing.smoother import KalmanSmoother, smooth
from paseo.pipeline.smoothing.tracks import SmoothTrack
from paseo.world.cameras import level_camera
from posterior import wandering

TIMES = np.arange(20) / 4


def known() -> Reconstruction:
    """Two people, one of them with errors that last; a third by hand."""
    rng, smoother = np.random.default_rng(0), KalmanSmoother()
    first, _ = wandering(rng, TIMES[2:9], smoother, person=1)
    second, _ = wandering(rng, TIMES[5:], smoother, person=2)
    lasting = np.full((15, 2, 3), 0.1)
    more = second.covariances + lasting @ lasting.transpose(0, 2, 1)
    second = replace(second, covariances=more, lasting=lasting, common=2)
    handmade = SmoothTrack(
        person=9,
        times=TIMES[:1],
        states=np.array([[1.0, 2.0, 0.5, 0.0]]),
        covariances=np.eye(4)[None],
        rejected=np.array([0.25, 0.5]),
        seen_as=2,
    )
    box = (10.0, 20.5, 30.0, 80.0)
    seen = {
        2: SeenFrame(2, (Seen(person=1, box=box, confidence=0.5), Seen(person=2, box=box))),
        3: SeenFrame(3, ()),
        7: SeenFrame(7, (Seen(person=2, box=box, position=(0.1, 0.9, 4.0)),)),
    }
    return Reconstruction(
        name="34_Spot \u00e9",
        camera=level_camera(640, 480, across=1.2),
        odometry=Odometry(
            times=TIMES, poses=np.zeros((20, 3)), longest_gap=0.7, pitches=0.01 * np.sin(TIMES)
        ),
        frame_times=TIMES,
        seen=seen,
        tracks=(*smooth([first, second], times=TIMES), handmade),
        scan_points=np.array([[1.0, 2.0], [3.0, 4.0]]),
    )


KNOWN = known()
CONTENT = reconstruction_bytes(KNOWN)


def check_same(one: Reconstruction, other: Reconstruction) -> None:
    assert (one.name, one.camera) == (other.name, other.camera)
    assert one.seen == other.seen
    assert one.odometry.longest_gap == other.odometry.longest_gap
    np.testing.assert_array_equal(one.odometry.poses, other.odometry.poses)
    np.testing.assert_array_equal(one.odometry.pitches, other.odometry.pitches)  # type: ignore[arg-type]
    np.testing.assert_array_equal(one.frame_times, other.frame_times)
    for track, again in zip(one.tracks, other.tracks, strict=True):
        for name in SmoothTrack.__slots__:
            np.testing.assert_array_equal(getattr(track, name), getattr(again, name))


def test_what_was_written_comes_back(tmp_path: Path) -> None:
    save_reconstruction(KNOWN, tmp_path / "drive.npz")
    found = load_reconstruction(tmp_path / "drive.npz")
    check_same(KNOWN, found)
    assert found.scan_points is not None and found.scan_points.shape == (2, 2)
    assert reconstruction_bytes(found) == CONTENT


def test_nothing_comes_back_too() -> None:
    empty = replace(KNOWN, seen={}, tracks=(), scan_points=None)
    found = reconstruction_from(reconstruction_bytes(empty), "empty")
    check_same(empty, found)
    assert found.scan_points is None


def test_a_file_of_the_first_version_is_read() -> None:
    level = replace(KNOWN, odometry=replace(KNOWN.odometry, pitches=None))
    content = reconstruction_bytes(level)
    found = reconstruction_from(changed("header", {"version": 1}, content, "has_pitches"), "old")
    check_same(level, found)
    assert reconstruction_bytes(found) == content


def changed(name: str, change: object, content: bytes = CONTENT, without: str = "") -> bytes:
    """The file with one member made anew, or with another header."""
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as before, zipfile.ZipFile(made, "w") as after:
        for member in before.namelist():
            array = np.load(io.BytesIO(before.read(member)))
            if member == f"{name}.npy":
                if isinstance(change, dict):
                    header = json.loads(array.tobytes()) | change
                    header.pop(without, None)
                    array = np.frombuffer(json.dumps(header).encode(), np.uint8)
                else:
                    array = np.asarray(change)
            buffer = io.BytesIO()
            np.save(buffer, array)
            after.writestr(member, buffer.getvalue())
    return made.getvalue()


@pytest.mark.parametrize(
    ("name", "change", "words"),
    [
        ("header", {"version": 3}, "its version is 3, this Paseo reads 1 and 2"),
        ("header", {"version": 1}, "unknown key 'has_pitches'"),
        ("header", {"has_pitches": False}, "it holds .*odometry_pitches"),
        ("odometry_pitches", np.zeros(3), r"pitches must be finite, \(samples,\)"),
        ("header", {"format": "x"}, "does not say 'paseo-reconstruction'"),
        ("header", {"colour": 1}, "unknown key 'colour'"),
        ("header", {"longest_gap": -1.0}, "longest gap is -1 s"),
        ("header", {"tracks": []}, "tracks do not add up"),
        ("seen_counts", np.array([2, 0, 2]), "people who were seen do not add up"),
        ("seen_counts", np.array([2, 2, -1]), "people who were seen do not add up"),
        ("boxes", np.full((3, 4), np.nan), "must be finite"),
        ("boxes", np.zeros((3, 4), np.float32), "boxes holds float32"),
        ("states", np.zeros(5), "tracks do not add up"),
        ("gains", np.zeros(10**5), "tracks do not add up"),
        ("covariances", np.full(23 * 16, np.inf), "must be finite"),
        ("frame_times", np.zeros(20), "times of frames must increase"),
        ("frame_times", np.arange(3.0), "seen in frame 3, of 3"),
        ("scan_points", np.zeros(3), r"must be \(points, 2\)"),
    ],
)
def test_damage_is_a_sentence(name: str, change: object, words: str) -> None:
    with pytest.raises(BadFile, match=words) as caught:
        reconstruction_from(changed(name, change), "drive.npz")
    assert str(caught.value).startswith("drive.npz: not a readable reconstruction (")
    assert str(caught.value).endswith("reconstruct the drive again to replace it")


def test_huge_counts_are_refused_before_room_is_made_for_them() -> None:
    track = json.loads(
        json.dumps(
            {
                "person": 1,
                "samples": 10**12,
                "rejected": 0,
                "has_gains": True,
                "errors": 10**9,
                "common": 0,
                "seen_as": None,
            }
        )
    )
    with pytest.raises(BadFile, match="tracks do not add up"):
        reconstruction_from(changed("header", {"tracks": [track]}), "drive.npz")


@pytest.mark.parametrize("length", [0, 10, len(CONTENT) // 2, len(CONTENT) - 1])
def test_torn_file_is_a_sentence(length: int) -> None:
    with pytest.raises(BadFile, match="not a readable reconstruction"):
        reconstruction_from(CONTENT[:length], "drive.npz")


def test_missing_file_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="expected a reconstruction"):
        load_reconstruction(tmp_path / "none.npz")


def test_two_tracks_of_one_person_are_refused() -> None:
    with pytest.raises(BadValue, match="two tracks are of one person"):
        replace(KNOWN, tracks=KNOWN.tracks[:1] * 2)
