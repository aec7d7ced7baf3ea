"""Pictures of the robot's view for a page: always the same, and as many as there is room for."""

import base64
import io
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from drives import line, record
from paseo.camera.lens import image as images
from paseo.camera.lens.projection import project
from paseo.report.walk.views.pictures import Album, album_of, outline_path, picture_of
from paseo.report.walk.views.sights import RobotViews, Sight, sights_of
from paseo.world.cameras import level_camera
from paseo.world.motion import Pose, RobotState, Twist
from paseo.world.people import Snapshot
from paseo.world.recordfile import save_record
from worlds import crowd

SMALL = level_camera(64, 48, across=1.3)
BLANK = images.Image(
    rgb=np.full((48, 64, 3), 90, np.uint8),
    depth=np.full((48, 64), 4.0, np.float32),
    ids=np.full((48, 64), -1, np.int32),
    normals=np.zeros((48, 64, 3), np.float32),
)


def test_an_outline_goes_around_what_is_seen() -> None:
    mask = np.zeros((48, 64), np.bool_)
    mask[10:20, 5:9] = True
    corners = {(5, 10), (9, 10), (9, 20), (5, 20)}
    assert _corners(outline_path(mask)) == corners
    assert outline_path(mask & False) == ""


def test_an_outline_leaves_the_picture_where_the_person_does() -> None:
    mask = np.zeros((48, 64), np.bool_)
    mask[40:, :9] = True
    assert _corners(outline_path(mask)) == {(-4, 40), (9, 40), (9, 52), (-4, 52)}


def _corners(path: str) -> set[tuple[int, int]]:
    """The points of one closed path: M, its first, and steps from each to the next."""
    first, _, rest = path.removeprefix("M").removesuffix("z").replace("-", " -").partition("l")
    steps = np.array([first.split(), *np.array(rest.split()).reshape(-1, 2)], int)
    return {(x, y) for x, y in np.cumsum(steps, axis=0).tolist()}


@pytest.mark.parametrize(
    ("place", "words"),
    [
        ((3.0, 6.5), "out of view on the left"),
        ((2.0, 3.0), "out of view on the right"),
        ((0.5, 5.0), "behind the robot"),
        ((6.0, 5.0), "hidden by others"),
    ],
)
def test_who_is_not_in_the_picture_is_said_to_be_elsewhere(
    place: tuple[float, float], words: str
) -> None:
    robot = RobotState(Pose(2.0, 5.0, 0.0), Twist(0.0, 0.0), 0.3)
    snapshot = Snapshot(1.0, robot, crowd((7, *place)))
    sight = Sight(time=1.0, person=7, words="contact with person 7")
    picture = picture_of(BLANK, sight, snapshot)
    assert picture.words == f"contact with person 7, {words}"
    assert picture.outline == ""
    seen = replace(BLANK, ids=np.full((48, 64), 7, np.int32))
    assert picture_of(seen, sight, snapshot).words == "contact with person 7"


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Three drives past one person, who stands ahead on the left."""
    folder = tmp_path_factory.mktemp("records")
    drive = record(line(duration=2.0), [(5.0, 6.0)])
    found = [folder / f"{k}.npz" for k in range(3)]
    for file in found:
        save_record(drive, file)
    return found


def taken(files: list[Path], **changes: object) -> Album:
    views = replace(RobotViews(camera=SMALL), **changes)  # type: ignore[arg-type]
    sights = sights_of(record(line(duration=2.0), [(5.0, 6.0)]), views.most)
    early = Sight(time=0.5, person=1, words="early")
    return album_of(files, [(*sights, early)] * len(files), views)


@pytest.mark.extra("camera")
def test_pictures_show_whom_they_are_about_and_are_the_same_twice(files: list[Path]) -> None:
    album = taken(files)
    assert album == taken(files)
    assert len(set(album.drives)) == 1  # all drives are alike
    early, closest = album.drives[0][0], album.drives[0][-1]
    assert [early.time, closest.time] == [0.5, 2.0]
    for each in album.drives[0]:
        for kind in (each.rgb, each.depth):
            assert Image.open(io.BytesIO(base64.b64decode(kind))).size == (64, 48)
    # On the left of the robot is left in the picture, where the person is in the world.
    view = SMALL.view(Pose(2.5, 5.0, 0.0))
    middle, _, _ = project(np.array([[5.0, 6.0, 1.0]]), SMALL, view)[0].tolist()
    columns = [x for x, _ in _corners(early.outline.partition("z")[0])]
    assert min(columns) <= middle <= max(columns) < 32
    assert (album.left_out, album.walled, album.note) == (0, 0, "")


@pytest.mark.extra("camera")
def test_where_room_is_short_the_dearest_of_every_drive_stay(files: list[Path]) -> None:
    size = max(each.size for each in taken(files).drives[0])
    album = taken(files, most_mb=4 * 36_000 / 1e6)
    assert [len(each) for each in album.drives] == [2, 1, 1]
    assert [each[-1].words[:7] for each in album.drives] == ["closest"] * 3
    assert album.left_out == 2 and album.note == "2 more moments found no room"
    tight = taken(files, most_mb=1.5 * size / 1e6)
    assert sum(map(len, tight.drives)) <= 1


@pytest.mark.extra("camera")
def test_a_robot_in_a_wall_sees_nothing_and_is_told(tmp_path: Path) -> None:
    save_record(record(line(speed=6.0, duration=2.0), [(5.0, 6.0)]), tmp_path / "x.npz")
    sights = [Sight(time=time, person=1, words="here") for time in (0.5, 2.0)]  # at x = 5 and 14
    album = album_of([tmp_path / "x.npz"], [sights], RobotViews(camera=SMALL))
    assert [each.time for each in album.drives[0]] == [0.5]
    assert album.walled == 1 and album.note == "at 1 the camera stood in a wall"
