"""Where people may come from: places on the floor plan, and where somebody has appeared."""

import numpy as np

from paseo.world.floorplan import FloorPlan
from paseo.world.people import Crowd, FloatArray

MOST = 12  # spots that are kept in mind
FIRST_STEPS = 0.7  # seconds that newcomers need to get out of the way


class Entrances:
    def __init__(self, plan: FloorPlan, place: float, settled: float, burst: float, fade: float) -> None:
        self._places = np.array([(p.x, p.y, 0.0, 0.0) for p in plan.places], float).reshape(-1, 4)
        self._known: set[int] | None = None
        self._spots = np.empty((0, 4))
        self._when = np.empty(0)
        self._place, self._settled, self._burst, self._fade = place, settled, burst, fade

    def watch(self, crowd: Crowd, time: float) -> None:
        ids = set(crowd.ids.tolist())
        if self._known is None:
            self._known = ids
            return
        new = np.array([i not in self._known for i in crowd.ids.tolist()], bool)
        if new.any():
            rows = np.column_stack([crowd.positions[new], FIRST_STEPS * crowd.velocities[new]])
            self._spots = np.concatenate([self._spots, rows])
            self._when = np.concatenate([self._when, np.full(len(rows), time)])
            self._known |= ids

    def spots(self, x: float, y: float, reach: float, moments: FloatArray) -> tuple[FloatArray, FloatArray]:
        """(spots, 4) and rates (spots, steps)."""
        near = np.hypot(self._spots[:, 0] - x, self._spots[:, 1] - y) < reach
        fresh = np.nonzero(near)[0][-MOST:]
        since = moments - self._when[fresh, None]
        rates = self._settled + self._burst * np.exp(-since / self._fade)
        near = np.hypot(self._places[:, 0] - x, self._places[:, 1] - y) < reach
        places = self._places[near]
        return (
            np.concatenate([places, self._spots[fresh]]),
            np.concatenate([np.full((len(places), len(moments)), self._place), rates]),
        )
