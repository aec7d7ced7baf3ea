"""What nobody keeps still: breath, weight that shifts, eyes that wander, and arms at ease."""

from dataclasses import dataclass

import numpy as np

from paseo.camera.gait.steps.walks import Walks
from paseo.world.arrays import FloatArray

BREATHS = 0.25  # Hz; fifteen a minute
CHEST, SHOULDERS = np.radians(0.8), np.radians(1.5)  # how far they rise with a breath
SHIFTS = (0.11, 0.068)  # Hz; two slow sways whose sum does not repeat within a film
GLANCES, GLANCE = (0.13, 0.071), np.radians(12.0)
HANGING, ELBOWS, OUT = np.radians(-2.0), np.radians(14.0), np.radians(9.0)  # of arms at ease
INWARD = 0.3


@dataclass(frozen=True, slots=True, eq=False)
class Idling:
    """All (people,), but arms (people, 2), left and right; as in a `Clip`."""

    chest: FloatArray  # radians up
    shoulders: FloatArray  # radians up
    shift: FloatArray  # of the weight, -1 on the right foot to 1 on the left; 0 while walking
    glance: FloatArray  # radians to the left, of the head
    hanging: FloatArray  # radians, the upper arm forward
    elbows: FloatArray  # radians
    out: FloatArray  # radians
    inward: FloatArray  # a share


def idling_of(walks: Walks) -> Idling:
    """Each person's own little motions, by id and time; walking leaves only the breath."""
    own = np.modf(walks.ids[:, None] * np.array([0.618034, 0.414214, 0.732051, 0.236068, 0.14159]))
    turn = 2.0 * np.pi * own[0]
    angle = 2.0 * np.pi * walks.times
    breath = np.sin(angle * BREATHS + turn[:, 0])
    shift, glance = (
        0.6 * np.sin(angle * rates[0] + turn[:, k])
        + 0.4 * np.sin(angle * rates[1] + turn[:, k + 1])
        for k, rates in ((1, SHIFTS), (3, GLANCES))
    )
    still = 1.0 - walks.paces
    return Idling(
        chest=CHEST * breath,
        shoulders=SHOULDERS * breath,
        shift=still * shift,
        glance=(0.3 + 0.7 * still) * GLANCE * glance,
        **{
            name: np.full((len(walks), 2), value)
            for name, value in (
                ("hanging", HANGING),
                ("elbows", ELBOWS),
                ("out", OUT),
                ("inward", INWARD),
            )
        },
    )
