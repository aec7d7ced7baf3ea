"""Rotations of many people at once: X is forward, Y left, Z up."""

import numpy as np

from paseo.world.arrays import FloatArray


def yawed(angle: FloatArray) -> FloatArray:
    """Turned to the left, (..., 3, 3)."""
    return about(angle, 0, 1)


def pitched(angle: FloatArray) -> FloatArray:
    """Leaning forward, (..., 3, 3)."""
    return about(angle, 2, 0)


def rolled(angle: FloatArray) -> FloatArray:
    """Lifted on the left, (..., 3, 3)."""
    return about(angle, 1, 2)


def about(angle: FloatArray, one: int, other: int) -> FloatArray:
    """The rotation that takes one axis towards the other."""
    angle = np.asarray(angle)
    result = np.zeros((*angle.shape, 3, 3))
    result[..., :, :] = np.eye(3)
    cosine, sine = np.cos(angle), np.sin(angle)
    result[..., one, one] = result[..., other, other] = cosine
    result[..., other, one], result[..., one, other] = sine, -sine
    return result


def unit(vectors: FloatArray) -> FloatArray:
    """The same directions, of length 1."""
    lengths = np.sqrt(np.einsum("...i,...i->...", vectors, vectors))
    return np.asarray(vectors / np.maximum(lengths, 1e-12)[..., None])


def cross(first: FloatArray, second: FloatArray) -> FloatArray:
    """The vector product along the last axis; faster than numpy's for few vectors."""
    ax, ay, az = first[..., 0], first[..., 1], first[..., 2]
    bx, by, bz = second[..., 0], second[..., 1], second[..., 2]
    return np.stack([ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx], axis=-1)


def frame(along: FloatArray, axis: FloatArray) -> FloatArray:
    """Axes of a bone that points along a direction and bends about an axis: (..., 3, 3)."""
    dot = np.einsum("...i,...i->...", along, axis)[..., None]
    hinge = unit(axis - dot * along)
    return np.stack([along, hinge, cross(along, hinge)], axis=-1)


def rotated(matrices: FloatArray, vectors: FloatArray) -> FloatArray:
    """Each vector turned by its matrix."""
    return np.asarray(np.einsum("...ij,...j->...i", matrices, vectors))


def from_rest(now: FloatArray, rest: FloatArray) -> FloatArray:
    """The rotation that takes one frame to another."""
    return np.asarray(now @ np.swapaxes(rest, -1, -2))
