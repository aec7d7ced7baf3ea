"""The pictures that go with a question: which views, laid out how, drawn by whom."""

from collections.abc import Iterable, Iterator
from enum import Enum
from typing import TYPE_CHECKING

import numpy as np

from paseo.errors import BadValue, MissingData
from paseo.vlm.models import Picture
from paseo.world.scenes import Scene

if TYPE_CHECKING:  # what draws takes half a second to load, and many only speak of layouts
    from paseo.data.scenes.images import Size
    from paseo.render.raster.strokes import Frame
    from paseo.vqa.pictures.views import Views

IN_GRID = 4  # frames, from the first to the last
LARGEST = 4096  # pixels on the longer side where nobody asks for less
SENT, SENT_ALONE = 768, 1536  # on the longer side of each of many pictures, and of a single one
LETTERS, LEAST_LETTERS = 0.035, 7  # of frame numbers in a grid: share of a view's width; pixels
SEAM = 400  # the share of a grid's width that lies between its pictures, one in so many


class Layout(Enum):
    """What a model is shown."""

    FRONT_BEV = "front+bev"  # composites: front view above bird's-eye view
    FRONT = "front"
    BEV = "bev"
    GRID = "grid"  # one picture: four front views from the first to the last, two by two
    GRID_BEV = "grid+bev"  # that, above a bird's-eye view of the whole clip
    VIDEO = "video"  # the composites as the frames of one film


class Drawing(Enum):
    """Who drew the marks and the bird's-eye view; two drawings never share a row of a table."""

    DATASET = "dataset"  # the pictures that came with the scene
    PASEO = "paseo"  # ours, in colours that colour-blind people can tell apart
    PASEO_BRG = "paseo-brg"  # ours, in the colours of the original


def pictures(
    scene: Scene, layout: Layout, drawing: Drawing, *, largest_px: int | None = None
) -> tuple[Picture, ...]:
    """What a model is shown, as JPEGs ready to be sent; `largest_px` bounds the longer side."""
    from paseo.vqa.pictures.photos import jpeg

    frames = drawn(scene, layout, drawing, largest_px=largest_px)
    return tuple(Picture(jpeg(frame)) for frame in frames)


def sent_px(layout: Layout, wanted: int | None = None) -> int | None:
    """How long the longer side of a picture is at most when it is sent; None is full size.

    Ten composites in full cost more than twice as much as in 768 pixels, in which the numbers of
    people can still be read; a grid is one picture, and holds four.
    """
    if wanted is None:
        return SENT_ALONE if layout in (Layout.GRID, Layout.GRID_BEV) else SENT
    return None if wanted >= LARGEST else wanted


def drawing_of(scenes: Iterable[Scene], wanted: Drawing | None = None) -> Drawing:
    """Who draws scenes: as wanted, else whoever drew every one of them, else we."""
    if wanted is not None:
        return wanted
    came_drawn = [bool(scene.composites) for scene in scenes]
    return Drawing.DATASET if came_drawn and all(came_drawn) else Drawing.PASEO


def drawn(
    scene: Scene, layout: Layout, drawing: Drawing, *, largest_px: int | None = None
) -> "Iterator[Frame]":
    """The same as frames: as many as the scene has, in grid layouts one; their aspect is kept."""
    return laid_out(_views(scene, drawing), layout, len(scene.frames), largest_px=largest_px)


def drawn_to_measure(scene: Scene, drawing: Drawing) -> "Iterator[Frame]":
    """Bird's-eye views whose discs stand on their places, however many overlap, for programs."""
    from paseo.vqa.pictures.birdseye import BirdsEye
    from paseo.vqa.pictures.placing import placed_on
    from paseo.vqa.pictures.views import OurViews

    views, frames = _views(scene, drawing), range(len(scene.frames))
    side = _sizes(views, Layout.BEV, LARGEST)[1]
    if not isinstance(views, OurViews):
        return (views.birdseye(time, side) for time in frames)
    above = BirdsEye(scene, side[0], views.colours, placing=placed_on)
    return (above.frame(time) for time in frames)


def laid_out(
    views: "Views", layout: Layout, frames: int, *, largest_px: int | None = None
) -> "Iterator[Frame]":
    """The views of so many frames in a layout, one picture after the other."""
    front, below = _sizes(views, layout, LARGEST if largest_px is None else largest_px)
    if layout is Layout.GRID:
        yield _grid(views, front, frames)
    elif layout is Layout.GRID_BEV:
        yield np.concatenate([_grid(views, front, frames), views.summary(below)])
    else:
        for time in range(frames):
            if layout is Layout.FRONT:
                yield views.front(time, front)
            elif layout is Layout.BEV:
                yield views.birdseye(time, below)
            else:
                yield np.concatenate([views.front(time, front), views.birdseye(time, below)])


def picture_size(
    scene: Scene, layout: Layout, drawing: Drawing, *, largest_px: int | None = None
) -> "Size":
    """How large each picture would be, without drawing any."""
    views = _views(scene, drawing)
    front, below = _sizes(views, layout, LARGEST if largest_px is None else largest_px)
    if layout is Layout.FRONT:
        return front
    if layout is Layout.BEV:
        return below
    if layout is Layout.GRID:
        return 2 * front[0], 2 * front[1]
    return below[0], below[1] + (2 if layout is Layout.GRID_BEV else 1) * front[1]


def _views(scene: Scene, drawing: Drawing) -> "Views":
    from paseo.vqa.pictures.colours import brg_colours, safe_colours
    from paseo.vqa.pictures.views import OurViews, TheirViews

    numbers = [person.number for person in scene.people]
    if drawing is Drawing.PASEO:
        return OurViews(scene, safe_colours(numbers))
    if drawing is Drawing.PASEO_BRG:
        return OurViews(scene, brg_colours(numbers))
    if not scene.composites:
        raise MissingData(
            f"scene {scene.id}: no pictures drawn by others came with it; choose the drawing "
            f"'{Drawing.PASEO.value}', or fetch the whole data set"
        )
    return TheirViews(scene)


def _sizes(views: "Views", layout: Layout, largest: int) -> "tuple[Size, Size]":
    """Of each front view and of the bird's-eye view, so that the whole is at most so large."""
    across = 2 if layout in (Layout.GRID, Layout.GRID_BEV) else 1
    (width, height), (_, below) = views.front_size, views.birdseye_size
    high = {Layout.FRONT: height, Layout.BEV: below, Layout.GRID: height}.get(
        layout, height + below
    )
    share = min(1.0, largest / (across * max(width, high)))
    front = int(width * share + 1e-6), int(height * share + 1e-6)
    seen_from_above = across * front[0], int(across * below * share + 1e-6)
    if min(*front, *seen_from_above) < 1:
        raise BadValue(f"largest_px is {largest}: nothing could be seen; make it at least 64")
    return front, seen_from_above


def _numbered(view: "Frame", time: int) -> "Frame":
    """The view with the number of its frame, counted from 1, in a corner: a grid tells no time."""
    from paseo.render.raster.lettering import write_around
    from paseo.vqa.pictures.colours import INK, WHITE

    letters = max(LEAST_LETTERS, round(view.shape[1] * LETTERS))
    text = f"frame {time + 1}"
    wide, high = round(letters * (0.62 * len(text) + 0.8)), round(1.7 * letters)
    view[:high, :wide] = INK
    write_around(view, text, (wide / 2, high / 2), letters, colour=WHITE, bold=True)
    return view


def _grid(views: "Views", size: "Size", frames: int) -> "Frame":
    times = np.linspace(0, frames - 1, IN_GRID).round().astype(int).tolist()
    first, second, third, fourth = (_numbered(views.front(time, size), time) for time in times)
    grid = np.concatenate(
        [np.concatenate([first, second], axis=1), np.concatenate([third, fourth], axis=1)]
    )
    width, height = size
    seam = max(1, round(width / SEAM))
    grid[height - seam : height + seam] = 255
    grid[:, width - seam : width + seam] = 255
    return grid
