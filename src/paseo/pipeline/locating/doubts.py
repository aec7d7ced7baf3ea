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
    Genetics 40:489): with soles 1.70 m, and 0.09 for somebody of whom nothing is known.
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
    body_height: float = 1.70  # metres, of people on average, with soles
    body_height_sd: float = 0.09
    step: float = 0.10  # metres by which the nearest toe, where a box ends, is before the middle
    step_sd: float = 0.12
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
