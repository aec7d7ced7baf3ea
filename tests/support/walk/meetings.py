"""A robot and people who walk straight, and the contacts that come of it."""

from dataclasses import replace
from typing import Any

import numpy as np

from drives import record
from paseo.world.arrays import FloatArray
from paseo.world.motion import Control
from paseo.world.records import Contact, Record

DT = 0.05


def walk(start: tuple[float, float], velocity: tuple[float, float], steps: int = 80) -> FloatArray:
    """Places along a straight line, (steps + 1, 2)."""
    return np.array(start) + np.arange(steps + 1)[:, None] * DT * np.array(velocity)


def meeting(
    robot: FloatArray, /, *people: FloatArray, heading: float = 0.0, **changes: Any
) -> Record:
    """A record whose contacts are those that its places tell."""
    poses = np.column_stack([robot, np.full(len(robot), heading)])
    made = record(poses, people, control=changes.pop("control", Control.VELOCITY), **changes)
    reach = made.scenario.robot.radius + made.scenario.person_radius
    contacts = []
    for person, places in enumerate(people, 1):
        touching = np.flatnonzero(np.hypot(*(places - robot).T) < reach)
        if len(touching):
            first, last = int(touching[0]), int(touching[-1])
            x, y = robot[first].tolist()
            contacts.append(
                Contact(person=person, first_step=first, last_step=last, x=x, y=y, counted=True)
            )
    return replace(made, contacts=tuple(contacts))
