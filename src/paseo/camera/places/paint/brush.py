"""A brush that draws rooms as one sees them through a pane."""

from collections.abc import Sequence

import numpy as np
from PIL import Image as Picture
from PIL import ImageDraw

from paseo.camera.meshes import ByteArray

SIDE = 256  # texels along each side of a room
FINER = 2  # times as many while it is drawn
BACK = (0.15, 0.12, 0.85, 0.68)  # the back wall: left, top, right, bottom
Rgb = tuple[int, int, int]
Rng = np.random.Generator


class Brush:
    """Draws in shares of a room: 0, 0 is its upper left corner, 1, 1 its lower right."""

    def __init__(self, walls: Rgb, floor: Rgb) -> None:
        self._size = SIDE * FINER
        self._picture = Picture.new("RGB", (self._size, self._size), walls)
        self._pen = ImageDraw.Draw(self._picture)
        left, top, right, bottom = BACK
        self.shape([(0, 1), (1, 1), (right, bottom), (left, bottom)], floor)
        self.shape([(0, 0), (1, 0), (right, top), (left, top)], shaded(walls, 1.15))
        self.shape([(0, 0), (left, top), (left, bottom), (0, 1)], shaded(walls, 0.80))
        self.shape([(1, 0), (right, top), (right, bottom), (1, 1)], shaded(walls, 0.86))

    def box(self, left: float, top: float, right: float, bottom: float, colour: Rgb) -> None:
        """A rectangle."""
        s = self._size
        self._pen.rectangle([left * s, top * s, right * s, bottom * s], colour)

    def oval(self, x: float, y: float, wide: float, high: float, colour: Rgb) -> None:
        """An ellipse around its middle."""
        s = self._size
        self._pen.ellipse([(x - wide) * s, (y - high) * s, (x + wide) * s, (y + high) * s], colour)

    def shape(self, corners: Sequence[tuple[float, float]], colour: Rgb) -> None:
        """A polygon."""
        s = self._size
        self._pen.polygon([(x * s, y * s) for x, y in corners], colour)

    def stroke(self, corners: Sequence[tuple[float, float]], colour: Rgb, wide: float) -> None:
        """A line, so wide."""
        s = self._size
        self._pen.line([(x * s, y * s) for x, y in corners], colour, max(1, round(wide * s)))

    def room(self, spots: Sequence[float]) -> ByteArray:
        """The picture under its lamps, which hang at these places across, (SIDE, SIDE, 4)."""
        small = np.asarray(self._picture.reduce(FINER), np.float32)
        v, u = (np.float32(each) for each in np.ogrid[0 : 1 : SIDE * 1j, 0 : 1 : SIDE * 1j])
        light = 0.76 - 0.34 * (u - 0.5) ** 2 - 0.20 * v**2
        for at in spots:
            light = light + 0.42 * np.exp(-(((u - at) / 0.13) ** 2) - ((v - 0.24) / 0.30) ** 2)
        light = light * np.clip(0.55 + 5 * np.minimum(u, 1 - u), 0, 1)
        room = np.full((SIDE, SIDE, 4), 255, np.uint8)
        room[..., :3] = np.clip(small * light[..., None], 0, 255)
        return room


def shaded(colour: Rgb, light: float) -> Rgb:
    """A colour in so much light."""
    red, green, blue = (min(round(each * light), 255) for each in colour)
    return red, green, blue


def one_of(colours: Sequence[Rgb], rng: Rng) -> Rgb:
    """One of some colours, a little lighter or darker."""
    return shaded(colours[int(rng.integers(len(colours)))], float(rng.uniform(0.8, 1.15)))
