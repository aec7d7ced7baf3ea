"""The crowd as somebody believes it to be whose answers about it are these.

Where an answer is the likely one by geometry, people are where they are. Whom a wrong answer puts
on another side stands there, as far away; left and right taken for each other are mirrored. Whoever
is said to keep the distance moves along with the robot, or comes closer or goes away at a walk,
where that is wrong. Who is said to be in nobody's way, and is, is not seen at all.
"""

import math
from collections.abc import Mapping

import numpy as np

from paseo.vqa.questions.questions import Option
from paseo.world.arrays import FloatArray
from paseo.world.motion import RobotState
from paseo.world.people import Crowd

SIDE, CHANGE = "q_person_spatial_position_end", "q_person_distance_change"
IN_THE_WAY = ("q_obstructing_path", "q_obstructing_end_position")
BEARINGS = {
    "ahead of": 0.0,
    "to the left of": math.radians(75),
    "to the right of": math.radians(-75),
    "behind": math.pi,
}
MIRRORED = {"to the left of", "to the right of"}
WALK = 1.2  # m/s


def believed_crowd(
    crowd: Crowd,
    robot: RobotState,
    numbers: Mapping[int, int],
    told: Mapping[str, Option],
    likely: Mapping[str, Option],
) -> Crowd:
    """The crowd by the answers `told`; `numbers` says whose id each number stands for."""
    positions, velocities = crowd.positions.copy(), crowd.velocities.copy()
    seen = np.ones(len(crowd.ids), bool)
    for number, id in numbers.items():
        rows = np.flatnonzero(crowd.ids == id)
        if not len(rows):
            continue
        k = int(rows[0])
        said = _Said(number, told, likely)
        if said.wrong(SIDE):
            turn = _turn(said.told(SIDE), said.likely(SIDE), positions[k], robot)
            positions[k] = turn @ (positions[k] - _place(robot)) + _place(robot)
            velocities[k] = turn @ velocities[k]
        if said.wrong(CHANGE):
            velocities[k] = _moving(said.told(CHANGE), positions[k], robot)
        seen[k] = not said.overlooked()
    return Crowd(crowd.ids[seen], positions[seen], velocities[seen], crowd.radii[seen])


class _Said:
    """What is told of one person, and what is likely."""

    def __init__(
        self, number: int, told: Mapping[str, Option], likely: Mapping[str, Option]
    ) -> None:
        self._number, self._told, self._likely = number, told, likely

    def told(self, kind: str) -> str:
        return self._told[f"{kind}_p{self._number}"][0]

    def likely(self, kind: str) -> str:
        return self._likely[f"{kind}_p{self._number}"][0]

    def wrong(self, kind: str) -> bool:
        key = f"{kind}_p{self._number}"
        told = self._told.get(key)
        return bool(told) and key in self._likely and told != self._likely[key]

    def overlooked(self) -> bool:
        """Whether they are in the way, and said not to be in any."""
        keys = [f"{kind}_p{self._number}" for kind in IN_THE_WAY]
        said = [self._told.get(key) for key in keys]
        true = [self._likely.get(key) for key in keys]
        return said == [("no",), ("no",)] and ("yes",) in true


def _place(robot: RobotState) -> FloatArray:
    return np.array([robot.pose.x, robot.pose.y])


def _turn(told: str, likely: str, place: FloatArray, robot: RobotState) -> FloatArray:
    """Turns vectors about the robot so that somebody is on the side that is told, (2, 2)."""
    heading = robot.pose.heading
    if {told, likely} == MIRRORED:
        cos, sin = math.cos(2 * heading), math.sin(2 * heading)
        return np.array([[cos, sin], [sin, -cos]])
    away = place - _place(robot)
    angle = heading + BEARINGS[told] - math.atan2(away[1], away[0])
    cos, sin = math.cos(angle), math.sin(angle)
    return np.array([[cos, -sin], [sin, cos]])


def _moving(change: str, place: FloatArray, robot: RobotState) -> FloatArray:
    heading, speed = robot.pose.heading, robot.twist.forward
    along = speed * np.array([math.cos(heading), math.sin(heading)])
    away = place - _place(robot)
    away = away / max(float(np.hypot(*away)), 1e-9)
    signs = {"closer to": -1.0, "further away from": 1.0}
    found: FloatArray = along + WALK * signs.get(change, 0.0) * away
    return found
