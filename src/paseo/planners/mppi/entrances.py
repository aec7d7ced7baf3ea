"""Where people may come from: the places of a floor plan, and where somebody has appeared."""

import numpy as np

from paseo.world.arrays import FloatArray
from paseo.world.people import Crowd
from paseo.world.space.floorplan import FloorPlan

MOST = 12  # spots that are kept in mind at a time
FIRST_STEPS = 0.7  # seconds in which nobody can get out of a newcomer's way
BURST = 1.5  # how much likelier the next newcomer is just after one: people come in groups
FADE = 0.7  # seconds in which this passes


class Entrances:
    """Remembers where people were first seen; where one came from, others will come from."""

    def __init__(self, plan: FloorPlan) -> None:
        self._places = np.array([(p.x, p.y, 0.0, 0.0) for p in plan.places]).reshape(-1, 4)
        self._spots: FloatArray = np.empty((0, 4))  # x, y, and the first steps from there
        self._moments: FloatArray = np.empty(0)
        self._known: set[int] | None = None  # nobody has looked yet

    def watch(self, crowd: Crowd, time: float) -> None:
        """Take note of who is new; those who are there at the first look came from anywhere."""
        ids = crowd.ids.tolist()
        if self._known is None:
            self._known = set(ids)
        new = np.array([person not in self._known for person in ids], np.bool_)
        if new.any():
            rows = np.column_stack([crowd.positions[new], FIRST_STEPS * crowd.velocities[new]])
            self._spots = np.concatenate([self._spots, rows])[-100 * MOST :]
            moments = np.full(len(rows), time)
            self._moments = np.concatenate([self._moments, moments])[-100 * MOST :]
            self._known.update(ids)

    def near(
        self, x: float, y: float, reach: float, times: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        """The spots around (x, y), (spots, 4), and how busy they are at `times`, (spots, times)."""
        places = self._places[np.hypot(self._places[:, 0] - x, self._places[:, 1] - y) < reach]
        near = np.hypot(self._spots[:, 0] - x, self._spots[:, 1] - y) < reach
        latest = np.nonzero(near)[0][-MOST:]
        since = times - self._moments[latest, None]  # (spots, times)
        busy = 1.0 + BURST * np.exp(-since / FADE)
        return (
            np.concatenate([places, self._spots[latest]]),
            np.concatenate([np.ones((len(places), len(times))), busy]),
        )
