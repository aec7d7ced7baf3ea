"""The two views of a scene, from the front and from above, as we draw them or as others did."""

import math
from collections.abc import Iterator
from typing import Protocol

import numpy as np

from paseo.data.scenes.images import Size
from paseo.errors import BadFile
from paseo.render.raster.palette import Rgb
from paseo.render.raster.strokes import Frame
from paseo.vqa.pictures.birdseye import BirdsEye
from paseo.vqa.pictures.marks import Mark, draw_leaders, draw_marks
from paseo.vqa.pictures.photos import photo, photo_size, scaled
from paseo.vqa.pictures.placing import Body, placed
from paseo.world.scenes import Scene

RADIUS, USUAL = 30.0, (1280, 720)  # pixels of a disc on a front view of this size
LEAST_RADIUS = 8.0
FAR = 1e6  # metres: behind everybody whose place is known


class Views(Protocol):
    """A scene frame by frame; `front_size` and `birdseye_size` are of one width."""

    front_size: Size
    birdseye_size: Size

    def front(self, time: int, size: Size) -> Frame:
        """What the robot saw at a frame, from 0, with everybody marked."""
        ...

    def birdseye(self, time: int, size: Size) -> Frame:
        """The same moment from above."""
        ...

    def summary(self, size: Size) -> Frame:
        """The whole clip from above."""
        ...


class OurViews:
    """Marks and bird's-eye view drawn by us, in the given colours."""

    def __init__(self, scene: Scene, colours: dict[int, Rgb]) -> None:
        self.scene, self.colours = scene, colours
        self.front_size = photo_size(scene.frames[0], f"scene {scene.id}, frame 0")
        self.birdseye_size = self.front_size[0], self.front_size[0]
        self._from_above: BirdsEye | None = None

    def front(self, time: int, size: Size) -> Frame:
        """A frame of the scene with everybody's disc on their box, or beside it with a line.

        Who is nearest to the robot has a disc on the body, and is drawn on top.
        """
        frame = self._photo(time, size)
        radius = front_radius(size)
        found = placed(list(self._bodies(time, size)), size=size, radius=radius)
        draw_leaders(frame, [each for each in found[::-1] if each.is_aside], radius)
        marks = [
            Mark(at=each.at, text=str(each.body.number), colour=each.body.colour) for each in found
        ]
        draw_marks(frame, marks, radius)
        return frame

    def _bodies(self, time: int, size: Size) -> Iterator[Body]:
        """Everybody with a box at a frame, in the pixels of a picture of this size."""
        share = np.tile(np.array(size) / self.front_size, 2)
        robot = self.scene.robot[time, :2]
        for person in self.scene.people:
            left, top, right, bottom = (person.boxes[time] * share).tolist()
            if np.isnan(left + top + right + bottom):
                continue
            away = float(np.linalg.norm(person.positions[time] - robot))
            # Whose place is not known is as far away as their feet are high in the picture.
            distance = away if math.isfinite(away) else FAR + size[1] - bottom
            yield Body(
                number=person.number,
                box=(left, top, right, bottom),
                distance=distance,
                colour=self.colours[person.number],
            )

    def _photo(self, time: int, size: Size) -> Frame:
        where, content = f"scene {self.scene.id}, frame {time}", self.scene.frames[time]
        (width, height), expected = photo_size(content, where), self.front_size
        if (width, height) != expected:
            raise BadFile(
                f"{where}: is {width} x {height} pixels and frame 0 {expected[0]} x {expected[1]}, "
                "expected all alike; export the frames again"
            )
        return photo(content, where, size)

    def birdseye(self, time: int, size: Size) -> Frame:
        """Where everybody is at a frame."""
        return self._seen_from_above(size[0]).frame(time)

    def summary(self, size: Size) -> Frame:
        """Everybody at their last place, with the way they came."""
        return self._seen_from_above(size[0]).summary()

    def _seen_from_above(self, side: int) -> BirdsEye:
        if self._from_above is None or self._from_above.view.side_px != side:
            self._from_above = BirdsEye(self.scene, side, self.colours)
        return self._from_above


class TheirViews:
    """What came with the scene: composites, cut apart where the front view ends."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        width, height = photo_size(scene.composites[0], self._where(0))
        front_width, front_height = photo_size(scene.frames[0], f"scene {scene.id}, frame 0")
        cut = round(width * front_height / front_width)
        if cut >= height:
            raise BadFile(
                f"{self._where(0)}: is {width} x {height} pixels, expected a front view of "
                f"{width} x {cut} and a bird's-eye view below it; fetch the data set again"
            )
        self.front_size, self.birdseye_size = (width, cut), (width, height - cut)
        self._shape = height, width, 3
        self._last: tuple[int, Frame] | None = None  # both views of a frame are cut from one

    def front(self, time: int, size: Size) -> Frame:
        """The upper part of a composite."""
        return scaled(self._composite(time)[: self.front_size[1]], size)

    def birdseye(self, time: int, size: Size) -> Frame:
        """The lower part of a composite."""
        return scaled(self._composite(time)[self.front_size[1] :], size)

    def summary(self, size: Size) -> Frame:
        """The lower part of the last composite, which is all there is."""
        return self.birdseye(len(self.scene.frames) - 1, size)

    def _where(self, time: int) -> str:
        return f"scene {self.scene.id}, the picture of frame {time} that came with it"

    def _composite(self, time: int) -> Frame:
        if self._last is None or self._last[0] != time:
            whole = photo(self.scene.composites[time], self._where(time))
            if whole.shape != self._shape:
                raise BadFile(
                    f"{self._where(time)}: has another size than that of frame 0, expected all "
                    "alike; fetch the data set again"
                )
            self._last = time, whole
        return self._last[1]


def front_radius(size: Size) -> float:
    """The radius of discs on a front view: 30 pixels at 1280 x 720."""
    return max(LEAST_RADIUS, RADIUS * math.sqrt(size[0] * size[1] / (USUAL[0] * USUAL[1])))
