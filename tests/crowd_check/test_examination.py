"""The lie detector, on the five real recordings and on made-up ones."""

import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from paseo.crowd_check.examination import Examination, examine
from paseo.crowd_check.findings import SURE, Doubt, Severity
from paseo.crowd_check.placement import AXES
from paseo.data.maps.floorplans import shipped_floorplan
from paseo.data.store.catalog import known_recordings
from paseo.data.store.locations import DataFolder
from paseo.world.space.floorplan import FloorPlan
from paseo.world.tracks import Recording, at_rate, transformed
from thinning import mostly_slow
from walkers import corridor_crowd, corridor_plan, transform_in

SCALE_CANNOT_BE_RULED_OUT = {("eth", 0.6), ("eth", 1.67), ("zara02", 0.6)}
RECORDINGS = ["eth", "hotel", "univ", "zara01", "zara02"]
each_recording = pytest.mark.parametrize("name", RECORDINGS)


def on_its_map(name: str, data_dir: Path) -> tuple[Recording, FloorPlan]:
    known = known_recordings()[name]
    nameless = replace(DataFolder(data_dir).recording(name), name="x")  # nothing may be looked up
    return moved(nameless, known.map_transform), shipped_floorplan(known.map)


def moved(recording: Recording, affine: object) -> Recording:
    matrix = np.array(affine, float)
    return replace(recording, tracks=tuple(transformed(t, matrix) for t in recording.tracks))


def scaled(recording: Recording, factor: float) -> Recording:
    return moved(recording, [[factor, 0, 0], [0, factor, 0]])


def wrongs(examination: Examination) -> list[Doubt]:
    return [finding.doubt for finding in examination.findings if finding.severity is Severity.WRONG]


def told(examination: Examination) -> list[Doubt]:
    """What is said of frame rate and scale, however sure."""
    pace = (Doubt.FRAME_RATE, Doubt.SCALE, Doubt.PIXELS)
    return [finding.doubt for finding in examination.findings if finding.doubt in pace]


@pytest.mark.recordings
@each_recording
def test_a_recording_at_its_true_rate_raises_no_alarm(name: str, data_dir: Path) -> None:
    recording, plan = on_its_map(name, data_dir)
    assert wrongs(examine(recording, plan)) == []
    assert wrongs(examine(recording, None)) == []


@pytest.mark.recordings
@pytest.mark.parametrize("name", mostly_slow(RECORDINGS, quick=2))
@pytest.mark.parametrize("factor", [0.6, 1.67])
def test_slow_motion_and_time_lapse_are_caught(name: str, factor: float, data_dir: Path) -> None:
    recording, plan = on_its_map(name, data_dir)
    for where in (plan, None):
        found = examine(at_rate(recording, recording.fps * factor), where)
        assert told(found) == [Doubt.FRAME_RATE]
        (rate,) = (each for each in found.findings if each.doubt is Doubt.FRAME_RATE)
        assert found.wrong == ((name, factor) not in SCALE_CANNOT_BE_RULED_OUT)
        assert rate.sure > 0.7
        assert f" {recording.fps:g}" in rate.fix.rpartition("fps")[2]


@pytest.mark.recordings
@pytest.mark.parametrize("name", ["hotel", "univ"])
def test_the_slow_motion_of_socnavbench_is_caught(name: str, data_dir: Path) -> None:
    recording, _ = on_its_map(name, data_dir)
    found = examine(at_rate(recording, known_recordings()[name].socnavbench_fps), None)
    assert wrongs(found) == [Doubt.FRAME_RATE]
    assert "slow motion" in found.findings[0].what
    assert found.findings[0].sure > 0.95


@pytest.mark.recordings
@pytest.mark.parametrize("name", mostly_slow(RECORDINGS))
@pytest.mark.parametrize(
    ("factor", "doubt"),
    [(100, Doubt.SCALE), (3.2808, Doubt.SCALE), (2, Doubt.SCALE), (0.4, Doubt.SCALE),
     (40, Doubt.PIXELS)],
)  # fmt: skip
def test_a_wrong_scale_is_caught(name: str, factor: float, doubt: Doubt, data_dir: Path) -> None:
    recording, plan = on_its_map(name, data_dir)
    for where in (plan, None):
        assert wrongs(examine(scaled(recording, factor), where)) == [doubt]


@pytest.mark.recordings
@pytest.mark.parametrize("name", mostly_slow(RECORDINGS))
@pytest.mark.parametrize("way", [way for way in AXES if way != "as they are"])
def test_every_wrong_layout_of_the_axes_is_caught_and_undone(
    name: str, way: str, data_dir: Path
) -> None:
    recording, plan = on_its_map(name, data_dir)
    (a, b), (d, e) = AXES[way][1]
    wrong = moved(recording, [[a, b, 0], [d, e, 0]])
    found = examine(wrong, plan)
    assert wrongs(found) == [found.findings[0].doubt]
    mended = moved(wrong, transform_in(found.findings[0]))
    assert wrongs(examine(mended, plan)) == []
    before, after = recording.tracks[0].positions, mended.tracks[0].positions
    np.testing.assert_allclose(after, before, atol=1e-9)  # all maps begin near the origin


@pytest.mark.recordings
@each_recording
def test_an_examination_takes_well_under_three_seconds(name: str, data_dir: Path) -> None:
    recording, plan = on_its_map(name, data_dir)
    start = time.process_time()
    examine(recording, plan)
    assert time.process_time() - start < 3


def test_a_textbook_crowd_on_its_floor_is_fine() -> None:
    assert wrongs(examine(corridor_crowd(), corridor_plan())) == []


def test_what_was_found_while_reading_is_told_as_well() -> None:
    crowd = corridor_crowd()
    jump = examine(with_jump(crowd), None).findings[0]
    assert examine(crowd, None, known=[jump]).findings == (jump,)


def test_without_a_map_orientation_is_said_to_be_unchecked() -> None:
    assert any("no map" in sentence for sentence in examine(corridor_crowd(), None).unchecked)


def test_a_symmetrical_map_admits_that_it_cannot_tell() -> None:
    unchecked = examine(corridor_crowd(), corridor_plan()).unchecked
    assert any("mirrored in x" in sentence for sentence in unchecked)


def test_few_walkers_leave_frame_rate_and_scale_unchecked() -> None:
    assert any("frame rate" in each for each in examine(corridor_crowd(4), None).unchecked)


def test_nobody_at_all_is_no_crash() -> None:
    found = examine(Recording(name="empty", fps=10.0, tracks=()), corridor_plan())
    assert not found.wrong


def with_jump(crowd: Recording) -> Recording:
    first = crowd.tracks[0]
    positions = first.positions.copy()
    positions[len(positions) // 2 :, 1] += 30.0
    return replace(crowd, tracks=(replace(first, positions=positions), *crowd.tracks[1:]))


@pytest.mark.recordings
@pytest.mark.parametrize("name", ["eth", "hotel", "univ"])
def test_a_thinned_crowd_is_not_called_out_of_scale(name: str, data_dir: Path) -> None:
    recording = DataFolder(data_dir).recording(name)
    thinned = replace(recording, tracks=recording.tracks[::5])
    for factor, doubts in ((0.6, [Doubt.FRAME_RATE]), (1.0, []), (1.67, [Doubt.FRAME_RATE])):
        assert told(examine(at_rate(thinned, recording.fps * factor), None)) == doubts


@pytest.mark.recordings
def test_the_noise_of_a_tracker_does_not_hide_a_wrong_rate(data_dir: Path) -> None:
    recording, rng = DataFolder(data_dir).recording("univ"), np.random.default_rng(0)
    noisy = tuple(
        replace(t, positions=t.positions + rng.normal(0, 0.05, t.positions.shape))
        for t in recording.tracks
    )
    assert wrongs(examine(replace(recording, tracks=noisy), None)) == []
    slow = at_rate(replace(recording, tracks=noisy), 15.0)
    assert told(examine(slow, None)) == [Doubt.FRAME_RATE]


def dense_corridor() -> Recording:
    """People who push on slowly, nearer to each other than in the street."""
    crowd = at_rate(corridor_crowd(120), 5.5)  # at most 1.1 m/s
    return moved(crowd, [[1, 0, 0], [0, 0.8, 0]])


def noisy_tracker() -> Recording:
    """Everybody slips aside by up to 0.8 m for a frame or two."""
    rng = np.random.default_rng(7)
    slips = []
    for track in corridor_crowd().tracks:
        positions, k = track.positions.copy(), int(rng.integers(20, 60))
        positions[k : k + 2, 1] += rng.uniform(0.55, 0.8)
        slips.append(replace(track, positions=positions))
    return replace(corridor_crowd(), tracks=tuple(slips))


def off_calibration() -> Recording:
    """A plane found from four points, a little too far north."""
    return moved(corridor_crowd(200), [[1, 0, 0], [0, 1, 1.3]])


@pytest.mark.parametrize(
    ("crowd", "doubt"),
    [
        (dense_corridor(), Doubt.FRAME_RATE),
        (noisy_tracker(), Doubt.JUMPS),
        (off_calibration(), Doubt.SHIFTED),
    ],
    ids=["dense corridor", "noisy tracker", "calibration"],
)
def test_what_is_not_sure_enough_is_unusual_not_wrong(crowd: Recording, doubt: Doubt) -> None:
    found = examine(crowd, corridor_plan())
    (finding,) = found.findings
    assert (finding.doubt, finding.severity) == (doubt, Severity.UNUSUAL)
    assert 0.5 < finding.sure < SURE
    assert not found.wrong


def test_the_same_faults_far_larger_are_wrong() -> None:
    slow = at_rate(corridor_crowd(120), 3.0)
    assert wrongs(examine(slow, None)) == [Doubt.FRAME_RATE]
    assert wrongs(examine(with_jump(corridor_crowd()), None)) == [Doubt.JUMPS]
    shifted = moved(corridor_crowd(), [[1, 0, 0], [0, 1, 3.0]])
    assert wrongs(examine(shifted, corridor_plan())) == [Doubt.SHIFTED]
