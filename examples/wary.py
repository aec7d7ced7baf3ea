"""A planner that looks: it drives to the goal by what its depth camera shows, told of nobody.

paseo run scripted-10 --planner examples/wary.py:Wary --sensing full
"""

import math
from typing import ClassVar

import numpy as np

from paseo import Briefing, Observation, Twist
from paseo.camera.lens.projection import pixel_rays
from paseo.errors import BadValue

LOWEST, HIGHEST = 0.2, 1.8  # metres above the ground between which something is in the way
WIDE = 0.5  # metres to either side that must be free
STOP, SLOW = 0.6, 2.0  # metres ahead at which it stands, and from which on it is slower


class Wary:
    """Heads for the goal, slows for what is ahead, and gives way to the side with more room."""

    looks: ClassVar[bool] = True  # at pictures, without which it cannot drive

    def begin(self, briefing: Briefing) -> None:
        """Remember where to go, and where each pixel looks."""
        if briefing.camera is None:
            raise BadValue("Wary drives by what a camera shows; run it with sensing full")
        self._goal, self._limits, self._camera = briefing.goal, briefing.robot, briefing.camera
        self._rays = pixel_rays(self._camera)  # (height, width, 2)

    def plan(self, observation: Observation) -> Twist:
        """Turn to the goal, as fast as what is seen allows."""
        pose, top = observation.robot.pose, self._limits.max_speed
        way = math.atan2(self._goal.y - pose.y, self._goal.x - pose.x) - pose.heading
        off = math.remainder(way, math.tau)
        left, right = self._room(observation)
        room = min(left, right)
        share = min(max((room - STOP) / (SLOW - STOP), 0.0), 1.0)
        aside = 0.0 if share == 1.0 else (1 - share) * (1.0 if left > right else -1.0)
        return Twist(top * share * max(0.0, math.cos(off)), 1.5 * off * share + aside)

    def _room(self, observation: Observation) -> tuple[float, float]:
        """Metres ahead that are free on the left and on the right."""
        image, camera = observation.image, self._camera
        if image is None:
            raise BadValue("Wary was shown no picture; run it with sensing full")
        aside, down = (self._rays * image.depth[..., None]).transpose(2, 0, 1)
        ahead = image.depth * math.cos(camera.pitch) - down * math.sin(camera.pitch)
        height = (
            camera.height - down * math.cos(camera.pitch) - image.depth * math.sin(camera.pitch)
        )
        stands = (height > LOWEST) & (height < HIGHEST) & (np.abs(aside) < WIDE)
        sides = (stands & (aside < 0.1), stands & (aside > -0.1))
        left, right = (float(ahead[side].min(initial=math.inf)) for side in sides)
        return left, right
