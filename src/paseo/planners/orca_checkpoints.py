"""ORCA towards checkpoints: the paper's ORCA row, which finds its way around walls.

J. van den Berg, S. J. Guy, M. Lin, D. Manocha: Reciprocal n-body collision avoidance. Robotics
Research (ISRR 2009), Springer Tracts in Advanced Robotics 70, 2011; with the meta-planner of A.
Biswas et al., SocNavBench, ACM THRI 11(3), 2022.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

from paseo.planners.orca import Orca
from paseo.planners.sampling.checkpoints import Checkpoints
from paseo.world.motion import Command, Control
from paseo.world.planning import Briefing, Observation


@dataclass(kw_only=True)
class OrcaCheckpoints:
    """Heads for one checkpoint after the other and takes all of the avoiding upon itself.

    As `orca`, but where that one heads straight for the goal, this one heads for a checkpoint some
    metres ahead on the way around walls. The paper says that its ORCA was run like this; the
    released client planned a checkpoint in every step and then went for the goal, as `orca` does.
    """

    control: ClassVar[Control] = Control.POSITION
    kernels: ClassVar[tuple[Callable[..., Any], ...]] = (*Orca.kernels, *Checkpoints.kernels)

    preferred_speed: float | None = None  # m/s; left out: the robot's top speed
    margin: float = 1.05  # the robot and people count as this many times as wide
    neighbour_distance: float = 50.0  # m, beyond which nobody is noticed
    most_neighbours: int = 50  # only the nearest are
    horizon: float = 5.0  # s, for which it stays free of people
    wall_horizon: float = 5.0  # s, for which it stays free of walls
    responsibility: float = 1.0  # its share of each avoidance, 0 to 1

    def __post_init__(self) -> None:
        self._orca, self._checkpoints = Orca(**vars(self)), Checkpoints()

    def begin(self, briefing: Briefing) -> None:
        """Learn where the walls are and the way to the goal."""
        self._orca.begin(briefing)
        self._checkpoints.begin(briefing)

    def plan(self, observation: Observation) -> Command:
        """Go the best way towards the checkpoint that is free for one step, facing that way."""
        return self._orca.towards(self._checkpoints.target(observation.robot.pose), observation)
