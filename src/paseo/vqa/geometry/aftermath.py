"""What followed a scene: the moments after its last frame, kept aside and never shown."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Literal

import msgspec
import numpy as np
from msgspec import Meta

from paseo.data.scenes.robot_frame import MOST_METRES
from paseo.data.scenes.tree import Tree
from paseo.data.scenes.writing import ROUNDED, json_bytes
from paseo.errors import BadValue
from paseo.world.arrays import FloatArray
from paseo.world.scenes import MOST_FRAMES

FOLDER = "aftermath"
REMEDY = "bring the folder of scenes whole, or make it again"

Metres = Annotated[float, Meta(ge=-MOST_METRES, le=MOST_METRES)]
Place = tuple[Metres, Metres]
Pose = tuple[Metres, Metres, Annotated[float, Meta(ge=-7, le=7)]]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Aftermath:
    """Where everybody was after the last frame, in the robot's first: x forward and y left."""

    period: float  # seconds from one moment to the next, the first a period after the last frame
    robot: FloatArray  # (moments, 3), x, y, heading
    people: Mapping[int, FloatArray] = field(default_factory=dict)  # by number, (moments, 2), NaN

    def __post_init__(self) -> None:
        moments = len(self.robot)
        if self.robot.shape != (moments, 3) or not np.isfinite(self.robot).all():
            raise BadValue("an aftermath's robot must be finite, (moments, 3)")
        for number, places in self.people.items():
            if places.shape != (moments, 2) or np.isinf(places).any():
                raise BadValue(f"an aftermath's person {number} must be ({moments}, 2)")


class AftermathFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The file aftermath/<scene>.json."""

    format: Literal["paseo-aftermath"] = "paseo-aftermath"
    version: Literal[1] = 1
    period_s: Annotated[float, Meta(ge=0.001, le=60)]
    robot: Annotated[list[Pose], Meta(max_length=MOST_FRAMES)]
    people: Annotated[
        dict[Annotated[str, Meta(pattern=r"^[1-9][0-9]{0,3}$")], list[Place | None]],
        Meta(max_length=1000),
    ] = {}


def aftermath_bytes(aftermath: Aftermath) -> bytes:
    """The file that `read_aftermath` reads."""
    people = {
        str(number): [None if np.isnan(x) else [round(x, ROUNDED), round(y, ROUNDED)]
                      for x, y in places.tolist()]
        for number, places in aftermath.people.items()
    }  # fmt: skip
    poses = [[round(part, ROUNDED) for part in pose] for pose in aftermath.robot.tolist()]
    return json_bytes(
        {
            "format": "paseo-aftermath",
            "version": 1,
            "period_s": aftermath.period,
            "robot": poses,
            "people": people,
        }
    )


def read_aftermath(folder: Path, scene: str) -> Aftermath | None:
    """What followed a scene of a folder; None: nobody knows."""
    tree, name = Tree(folder, REMEDY), f"{FOLDER}/{scene}.json"
    if not tree.has(name):
        return None
    found = tree.json(name, AftermathFile)
    try:
        return Aftermath(
            period=found.period_s,
            robot=np.array(found.robot, dtype=float).reshape(-1, 3),
            people={int(number): _places(each) for number, each in found.people.items()},
        )
    except BadValue as error:
        raise tree.fault(name, str(error)) from error


def _places(places: list[Place | None]) -> FloatArray:
    rows = [(np.nan, np.nan) if place is None else place for place in places]
    return np.array(rows, dtype=float).reshape(-1, 2)
