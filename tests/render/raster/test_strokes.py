"""Lines, discs and rings, against what geometry says."""

import math

import numpy as np
import pytest

from paseo.render.raster.strokes import Frame, chain, discs, lines, links, paint, rings

BLACK, WHITE, RED = (0, 0, 0), (255, 255, 255), (255, 0, 0)


def ink(frame: Frame) -> float:
    """How many pixels' worth of black there is on a white frame."""
    return float((255 - frame[:, :, 0].astype(float)).sum() / 255)


def white(side: int = 60) -> Frame:
    return np.full((side, side, 3), 255, np.uint8)


def spot(x: float, y: float) -> np.ndarray:
    return np.array([[x, y]])


@pytest.mark.parametrize("radius", [2.0, 5.3, 20.0])
@pytest.mark.parametrize("middle", [30.0, 30.5, 30.21])
def test_a_disc_covers_its_area(radius: float, middle: float) -> None:
    frame = white()
    paint(frame, discs(spot(middle, 30.0), radius, BLACK))
    assert ink(frame) == pytest.approx(math.pi * radius**2, rel=0.03)


def test_a_disc_is_where_it_should_be_whatever_the_fraction_of_a_pixel() -> None:
    frame = white()
    paint(frame, discs(spot(20.3, 40.8), 6.0, BLACK))
    rows, columns = np.mgrid[:60, :60] + 0.5
    dark = 255 - frame[:, :, 0].astype(float)
    assert (columns * dark).sum() / dark.sum() == pytest.approx(20.3, abs=0.05)
    assert (rows * dark).sum() / dark.sum() == pytest.approx(40.8, abs=0.05)


def test_a_ring_covers_its_circumference_times_its_width() -> None:
    frame = white()
    paint(frame, rings(spot(30, 30), 15.0, 3.0, BLACK))
    assert ink(frame) == pytest.approx(2 * math.pi * 15 * 3, rel=0.03)
    assert frame[30, 30].tolist() == [255, 255, 255]


@pytest.mark.parametrize("end", [(50.0, 10.0), (50.0, 37.0), (10.0, 50.0), (18.0, 50.0)])
def test_a_line_covers_its_length_and_half_a_disc_at_each_end(end: tuple[float, float]) -> None:
    frame = white()
    paint(frame, lines(spot(10, 10), spot(*end), 4.0, BLACK))
    length = math.dist((10, 10), end)
    assert ink(frame) == pytest.approx(4 * length + math.pi * 4, rel=0.03)


def test_faint_links_make_a_chain_without_knots() -> None:
    frame = white()
    points = np.stack([np.linspace(5, 55, 26), np.linspace(10, 20, 26)], axis=1)
    paint(frame, links(points[:-1], points[1:], 6.0, BLACK, 0.5))
    along = [frame[10 + round((x - 5) / 5), x, 0] for x in range(10, 50)]
    assert set(along) <= {127, 128}


def test_a_chain_turns_sharp_corners_without_gaps() -> None:
    frame = white()
    paint(frame, chain(np.array([[10.0, 10.0], [50.0, 10.0], [12.0, 12.0]]), 5.0, BLACK))
    assert frame[9, 51].tolist() == [0, 0, 0]  # the round corner


def test_a_chain_that_grows_keeps_what_was_drawn() -> None:
    points = np.cumsum(np.random.default_rng(0).normal(1, 1, (40, 2)), axis=0)
    short, long = chain(points[:-7], 2.0, BLACK), chain(points, 2.0, BLACK)
    links_of_short = short[short[:, 10] > 0]
    assert np.array_equal(links_of_short[:-1], long[: len(links_of_short) - 1])


def test_what_is_absent_or_outside_is_not_drawn() -> None:
    frame = white()
    nowhere = np.array([[np.nan, np.nan], [-1e9, 3.0], [500.0, 500.0], [np.inf, 0.0]])
    paint(frame, discs(nowhere, 5.0, RED))
    paint(frame, lines(nowhere, nowhere + 3, 5.0, RED))
    assert (frame == 255).all()


def test_what_is_half_outside_is_cut_off() -> None:
    frame = white()
    paint(frame, discs(spot(0, 30), 10.0, BLACK))
    assert ink(frame) == pytest.approx(math.pi * 100 / 2, rel=0.03)


def test_later_strokes_cover_earlier_ones() -> None:
    frame = white()
    paint(frame, np.concatenate([discs(spot(30, 30), 9.0, BLACK), discs(spot(30, 30), 5.0, RED)]))
    assert frame[30, 30].tolist() == [255, 0, 0]
    assert frame[30, 37].tolist() == [0, 0, 0]
