"""Waypoints drawn into the pictures of a scene: diamonds with letters, unlike people's discs."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from paseo.data.scenes.images import Size
from paseo.errors import BadValue
from paseo.render.raster.lettering import write_around
from paseo.render.raster.palette import Rgb, rgb
from paseo.render.raster.strokes import Frame, lines, paint
from paseo.vlm.models import Picture
from paseo.vqa.pictures.birdseye import LEAST_RADIUS, RADIUS, BirdsEye
from paseo.vqa.pictures.colours import INK, WHITE, brg_colours, safe_colours
from paseo.vqa.pictures.photos import jpeg
from paseo.vqa.pictures.pictures import Drawing, Layout, laid_out
from paseo.vqa.pictures.views import OurViews, front_radius
from paseo.vqa.waypoints.candidates import Candidates
from paseo.vqa.waypoints.mounting import Mount, lens_of
from paseo.world.arrays import FloatArray
from paseo.world.scenes import Scene

FILL = rgb("#FFE600")  # nobody among the people is yellow, and the letters are ink on it
SIZE = 1.15  # from the middle of a diamond to its corners, of the radius of a disc
LETTER = 1.15  # its height, likewise
EDGE, CASING = 0.14, 0.12  # of the radius: a dark edge, and white around it


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Drawn:
    """What is drawn beside a scene's people."""

    candidates: Candidates
    mount: Mount
    walls: FloatArray | None = None  # (segments, 2, 2), in the robot's first frame


class MarkedViews:
    """The two views of a scene with its waypoints in the last frame, where the choice is made."""

    def __init__(self, scene: Scene, drawn: Drawn, colours: dict[int, Rgb]) -> None:
        self.scene, self._drawn, self._colours = scene, drawn, colours
        self._plain = OurViews(scene, colours)
        self.front_size, self.birdseye_size = self._plain.front_size, self._plain.birdseye_size
        self._from_above: BirdsEye | None = None
        self._last = len(scene.frames) - 1

    def front(self, time: int, size: Size) -> Frame:
        """What the robot saw; in the last frame with the waypoints on the ground."""
        frame = self._plain.front(time, size)
        if time == self._last:
            lens = lens_of(self.scene, self.front_size)
            pixels = self._drawn.mount.pixels(
                self._drawn.candidates.places, self.scene.robot[-1], lens
            )
            share = np.array(size) / (lens.width_px, lens.height_px)
            draw_waypoints(frame, pixels * share, self._letters, front_radius(size))
        return frame

    def birdseye(self, time: int, size: Size) -> Frame:
        """The same moment from above."""
        above = self._seen_from_above(size[0])
        frame = above.frame(time)
        if time == self._last:
            self._mark(frame, above, size[0])
        return frame

    def summary(self, size: Size) -> Frame:
        """The whole clip from above."""
        above = self._seen_from_above(size[0])
        frame = above.summary()
        self._mark(frame, above, size[0])
        return frame

    @property
    def _letters(self) -> tuple[str, ...]:
        return self._drawn.candidates.letters

    def _mark(self, frame: Frame, above: BirdsEye, side: int) -> None:
        pixels = above.view.to_pixels(self._drawn.candidates.places)
        draw_waypoints(frame, pixels, self._letters, max(LEAST_RADIUS, RADIUS * side))

    def _seen_from_above(self, side: int) -> BirdsEye:
        if self._from_above is None or self._from_above.view.side_px != side:
            self._from_above = BirdsEye(
                self.scene,
                side,
                self._colours,
                also=self._drawn.candidates.places,
                walls=self._drawn.walls,
            )
        return self._from_above


def marked_frames(
    scene: Scene,
    drawn: Drawn,
    layout: Layout,
    drawing: Drawing = Drawing.PASEO,
    *,
    largest_px: int | None = None,
) -> Iterator[Frame]:
    """The pictures of a scene with its waypoints; others' bird's-eye views cannot be drawn into."""
    if drawing is Drawing.DATASET:
        raise BadValue(
            "waypoints are drawn into bird's-eye views of Paseo's own, whose scale is known; use "
            "drawing paseo or paseo-brg",
            parameters=("drawing",),
        )
    numbers = [person.number for person in scene.people]
    colours = safe_colours(numbers) if drawing is Drawing.PASEO else brg_colours(numbers)
    views = MarkedViews(scene, drawn, colours)
    return laid_out(views, layout, len(scene.frames), largest_px=largest_px)


def marked_pictures(
    scene: Scene,
    drawn: Drawn,
    layout: Layout,
    drawing: Drawing = Drawing.PASEO,
    *,
    largest_px: int | None = None,
) -> tuple[Picture, ...]:
    """The same as JPEGs ready to be sent."""
    frames = marked_frames(scene, drawn, layout, drawing, largest_px=largest_px)
    return tuple(Picture(jpeg(frame)) for frame in frames)


def draw_waypoints(frame: Frame, pixels: FloatArray, letters: Sequence[str], radius: float) -> None:
    """Diamonds around pixels (n, 2), column and row, the lowest of them on top; NaN is not drawn.

    In a front view what is lower in the picture is nearer.
    """
    seen = [k for k in range(len(pixels)) if np.isfinite(pixels[k]).all()]
    for k in sorted(seen, key=lambda k: float(pixels[k, 1])):
        _fill(frame, pixels[k], radius * (SIZE + EDGE + CASING), WHITE)
        _fill(frame, pixels[k], radius * (SIZE + EDGE), INK)
        _fill(frame, pixels[k], radius * SIZE, FILL)
        at = (float(pixels[k, 0]), float(pixels[k, 1]))
        size = max(6, round(radius * LETTER))
        write_around(frame, letters[k], at, size, colour=INK, bold=True)


def _fill(frame: Frame, at: FloatArray, reach: float, colour: Rgb) -> None:
    """A diamond: a fan of lines from corner to corner, one for each half pixel."""
    count = max(3, round(4 * reach))
    heights = np.linspace(-reach, reach, count)
    widths = reach - np.abs(heights)
    starts = at + np.stack([-widths, heights], axis=1)
    ends = at + np.stack([widths, heights], axis=1)
    paint(frame, lines(starts, ends, 1.0, colour))
