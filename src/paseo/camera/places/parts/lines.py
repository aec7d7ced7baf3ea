"""Walls of a floor plan as lines to build along."""

from dataclasses import dataclass, replace

import numpy as np

from paseo.world.arrays import FloatArray

UP = np.array([0.0, 0.0, 1.0])


@dataclass(frozen=True, slots=True, eq=False)
class Wall:
    """A wall as seen from where one walks: its left end, the way along it, its front."""

    start: FloatArray  # (3,), on the ground
    along: FloatArray  # (3,), unit length
    front: FloatArray  # (3,), unit length
    length: float
    joined: tuple[bool, bool] = (False, False)  # whether what is behind it goes on at its ends

    def at(self, across: float, up: float, depth: float = 0.0) -> FloatArray:
        """A point so far along, so high, and so deep in the wall or behind it."""
        return self.start + self.along * across + UP * up - self.front * depth

    def longer(self, left: float, right: float) -> "Wall":
        """The same, so much longer at its ends."""
        start = self.start - self.along * left
        return replace(self, start=start, length=self.length + left + right)

    def piece(self, left: float, right: float) -> "Wall":
        """The part of it between two places along it."""
        return replace(self, start=self.at(left, 0.0), length=right - left, joined=(False, False))

    def at_line(self, across: float, depth: float) -> "Wall":
        """A line of the same direction that begins so far along and so far behind."""
        start = self.at(across, 0.0, depth)
        return replace(self, start=start, length=0.0, joined=(False, False))

    def edges(self, across: float, depth: float, up: float) -> FloatArray:
        """The edges of a box, (3, 3), that goes so far along, backwards and up."""
        return np.stack([self.along * across, -self.front * depth, UP * up])


def line(x: float, y: float, heading: float, length: float = 0.0) -> Wall:
    """A line that runs along a heading; its front is to the right of it."""
    along = np.array([np.cos(heading), np.sin(heading), 0.0])
    front = np.array([np.sin(heading), -np.cos(heading), 0.0])
    return Wall(np.array([x, y, 0.0]), along, front, length)
