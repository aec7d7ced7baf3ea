"""What followed a decision: contacts, near misses, and when the robot would be at its goal."""

from dataclasses import dataclass

import numpy as np

from paseo.metrics.record.closeness import INTIMATE, reach_of
from paseo.planners.way_ahead import Way, way_of
from paseo.sim.episode import briefing
from paseo.world.records import Outcome, Record
from paseo.world.space.geometry import field_at


@dataclass(frozen=True, slots=True, kw_only=True)
class Followed:
    """What came within some seconds of a decision."""

    contacts: int  # that count, and began
    near_misses: int  # people who came nearer than the intimate zone's edge, and were not touched
    arrival_s: float  # after the decision; who has not arrived drives on at top speed

    def spared(self, instead: "Followed") -> tuple[float, float, float]:
        """Contacts, near misses and seconds that there would have been fewer."""
        return (
            float(self.contacts - instead.contacts),
            float(self.near_misses - instead.near_misses),
            self.arrival_s - instead.arrival_s,
        )


class Window:
    """The seconds after decisions of one episode, however it is driven."""

    def __init__(self, record: Record, horizon: float) -> None:
        self._steps = round(horizon / record.scenario.dt)
        self._way: Way = way_of(briefing(record.scenario, record.provenance.control))

    def followed(self, record: Record, time_s: float) -> Followed:
        """What a record tells of them."""
        dt, robot = record.scenario.dt, record.scenario.robot
        first = round(time_s / dt)
        last = min(first + self._steps, len(record.robot) - 1)
        arrived = record.outcome is Outcome.REACHED_GOAL and last == len(record.robot) - 1
        spent = (last - first if arrived else self._steps) * dt
        left = 0.0 if arrived else self._metres_left(record, last) / robot.max_speed
        return Followed(
            contacts=sum(
                each.counted and first < each.first_step <= last for each in record.contacts
            ),
            near_misses=_near_misses(record, first + 1, last + 1),
            arrival_s=spent + left,
        )

    def _metres_left(self, record: Record, step: int) -> float:
        x, y = record.robot[step, :2].tolist()
        way = self._way
        found = field_at(x, y, way.metres, way.x0, way.y0, way.cell_size)
        goal = record.scenario.goal
        # Where the whole disc finds no room no way begins.
        return float(found) if found >= 0 else float(np.hypot(goal.x - x, goal.y - y))


def _near_misses(record: Record, first: int, end: int) -> int:
    people = record.people[first:end]
    away = np.linalg.norm(people - record.robot[first:end, None, :2], axis=2) - reach_of(record)
    if not away.size:
        return 0
    nearest = np.where(np.isnan(away), np.inf, away).min(axis=0)
    return int(np.sum((nearest >= 0) & (nearest < INTIMATE)))
