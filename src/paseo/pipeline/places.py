"""Where people were seen, one place after the other: what locating makes and smoothing takes."""

from dataclasses import dataclass

import numpy as np

from paseo.errors import BadValue
from paseo.world.arrays import FloatArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Places:
    """Where one person was seen, in the frame of the odometry."""

    person: int
    times: FloatArray  # (samples,), seconds, increasing
    positions: FloatArray  # (samples, 2), metres
    covariances: FloatArray  # (samples, 2, 2), square metres; of all errors, lasting ones too
    # (samples, 2, errors), metres: what a deviation of each error that stays the same, such as the
    # camera's pitch, does to each place; None: all errors are new each time.
    lasting: FloatArray | None = None
    common: int = 0  # how many of them, the first, are the same for everybody
    # (samples, 2), where the camera was: errors are then taken to grow with the square of the true
    # distance from it, along the ray, and with the distance across. None: they are as told.
    origins: FloatArray | None = None

    def __post_init__(self) -> None:
        what = f"the places of person {self.person}"
        check_rows(what, self.times, self.positions, 2)
        check_stack(f"covariances of {what}", self.covariances, (len(self.times), 2, 2))
        if self.lasting is not None:
            check_lasting(what, self.lasting, (len(self.times), 2), self.common)
        if self.origins is not None:
            check_stack(f"origins of {what}", self.origins, (len(self.times), 2))


def check_rows(what: str, times: FloatArray, values: FloatArray, width: int) -> None:
    """Raise `BadValue` unless times increase and there is a row of finite numbers for each."""
    if times.ndim != 1 or not np.isfinite(times).all() or (np.diff(times) <= 0).any():
        raise BadValue(f"{what}: times must be finite and increasing, in one row")
    check_stack(what, values, (len(times), width))


def check_stack(what: str, array: FloatArray, shape: tuple[int, ...]) -> None:
    """Raise `BadValue` unless an array is finite and of this shape."""
    if array.shape != shape or not np.isfinite(array).all():
        raise BadValue(f"{what} must be finite, {shape}, not {array.shape}")


def check_lasting(what: str, lasting: FloatArray, shape: tuple[int, int], common: int) -> None:
    """Raise `BadValue` unless lasting errors are of this shape, and common ones among them."""
    errors = lasting.shape[-1] if lasting.ndim == 3 else 0
    check_stack(f"lasting errors of {what}", lasting, (*shape, errors))
    if not 0 <= common <= errors:
        raise BadValue(f"{what}: {common} of {errors} errors cannot be common to everybody")
