"""The people of a drive as a crowd."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from handmade_drive import HandmadeDrive, Walker, reconstructed, straight
from paseo.data.store.locations import DataFolder
from paseo.errors import BadValue
from paseo.pipeline.episodes.crowd import import_drive_as_crowd
from paseo.world.space.floorplan import InferredFrom

AHEAD = Walker(person=5, start=(8.0, 1.0))
COMING = Walker(person=9, start=(20.0, -2.0), velocity=(-0.8, 0.1))
DRIVE = HandmadeDrive(walkers=[AHEAD, COMING], seconds=15.0)


def test_a_stored_crowd_walks_where_people_were(tmp_path: Path) -> None:
    done = import_drive_as_crowd(reconstructed(DRIVE), "yard", data=tmp_path)
    crowd = DataFolder(tmp_path).recording("yard")
    assert [track.id for track in crowd.tracks] == [5, 9]
    for track, walker in zip(crowd.tracks, (AHEAD, COMING), strict=True):
        assert track.positions == pytest.approx(walker.places(track.times), abs=1e-4)
    assert not done.examination.wrong and done.too_short == ()
    about = DataFolder(tmp_path).about("yard")
    assert (about.source, about.source_format, about.fps) == ("7_Spot", "drive", 10.0)


def test_the_robot_is_not_among_the_people_but_its_way_is_free(tmp_path: Path) -> None:
    done = import_drive_as_crowd(reconstructed(DRIVE), "yard", data=tmp_path)
    plan = DataFolder(tmp_path).floorplan("yard")
    assert plan.inferred is InferredFrom.TRACKS
    assert plan.source.startswith("Inferred from 2 tracks and the robot's way")
    assert {track.id for track in done.recording.tracks} == {5, 9}
    for x in np.linspace(0, 15, 30):
        assert plan.clearance(x, 0.0) >= 0.5


def test_who_is_unseen_for_long_is_absent_meanwhile(tmp_path: Path) -> None:
    hidden = replace(AHEAD, unseen=((2.0, 2.8), (4.0, 5.5)))
    drive = HandmadeDrive(walkers=[hidden], way=straight(0.0), seconds=9.0)
    import_drive_as_crowd(reconstructed(drive), "yard", data=tmp_path)
    (track,) = DataFolder(tmp_path).recording("yard").tracks
    absent = np.isnan(track.positions_at(np.array([1.0, 2.4, 4.7, 6.0]))[:, 0])
    assert absent.tolist() == [False, False, True, False]


def test_a_laser_is_heard_about_the_map(tmp_path: Path) -> None:
    wall = np.repeat(np.column_stack([np.arange(-5, 25, 0.03), np.full(1000, 1.9)]), 3, axis=0)
    bare, scanned = (reconstructed(DRIVE, points) for points in (None, wall))
    narrow = import_drive_as_crowd(bare, "bare", data=tmp_path).floorplan
    wide = import_drive_as_crowd(scanned, "scanned", data=tmp_path).floorplan
    assert narrow.clearance(2.0, 1.5) < 0 < wide.clearance(2.0, 1.5)
    assert wide.clearance(2.0, 2.2) < 0
    assert "points of a laser" in wide.source


def test_a_name_is_given_once(tmp_path: Path) -> None:
    import_drive_as_crowd(reconstructed(DRIVE), "yard", data=tmp_path)
    with pytest.raises(BadValue, match="there is a crowd 'yard'"):
        import_drive_as_crowd(reconstructed(DRIVE), "yard", data=tmp_path)
    import_drive_as_crowd(reconstructed(DRIVE), "yard", data=tmp_path, replacing=True)


def test_a_drive_without_people_makes_no_crowd(tmp_path: Path) -> None:
    with pytest.raises(BadValue, match="shows nobody for long enough"):
        import_drive_as_crowd(reconstructed(replace(DRIVE, walkers=[])), "yard", data=tmp_path)
