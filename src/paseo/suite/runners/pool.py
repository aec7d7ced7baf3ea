"""A pool of worker processes in which a hung or dead planner costs only its own worker."""

import multiprocessing
import time
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from multiprocessing import connection
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any

from paseo.errors import PaseoError
from paseo.suite.runners.runner import Finished, Task
from paseo.suite.runners.watching import FIRST_COMMAND, Notebook
from paseo.suite.runners.worker import Answer, Order, Salvage, work

GLANCE = 0.1  # seconds between looks at planners that may hang
FAREWELL = 10.0  # seconds in which a process whose pipe has closed must have ended


@dataclass(slots=True)
class _Worker:
    process: BaseProcess
    tasks: Connection
    notes: Notebook
    order: Order | None = None
    is_gone: bool = False  # its end of the pipe is closed

    def give(self, order: Order) -> None:
        self.order = order
        self.notes.values()[:FIRST_COMMAND] = 0
        try:
            self.tasks.send(order)
        except ConnectionError:
            self.is_gone = True


@dataclass(frozen=True, slots=True)
class LocalRunner:
    """Worker processes on this machine, which are killed with a planner that hangs."""

    jobs: int  # at a time

    def results(self, tasks: Sequence[Task]) -> Generator[Finished, None, None]:
        """Run all tasks, yielding each as it is done; closing the generator stops the workers."""
        if not tasks:
            return
        workers = min(self.jobs, len(tasks))
        waiting = [Order(task, workers=workers) for task in reversed(tasks)]
        steps = max(task.job.steps for task in tasks)
        crew = [_hired(steps) for _ in range(workers)]
        try:
            while waiting or any(worker.order for worker in crew):
                for place, worker in enumerate(crew):
                    if worker.order is None and not worker.process.is_alive():
                        _dismiss(worker)  # taken down by what an earlier planner left behind
                        worker = crew[place] = _hired(steps)
                    if worker.order is None and waiting:
                        worker.give(waiting.pop())
                    salvage = _lost(worker)
                    if salvage is not None:
                        assert worker.order is not None
                        _dismiss(worker)
                        waiting.append(Order(worker.order.task, salvage))
                        crew[place] = _hired(steps)
                yield from _arrived(crew)
        finally:
            for worker in crew:
                _dismiss(worker)


def _arrived(crew: list[_Worker]) -> Iterator[Finished]:
    """Results that are there, after waiting a moment for one."""
    busy = {worker.tasks: worker for worker in crew if worker.order}
    ready: list[Any] = connection.wait(list(busy), timeout=GLANCE)
    for tasks in ready:
        try:
            answer: Answer = tasks.recv()
        except (EOFError, OSError):
            busy[tasks].is_gone = True  # `_lost` sees to it in the next round
            continue
        worker = busy[tasks]
        key, outcome = answer
        if worker.order is None or key != worker.order.task.job.key:
            continue  # a stray, sent by what an earlier planner left behind
        worker.order = None
        if isinstance(outcome, PaseoError):
            raise outcome
        yield outcome


def _lost(worker: _Worker) -> Salvage | None:
    """What to save from a worker whose planner hangs or has taken the process down."""
    if worker.order is None:
        return None
    job, salvaging = worker.order.task.job, worker.order.salvage is not None
    asked_at = worker.notes.asked_at()
    # A pipe that has closed can be read, so the second half asks whether an answer is left in it.
    if worker.is_gone or not (worker.process.is_alive() or worker.tasks.poll()):
        worker.process.join(FAREWELL)  # for its exit code
        code = f"(exit code {worker.process.exitcode})"
        if salvaging:
            raise PaseoError(
                f"the worker for {job.key} died outside of its planner {code}; run again with "
                "resume to finish the rest",
                parameters=("resume",),
            )
        when = " after it had answered" if asked_at is None else ""
        failure = f"the planner took its process down{when} {code}"
        return _salvage(worker.notes, failure)
    limit = job.choices.settings.hang_limit_s
    if asked_at is not None and time.monotonic() - asked_at > limit and not salvaging:
        failure = f"the planner did not answer within {limit:g} s and was killed"
        return _salvage(worker.notes, failure, f"an answer was awaited for {limit:g} s")
    return None


def _salvage(notes: Notebook, failure: str, clock: str = "") -> Salvage:
    return Salvage(notes.commands(), notes.charged(), failure, clock)


def _hired(steps: int) -> _Worker:
    context = _context()
    notes = Notebook(steps)
    ours, theirs = context.Pipe()
    process = context.Process(target=work, args=(theirs, notes), daemon=True)
    process.start()
    theirs.close()
    return _Worker(process, ours, notes)


def _dismiss(worker: _Worker) -> None:
    worker.process.kill()
    worker.process.join()
    worker.tasks.close()


def _context() -> Any:
    """Workers forked from a clean server that has imported everything, where that exists."""
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["paseo.suite.runners.worker"])
    return context
