"""What is known of where people were: smooth tracks through single places."""

from dataclasses import dataclass

import numpy as np

from paseo.errors import BadValue
from paseo.pipeline.places import Places as Places
from paseo.pipeline.places import check_lasting, check_rows, check_stack
from paseo.world.arrays import FloatArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SmoothTrack:
    """Where one person was, and how sure that is.

    The covariance is linear in the deviation from the state: where somebody stands, the heading's
    variance is beyond all angles, which says that it is not known. With `gains`, the track knows
    how its errors hang together over time, and can be drawn from.
    """

    person: int
    times: FloatArray  # (samples,), seconds, increasing
    states: FloatArray  # (samples, 4), x, y, heading, speed; the heading is not wrapped
    covariances: FloatArray  # (samples, 4, 4)
    rejected: FloatArray  # (rejected,), times of places that were too far off to be believed
    # (samples - 1, 4, 4): times a deviation of x, y and velocity from the next state, the one
    # that is expected of this; None: not known.
    gains: FloatArray | None = None
    # (samples, 4, errors): what a deviation of each error that stays the same does to x, y and
    # velocity; it is in the covariances. None: there is none.
    lasting: FloatArray | None = None
    common: int = 0  # how many of them, the first, are the same for everybody
    seen_as: int | None = None  # the person of the places, where one became several; None: the same

    def __post_init__(self) -> None:
        what, count = f"the track of person {self.person}", len(self.times)
        check_rows(what, self.times, self.states, 4)
        check_stack(f"covariances of {what}", self.covariances, (count, 4, 4))
        if self.gains is not None:
            check_stack(f"gains of {what}", self.gains, (max(count - 1, 0), 4, 4))
        if self.lasting is not None:
            check_lasting(what, self.lasting, (count, 4), self.common)
        if self.rejected.ndim != 1 or not np.isfinite(self.rejected).all():
            raise BadValue(f"{what}: times of rejected places must be finite, in one row")
