"""Who the robot touches: one touch of one person counts once until they part."""

import math
from dataclasses import replace

import numpy as np

from paseo.compiled import compiled
from paseo.errors import PaseoError
from paseo.world.arrays import BoolArray, FloatArray, IntArray
from paseo.world.people import Crowd, Snapshot
from paseo.world.records import Contact

APPEARED_ON_ROBOT, TOUCHED, PARTED = 0, 1, 2


class Contacts:
    """Watches the robot and the people, state by state.

    The rule for a person who appears on top of the robot: the overlap is recorded but not
    counted; after the two have parted, a new touch of the same person counts.
    """

    def __init__(self, ids: IntArray) -> None:
        self._ids = ids
        self._present = np.zeros(len(ids), np.bool_)
        self._touching = np.zeros(len(ids), np.bool_)
        self._events = np.empty((2 * len(ids), 2), np.int64)
        self._open: dict[int, Contact] = {}
        self._closed: list[Contact] = []

    def update(self, step: int, snapshot: Snapshot, row: FloatArray) -> bool:
        """Fill the record's `row` of people; say whether a counted touch began."""
        robot, crowd = snapshot.robot, snapshot.crowd
        count = tally(
            robot.pose.x, robot.pose.y, robot.radius, crowd.ids, crowd.positions, crowd.radii,
            self._ids, self._present, self._touching, row, self._events,
        )  # fmt: skip
        if count == 0:
            return False
        if count < 0:
            raise PaseoError("the crowd holds people who are not in the scenario's tracks")
        begun = [self._note(step, snapshot, *event) for event in self._events[:count].tolist()]
        return any(begun)

    def all(self, last_step: int) -> tuple[Contact, ...]:
        """Every contact so far, in order of beginning; the open ones end at `last_step`."""
        open_now = (replace(each, last_step=last_step) for each in self._open.values())
        return tuple(sorted([*self._closed, *open_now], key=lambda c: (c.first_step, c.person)))

    def _note(self, step: int, snapshot: Snapshot, column: int, kind: int) -> bool:
        if kind == PARTED:
            self._close(column, step - 1)
            return False
        pose = snapshot.robot.pose
        self._open[column] = Contact(
            person=int(self._ids[column]),
            first_step=step,
            last_step=step,
            x=pose.x,
            y=pose.y,
            counted=kind == TOUCHED,
        )
        return kind == TOUCHED

    def _close(self, column: int, last_step: int) -> None:
        begun = self._open.pop(column)
        self._closed.append(replace(begun, last_step=last_step))


def spread(crowd: Crowd, ids: IntArray, row: FloatArray) -> None:
    """Write a crowd's positions into a record's row; NaN for those who are not in it."""
    row[:] = np.nan
    row[np.searchsorted(ids, crowd.ids)] = crowd.positions


@compiled
def tally(
    x: float,
    y: float,
    radius: float,
    ids: IntArray,
    positions: FloatArray,
    radii: FloatArray,
    all_ids: IntArray,
    present: BoolArray,
    touching: BoolArray,
    row: FloatArray,
    events: IntArray,
) -> int:
    """Update who is present and touching; return how many events, -1 for an unknown person."""
    count, k = 0, 0
    for column in range(all_ids.shape[0]):
        here = k < ids.shape[0] and ids[k] == all_ids[column]
        touches = False
        if here:
            row[column, 0], row[column, 1] = positions[k, 0], positions[k, 1]
            distance = math.hypot(positions[k, 0] - x, positions[k, 1] - y)
            touches = distance < radius + radii[k]
            k += 1
        else:
            row[column, 0], row[column, 1] = math.nan, math.nan
        if touches != touching[column]:
            events[count, 0] = column
            if touches:
                events[count, 1] = TOUCHED if present[column] else APPEARED_ON_ROBOT
            else:
                events[count, 1] = PARTED
            count += 1
        touching[column], present[column] = touches, here
    return count if k == ids.shape[0] else -1
