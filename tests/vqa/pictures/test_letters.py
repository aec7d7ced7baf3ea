"""Text on frames."""

import numpy as np

from paseo.vqa.pictures.letters import blend, letters, write


def ink(frame: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    rows, columns = np.nonzero(frame[..., 0] < 128)
    return rows + 0.5, columns + 0.5


def test_text_stands_around_its_middle() -> None:
    frame = np.full((60, 80, 3), 255, np.uint8)
    write(frame, "0", (40, 30), 30, colour=(0, 0, 0))
    rows, columns = ink(frame)
    assert abs((rows.min() + rows.max()) / 2 - 30) <= 1
    assert abs((columns.min() + columns.max()) / 2 - 40) <= 1
    assert 18 <= np.ptp(rows) <= 26  # a digit is about 0.7 of the size high


def test_text_upwards_is_turned_to_the_left() -> None:
    level, turned = (np.full((60, 60, 3), 255, np.uint8) for _ in range(2))
    write(level, "L", (30, 30), 30, colour=(0, 0, 0))
    write(turned, "L", (30, 30), 30, colour=(0, 0, 0), upwards=True)
    assert np.array_equal(np.rot90(level), turned)


def test_bold_text_has_more_ink() -> None:
    assert letters("8", 20, True).sum() > 1.1 * letters("8", 20, False).sum()


def test_what_lies_outside_is_cut_off() -> None:
    for at in ((-3, -2), (8, 7), (-30, 0), (0, 99)):
        frame = np.zeros((10, 10, 3), np.uint8)
        blend(frame, np.ones((5, 6)), at, (255, 128, 0))
        whole = np.zeros((200, 200, 3), np.uint8)
        whole[at[1] + 50 : at[1] + 55, at[0] + 50 : at[0] + 56] = (255, 128, 0)
        assert np.array_equal(frame, whole[50:60, 50:60])
