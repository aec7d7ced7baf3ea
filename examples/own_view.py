"""A view of one's own: the robot in the middle, and all others around it as it faces them.

paseo draw RECORD --view examples/own_view.py:Radar --size 300x300 --out radar.mp4
"""

import math
from collections.abc import Sequence

import numpy as np

from paseo.render.raster.strokes import discs, paint, rings
from paseo.render.staging.backdrop import Backdrop, Size
from paseo.render.staging.playthrough import Moment
from paseo.render.staging.renderers import Rendering

REACH = 6.0  # metres


class Radar:
    """Ahead is up; a ring for every two metres."""

    def __init__(self, backdrop: Backdrop, size: Size) -> None:
        self._backdrop, self._size = backdrop, size

    def render(self, moments: Sequence[Moment]) -> Rendering:
        """What is around the first robot."""
        (width, height), theme = self._size, self._backdrop.theme
        frame = np.full((height, width, 3), theme.floor, np.uint8)
        snapshot, scale = moments[0].snapshot, min(width, height) / 2 / REACH
        pose, middle = snapshot.robot.pose, np.array([[width / 2, height / 2]])
        for metres in (2.0, 4.0, 6.0):
            paint(frame, rings(middle, metres * scale, 1.0, theme.edge))
        right, ahead = (pose.heading - math.pi / 2, pose.heading)
        turn = np.array([[math.cos(right), math.sin(right)], [-math.cos(ahead), -math.sin(ahead)]])
        seen = (snapshot.crowd.positions - (pose.x, pose.y)) @ turn.T * scale + middle
        paint(frame, discs(seen, snapshot.crowd.radii * scale, theme.person))
        paint(frame, discs(middle, snapshot.robot.radius * scale, self._backdrop.actors[0].colour))
        return Rendering(frame)
