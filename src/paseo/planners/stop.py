"""Stop: stand where you are. Nobody can say it walked into them."""

from dataclasses import dataclass
from typing import ClassVar

from paseo.world.motion import Command, Control, Twist
from paseo.world.planning import Briefing, Observation


@dataclass
class Stop:
    """Never moves; who touches it walked into it."""

    control: ClassVar[Control] = Control.VELOCITY
    looks: ClassVar[bool] = False  # nobody matters to it

    def begin(self, briefing: Briefing) -> None:
        """Nothing to prepare."""

    def plan(self, observation: Observation) -> Command:
        """Stand still."""
        return Twist(0.0, 0.0)
