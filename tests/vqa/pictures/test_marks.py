"""Discs with numbers on them, alone and in a crowd."""

import math

import numpy as np
import pytest

from marked_scenes import colour_of_disc
from paseo.vqa.pictures.marks import Mark, draw_marks

BLUE, ORANGE, WINE = (0, 114, 178), (230, 159, 0), (136, 34, 85)
RADIUS = 30.0


def grey(width: int = 200, height: int = 160) -> np.ndarray:
    return np.full((height, width, 3), 120, np.uint8)


def drawn(*marks: tuple[tuple[float, float], str, tuple[int, int, int]]) -> np.ndarray:
    frame = grey()
    draw_marks(frame, [Mark(at=at, text=text, colour=c) for at, text, c in marks], RADIUS)
    return frame


def pixels(frame: np.ndarray, colour: tuple[int, int, int]) -> np.ndarray:
    """Columns and rows of all pixels of a colour."""
    rows, columns = np.nonzero((frame == colour).all(axis=2))
    return np.stack([columns, rows], axis=1) + 0.5


def test_a_disc_stands_where_it_should_and_is_as_large_as_it_should() -> None:
    places = pixels(drawn(((80.5, 70.5), "", BLUE)), BLUE)
    assert places.mean(axis=0) == pytest.approx([80.5, 70.5], abs=0.05)
    reach = np.hypot(*(places - (80.5, 70.5)).T).max()
    assert reach == pytest.approx(RADIUS * 0.87, abs=1)
    assert len(places) == pytest.approx(math.pi * reach**2, rel=0.03)


def test_a_white_rim_and_a_dark_line_set_a_disc_off_from_any_background() -> None:
    frame = drawn(((80.5, 70.5), "1", BLUE))
    outwards = frame[70, 80 + 24 : 80 + 34, 0].tolist()
    assert outwards[0] == BLUE[0]
    assert max(outwards) == 255
    assert min(outwards[outwards.index(255) :]) < 85
    assert outwards[-1] == 120


def test_numbers_are_drawn_in_the_middle_in_a_colour_that_is_seen() -> None:
    assert tuple(drawn(((80, 70), "1", BLUE))[70, 80]) == (255, 255, 255)
    assert drawn(((80, 70), "1", ORANGE))[70, 80].max() < 60
    assert not np.array_equal(drawn(((80, 70), "6", BLUE)), drawn(((80, 70), "9", BLUE)))


def test_overlapping_discs_meet_in_the_middle_whichever_comes_first() -> None:
    one, other = ((80.0, 70.0), "1", BLUE), ((104.0, 70.0), "2", ORANGE)
    frame = drawn(one, other)
    assert pixels(frame, BLUE)[:, 0].max() < 92 < pixels(frame, ORANGE)[:, 0].min()
    assert len(pixels(frame, BLUE)) > 0.5 * math.pi * RADIUS**2 * 0.87**2
    assert np.abs(frame.astype(int) - drawn(other, one)).max() <= 2


def test_discs_at_one_place_are_shared_out_and_their_numbers_stay_legible() -> None:
    at = (80.0, 70.0)
    frame = drawn((at, "1", BLUE), (at, "2", WINE), (at, "3", ORANGE))
    shares = [len(pixels(frame, colour)) for colour in (BLUE, WINE, ORANGE)]
    assert min(shares) > 0.6 * max(shares)
    assert len(pixels(frame, (255, 255, 255))) > 100  # digits 1 and 2, and the seams


def test_text_moves_to_what_is_left_of_its_disc() -> None:
    frame = drawn(((80.0, 70.0), "1", BLUE), ((90.0, 70.0), "", BLUE))
    digit = pixels(frame[:, :81], (255, 255, 255))
    digit = digit[np.hypot(*(digit - (80, 70)).T) < 0.6 * RADIUS]
    assert digit[:, 0].mean() < 74


def test_marks_at_the_edge_are_cut_and_those_outside_are_left_out() -> None:
    frame = drawn(((0.0, 80.0), "1", BLUE), ((1e18, 80.0), "2", ORANGE), ((90.0, -31.0), "3", WINE))
    assert colour_of_disc(frame, (1.0, 80.0), RADIUS) == BLUE
    assert len(pixels(frame, ORANGE)) == len(pixels(frame, WINE)) == 0
    assert np.array_equal(drawn(), grey())
