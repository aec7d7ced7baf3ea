"""A planner under watch: how long it takes, and whether it leaves alone what it is handed."""

import math
import time
from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any, TypeVar

import numpy as np

from paseo.errors import PlannerFailed
from paseo.world.people import Crowd
from paseo.world.planning import Briefing, Observation, Planner
from paseo.world.space.floorplan import FloorPlan

ENOUGH = 0.5  # seconds of planning after which a slow planner is not asked any further
AT_WORK = 0.25  # of the clock's time; a busy machine leaves a planner that computes more than that
ARRAYS = ("ids", "positions", "velocities", "radii")

T = TypeVar("T")


class Watched:
    """Passes everything on to a planner, and takes notes.

    With `writable` the planner is handed people that can be changed, unlike in a run, so that it
    shows whether it would.
    """

    def __init__(self, planner: Planner, *, writable: bool) -> None:
        self._planner, self._writable = planner, writable
        self._handed: list[tuple[Crowd, Crowd]] = []  # what the planner got, and what it was
        self.begin_time = 0.0
        self.plan_times: list[float] = []
        self._quickest = math.inf  # seconds of a plan() by the clock
        self._changes: list[str] = []

    def begin(self, briefing: Briefing) -> None:
        """Begin, timed."""
        self._told = briefing
        self._was = replace(briefing, robot=replace(briefing.robot))
        self._plan_was = _facts(briefing.floorplan)
        self._dt = briefing.dt
        _, self.begin_time, _ = _timed(lambda: self._planner.begin(briefing))

    def plan(self, observation: Observation) -> Any:
        """Plan, timed."""
        if self._writable:
            seen = Crowd(*(np.array(getattr(observation.crowd, name)) for name in ARRAYS))
            self._handed.append((seen, observation.crowd))
            observation = Observation(observation.time, observation.robot, seen)
        answer, took, by_clock = _timed(lambda: self._planner.plan(observation))
        self.plan_times.append(took)
        self._quickest = min(self._quickest, by_clock)
        if self._writable and self.is_slow and self.mean_time * len(self.plan_times) > ENOUGH:
            raise PlannerFailed("plan() is too slow to go on")
        if not self._changes:
            self._compare(self._handed[-1:], "plan() changed {} of its observation")
        return answer

    def changes(self) -> list[str]:
        """What the planner changed of all that it was handed, as sentences."""
        if not self._changes:
            self._compare(self._handed, "plan() changed {} of an observation it had kept")
        told, was = self._told, self._was
        names = [each.name for each in fields(Briefing) if each.name != "floorplan"]
        changed = [name for name in names if getattr(told, name) != getattr(was, name)]
        if told.floorplan is not was.floorplan or _facts(told.floorplan) != self._plan_was:
            changed.append("floorplan")
        briefing = [f"begin() or plan() changed {' and '.join(changed)} of its briefing"]
        return self._changes + (briefing if changed else [])

    @property
    def mean_time(self) -> float:
        """Seconds of a plan() on average; the longest, in which it may compile, does not count.

        Who mostly waits, for which no processor is needed, takes as long as its quickest plan() by
        the clock.
        """
        counted = sorted(self.plan_times)[:-1]
        mean = sum(counted) / len(counted) if counted else 0.0
        waits = bool(counted) and mean < AT_WORK * self._quickest
        return self._quickest if waits else mean

    @property
    def is_slow(self) -> bool:
        """Whether a robot would have to wait for it."""
        return self.mean_time > self._dt

    def _compare(self, handed: list[tuple[Crowd, Crowd]], sentence: str) -> None:
        for seen, was in handed:
            for name in ARRAYS:
                if not np.array_equal(getattr(seen, name), getattr(was, name), equal_nan=True):
                    self._changes.append(sentence.format(f"crowd.{name}"))
                    return


def _facts(plan: FloorPlan) -> tuple[object, ...]:
    """What may not change about a floor plan; its arrays cannot, but might be exchanged."""
    return id(plan.walls), id(plan.free), plan.cell_size, plan.origin, plan.places, plan.name


def _timed(work: Callable[[], T]) -> tuple[T, float, float]:
    """What some work gave, how many seconds it took, and how many by the clock.

    The former is what the clock or the processor says, whichever is less: a busy machine makes
    the first too long, threads the second.
    """
    clock, processor = time.perf_counter(), time.process_time()
    given = work()
    by_clock = time.perf_counter() - clock
    return given, min(by_clock, time.process_time() - processor), by_clock
