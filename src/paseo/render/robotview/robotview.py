"""Views through the robot's camera: alone, or with its depth beside the scene from above."""

import math
import os
from collections.abc import Sequence
from weakref import WeakValueDictionary

import numpy as np

from paseo.camera.gait.steps.footwork import Footwork
from paseo.camera.lens.camera import level_camera
from paseo.camera.lens.image import Image
from paseo.camera.places.places import open_ground
from paseo.camera.view import CameraView, prepare
from paseo.progress import Progress
from paseo.render.robotview.depths import depth_picture, draw_scale
from paseo.render.staging.backdrop import Backdrop, Size, usual_size
from paseo.render.staging.playthrough import Moment
from paseo.render.staging.renderers import Rendering
from paseo.render.topview.topview import TopView
from paseo.world.records import Record

ACROSS = math.radians(75)  # that the camera sees
PANEL = (480, 360)  # pixels of a picture of several
SHARED: WeakValueDictionary[tuple[object, ...], CameraView] = WeakValueDictionary()
MOST = 0.36  # of the width that one picture of the camera takes


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

    From left to right, or one below the other in pictures that are higher than wide.
    """

    def __init__(self, backdrop: Backdrop, size: Size) -> None:
        self._size, self._theme = size, backdrop.theme
        width, height = size
        across, down = panel = _panel(size)
        self._eyes = RobotView(backdrop, panel)
        if width >= height:
            top = (height - down) // 2
            self._corners = ((top, 0), (top, across), (0, 2 * across))
            self._above = TopView(backdrop, (width - 2 * across, height))
        else:
            left = (width - across) // 2
            self._corners = ((0, left), (down, left), (2 * down, 0))
            self._above = TopView(backdrop, (width, height - 2 * down))

    def render(self, moments: Sequence[Moment]) -> Rendering:
        """All three at one time."""
        seen = self._eyes.image(moments[0])
        depth = depth_picture(seen.depth, self._theme)
        draw_scale(depth, self._theme)
        above = self._above.render(moments).rgb
        width, height = self._size
        sheet = np.full((height, width, 3), self._theme.page, np.uint8)
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


def _panel(size: Size) -> Size:
    """How large the camera's picture is: 4 by 3, with room for two and the map."""
    width, height = size
    if width >= height:
        across = min(height * 4 / 3, width * MOST)
        return round(across), round(across * 3 / 4)
    down = min(width * 3 / 4, height * MOST)
    return round(down * 4 / 3), round(down)
