"""How far what places rest on may be wrong: boxes, calibration, bodies."""

import math
from dataclasses import dataclass, fields

from paseo.errors import BadValue, UnknownName

CUES = ("feet", "height", "breadth", "own")


@dataclass(frozen=True, slots=True, kw_only=True)
class Doubts:
    """Deviations of what is measured or assumed, and which cues are used.

    Grown-up men are 1.71 m tall worldwide and women 1.59 m, 1.77 and 1.63 m in the United States
    (NCD-RisC 2016, eLife 5:e13410), with deviations of 0.07 within each (Visscher 2008, Nature
    Genetics 40:489): with soles 1.70 m, and 0.09. Children from 4 to 14 are 1.36 m, and 0.17 (WHO
    growth reference, de Onis 2007). If one in ten is a child, which is an assumption, somebody of
    whom nothing is known is 1.67 m tall, with a deviation of 0.14.
    """

    box_px: float = 2.0  # of each edge of a box
    # Seconds in which the errors of a person's boxes fade to a third: so many frames within that
    # count as one. An assumption; 0: they are new in every frame.
    slipping: float = 0.1
    pitch: float = math.radians(0.3)  # radians, of the camera on the robot, the same all the time
    rocking: float = math.radians(0.2)  # radians, of the robot's pitch in each frame
    yaw: float = math.radians(0.3)  # radians, of the camera on the robot
    focal: float = 0.005  # as a share
    camera_height: float = 0.02  # metres
    clock: float = 0.01  # seconds between the frame's time and the odometry's
    body_height: float = 1.67  # metres, of people on average, with soles
    body_height_sd: float = 0.14
    posture: float = 0.03  # metres by which somebody goes less upright than they stand, always
    bending: float = 0.02  # metres by which their head bobs, in each frame
    step: float = 0.20  # metres by which the nearest toe, where a box ends, is before the middle
    step_sd: float = 0.10  # in each frame
    gait: float = 0.06  # metres, of the person's mean: how long their steps are, and whereto
    aside: float = 0.05  # metres by which the middle of a box is beside that of the body
    breadth: float = 0.50  # metres across a walking body, as a box has it
    breadth_sd: float = 0.12
    own_depth: float = 0.10  # of the distance by a source's own account, as a share
    cues: tuple[str, ...] = CUES
    most_unsure: float = 0.5  # deviation along the ray over distance, beyond which it is left out
    farthest: float = 50.0  # metres, likewise

    def __post_init__(self) -> None:
        for each in fields(self):
            value = getattr(self, each.name)
            if each.name != "cues" and not 0 <= value < math.inf:
                raise BadValue(f"{each.name} is {value:g}, expected 0 or more")
        for cue in self.cues:
            if cue not in CUES:
                raise UnknownName("cue of distance", cue, CUES)
        if not self.cues:
            raise BadValue("no cue of distance is left, expected some of " + ", ".join(CUES))


DOUBTS = Doubts()
