import numpy as np
import pytest

from original_birdseye import original_birdseye, staged
from paseo.errors import BadValue
from paseo.vqa.baselines.reading.axes import Axes, background, read_axes
from paseo.vqa.baselines.reading.engines import Pixels, Reading
from paseo.vqa.baselines.rule_sheets import known_axes
from paseo.vqa.pictures.pictures import Drawing, Layout, drawn
from readers import reader

pytestmark = pytest.mark.extra("ocr")

NEAR = staged({1: (4.0, 2.0)})
FAR = staged({1: (4.0, 2.0), 2: (14.0, 7.5)}, goal=(-2.0, -8.0))
DPI = 183  # 1280 pixels


class Blind:
    """An engine that reads nothing."""

    name = "blind"

    def read(self, crops: list[Pixels]) -> list[Reading]:
        return [Reading("", 0.0)] * len(crops)


class Forgetful:
    """An engine that reads one number in three wrong."""

    name = "forgetful"

    def read(self, crops: list[Pixels]) -> list[Reading]:
        readings = reader().read(crops)
        return [Reading("77", 1.0) if at % 3 == 1 else each for at, each in enumerate(readings)]


def first(drawing: Drawing, far: bool = False) -> Pixels:
    return next(iter(drawn(FAR if far else NEAR, Layout.BEV, drawing)))


@pytest.mark.parametrize("far", [False, True])
def test_the_axes_we_draw_are_read_as_they_are(far: bool) -> None:
    known = known_axes(FAR if far else NEAR)
    found = read_axes(first(Drawing.PASEO, far), reader())
    corners = np.array([[100.0, 100.0], [1200.0, 1200.0]])
    assert found.to_metres(corners) == pytest.approx(known.to_metres(corners), abs=0.02)
    assert found.source == "ticks" and known.source == "known limits"


@pytest.mark.parametrize("scene", [NEAR, FAR])
def test_axes_of_unknown_limits_as_matplotlib_draws_them_are_read(scene: object) -> None:
    picture = original_birdseye(scene, 0, dpi=DPI)
    axes = read_axes(picture, reader())
    # Person 1 is the one blue thing: its disc, an oracle that knows nothing of axes.
    blue = np.argwhere((picture == [0, 0, 255]).all(axis=2)).mean(axis=0)
    assert axes.to_metres(blue[::-1]) == pytest.approx([4.0, 2.0], abs=0.05)


def test_some_numbers_may_be_misread() -> None:
    picture = first(Drawing.PASEO)
    corners = np.array([[100.0, 100.0], [1200.0, 1200.0]])
    expected = read_axes(picture, reader()).to_metres(corners)
    assert read_axes(picture, Forgetful()).to_metres(corners) == pytest.approx(expected, abs=0.03)


def test_a_picture_without_readable_numbers_is_told_with_where() -> None:
    with pytest.raises(BadValue, match="numbers below the bird's-eye picture, 0 fit"):
        read_axes(first(Drawing.PASEO), Blind())


def test_a_picture_without_a_grid_cannot_be_measured() -> None:
    with pytest.raises(BadValue, match="no grid"):
        read_axes(np.full((300, 300, 3), 255, np.uint8), reader())


def test_forward_is_up_and_left_is_left() -> None:
    axes = Axes(x_at_top=10.0, y_at_left=5.0, x_per_px=-0.01, y_per_px=-0.01)
    assert axes.to_metres(np.array([[0, 0], [500, 1000]])).tolist() == [[10, 5], [0, 0]]


def test_the_background_is_the_commonest_colour() -> None:
    picture = np.full((40, 40, 3), (250, 251, 252), np.uint8)
    picture[:10] = 0
    assert background(picture).tolist() == [250, 251, 252]
