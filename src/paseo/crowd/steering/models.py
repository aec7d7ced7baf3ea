"""How walking people avoid each other: the seam that models of steering share."""

from dataclasses import dataclass
from typing import Protocol

from paseo.world.arrays import FloatArray
from paseo.world.space.floorplan import FloorPlan


@dataclass(frozen=True, slots=True, eq=False)
class Walkers:
    """People who are about to take a step, or the robot among them."""

    positions: FloatArray  # (walkers, 2)
    velocities: FloatArray  # (walkers, 2)
    wanted: FloatArray  # (walkers, 2), the velocity each would have if nobody were near
    radii: FloatArray  # (walkers,)
    top_speeds: FloatArray  # (walkers,), never exceeded but by rounding

    def __len__(self) -> int:
        return len(self.radii)


class Steering(Protocol):
    """A model of how people walk among others: told the place once, then asked step by step."""

    def begin(self, floorplan: FloorPlan) -> None:
        """Prepare for a place."""

    def velocities(self, walkers: Walkers, dt: float) -> FloatArray:
        """The velocity of everybody during the next `dt` seconds, (walkers, 2)."""
