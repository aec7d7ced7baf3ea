"""Velocity as heading and speed, and back, with its covariance."""

import numpy as np

from paseo.world.arrays import FloatArray

SLOWEST = 1e-3  # m/s; below it a heading turns no faster with the velocity


def polar(means: FloatArray, spreads: FloatArray) -> tuple[FloatArray, FloatArray]:
    """States (samples, 4) of x, y and velocity as x, y, heading and speed; and covariances."""
    speeds = np.hypot(means[:, 2], means[:, 3])
    headings = np.unwrap(np.arctan2(means[:, 3], means[:, 2]))
    states = np.column_stack([means[:, :2], headings, speeds])
    turn = np.linalg.inv(_from_polar(states))
    return states, turn @ spreads @ turn.transpose(0, 2, 1)


def cartesian(states: FloatArray, covariances: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The way back: x, y and velocity, (samples, 4), and covariances."""
    turn = _from_polar(states)
    return velocities(states), turn @ covariances @ turn.transpose(0, 2, 1)


def cartesian_gains(states: FloatArray, gains: FloatArray) -> FloatArray:
    """Gains of x, y, heading and speed as those of x, y and velocity."""
    turn = _from_polar(states)
    return turn[:-1] @ gains @ np.linalg.inv(turn[1:])


def velocities(states: FloatArray) -> FloatArray:
    """x, y and velocity, (..., 4), of x, y, heading and speed."""
    heading, speed = states[..., 2], states[..., 3]
    moving = np.stack([speed * np.cos(heading), speed * np.sin(heading)], axis=-1)
    return np.concatenate([states[..., :2], moving], axis=-1)


def _from_polar(states: FloatArray) -> FloatArray:
    """How x, y and velocity change with x, y, heading and speed, (samples, 4, 4)."""
    ahead, aside = np.cos(states[:, 2]), np.sin(states[:, 2])
    # A unicycle may go backwards; only the size of the speed has a bound.
    speed = np.where(states[:, 3] < 0, -1.0, 1.0) * np.maximum(np.abs(states[:, 3]), SLOWEST)
    jacobian = np.tile(np.eye(4), (len(states), 1, 1))
    jacobian[:, 2, 2], jacobian[:, 2, 3] = -speed * aside, ahead
    jacobian[:, 3, 2], jacobian[:, 3, 3] = speed * ahead, aside
    return jacobian
