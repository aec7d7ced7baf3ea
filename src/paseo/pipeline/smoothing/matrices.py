"""Small matrices in compiled code; numba's own products would need scipy."""

import math

import numpy as np

from paseo.compiled import compiled
from paseo.world.arrays import FloatArray


@compiled
def product(left: FloatArray, right: FloatArray) -> FloatArray:
    """The matrix `left @ right`."""
    rows, inner, columns = left.shape[0], left.shape[1], right.shape[1]
    result = np.zeros((rows, columns))
    for row in range(rows):
        for each in range(inner):
            factor = left[row, each]
            for column in range(columns):
                result[row, column] += factor * right[each, column]
    return result


@compiled
def applied(matrix: FloatArray, vector: FloatArray) -> FloatArray:
    """The vector `matrix @ vector`."""
    result = np.zeros(matrix.shape[0])
    for row in range(matrix.shape[0]):
        for column in range(matrix.shape[1]):
            result[row] += matrix[row, column] * vector[column]
    return result


@compiled
def carried(matrix: FloatArray, covariance: FloatArray) -> FloatArray:
    """The covariance `matrix @ covariance @ matrix.T`, exactly symmetric."""
    half = product(matrix, covariance)
    size = matrix.shape[0]
    result = np.zeros((size, size))
    for row in range(size):
        for column in range(row + 1):
            total = 0.0
            for each in range(half.shape[1]):
                total += half[row, each] * matrix[column, each]
            result[row, column] = total
            result[column, row] = total
    return result


@compiled
def root(covariance: FloatArray) -> FloatArray:
    """The lower L with `L @ L.T` equal to the covariance; what has no extent has a row of zeros."""
    size = covariance.shape[0]
    result = np.zeros((size, size))
    for column in range(size):
        rest = covariance[column, column]
        for each in range(column):
            rest -= result[column, each] ** 2
        # Of what rounding leaves of nothing, only noise would come.
        if rest <= 1e-14 * covariance[column, column]:
            continue
        result[column, column] = math.sqrt(rest)
        for row in range(column + 1, size):
            total = covariance[row, column]
            for each in range(column):
                total -= result[row, each] * result[column, each]
            result[row, column] = total / result[column, column]
    return result


@compiled
def divided(matrix: FloatArray, covariance: FloatArray) -> FloatArray:
    """The matrix `matrix @ inverse(covariance)`, for a covariance that has an inverse."""
    lower = root(covariance)
    result = matrix.copy()
    size = covariance.shape[0]
    for row in range(matrix.shape[0]):
        for column in range(size):
            for each in range(column):
                result[row, column] -= lower[column, each] * result[row, each]
            result[row, column] /= lower[column, column]
        for column in range(size - 1, -1, -1):
            for each in range(column + 1, size):
                result[row, column] -= lower[each, column] * result[row, each]
            result[row, column] /= lower[column, column]
    return result
