"""How long strides are and how long feet stay on the ground, by speed and length of the legs.

Step length grows with speed to the power of 0.42 (Grieve & Gear 1966, Ergonomics 9(5): 379-399,
who fitted it log-log; the exponent as Kuo 2001, J. Biomech. Eng. 123: 264-269, has it). People of
all sizes fall on one curve once lengths are counted in legs, and speeds in roots of gravity times
leg (Alexander 1984, Am. J. Phys. Anthropol. 63: 19-27; Hof 1996, Gait & Posture 4: 222-223). The
factor is ours: with it strides are within 4 % of the means of men (1.58 m at 1.54 m/s; Murray,
Drought & Kory 1964) and of women (1.32 m at 1.31 m/s; Murray, Kory & Sepic 1970).
"""

from typing import TypeVar

import numpy as np

from paseo.compiled import inlined
from paseo.world.arrays import FloatArray

GRAVITY = 9.81
EXPONENT = 0.42
FACTOR = 1.11
SLOWEST = 0.1  # m/s; below it strides get no shorter
# The share of a stride that a foot is on the ground: some 0.6 at a free pace (Perry & Burnfield
# 2010, Gait Analysis), more when slower, half where walking turns into running; the slope is ours.
DUTY, DUTY_SLOPE, FREE_PACE = 0.60, 0.23, 0.43
LEAST_DUTY, MOST_DUTY = 0.55, 0.70

Numbers = TypeVar("Numbers", float, FloatArray)


@inlined
def stride_length(speed: Numbers, leg: Numbers) -> Numbers:
    """Metres from one print of a foot to its next; legs from hip joint to ground, in metres."""
    relative = np.maximum(speed, SLOWEST) / np.sqrt(GRAVITY * leg)
    return 2.0 * FACTOR * leg * relative**EXPONENT


@inlined
def strides_per_second(speed: Numbers, leg: Numbers) -> Numbers:
    """How often each foot strikes, in Hz; twice this and times 60 is the cadence in steps/min."""
    return speed / stride_length(speed, leg)


@inlined
def duty(speed: Numbers, leg: Numbers) -> Numbers:
    """The share of a stride for which each foot is on the ground."""
    relative = speed / np.sqrt(GRAVITY * leg)
    share = DUTY - DUTY_SLOPE * (relative - FREE_PACE)
    return np.minimum(np.maximum(share, LEAST_DUTY), MOST_DUTY)
