from itertools import islice

import numpy as np
import pytest

from original_birdseye import original_birdseye, staged
from paseo.errors import BadValue
from paseo.vqa.baselines.reading.birdseye import sighting_from_pictures
from paseo.vqa.baselines.reading.engines import Pixels, Reading
from paseo.vqa.baselines.rule_sheets import known_axes
from paseo.vqa.pictures.pictures import Drawing, Layout, drawn
from paseo.world.scenes import Scene
from readers import reader

pytestmark = pytest.mark.extra("ocr")


def walkers() -> Scene:
    """A robot that walks 2 m ahead, somebody who crosses its way, somebody who leaves."""
    leaving = np.linspace((6.0, -2.0), (8.0, -3.0), 10)
    leaving[7:] = np.nan
    return staged(
        {1: np.linspace((3.0, 2.0), (5.0, -1.0), 10), 2: leaving},
        robot=np.linspace((0, 0, 0), (2.0, 0, 0), 10),
        goal=(9.0, 1.0),
    )


class NumbersOnly:
    """Reads the texts of discs, which come last, and no ticks."""

    name = "numbers only"

    def __init__(self) -> None:
        self._calls = 0

    def read(self, crops: list[Pixels]) -> list[Reading]:
        self._calls += 1
        tick = self._calls <= 2
        return [Reading("", 0.0)] * len(crops) if tick else reader().read(crops)


@pytest.mark.parametrize(
    "name",
    [
        "rapidocr",
        pytest.param("tesseract", marks=[pytest.mark.tesseract, pytest.mark.extra("tesseract")]),
    ],
)
def test_what_is_drawn_is_read(name: str) -> None:
    scene = walkers()
    views = islice(drawn(scene, Layout.BEV, Drawing.PASEO), 6, None)
    seen = sighting_from_pictures(views, numbers=[1, 2], period=0.25, engine=reader(name))
    assert seen.robot[:, :2] == pytest.approx(scene.robot[6:, :2], abs=0.03)
    assert seen.robot[:, 2] == pytest.approx(0, abs=0.05)
    assert seen.goal == pytest.approx(scene.goal, abs=0.03)
    for person in scene.people:
        assert seen.people[person.number] == pytest.approx(
            person.positions[6:], abs=0.03, nan_ok=True
        )
    assert not seen.problem


def test_what_matplotlib_draws_is_read() -> None:
    scene = walkers()
    views = [original_birdseye(scene, frame, dpi=183) for frame in (0, 9)]
    seen = sighting_from_pictures(views, numbers=[1, 2], period=0.25, engine=reader())
    assert seen.robot[:, :2] == pytest.approx(scene.robot[[0, 9], :2], abs=0.05)
    for person in scene.people:
        expected = person.positions[[0, 9]]
        assert seen.people[person.number] == pytest.approx(expected, abs=0.05, nan_ok=True)


def test_smaller_pictures_are_read_too() -> None:
    scene = walkers()
    views = islice(drawn(scene, Layout.BEV, Drawing.PASEO, largest_px=800), 2)
    seen = sighting_from_pictures(views, numbers=[1, 2], period=0.25, engine=reader())
    assert seen.people[1] == pytest.approx(scene.people[0].positions[:2], abs=0.06)


def test_known_limits_stand_in_for_ticks_that_cannot_be_read_and_are_named() -> None:
    scene = walkers()
    views = tuple(islice(drawn(scene, Layout.BEV, Drawing.PASEO), 2))
    seen = sighting_from_pictures(
        views, numbers=[1, 2], period=0.25, engine=NumbersOnly(), known=known_axes(scene)
    )
    assert seen.people[1] == pytest.approx(scene.people[0].positions[:2], abs=0.03)
    assert "known limits used instead" in seen.problem
    with pytest.raises(BadValue, match="numbers below"):
        sighting_from_pictures(views, numbers=[1, 2], period=0.25, engine=NumbersOnly())


def test_frames_without_the_robot_and_people_never_seen_are_told() -> None:
    views = list(islice(drawn(walkers(), Layout.BEV, Drawing.PASEO), 4))
    views[3] = np.full_like(views[3], 255)
    seen = sighting_from_pictures(views, numbers=[1, 2, 5], period=0.25, engine=reader())
    assert np.isnan(seen.robot[3, 0]) and np.isnan(seen.people[5]).all()
    assert seen.problem == "the robot was read in 3 of 4 frames; read in no frame: person 5"


def test_pictures_without_the_robot_cannot_be_used() -> None:
    views = [view.copy() for view in islice(drawn(walkers(), Layout.BEV, Drawing.PASEO), 2)]
    for view in views:
        black = (view < 8).all(axis=2)
        view[black] = 255
    with pytest.raises(BadValue, match="robot R was read in none"):
        sighting_from_pictures(views, numbers=[1, 2], period=0.25, engine=reader())


def test_no_pictures_are_told() -> None:
    with pytest.raises(BadValue, match="no pictures"):
        sighting_from_pictures([], numbers=[1], period=0.25, engine=reader())
