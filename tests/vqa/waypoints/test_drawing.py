"""Waypoints in pictures: where they belong, and only in the last frame."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from paseo.errors import BadFile, BadValue
from paseo.vqa.pictures.chart import view_of
from paseo.vqa.pictures.pictures import Drawing, Layout
from paseo.vqa.waypoints.candidates import Candidates
from paseo.vqa.waypoints.drawing import FILL, ROOM, Drawn, beside, marked_frames, marked_pictures
from paseo.vqa.waypoints.mounting import Mount, mount_of
from waypoint_scenes import LENS, going

MOUNT = Mount(height=0.5, forward=0.0, is_known=True)
PLACES = np.array([[3.0, 0.0], [3.0, 1.0], [0.0, 4.0]])
DRAWN = Drawn(candidates=Candidates(places=PLACES, horizon=2.5), mount=MOUNT)


def yellow(frame: np.ndarray) -> np.ndarray:
    """Rows and columns of the fill."""
    return np.argwhere((np.abs(frame.astype(int) - FILL) < 3).all(axis=2))


def test_a_place_on_the_ground_is_seen_where_a_pinhole_shows_it() -> None:
    pose = np.array([1.0, 0.0, 0.0])
    pixels = MOUNT.pixels(PLACES, pose, LENS)
    # 2 m ahead: the row is 36 + 62.5 * 0.5 / 2; 1 m to the left: 62.3 / 2 pixels less.
    np.testing.assert_allclose(pixels[:2], [[64.0, 51.625], [64.0 - 31.15, 51.625]])
    assert np.isnan(pixels[2]).all()  # behind
    ahead = Mount(height=0.5, forward=1.0, is_known=True).pixels(PLACES, pose, LENS)
    np.testing.assert_allclose(ahead[0], [64.0, 36 + 31.25])


def test_turning_everything_alike_changes_no_pixel() -> None:
    cos, sin = np.cos(0.7), np.sin(0.7)
    turned = PLACES @ np.array([[cos, sin], [-sin, cos]]) + [4.0, -3.0]
    pose = np.array([4.0, -3.0, 0.7])
    np.testing.assert_allclose(
        MOUNT.pixels(turned, pose, LENS), MOUNT.pixels(PLACES, np.zeros(3), LENS), atol=1e-9
    )


def test_marks_stand_in_the_last_frame_only_and_where_the_map_has_them() -> None:
    scene = going("s1")
    frames = list(marked_frames(scene, DRAWN, Layout.FRONT_BEV))
    assert [len(yellow(frame)) > 0 for frame in frames] == [False] * 4 + [True]
    front, above = frames[-1][:72], frames[-1][72:]
    assert len(yellow(front))
    view = view_of(scene, 128, PLACES)
    for column, row in view.to_pixels(PLACES):
        near = np.abs(yellow(above) - (row, column)).max(axis=1)
        assert near.min() <= 8


def test_a_place_outside_of_the_usual_map_makes_it_larger() -> None:
    far = Candidates(places=np.array([[3.0, 0.0], [-4.0, 9.0]]), horizon=2.5)
    drawn = Drawn(candidates=far, mount=MOUNT)
    frame = list(marked_frames(going("s1"), drawn, Layout.BEV))[-1]
    view = view_of(going("s1"), 128, far.places)
    assert view.extent.x0 <= -4.5
    assert view.extent.y1 >= 9.5
    assert len(yellow(frame)) > 60


def test_walls_are_cut_at_the_edge_of_the_map() -> None:
    walls = np.array([[[5.0, -50.0], [5.0, 50.0]]])
    plain, walled = (
        next(marked_frames(going("s1"), replace(DRAWN, walls=each), Layout.BEV))
        for each in (None, walls)
    )
    changed = np.argwhere((plain != walled).any(axis=2))
    view = view_of(going("s1"), 128, PLACES)
    assert len(changed) > 100
    assert changed[:, 1].min() >= np.floor(view.corner_px[0])


@pytest.mark.parametrize("layout", Layout)
def test_every_layout_can_be_drawn(layout: Layout) -> None:
    pictures = marked_pictures(going("s1"), DRAWN, layout, largest_px=200)
    assert len(pictures) == (1 if layout in (Layout.GRID, Layout.GRID_BEV) else 5)


def test_others_pictures_cannot_be_drawn_into() -> None:
    with pytest.raises(BadValue, match="use drawing paseo"):
        marked_frames(going("s1"), DRAWN, Layout.BEV, Drawing.DATASET)


def test_where_the_camera_is_comes_from_the_folder_or_is_called_a_guess(tmp_path: Path) -> None:
    assert mount_of(tmp_path) == Mount(height=0.85, forward=0.0, is_known=False)
    file = tmp_path / "dataset_cfg.yaml"
    file.write_text("dataset_name: x\ncamera_height: 0.4\ncamera_x_offset: 0.2\n")
    assert mount_of(tmp_path) == Mount(height=0.4, forward=0.2, is_known=True)
    file.write_text("camera_height: -1\n")
    with pytest.raises(BadFile, match="camera_height"):
        mount_of(tmp_path)


def test_a_diamond_hides_no_disc_and_no_other_diamond() -> None:
    pixels = np.array([[50.0, 50.0], [51.0, 50.0], [100.0, 100.0]])
    discs = np.array([[50.0, 52.0], [np.nan, np.nan]])
    at = beside(pixels, discs, 8.0, (200, 200))
    np.testing.assert_array_equal(at[2], pixels[2])  # where there is room it stays
    shown = np.array([*at, discs[0]])
    gaps = np.linalg.norm(shown[:, None] - shown, axis=2) + np.eye(4) * 999
    assert gaps.min() >= ROOM * 8.0 - 1e-9
    assert (np.abs(np.array(at[:2]) - pixels[:2]).max(axis=1) > 0).all()
