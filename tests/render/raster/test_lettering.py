"""Text on frames."""

import numpy as np
import pytest

from paseo.render.raster.lettering import Font, Lettering, blend, word, write_around

FONTS = [pytest.param(Font.DEJAVU, marks=pytest.mark.extra("video")), Font.PILLOW]


def ink(frame: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    rows, columns = np.nonzero(frame[..., 0] < 128)
    return rows + 0.5, columns + 0.5


def test_text_stands_around_its_middle() -> None:
    frame = np.full((60, 80, 3), 255, np.uint8)
    write_around(frame, "0", (40, 30), 30, colour=(0, 0, 0))
    rows, columns = ink(frame)
    assert abs((rows.min() + rows.max()) / 2 - 30) <= 1
    assert abs((columns.min() + columns.max()) / 2 - 40) <= 1
    assert 18 <= np.ptp(rows) <= 26  # a digit is about 0.7 of the size high


def test_text_upwards_is_turned_to_the_left() -> None:
    level, turned = (np.full((60, 60, 3), 255, np.uint8) for _ in range(2))
    write_around(level, "L", (30, 30), 30, colour=(0, 0, 0))
    write_around(turned, "L", (30, 30), 30, colour=(0, 0, 0), upwards=True)
    assert np.array_equal(np.rot90(level), turned)


@pytest.mark.parametrize("font", FONTS)
def test_bold_text_has_more_ink(font: Font) -> None:
    assert word("8", 20, font, True).sum() > 1.1 * word("8", 20, font, False).sum()
    inks = []
    for bold in (False, True):
        frame = np.full((40, 40, 3), 255, np.uint8)
        Lettering(20, font=font, bold=bold).write(frame, "8", (5, 5), (0, 0, 0))
        inks.append((255.0 - frame).sum())
    assert inks[1] > 1.1 * inks[0]


@pytest.mark.parametrize("font", FONTS)
def test_lines_are_as_wide_as_they_say_and_are_cut_to_the_room_there_is(font: Font) -> None:
    text = Lettering(15, font=font)
    frame = np.full((30, 300, 3), 255, np.uint8)
    text.write(frame, "a line of text", (10, 3), (0, 0, 0))
    _, columns = ink(frame)
    assert columns.min() >= 10 and columns.max() <= 10 + text.width("a line of text")
    short = text.shortened("a line of text", 50)
    assert short.endswith("\N{HORIZONTAL ELLIPSIS}") and text.width(short) <= 50


@pytest.mark.extra("video")
def test_digits_do_not_dance_when_they_change() -> None:
    text, left = Lettering(15), []
    for number in ("11.1", "11.8"):
        frame = np.full((30, 100, 3), 255, np.uint8)
        text.write_number(frame, number, (90, 3), (0, 0, 0))
        left.append(ink(frame)[1].min())
    assert left[0] == left[1]


def test_what_lies_outside_is_cut_off() -> None:
    for at in ((-3, -2), (8, 7), (-30, 0), (0, 99)):
        frame = np.zeros((10, 10, 3), np.uint8)
        blend(frame, np.ones((5, 6)), at, (255, 128, 0))
        whole = np.zeros((200, 200, 3), np.uint8)
        whole[at[1] + 50 : at[1] + 55, at[0] + 50 : at[0] + 56] = (255, 128, 0)
        assert np.array_equal(frame, whole[50:60, 50:60])
