"""The smallest worlds, built by hand: a square room, people who walk straight, scripted drivers."""

from collections.abc import Callable
from typing import Any

import numpy as np

from paseo.world.arrays import FloatArray
from paseo.world.motion import Command, Control, Pose, Twist
from paseo.world.people import Crowd
from paseo.world.planning import Briefing, Observation
from paseo.world.scenarios import Scenario
from paseo.world.space.floorplan import FloorPlan, floor_plan
from paseo.world.tracks import Track


def box(x0: float, y0: float, x1: float, y1: float) -> FloatArray:
    """Four walls, (4, 2, 2)."""
    corners = np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]], float)
    return np.stack([corners, np.roll(corners, -1, axis=0)], axis=1)


def plan(name: str, *boxes: tuple[float, float, float, float]) -> FloorPlan:
    """A floor plan of boxes; one inside another is a pillar."""
    return floor_plan(name, np.concatenate([box(*corners) for corners in boxes]))


ROOM = plan("room", (0, 0, 10, 10))
DIVIDED = plan("divided", (0, 0, 10, 10), (5, 1, 5.02, 9.99))  # by a thin wall, open at y < 1


def walk(person: int, *samples: tuple[float, float, float]) -> Track:
    """A track from rows of time, x, y."""
    table = np.array(samples, float)
    return Track(person, table[:, 0], table[:, 1:])


def crossing(person: int = 1) -> Track:
    """Walks at 1 m/s over the place where the robot starts, and is there after 7 s."""
    return walk(person, (0, 9, 5), (8, 1, 5))


def scenario(*tracks: Track, **changes: Any) -> Scenario:
    """A task in the room: from (2, 5) straight on to (8, 5) in at most 10 s."""
    task = {
        "name": "test",
        "floorplan": ROOM,
        "start": Pose(2.0, 5.0),
        "goal": Pose(8.0, 5.0),
        "tracks": tracks,
        "time_limit": 10.0,
    }
    return Scenario(**{**task, **changes})


def crowd(*people: tuple[int, float, float]) -> Crowd:
    """Standing people from rows of id, x, y."""
    table = np.array(people, float).reshape(-1, 3)
    return Crowd(
        table[:, 0].astype(np.int64),
        table[:, 1:].copy(),
        np.zeros((len(table), 2)),
        np.full(len(table), 0.2),
    )


class Driver:
    """Always gives the same answer, or asks a function; remembers what it was told."""

    def __init__(
        self,
        answer: Command | Callable[[Observation], Any] = Twist(0.0, 0.0),  # noqa: B008
        control: Control = Control.VELOCITY,
    ) -> None:
        self._answer, self.control = answer, control
        self.briefings: list[Briefing] = []
        self.observations: list[Observation] = []

    def begin(self, briefing: Briefing) -> None:
        self.briefings.append(briefing)

    def plan(self, observation: Observation) -> Any:
        self.observations.append(observation)
        return self._answer(observation) if callable(self._answer) else self._answer
