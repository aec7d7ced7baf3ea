"""The small worlds in which parts are checked, the same elsewhere, and who drives there."""

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from paseo.world.arrays import FloatArray
from paseo.world.motion import Pose, Twist
from paseo.world.planning import Briefing, Observation
from paseo.world.records import Record
from paseo.world.scenarios import Missing, Scenario
from paseo.world.space.floorplan import Place, PlaceKind, floor_plan
from paseo.world.tracks import Track

NOBODY = "nobody"
CROSSING = "people crossing"
ON_TOP = "a person on top of the robot"
TIMES = np.array([0.0, 10.0])

PEOPLE: dict[str, tuple[Track, ...]] = {
    NOBODY: (),
    CROSSING: tuple(
        Track(k, TIMES, np.array([[2.0 + k, 0.5 + k], [6.0 - k, 5.5 - k]])) for k in range(4)
    ),
    ON_TOP: (Track(1, TIMES, np.array([[1.0, 3.0], [1.0, 3.0]])),),
}

Placing = Callable[[FloatArray], FloatArray]  # points (..., 2) to where they lie elsewhere


def small_room(people: str, time_limit: float = 10.0) -> Scenario:
    """A room of 8 m x 6 m to cross, among the people of that name."""
    corners = np.array([[0.0, 0.0], [8.0, 0.0], [8.0, 6.0], [0.0, 6.0], [0.0, 0.0]])
    return Scenario(
        name="check",
        floorplan=floor_plan(
            "check",
            np.stack([corners[:-1], corners[1:]], axis=1),
            places=(
                Place("door", PlaceKind.DOOR, 1.0, 1.0),
                Place("exit", PlaceKind.EXIT, 7.0, 5.0),
            ),
        ),
        start=Pose(1.0, 3.0, 0.0),
        goal=Pose(7.0, 3.0, 0.0),
        tracks=PEOPLE[people],
        groups=((0, 1), (2, 3)) if people == CROSSING else (),
        time_limit=time_limit,
        seed=7,
    )


def room_to_turn_in(side: int) -> Scenario:
    """An empty room where the short turn to the goal, of 0.4 rad, leads across the angle pi."""
    room = small_room(NOBODY)
    return replace(
        room, start=Pose(5.5, 3.0, side * (math.pi - 0.3)), goal=Pose(1.0, 3.0 - side * 0.45, 0.0)
    )


def placing(angle: float, dx: float, dy: float) -> Placing:
    """Where points lie after a turn about the origin and a move."""
    turn = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
    return lambda points: points @ turn.T + (dx, dy)


def elsewhere(scenario: Scenario, angle: float, dx: float, dy: float) -> Scenario:
    """The same world on a map that is turned about its origin, then moved."""
    placed, plan = placing(angle, dx, dy), scenario.floorplan

    def posed(pose: Pose) -> Pose:
        x, y = placed(np.array([pose.x, pose.y])).tolist()
        return Pose(x, y, pose.heading + angle)

    spots = (placed(np.array([place.x, place.y])).tolist() for place in plan.places)
    places = tuple(
        replace(place, x=x, y=y) for place, (x, y) in zip(plan.places, spots, strict=True)
    )
    return replace(
        scenario,
        floorplan=floor_plan(plan.name, placed(plan.walls), places=places),
        start=posed(scenario.start),
        goal=posed(scenario.goal),
        tracks=tuple(
            replace(track, positions=placed(track.positions)) for track in scenario.tracks
        ),
    )


class Wander:
    """Drives in bends, so that a record has speeds, turns and people on both sides."""

    def begin(self, briefing: Briefing) -> None:
        """Forget how far it came."""
        self._step = 0

    def plan(self, observation: Observation) -> Twist:
        """The next piece of a bend."""
        self._step += 1
        return Twist(0.6 + 0.3 * math.sin(0.1 * self._step), 0.5 * math.cos(0.07 * self._step))


def first_state(record: Record) -> Record:
    """The record of its first state alone."""
    return replace(
        record,
        robot=record.robot[:1],
        commands=record.commands[:0],
        people=record.people[:1],
        contacts=(),
    )


def untold(scenario: Scenario) -> Scenario:
    """The same where nobody told the goal and the map."""
    return replace(scenario, missing=(Missing.GOAL, Missing.MAP))
