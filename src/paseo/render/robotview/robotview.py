"""Views through the robot's camera: alone, or with its depth beside the scene from above."""

import math
import os
from collections.abc import Sequence
from weakref import WeakValueDictionary

import numpy as np

from paseo.camera.gait.steps.footwork import Footwork
from paseo.camera.lens.image import Image
from paseo.camera.places.places import open_ground
from paseo.camera.view import CameraView, prepare
from paseo.progress import Progress
from paseo.render.raster.lettering import Lettering
from paseo.render.robotview.depths import depth_picture, draw_scale
from paseo.render.staging.backdrop import Backdrop, Size, usual_size
from paseo.render.staging.playthrough import Moment
from paseo.render.staging.renderers import Rendering
from paseo.render.topview.topview import TopView
from paseo.world.cameras import level_camera
from paseo.world.records import Record

ACROSS = math.radians(75)  # that the camera sees
PANEL = (480, 360)  # pixels of a picture of several
SHARED: WeakValueDictionary[tuple[object, ...], CameraView] = WeakValueDictionary()
WIDE = 2.0  # width over height from which on all stand side by side
MOST, MOST_OF_TWO = 0.36, 0.6  # of the picture's length that a picture of the camera takes
GUTTER = 6  # pixels between pictures
Corner = tuple[int, int]  # upper and left pixel


class RobotView:
    """What the first robot's camera sees, level and 1 m high."""

    def __init__(self, backdrop: Backdrop, size: Size) -> None:
        self._view = _view_of(backdrop)
        self._camera = level_camera(*size, across=ACROSS)
        self._walked: tuple[Record, Footwork] | None = None

    def render(self, moments: Sequence[Moment]) -> Rendering:
        """Colours and metres."""
        image = self.image(moments[0])
        depth = image.depth.astype(np.float64)
        return Rendering(image.rgb, np.where(np.isnan(depth), np.inf, depth))

    def image(self, moment: Moment) -> Image:
        """All that the camera sees."""
        footwork = self._footwork(moment.record)
        return self._view.render(moment.snapshot, self._camera, footwork)

    @staticmethod
    def usual_size(backdrop: Backdrop) -> Size:
        """That of most cameras."""
        return 640, 480

    @staticmethod
    def prepare(progress: Progress) -> None:
        """Compile the camera, the first time."""
        prepare(progress)

    def _footwork(self, record: Record) -> Footwork:
        if self._walked is None or self._walked[0] is not record:
            self._walked = record, self._view.footwork_of(record)
        return self._walked[1]


class BothViews:
    """The first robot's view, its depth, and all from above, as in SocNavBench's Fig. 5.

    Side by side in wide pictures, one below the other in high ones; in others the map is beside
    both pictures of the camera. On the map two lines show between what the camera looks.
    """

    def __init__(self, backdrop: Backdrop, size: Size) -> None:
        self._theme = backdrop.theme
        text = Lettering(max(10.0, min(size) / 57))
        row = round(text.height * 1.4)
        self._panel, self._corners = layout(size, row)
        top, left = self._corners[2]
        self._eyes = RobotView(backdrop, self._panel)
        self._above = TopView(backdrop, (size[0] - left, size[1] - top), across=ACROSS)
        self._blank = np.full((size[1], size[0], 3), self._theme.page, np.uint8)
        for word, (top, left) in zip(captions(backdrop), self._corners, strict=False):
            at = (left + text.height // 2, top - row + (row - text.height) // 2)
            words = text.shortened(word, self._panel[0] - text.height)
            text.write(self._blank, words, at, self._theme.faint)

    def render(self, moments: Sequence[Moment]) -> Rendering:
        """All three at one time."""
        seen = self._eyes.image(moments[0])
        depth = depth_picture(seen.depth, self._theme)
        draw_scale(depth, self._theme)
        above = self._above.render(moments).rgb
        sheet = self._blank.copy()
        for picture, (top, left) in zip((seen.rgb, depth, above), self._corners, strict=True):
            sheet[top : top + picture.shape[0], left : left + picture.shape[1]] = picture
        return Rendering(sheet)

    @staticmethod
    def usual_size(backdrop: Backdrop) -> Size:
        """Two pictures of the camera and a map as high as they are."""
        width, height = usual_size(backdrop)
        return 2 * PANEL[0] + round(PANEL[1] * width / height) // 2 * 2, PANEL[1]

    @staticmethod
    def prepare(progress: Progress) -> None:
        """Compile the camera, the first time."""
        prepare(progress)


def captions(backdrop: Backdrop) -> tuple[str, str]:
    """What the camera's pictures are called; of several robots, whose camera it is."""
    names = [actor.name for actor in backdrop.actors]
    return f"camera of {names[0]}" if len(names) > 1 else "robot's camera", "depth"


def _view_of(backdrop: Backdrop) -> CameraView:
    """The camera's view of a place, the same for all who look at it at once: bodies are large."""
    plan, box = backdrop.floorplan, backdrop.box
    key: tuple[object, ...] = box
    if plan is not None:
        key = (plan.name, plan.walls.tobytes(), plan.free.tobytes(), plan.origin, plan.places)
    view = SHARED.get(key)
    if view is None:
        middle = (box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2
        view = CameraView(plan or open_ground(*middle), threads=os.cpu_count() or 1)
        SHARED[key] = view
    return view


def layout(size: Size, row: int) -> tuple[Size, tuple[Corner, Corner, Corner]]:
    """How large the camera's pictures are, and where they and the map begin.

    Above each picture of the camera is a row, so many pixels high, for what it is called.
    """
    width, height = size
    if width >= WIDE * height:
        x, y = _four_by_three(min((height - row) * 4 / 3, width * MOST))
        top = row + (height - row - y) // 2
        return (x, y), ((top, 0), (top, x + GUTTER), (0, 2 * x + 2 * GUTTER))
    if width >= height / WIDE:
        x, y = _four_by_three(min((height / 2 - row) * 4 / 3, width * MOST_OF_TWO))
        top = row + (height - 2 * row - 2 * y) // 2
        return (x, y), ((top, 0), (top + y + row, 0), (0, x + GUTTER))
    x, y = _four_by_three(min(width, (height * MOST - row) * 4 / 3))
    left = (width - x) // 2
    return (x, y), ((row, left), (2 * row + y, left), (2 * (row + y) + GUTTER, 0))


def _four_by_three(across: float) -> Size:
    return math.floor(across), math.floor(across * 3 / 4)
