"""One worker process: takes tasks, carries them out, and sends back what came of them."""

import math
import os
import signal
import sys
import threading
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing import connection, parent_process
from multiprocessing.connection import Connection
from pathlib import Path

from paseo.errors import PaseoError
from paseo.planners.choices import PlannerChoice, make_planner
from paseo.planners.names import is_reference
from paseo.registry.registry import made
from paseo.sim.simulate import simulate
from paseo.suite.runners.answers import Answer, Driven, Introduced, fault_of, introduced, send
from paseo.suite.runners.carrying_out import (
    carried_out,
    clock_of,
    driven,
    lost_record,
)
from paseo.suite.runners.kernels import warm
from paseo.suite.runners.runner import Task
from paseo.suite.runners.watching import (
    LatePlanner,
    Notebook,
    NotedClock,
    Replayed,
    WatchedPlanner,
)
from paseo.suite.runs.jobs import world_of
from paseo.suite.runs.timing import Timing
from paseo.world.arrays import FloatArray
from paseo.world.planning import Planner

if sys.platform == "linux":
    import fcntl

STILL = "still"  # how a worker ends that gives no sign of life


@dataclass(frozen=True, slots=True)
class Salvage:
    """What is known of an episode whose planner had to be killed, or died."""

    commands: FloatArray  # (steps, 3)
    charged: tuple[float, ...]  # seconds, for each answer
    failure: str
    clock: str


@dataclass(frozen=True, slots=True)
class Death:
    """How a worker died."""

    exit_code: int | str | None  # STILL: it was ended; None: nobody knows
    commands: int  # that it had given by then


@dataclass(frozen=True, slots=True)
class Order:
    """A task to carry out, or to bring to an end where its planner is gone."""

    task: Task
    salvage: Salvage | None = None
    workers: int = 1  # that work at the same time
    deaths: tuple[Death, ...] = ()  # of workers that had it before

    @property
    def key(self) -> str:
        """Of its job."""
        return self.task.job.key

    @property
    def planner(self) -> str:
        """Who is let into the worker with it."""
        return self.task.job.planner.label


@dataclass(frozen=True, slots=True)
class Introduction:
    """A planner to make, only to see what it says of itself."""

    choice: PlannerChoice

    @property
    def key(self) -> str:
        """Of the planner."""
        return self.choice.label

    @property
    def planner(self) -> str:
        """Who is let into the worker with it."""
        return self.choice.label


def work(tasks: Connection, notes: Notebook) -> None:
    """Do tasks until the other end closes; run as a process of its own."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to handle
    if hasattr(os, "setsid"):
        os.setsid()  # whoever ends this process finds all that a planner starts
    os.dup2(2, 1)  # what a planner prints is talk; stdout is for data
    _die_with_parent()
    here, this_process = Path.cwd(), os.getpid()
    while True:
        try:
            order: Order | Introduction = tasks.recv()
        except (EOFError, OSError):  # also if the planner closed our end
            return
        os.chdir(here)  # the episode before may have gone elsewhere
        answer = _answer(order, notes)
        if os.getpid() != this_process:
            os._exit(0)  # a copy that the planner forked; the original answers
        try:
            send(tasks, answer)
        except OSError:
            return


def _answer(order: Order | Introduction, notes: Notebook) -> Answer:
    try:
        if isinstance(order, Introduction):
            return Answer(order.key, _introduced(order, notes))
        return Answer(order.key, driven_by(order, notes))
    except PaseoError as error:
        return Answer(order.key, fault_of(error))


def _introduced(order: Introduction, notes: Notebook) -> Introduced:
    with notes.awaiting("being made"):
        planner = make_planner(order.choice)
        return made(f"planner '{order.planner}'", lambda: introduced(planner), told=(PaseoError,))


def driven_by(order: Order, notes: Notebook) -> Driven:
    """Run one episode with its planner, or with what is left of it."""
    task, salvage = order.task, order.salvage
    if salvage is None or is_reference(task.job.planner.reference):
        # The parent ends planners that hang, by any clock.
        clock = NotedClock(clock_of(task, math.inf), notes)
        return carried_out(task, lambda: _watched(task, notes), clock, workers=order.workers)
    planner = Replayed(salvage.commands, salvage.failure)
    record = simulate(world_of(task.job), planner, provenance=task.provenance)
    measured = task.provenance.timekeeping.is_measured
    timing = Timing(charged_s=salvage.charged if measured else None)
    return driven(lost_record(record, salvage.clock), timing)


def _watched(task: Task, notes: Notebook) -> Planner:
    """The task's planner, its kernels loaded, watched from now on."""
    choice = task.job.planner
    planner = WatchedPlanner(LatePlanner(lambda: make_planner(choice), task.place), notes)
    with suppress(PaseoError), notes.awaiting("begin()"):  # what is wrong shows when it begins
        warm(choice, task.job.control)
    return planner


def _die_with_parent() -> None:
    """See to it that this process ends with its parent, whatever the planner is doing then."""
    parent = parent_process()
    if parent is None:
        return
    threading.Thread(target=_exit_after, args=(parent.sentinel,), daemon=True).start()
    # No thread runs while a planner holds the interpreter's lock; Linux itself can end us then.
    if sys.platform == "linux":
        fcntl.fcntl(parent.sentinel, fcntl.F_SETOWN, os.getpid())
        fcntl.fcntl(parent.sentinel, fcntl.F_SETSIG, signal.SIGKILL)
        fcntl.fcntl(parent.sentinel, fcntl.F_SETFL, os.O_ASYNC)


def _exit_after(parent: int) -> None:
    connection.wait([parent])
    os._exit(1)
