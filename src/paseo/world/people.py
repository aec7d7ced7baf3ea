"""The people in the scene at one moment."""

from msgspec import Struct

from paseo.errors import BadValue
from paseo.world.arrays import FloatArray, IntArray
from paseo.world.motion import RobotState


class Crowd(Struct, frozen=True, eq=False):
    """Everybody who is present, in order of id."""

    ids: IntArray  # (people,)
    positions: FloatArray  # (people, 2)
    velocities: FloatArray  # (people, 2)
    radii: FloatArray  # (people,)

    def __post_init__(self) -> None:
        people = len(self.ids)
        if not (
            self.positions.shape == self.velocities.shape == (people, 2)
            and len(self.radii) == people
        ):
            raise BadValue(
                f"a crowd of {people} people needs positions and velocities of shape "
                f"({people}, 2) and as many radii, not {self.positions.shape}, "
                f"{self.velocities.shape} and {self.radii.shape}"
            )

    def __len__(self) -> int:
        return len(self.ids)


class Snapshot(Struct, frozen=True, eq=False):
    """The whole scene at one moment."""

    time: float
    robot: RobotState
    crowd: Crowd
