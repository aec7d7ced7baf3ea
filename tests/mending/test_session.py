"""Corrections of one person: applied, kept, gone on with, taken back."""

from pathlib import Path

import numpy as np
import pytest

from handmade_drive import HandmadeDrive, reconstructed
from paseo.errors import BadFile, InputError
from paseo.mending.session import Session
from paseo.mending.telling import MOST_SHOWN, ellipses, shown_frames
from paseo.pipeline.corrections import Delete, Merge, Split
from paseo.pipeline.reconstruction_file import load_reconstruction
from served_pages import DRIVE, WALKERS, session


def people(found: Session) -> list[int]:
    return [each["person"] for each in found.told()["people"]]


def test_two_tracks_of_one_person_become_one_that_crosses_the_gap(tmp_path: Path) -> None:
    found = session(tmp_path)
    found.correct(Merge(1, 3))
    assert people(found) == [1, 2]
    (track,) = (each for each in found.now.tracks if each.person == 1)
    assert track.times[0] == DRIVE.starts and track.times[-1] == DRIVE.starts + DRIVE.seconds
    truth = np.array([5.0, 0.5]) + (track.times - DRIVE.starts)[:, None] * [1.0, 0.0]
    assert np.linalg.norm(track.states[:, :2] - truth, axis=1).max() < 0.5


def test_what_is_corrected_is_on_disk_at_once_and_gone_on_with(tmp_path: Path) -> None:
    found = session(tmp_path)
    found.correct(Merge(1, 3))
    found.correct(Split(2, 20))
    again = session(tmp_path)
    assert again.told() == found.told()
    assert again.told()["corrections"] == ["3 is 1", "2 is somebody else from frame 20 on"]
    kept = load_reconstruction(tmp_path / "mended.npz")
    assert [each.person for each in kept.tracks] == [each.person for each in found.now.tracks]
    again.undo()
    again.undo()
    assert people(again) == [1, 2, 3]
    with pytest.raises(InputError, match="nothing to take back"):
        again.undo()


def test_what_cannot_be_corrected_changes_nothing(tmp_path: Path) -> None:
    found = session(tmp_path)
    found.correct(Delete(2))
    before = found.told()
    with pytest.raises(InputError, match="nobody is called 2"):
        found.correct(Delete(2))
    assert found.told() == before == session(tmp_path).told()


@pytest.mark.parametrize("text", ["", "{", "[]", '{"format": "paseo-corrections"}', "\xff"])
def test_a_file_that_holds_no_corrections_is_named(tmp_path: Path, text: str) -> None:
    (tmp_path / "c.json").write_text(text)
    with pytest.raises(BadFile, match=r"c\.json: holds no corrections of tracks"):
        session(tmp_path)


def test_corrections_of_another_drive_are_refused(tmp_path: Path) -> None:
    session(tmp_path).correct(Delete(2))
    other = reconstructed(HandmadeDrive(walkers=WALKERS, seconds=7.0))
    with pytest.raises(InputError, match="with 65 frames, but this is 7_Spot with 57"):
        Session(other, file=tmp_path / "c.json", out=tmp_path / "m.npz")


def test_ellipses_hold_95_percent_of_places() -> None:
    turn = np.array([[np.cos(0.4), -np.sin(0.4)], [np.sin(0.4), np.cos(0.4)]])
    covariance = turn @ np.diag([4.0, 0.25]) @ turn.T
    (found,) = ellipses(covariance[None])
    assert found[:2] == pytest.approx(np.sqrt(5.991) * np.array([2.0, 0.5]))
    assert np.tan(found[2]) == pytest.approx(np.tan(0.4))
    rng = np.random.default_rng(1)
    drawn = rng.multivariate_normal([0, 0], covariance, 20_000) @ turn
    inside = ((drawn / found[:2]) ** 2).sum(axis=1) < 1
    assert inside.mean() == pytest.approx(0.95, abs=0.005)


def test_of_a_long_drive_some_frames_are_shown() -> None:
    assert len(shown_frames(np.arange(100) / 30)) == 100
    hours = np.arange(30 * 3600 * 2) / 30
    assert 10_000 < len(shown_frames(hours)) <= MOST_SHOWN + 1
