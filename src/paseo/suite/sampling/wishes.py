"""What sampled episodes are made of, and what they should be like."""

import math
from dataclasses import dataclass, field

from paseo.data.store.catalog import Affine
from paseo.errors import BadValue, UnknownName
from paseo.metrics.crowding import FLOWS
from paseo.world.motion import Robot
from paseo.world.space.floorplan import FloorPlan
from paseo.world.tracks import Recording

MOST_EPISODES = 1000
LONGEST_EPISODE = 3600.0  # seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class SamplingOptions:
    """What sampled episodes should be like."""

    count: int
    least_distance: float = 8.0  # metres between start and goal, straight
    time_limit: float = 60.0
    density: tuple[float, float] = (0.0, math.inf)  # people per free m2 within 3 m of the robot
    flows: tuple[str, ...] = ()  # of people within 3 m of the robot, in turn; empty: as it comes
    encounters: int = 0  # people who are met, at least, on every reference drive
    robot: Robot = field(default_factory=Robot)

    def __post_init__(self) -> None:
        if not 1 <= self.count <= MOST_EPISODES:
            raise BadValue(f"count must be between 1 and {MOST_EPISODES}, not {self.count}")
        if not 0 < self.time_limit <= LONGEST_EPISODE:
            raise BadValue(
                f"the time limit must be more than 0 and at most {LONGEST_EPISODE:g} s, "
                f"not {self.time_limit:g} s"
            )
        if not 0 < self.least_distance <= self.reach:
            raise BadValue(
                "the least distance must be more than 0 and no further than the robot "
                f"'{self.robot.name}' gets in {self.time_limit:g} s, {self.reach:g} m, "
                f"not {self.least_distance:g} m"
            )
        low, high = self.density
        if not 0 <= low <= high or math.isinf(low):
            raise BadValue(
                f"the density must be 0 or more and its least no more than its most, in people "
                f"per square metre, not {low:g} to {high:g}"
            )
        if self.encounters < 0:
            raise BadValue(
                f"encounters must be 0 or more, not {self.encounters}", parameters=("encounters",)
            )
        for flow in self.flows:
            if flow not in FLOWS:
                raise UnknownName("flow", flow, FLOWS)

    @property
    def reach(self) -> float:
        """Metres that the robot can drive before the time limit."""
        return self.robot.max_speed * self.time_limit

    @property
    def somebody(self) -> bool:
        """Whether people must be there."""
        return bool(self.flows) or self.encounters > 0 or self.density[0] > 0.0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PlacedCrowd:
    """A recording and the map it lies on."""

    name: str  # of the recording, as a suite names it
    recording: Recording
    map: str  # as a suite names it
    floorplan: FloorPlan
    transform: Affine  # from the recording's metres to the map's
