"""Boxes as a robot would see them that neither turns nor rocks, for who is followed by overlap."""

import numpy as np

from paseo.pipeline.drives.drive import Drive
from paseo.pipeline.locating.directions import directions
from paseo.world.arrays import FloatArray
from paseo.world.cameras import Camera

NARROWEST = 1.0  # pixels across and down


class Steadied:
    """Boxes of a drive on a panorama that stands still while the robot turns about itself.

    Its columns are bearings in the frame of the odometry, its rows angles below the horizon, both
    in pixels of the middle of the picture: what stays is how people move, and how the robot goes.
    """

    def __init__(self, drive: Drive) -> None:
        self._camera, self._odometry = drive.camera, drive.odometry

    def boxes(self, boxes: FloatArray, time: float) -> FloatArray:
        """Left, top, right, bottom, (boxes, 4), of boxes in the picture of that time.

        As they are where nobody told of the camera. In a gap of the odometry the robot is taken to
        turn evenly.
        """
        camera = self._camera
        if camera is None or not len(boxes):
            return boxes
        heading, pitch = (0.0, 0.0) if camera.at is not None else self._turn(time)
        left, top, right, bottom = boxes.T
        across, down = (left + right) / 2, (top + bottom) / 2
        edges = [(left, down), (across, top), (right, down), (across, bottom)]
        looks = np.stack([_looks(np.column_stack(each), camera, pitch) for each in edges])
        # Where a bearing jumps by a whole turn is behind the camera.
        bearings = camera.yaw + np.angle(np.exp(1j * (looks[..., 1] - camera.yaw)))
        x, y = -camera.fx * (bearings + heading), camera.fy * looks[..., 0]
        low = np.maximum(y[3], y[1] + NARROWEST)
        return np.column_stack([x[0], y[1], np.maximum(x[2], x[0] + NARROWEST), low])

    def _turn(self, time: float) -> tuple[float, float]:
        """The robot's heading, and how far it leans forward."""
        told = self._odometry
        heading = float(np.interp(time, told.times, told.poses[:, 2]))
        if told.pitches is None:
            return heading, 0.0
        return heading, float(np.interp(time, told.times, told.pitches))


def _looks(pixels: FloatArray, camera: Camera, pitch: float) -> FloatArray:
    """Directions, (pixels, 2); as without a lens where the lens cannot show them."""
    tilts = np.tile([pitch, 0.0], (len(pixels), 1))
    found = directions(pixels, camera, tilts)
    lost = np.isnan(found).any(axis=1)
    if lost.any():
        flat = np.arctan((pixels - [camera.cx, camera.cy]) / [camera.fx, camera.fy])
        plain = np.column_stack([flat[:, 1] + camera.pitch + pitch, camera.yaw - flat[:, 0]])
        found[lost] = plain[lost]
    return found
