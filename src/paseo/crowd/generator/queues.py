"""People in line: who is before whom, where each stands, and when the first is served."""

import math
from typing import Protocol

import numpy as np

from paseo.crowd.generator.manners import ALONE, STANDING
from paseo.world.arrays import FloatArray, IntArray
from paseo.world.recipes import Stay

JOINING = 1.2  # metres from the tail, where somebody is in line
IN_PLACE = 0.15  # metres


class People(Protocol):
    """What a line needs to know of people, and sets."""

    about: IntArray
    positions: FloatArray
    points: FloatArray


class Line:
    """One queue; places are counted from the front."""

    def __init__(self, stay: Stay, rng: np.random.Generator) -> None:
        self._front = np.array([stay.x, stay.y])
        self._back = stay.spacing * np.array([math.cos(stay.direction), math.sin(stay.direction)])
        self._mean, self._rng = stay.duration, rng
        self._done = math.inf  # when the first in line is served
        self.order: list[int] = []

    @property
    def tail(self) -> FloatArray:
        """Where the next one stands."""
        return self._place(len(self.order))

    def _place(self, number: int) -> FloatArray:
        place: FloatArray = self._front + number * self._back
        return place

    def serve(self, people: People, person: int, time: float) -> bool:
        """Let somebody join who has come near enough; whether that person has been served."""
        if person not in self.order:
            people.points[person] = self.tail
            if np.hypot(*(people.positions[person] - self.tail)) < JOINING:
                self.order.append(person)
            return False
        if person == self.order[0] and time >= self._done:
            self.order.pop(0)
            self._done = math.inf
            return True
        return False

    def move_up(self, people: People, time: float) -> None:
        """Send everybody in line to their place; the first is served from when they are there."""
        for number, person in enumerate(self.order):
            people.points[person] = self._place(number)
            off = np.hypot(*(people.positions[person] - people.points[person]))
            if off < IN_PLACE:
                people.about[person] = STANDING
                if number == 0 and self._done == math.inf:
                    self._done = time + max(self._rng.gamma(2.0, self._mean / 2.0), 1.0)
            elif off > 2.0 * IN_PLACE or people.about[person] != STANDING:
                people.about[person] = ALONE
