"""Episodes cut out of a drive, and the driver's own way through them."""

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from handmade_drive import HandmadeDrive, Walker, reconstructed, straight
from paseo.data.store.locations import DataFolder
from paseo.data.suites.suite_file import RobotEntry, read_suite
from paseo.errors import BadValue
from paseo.pipeline.episodes.crowd import import_drive_as_crowd
from paseo.pipeline.episodes.episodes import EpisodeOptions, drive_episodes, driven_robot
from paseo.suite.running import RunOptions, run
from paseo.world.arrays import FloatArray
from paseo.world.recordfile import load_record

WALKERS = [Walker(person=k, start=(6.0 + 7 * k, 1.2), velocity=(-0.2, 0.0)) for k in range(6)]
DRIVE = HandmadeDrive(walkers=WALKERS, seconds=40.0)
SHORT = EpisodeOptions(seconds=10.0)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    import_drive_as_crowd(reconstructed(DRIVE), "yard", data=tmp_path)
    return tmp_path


def test_an_episode_leads_from_where_the_robot_was_to_where_it_got(data: Path) -> None:
    suite = drive_episodes(reconstructed(DRIVE), "yard", SHORT, data=data)
    assert len(suite.episodes) > 1
    for entry in suite.episodes:
        begins = entry.recordings[0].first_frame / 10
        assert (entry.start.x_m, entry.goal.x_m) == pytest.approx((begins, begins + 10))
        assert entry.time_limit_s == 20.0
        rows = np.array(entry.driven)
        assert rows[:, 1] == pytest.approx(begins + rows[:, 0])


def test_no_two_episodes_share_time_and_in_each_somebody_is_met(data: Path) -> None:
    suite = drive_episodes(reconstructed(DRIVE), "yard", SHORT, data=data)
    frames = [entry.recordings[0].first_frame for entry in suite.episodes]
    assert all(later - sooner >= 100 for sooner, later in pairwise(frames))
    assert not any(entry.note.endswith(": 0.") for entry in suite.episodes)


def test_the_suite_runs_and_the_human_reference_drives_as_somebody_did(
    data: Path, tmp_path: Path
) -> None:
    file = tmp_path / "driven.toml"
    wishes = replace(SHORT, count=1)
    suite = drive_episodes(reconstructed(DRIVE), "yard", wishes, out=file, data=data)
    assert read_suite(file, DataFolder(data)).episodes == suite.episodes
    done = run(
        file,
        ["human", "straight"],
        out=tmp_path / "run",
        options=RunOptions(data=data, jobs=1, runner="serial"),
    )
    human, _ = done.results
    assert human.episode == f"{suite.episodes[0].name}@human-driven"
    record = load_record(done.folder / "records" / human.record)
    begins = suite.episodes[0].recordings[0].first_frame / 10
    assert record.robot[:, 0] == pytest.approx(begins + record.times, abs=1e-3)
    assert record.scenario.robot.radius == 0.3


def test_a_robot_can_do_what_it_was_seen_to_do() -> None:
    def circle(times: FloatArray) -> FloatArray:
        angle = 1.2 * times  # of radius 2, at 2.4 m/s
        return np.column_stack([2 * np.sin(angle), 2 - 2 * np.cos(angle), angle])

    robot = driven_robot(replace(DRIVE, way=circle).odometry, 0.4)
    assert robot.max_turn_radps == pytest.approx(1.2, abs=1e-3)
    assert robot.max_speed_mps == pytest.approx(2.4, rel=0.02)  # half a second is no straight line
    assert (robot.max_reverse_speed_mps, robot.radius_m) == (0.0, 0.4)
    back = driven_robot(replace(DRIVE, way=straight(-0.5)).odometry, 0.4)
    assert back.max_reverse_speed_mps == pytest.approx(0.5)


def test_a_named_robot_takes_its_place(data: Path) -> None:
    small = RobotEntry(name="small", radius_m=0.1)
    wishes = replace(SHORT, robot=small)
    assert drive_episodes(reconstructed(DRIVE), "yard", wishes, data=data).robot == small


@pytest.mark.parametrize(
    ("wishes", "sentence"),
    [
        (EpisodeOptions(seconds=90.0), "nowhere is the robot's way known for 90 s"),
        (EpisodeOptions(seconds=5.0, least_distance=8.0), "at most it got 5.0 m away"),
        (EpisodeOptions(met=50), "and met [1-6]"),
    ],
)
def test_a_drive_that_cannot_keep_the_wishes_says_what_it_offers(
    data: Path, wishes: EpisodeOptions, sentence: str
) -> None:
    with pytest.raises(BadValue, match=sentence):
        drive_episodes(reconstructed(DRIVE), "yard", wishes, data=data)


@pytest.mark.parametrize(
    "bad",
    [{"count": 0}, {"met": -1}, {"seconds": 0.0}, {"radius": -1.0}, {"time_limit": 0.5}],
)
def test_wishes_without_sense_are_refused(bad: dict[str, float]) -> None:
    with pytest.raises(BadValue, match="expected 1 or more|must be"):
        EpisodeOptions(**bad)  # type: ignore[arg-type]
