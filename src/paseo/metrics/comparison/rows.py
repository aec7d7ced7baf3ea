"""Rows of a comparison: what is compared with what."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Row:
    """What makes a row of its own: a planner with its settings, and how it was run."""

    planner: str
    control: str
    rule: str
    robot: str
    settings: str = ""  # in words, where they are not the usual ones
    reactivity: float | None = None  # of people, where they answer the robot
    is_reference: bool = False  # on episodes of its own, and not to be compared
