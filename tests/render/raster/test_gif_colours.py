"""Which 256 colours a GIF keeps."""

import numpy as np

from paseo.render.raster.gif_colours import GifColours


def test_a_few_colours_are_kept_exactly() -> None:
    frame = np.full((20, 20, 3), (250, 251, 252), np.uint8)
    frame[5, 5] = (215, 25, 28)
    frame[6, 6] = (0, 114, 178)
    colours = GifColours([frame])
    assert np.array_equal(colours.table[colours.indices(frame)][:, :, 1:], frame)


def test_a_rare_colour_survives_thousands_of_greys() -> None:
    rng = np.random.default_rng(0)
    frame = np.repeat(rng.integers(0, 256, (200, 200, 1)), 3, axis=2).astype(np.uint8)
    frame = (frame + rng.integers(0, 24, frame.shape)).clip(0, 255).astype(np.uint8)
    frame[100, 100] = (215, 25, 28)
    colours = GifColours([frame])
    shown = colours.table[colours.indices(frame)][:, :, 1:].astype(int)
    assert np.abs(shown[100, 100] - (215, 25, 28)).max() <= 8
    assert np.abs(shown - frame).mean() < 8


def test_colours_of_all_frames_are_looked_at() -> None:
    early, late = np.zeros((9, 9, 3), np.uint8), np.full((9, 9, 3), (10, 200, 30), np.uint8)
    colours = GifColours([early, late])
    assert np.array_equal(colours.table[colours.indices(late)][:, :, 1:], late)
