"""Many pictures on one page."""

import numpy as np
import pytest

from paseo.vqa.pictures.contact_sheet import GAP, LETTERS, contact_sheet


@pytest.mark.parametrize(("size", "columns"), [((100, 156), 5), ((160, 90), 4), ((100, 100), 5)])
def test_ten_pictures_fill_a_page_in_their_own_aspect(size: tuple[int, int], columns: int) -> None:
    frames = [np.full((size[1], size[0], 3), 20 * k, np.uint8) for k in range(10)]
    page = contact_sheet(frames, 0.25)
    assert page.shape[1] == columns * (size[0] + GAP) + GAP
    for number in range(10):
        row, column = divmod(number, columns)
        left, top = GAP + column * (size[0] + GAP), GAP + row * (size[1] + 2 * LETTERS + GAP)
        tile = page[top : top + size[1] + 2 * LETTERS, left : left + size[0]]
        assert (tile[2 * LETTERS :] == 20 * number).all()
        assert tile[: 2 * LETTERS].min() < 100  # the time above it
