"""Waypoints drawn into the pictures of a scene: diamonds with letters, unlike people's discs."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from paseo.data.scenes.images import Size
from paseo.errors import BadValue
from paseo.render.raster.lettering import write_around
from paseo.render.raster.palette import Rgb, rgb
from paseo.render.raster.strokes import Frame, lines, paint
from paseo.render.raster.strokes import discs as dots
from paseo.vlm.models import Picture
from paseo.vqa.pictures.birdseye import LEAST_RADIUS, RADIUS, BirdsEye
from paseo.vqa.pictures.colours import INK, WHITE, brg_colours, safe_colours
from paseo.vqa.pictures.photos import jpeg
from paseo.vqa.pictures.pictures import Drawing, Layout, laid_out
from paseo.vqa.pictures.views import OurViews, front_radius
from paseo.vqa.waypoints.candidates import Candidates
from paseo.vqa.waypoints.mounting import lens_of
from paseo.world.arrays import FloatArray
from paseo.world.scenes import Camera, Scene

FILL = rgb("#FFE600")  # nobody among the people is yellow, and the letters are ink on it
SIZE = 1.15  # from the middle of a diamond to its corners, of the radius of a disc
LETTER = 1.15  # its height, likewise
EDGE, CASING = 0.14, 0.12  # of the radius: a dark edge, and white around it
LINE, DOT = 0.16, 0.3  # likewise: a line to a diamond that stands beside its place, and the place
ROOM = 2.1  # radii between the middles of a diamond and of a disc, or of another diamond
TURNS = np.arange(8) * (np.pi / 4)
STEPS = np.concatenate([far * np.stack([np.cos(TURNS), np.sin(TURNS)], axis=1)
                        for far in (2.4, 3.4, 4.4)])  # fmt: skip
NOBODY = np.empty((0, 2))


class Eye(Protocol):
    """Where a camera on the robot sees the ground."""

    def pixels(self, places: FloatArray, pose: FloatArray, camera: Camera) -> FloatArray:
        """Column and row of places (n, 2) seen from a pose (3,); NaN where they are not seen."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Drawn:
    """What is drawn beside a scene's people."""

    candidates: Candidates
    mount: Eye
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
            radius, discs = front_radius(size), self._boxes(time) * share
            draw_waypoints(frame, pixels * share, self._letters, radius, discs=discs)
        return frame

    def birdseye(self, time: int, size: Size) -> Frame:
        """The same moment from above."""
        above = self._seen_from_above(size[0])
        frame = above.frame(time)
        if time == self._last:
            self._mark(frame, above, above.discs(time))
        return frame

    def summary(self, size: Size) -> Frame:
        """The whole clip from above."""
        above = self._seen_from_above(size[0])
        frame = above.summary()
        self._mark(frame, above, above.summary_discs())
        return frame

    @property
    def _letters(self) -> tuple[str, ...]:
        return self._drawn.candidates.letters

    def _mark(self, frame: Frame, above: BirdsEye, discs: FloatArray) -> None:
        pixels = above.view.to_pixels(self._drawn.candidates.places)
        radius = max(LEAST_RADIUS, RADIUS * above.view.side_px)
        draw_waypoints(frame, pixels, self._letters, radius, discs=discs)

    def _boxes(self, time: int) -> FloatArray:
        """The middles of people's boxes, (people, 2); NaN where they are not seen."""
        boxes = np.array([each.boxes[time] for each in self.scene.people]).reshape(-1, 4)
        return (boxes[:, :2] + boxes[:, 2:]) / 2

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


def draw_waypoints(
    frame: Frame,
    pixels: FloatArray,
    letters: Sequence[str],
    radius: float,
    *,
    discs: FloatArray = NOBODY,
) -> None:
    """Diamonds around pixels (n, 2), column and row, the lowest of them on top; NaN is not drawn.

    One that would hide a disc (m, 2) or another diamond stands beside its place, which then is at
    the other end of a line. In a front view what is lower in the picture is nearer.
    """
    seen = [k for k in range(len(pixels)) if np.isfinite(pixels[k]).all()]
    if not seen:
        return
    at = dict(zip(seen, beside(pixels[seen], discs, radius, frame.shape[1::-1]), strict=True))
    for k in seen:
        if (at[k] != pixels[k]).any():
            _tie(frame, pixels[k], at[k], radius, on_disc=_is_on(pixels[k], discs, radius))
    for k in sorted(seen, key=lambda k: float(pixels[k, 1])):
        _fill(frame, at[k], radius * (SIZE + EDGE + CASING), WHITE)
        _fill(frame, at[k], radius * (SIZE + EDGE), INK)
        _fill(frame, at[k], radius * SIZE, FILL)
        middle = (float(at[k][0]), float(at[k][1]))
        size = max(6, round(radius * LETTER))
        write_around(frame, letters[k], middle, size, colour=INK, bold=True)


def _tie(frame: Frame, place: FloatArray, to: FloatArray, radius: float, *, on_disc: bool) -> None:
    """A line from a place to its diamond, with a dot at the place; from a disc without one."""
    ahead = (to - place) / max(float(np.hypot(*(to - place))), 1e-9)
    start = place + radius * ahead if on_disc else place
    for wider, colour in ((EDGE, INK), (0.0, FILL)):
        paint(frame, lines(start[None], to[None], radius * (LINE + 2 * wider), colour))
        if not on_disc:
            paint(frame, dots(place[None], radius * (DOT + wider), colour))


def _is_on(place: FloatArray, discs: FloatArray, radius: float) -> bool:
    return any(np.hypot(*(place - disc)) < 0.7 * radius for disc in discs)


def beside(
    pixels: FloatArray, discs: FloatArray, radius: float, size: tuple[int, ...]
) -> list[FloatArray]:
    """Where diamonds stand: on their pixels (n, 2), or as near as they hide nothing there."""
    found: list[FloatArray] = []
    for k in range(len(pixels)):
        others = [*discs[np.isfinite(discs).all(axis=1)], *found, *pixels[k + 1 :]]
        tried = [pixels[k], *(pixels[k] + radius * step for step in STEPS)]
        free = (
            each
            for each in tried
            if all(np.hypot(*(each - other)) >= ROOM * radius for other in others)
            and all(radius <= each[side] <= size[side] - radius for side in (0, 1))
        )
        found.append(next(free, pixels[k]))
    return found


def _fill(frame: Frame, at: FloatArray, reach: float, colour: Rgb) -> None:
    """A diamond: a fan of lines from corner to corner, one for each half pixel."""
    count = max(3, round(4 * reach))
    heights = np.linspace(-reach, reach, count)
    widths = reach - np.abs(heights)
    starts = at + np.stack([-widths, heights], axis=1)
    ends = at + np.stack([widths, heights], axis=1)
    paint(frame, lines(starts, ends, 1.0, colour))
