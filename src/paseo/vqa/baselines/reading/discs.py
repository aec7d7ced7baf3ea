"""Discs found in the bird's-eye pictures of a clip: all of one size, each person in one colour."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from paseo.errors import BadValue, MissingExtra, require
from paseo.vqa.baselines.reading.axes import background
from paseo.vqa.baselines.reading.engines import Pixels
from paseo.world.arrays import FloatArray

_INK = 64  # how far a mark stands out from the background, of 255
_ONE_COLOUR = 24  # how far apart two tints of one mark are at most, of 255
_THIN, _STROKE = 5, 11  # pixels: lines thinner are no marks, strokes of letters up to this wide
_LETTER = 25  # pixels, more than what is left free inside a letter
_PURE = 0.6  # the share of a whole disc that has its own colour, letters left out
_LEAST_SHOWN = 0.15  # the share of a disc that must be seen where others cover it
_SECOND_SHOWN = 0.5  # and of a further disc in the same colour
_LEAST_RADIUS, _LARGEST_RADIUS = 6, 120  # pixels
_MOST_COLOURS = 64  # a picture with more is no drawing
_MOST_ALIKE = 4  # discs of one colour in a picture: robot and goal, and arrows taken for discs

Mask = NDArray[np.bool_]
Depth = NDArray[np.float32]  # of each pixel to the nearest that is not solid


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Disc:
    """A disc in one picture."""

    frame: int
    at: tuple[float, float]  # column, row in pixels
    colour: int  # its place in the palette of the clip
    shown: float  # the share of it that has its colour: not covered by others or by its letters
    crop: Pixels  # what is seen of it, with its letters, on nothing but its colour


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Marks:
    """All discs of a clip."""

    radius: int  # pixels
    palette: FloatArray  # (colours, 3)
    discs: tuple[Disc, ...]


def find_discs(views: Sequence[Pixels]) -> Marks:
    """The discs in the pictures of one clip, those partly covered by others included."""
    solids = [_solid(view) for view in views]
    depths = [_depth(solid) for solid in solids]
    radius = _radius(solids, depths)
    palette = _palette(views, depths, radius)
    discs: list[Disc] = []
    for frame, (view, solid) in enumerate(zip(views, solids, strict=True)):
        nearest = _nearest(view, solid, palette)
        for colour in range(len(palette)):
            for at, shown in _placed(nearest == colour, solid, radius):
                crop = _lettering(view, nearest, at, (palette[colour], colour, radius))
                discs.append(Disc(frame=frame, at=at, colour=colour, shown=shown, crop=crop))
    return Marks(radius=radius, palette=palette, discs=tuple(discs))


def _solid(view: Pixels) -> Mask:
    """Where something is drawn that is no thin line; letters on it belong to it."""
    cv2 = _opencv()
    paper = (*background(view).tolist(), 0)
    red, green, blue = cv2.split(cv2.absdiff(view, paper))
    ink = (cv2.max(cv2.max(red, green), blue) > _INK).astype(np.uint8)
    thick = cv2.morphologyEx(ink, cv2.MORPH_OPEN, _round(_THIN))
    closed = cv2.morphologyEx(thick, cv2.MORPH_CLOSE, _round(_STROKE))
    _, labels, sizes, _ = cv2.connectedComponentsWithStats(1 - closed, connectivity=4)
    holes = sizes[:, cv2.CC_STAT_AREA] < _LETTER**2
    return np.asarray((closed > 0) | holes[labels])


def _radius(solids: Sequence[Mask], depths: Sequence[Depth]) -> int:
    """The radius of most blobs' largest inner circles; discs that overlap make larger ones."""
    inner: list[float] = []
    for solid, depth in zip(solids, depths, strict=True):
        count, labels = _opencv().connectedComponents(solid.astype(np.uint8))
        deepest = np.zeros(count)
        np.maximum.at(deepest, labels[solid], depth[solid])
        inner += deepest[1:].tolist()
    near = [each for each in inner if _LEAST_RADIUS <= each <= _LARGEST_RADIUS]
    if not near:
        raise BadValue("the bird's-eye pictures show no discs on a plain background")
    counts = np.bincount(np.round(near).astype(int), minlength=3)
    usual = int(np.convolve(counts, [1, 1, 1], mode="same").argmax())
    return round(float(np.median([each for each in near if abs(each - usual) <= 1.5])))


def _palette(views: Sequence[Pixels], depths: Sequence[Depth], radius: int) -> FloatArray:
    """The colours of discs that are seen whole in some picture, each once."""
    colours: list[FloatArray] = []
    for view, depth in zip(views, depths, strict=True):
        around = np.ones((radius, radius), dtype=np.uint8)
        peaks = (depth > 0.85 * radius) & (depth == _opencv().dilate(depth, around))
        for row, column in np.argwhere(peaks):
            colour = _pure_colour(view, (int(column), int(row)), radius)
            if colour is not None and all(_apart(colour, other) for other in colours):
                colours.append(colour)
            if len(colours) > _MOST_COLOURS:
                raise BadValue("the bird's-eye pictures have too many colours to be drawings")
    if not colours:
        raise BadValue("the bird's-eye pictures show no disc that is not covered by others")
    return np.array(colours)


def _pure_colour(view: Pixels, at: tuple[int, int], radius: int) -> FloatArray | None:
    """The colour of the rim around a point, if it is one colour."""
    column, row = at
    rows, columns = np.mgrid[-radius : radius + 1, -radius : radius + 1]
    away = np.hypot(rows, columns)
    rim = (away > 0.6 * radius) & (away < 0.88 * radius)
    height, width = view.shape[:2]
    rows, columns = np.clip(rows[rim] + row, 0, height - 1), columns[rim] + column
    ring = view[rows, np.clip(columns, 0, width - 1)].astype(np.int16)
    colour = np.median(ring, axis=0)
    share = float((np.abs(ring - colour).max(axis=1) < _ONE_COLOUR).mean())
    return colour if share > _PURE else None


def _apart(colour: FloatArray, other: FloatArray) -> bool:
    return bool(np.abs(colour - other).max() > _ONE_COLOUR)


def _nearest(view: Pixels, solid: Mask, palette: FloatArray) -> NDArray[np.int16]:
    """Of each solid pixel, the place of its colour in the palette; -1 for any other."""
    pixels = view[solid].astype(np.int16)
    best = np.full(len(pixels), _ONE_COLOUR + 1, dtype=np.int16)
    nearest = np.full(len(pixels), -1, dtype=np.int16)
    for place, colour in enumerate(palette.astype(np.int16)):
        away = np.abs(pixels - colour)
        distance = np.maximum(np.maximum(away[:, 0], away[:, 1]), away[:, 2])
        nearest[distance < best] = place
        best = np.minimum(best, distance)
    places = np.full(solid.shape, -1, dtype=np.int16)
    places[solid] = nearest
    return places


def _placed(coloured: Mask, solid: Mask, radius: int) -> list[tuple[tuple[float, float], float]]:
    """Discs of one colour, as centre and share shown, the most visible first.

    A disc lies where it holds most of the colour and least of the background; what others have
    drawn over it counts neither for nor against.
    """
    disc = _round(2 * radius + 1).astype(np.float32)
    area = float(disc.sum())
    found: list[tuple[tuple[float, float], float]] = []
    if coloured.sum() < _LEAST_SHOWN * area:
        return found
    box = _bounds(coloured, radius)
    left, bare = coloured[box].copy(), ~solid[box]
    while len(found) < _MOST_ALIKE:
        weights = left.astype(np.float32) - bare
        score = _opencv().filter2D(weights, -1, disc, borderType=_opencv().BORDER_CONSTANT)
        best = float(score.max()) / area
        if best < (_SECOND_SHOWN if found else _LEAST_SHOWN):
            break
        row, column = _middle(score, 0.01 * area, radius)
        found.append(((column + box[1].start, row + box[0].start), best))
        away = np.hypot(*np.ogrid[-row : left.shape[0] - row, -column : left.shape[1] - column])
        left &= away > 1.1 * radius
    return found


def _lettering(
    view: Pixels,
    nearest: NDArray[np.int16],
    at: tuple[float, float],
    kind: tuple[FloatArray, int, int],
) -> Pixels:
    """What is seen of a disc, other discs and everything around it painted over."""
    colour, place, radius = kind
    column, row = round(at[0]), round(at[1])
    top, left = max(0, row - radius), max(0, column - radius)
    box = slice(top, row + radius + 1), slice(left, column + radius + 1)
    near = nearest[box]
    away = np.hypot(*np.ogrid[top - row : top - row + near.shape[0],
                              left - column : left - column + near.shape[1]])  # fmt: skip
    own = (near == place) & (away < 0.95 * radius)
    patch = view[box].copy()
    patch[(away > 0.92 * radius) | ((near >= 0) & (near != place))] = colour.astype(np.uint8)
    seen = patch[_bounds(own, 0)] if own.any() else patch
    return np.ascontiguousarray(seen)


def _middle(score: NDArray[np.float32], slack: float, radius: int) -> tuple[float, float]:
    """The middle of the places around the best one that are as good."""
    top, left = np.unravel_index(int(score.argmax()), score.shape)
    near = slice(max(0, int(top) - radius // 2), None), slice(max(0, int(left) - radius // 2), None)
    around = score[near][: radius + 1, : radius + 1]
    rows, columns = np.nonzero(around > score.max() - slack)
    return float(rows.mean() + near[0].start), float(columns.mean() + near[1].start)


def _bounds(mask: Mask, margin: int) -> tuple[slice, slice]:
    rows, columns = np.nonzero(mask.any(axis=1))[0], np.nonzero(mask.any(axis=0))[0]
    return (
        slice(max(0, int(rows[0]) - margin), int(rows[-1]) + margin + 1),
        slice(max(0, int(columns[0]) - margin), int(columns[-1]) + margin + 1),
    )


def _depth(solid: Mask) -> Depth:
    """How far each pixel is from the nearest that is not solid."""
    padded = np.pad(solid, 1).astype(np.uint8)
    depth: Any = _opencv().distanceTransform(padded, _opencv().DIST_L2, 5)
    return np.asarray(depth[1:-1, 1:-1])


def _round(size: int) -> NDArray[np.uint8]:
    kernel: Any = _opencv().getStructuringElement(_opencv().MORPH_ELLIPSE, (size, size))
    return np.asarray(kernel, dtype=np.uint8)


@cache
def _opencv() -> Any:
    try:
        return require("cv2", "ocr", "finds discs in pictures", package="OpenCV")
    except MissingExtra as error:
        raise MissingExtra(
            f"{error}, and where libGL is missing also "
            "pip install --force-reinstall opencv-python-headless"
        ) from error
