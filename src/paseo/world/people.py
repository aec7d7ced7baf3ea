"""The people in the scene at one moment, and the seam that moves them."""

from typing import TYPE_CHECKING, Protocol

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from paseo.errors import BadValue
from paseo.world.motion import RobotState

if TYPE_CHECKING:
    from paseo.world.scenarios import Scenario

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
BoolArray = NDArray[np.bool_]


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


class PedestrianModel(Protocol):
    """How people move: told the scenario once, then asked step by step."""

    def begin(self, scenario: "Scenario") -> Crowd:
        """The people present at time 0."""

    def step(self, snapshot: Snapshot, dt: float) -> Crowd:
        """The people present `dt` after `snapshot`."""
