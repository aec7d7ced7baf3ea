"""From the world to pixels and back, with OpenCV's model of lenses."""

import numpy as np

from paseo.world.arrays import FloatArray
from paseo.world.cameras import Camera, View

ROUNDS = 30  # of Newton's method; five are usual
CLOSE = 1e-9  # in units of the focal length: under a millionth of a pixel
NO_STEP = 1e-6  # where the lens folds back, its slope is nearly nothing


def project(points: FloatArray, camera: Camera, view: View) -> FloatArray:
    """Where points of the world, (points, 3), fall in the image: u, v and depth, (points, 3).

    What is behind the camera has NaN for u and v.
    """
    seen = (points - view.position) @ view.rotation
    depth = seen[:, 2]
    ahead = np.where(depth > 0, depth, np.nan)
    flat = distorted(seen[:, :2] / ahead[:, None], camera.distortion)
    u = flat[:, 0] * camera.fx + camera.cx
    v = flat[:, 1] * camera.fy + camera.cy
    return np.stack([u, v, depth], axis=1)


def unproject(pixels: FloatArray, depth: FloatArray, camera: Camera, view: View) -> FloatArray:
    """The points of the world, (points, 3), that are seen at u and v, (points, 2), so deep."""
    flat = undistorted(
        (pixels - [camera.cx, camera.cy]) / [camera.fx, camera.fy], camera.distortion
    )
    seen = np.concatenate([flat, np.ones((len(flat), 1))], axis=1) * depth[:, None]
    return seen @ view.rotation.T + view.position


def pixel_rays(camera: Camera, offset: tuple[float, float] = (0.5, 0.5)) -> FloatArray:
    """The x and y at depth 1, (height, width, 2), of the ray through each pixel's middle.

    An `offset` other than the middle asks for another place in every pixel. NaN where no ray
    reaches a pixel, beyond the rim of a lens.
    """
    u, v = np.meshgrid(
        (np.arange(camera.width_px) + offset[0] - camera.cx) / camera.fx,
        (np.arange(camera.height_px) + offset[1] - camera.cy) / camera.fy,
    )
    flat = np.stack([u.ravel(), v.ravel()], axis=1)
    rays = undistorted(flat, camera.distortion)
    return rays.reshape(camera.height_px, camera.width_px, 2)


def distorted(flat: FloatArray, coefficients: tuple[float, ...]) -> FloatArray:
    """Where a lens bends directions, x and y at depth 1, (points, 2), to."""
    if not any(coefficients):
        return flat
    k1, k2, p1, p2, k3, k4, k5, k6 = _eight(coefficients)
    x, y = flat[:, 0], flat[:, 1]
    r = x * x + y * y
    radial = (1 + r * (k1 + r * (k2 + r * k3))) / (1 + r * (k4 + r * (k5 + r * k6)))
    bent_x = x * radial + 2 * p1 * x * y + p2 * (r + 2 * x * x)
    bent_y = y * radial + p1 * (r + 2 * y * y) + 2 * p2 * x * y
    return np.stack([bent_x, bent_y], axis=1)


def undistorted(flat: FloatArray, coefficients: tuple[float, ...]) -> FloatArray:
    """Which directions a lens bends to these, by Newton's method; NaN where there is none."""
    if not any(coefficients):
        return flat
    guess = flat.copy()
    with np.errstate(all="ignore"):
        for _ in range(ROUNDS):
            error = distorted(guess, coefficients) - flat
            if not (np.abs(error) > CLOSE).any():
                break
            guess = guess - _solved(_slopes(guess, coefficients), error)
        missed = np.abs(distorted(guess, coefficients) - flat).max(axis=1)
        slopes = _slopes(guess, coefficients)
        area = slopes[:, 0, 0] * slopes[:, 1, 1] - slopes[:, 0, 1] * slopes[:, 1, 0]
        found = (missed <= CLOSE) & (area > NO_STEP)
    return np.where(found[:, None], guess, np.nan)


def _slopes(flat: FloatArray, coefficients: tuple[float, ...]) -> FloatArray:
    """The Jacobian of the lens, (points, 2, 2), by central differences."""
    step = 1e-6
    columns = [
        (distorted(flat + shift, coefficients) - distorted(flat - shift, coefficients)) / (2 * step)
        for shift in (np.array([step, 0.0]), np.array([0.0, step]))
    ]
    return np.stack(columns, axis=2)


def _solved(slopes: FloatArray, error: FloatArray) -> FloatArray:
    """The step that takes the error away; half a unit at most, so that no guess runs off."""
    (a, b), (c, d) = slopes[:, 0].T, slopes[:, 1].T
    area = a * d - b * c
    step = np.stack([d * error[:, 0] - b * error[:, 1], a * error[:, 1] - c * error[:, 0]], axis=1)
    whole: FloatArray = np.clip(step / area[:, None], -0.5, 0.5)
    return whole


def _eight(coefficients: tuple[float, ...]) -> tuple[float, ...]:
    return (*coefficients, *(0.0,) * (8 - len(coefficients)))
