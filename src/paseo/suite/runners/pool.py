"""A pool of worker processes in which a hung or dead planner costs only its own worker."""

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from multiprocessing import connection
from typing import Any

from paseo.errors import BadFile, PaseoError
from paseo.suite.runners.answers import Driven, Fault, finished
from paseo.suite.runners.hiring import Worker, expect, hired
from paseo.suite.runners.runner import Finished, Task
from paseo.suite.runners.worker import STILL, Death, Order, Salvage

GLANCE = 0.1  # seconds between looks at planners that may hang
PATIENCE = 60.0  # seconds more than a planner's answer that all else between two of them may take
LONGEST_SALVAGE = 600.0  # seconds in which an episode is repeated from what was noted of it
MOST_DEATHS = 4  # of workers with one order, after which nothing else is waited for


@dataclass(frozen=True, slots=True)
class LocalRunner:
    """Worker processes on this machine, which are killed with a planner that hangs.

    No worker serves two planners. One that dies may have been killed from outside: its episode is
    tried again, and called the planner's failure when the next dies in the same way.
    """

    jobs: int  # at a time

    def results(self, tasks: Sequence[Task]) -> Generator[Finished, None, None]:
        """Run all tasks, yielding each as it is done; closing the generator stops the workers."""
        if not tasks:
            return
        workers = min(self.jobs, len(tasks))
        waiting = [Order(task, workers=workers) for task in reversed(tasks)]
        steps = max(task.job.steps for task in tasks)
        expect(tasks[0].job.data, (task.job.episode for task in tasks))
        crew = [hired(steps) for _ in range(workers)]
        try:
            while waiting or any(worker.order for worker in crew):
                for place in range(workers):
                    again = _after(crew[place])
                    if again is not None:
                        waiting.append(again)
                        crew[place] = _replaced(crew[place], steps)
                    if crew[place].order is None and waiting:
                        crew[place] = _ready(crew[place], waiting[-1], steps)
                        crew[place].give(waiting.pop())
                yield from _arrived(crew)
        finally:
            for worker in crew:
                worker.dismiss()


def _ready(worker: Worker, order: Order, steps: int) -> Worker:
    """The worker, or another where it has served another planner or lies dead."""
    if worker.planner in (None, order.planner) and worker.is_alive():
        return worker
    return _replaced(worker, steps)


def _replaced(worker: Worker, steps: int) -> Worker:
    worker.dismiss()
    return hired(steps)


def _arrived(crew: list[Worker]) -> Iterator[Finished]:
    """Results that are there, after waiting a moment for one."""
    busy = {worker.pipe: worker for worker in crew if worker.order}
    ready: list[Any] = connection.wait(list(busy), timeout=GLANCE)
    for worker in [busy[pipe] for pipe in ready]:
        answer, order = worker.answer(), worker.order
        if answer is None or not isinstance(order, Order):
            continue
        if isinstance(answer.outcome, Fault):
            raise answer.outcome.error()
        if isinstance(answer.outcome, Driven):
            try:
                done = finished(order.task, answer.outcome)
            except BadFile:  # what answers there is not what we sent there
                worker.process.kill()
                worker.is_gone = True
                continue
            worker.order = None
            yield replace(done, deaths=len(order.deaths))


def _after(worker: Worker) -> Order | None:
    """What is to be done instead of an order whose worker is lost; None: it is not."""
    order = worker.order
    if not isinstance(order, Order):
        return None
    if worker.has_died():
        return _after_death(worker, order)
    settings = order.task.job.choices.settings
    hang, memory = settings.hang_limit_s, settings.memory_limit_mb
    if order.salvage is not None:
        _check_salvage(worker, order)
        return None
    if worker.silent_s() > hang:
        failure = f"the planner did not answer within {hang:g} s and was killed"
        return _salvaged(worker, order, failure, f"an answer was awaited for {hang:g} s")
    if worker.still_s() > hang + PATIENCE:
        return _after_stillness(worker, order, hang + PATIENCE)
    if memory is not None and worker.memory_mb() > memory:
        failure = f"the planner's process took more than the memory limit of {memory:g} MB"
        return _salvaged(worker, order, failure, f"its memory was limited to {memory:g} MB")
    return None


def _check_salvage(worker: Worker, order: Order) -> None:
    if worker.still_s() > LONGEST_SALVAGE:
        raise PaseoError(
            f"what is left of {order.key} could not be brought to its end within "
            f"{LONGEST_SALVAGE:g} s; run again with resume to finish the rest",
            parameters=("resume",),
        )


def _after_death(worker: Worker, order: Order) -> Order:
    """The order once more, or what is left of it where its workers die all in one way."""
    code, answering = worker.exit_code(), worker.notes.asked_at() is not None
    death = Death(code, len(worker.notes.commands()))
    deaths = (*order.deaths, death)
    is_new = code is None or death not in order.deaths
    if is_new and len(deaths) < MOST_DEATHS:
        return replace(order, deaths=deaths)
    if order.salvage is not None:
        raise PaseoError(
            f"the worker for {order.key} died outside of its planner (exit code {code}); run "
            "again with resume to finish the rest",
            parameters=("resume",),
        )
    when = "" if answering else " after it had answered"
    failure = f"the planner took its process down{when} (exit code {code})"
    return _salvaged(worker, replace(order, deaths=deaths), failure, "")


def _after_stillness(worker: Worker, order: Order, waited: float) -> Order:
    """The order once more, or what is left of it where the next worker goes still as well.

    The planner is not at work then: it is Paseo's own code that does not go on, or something that
    the planner left running keeps it from that.
    """
    deaths = (*order.deaths, Death(STILL, len(worker.notes.commands())))
    if not any(death.exit_code == STILL for death in order.deaths):
        return replace(order, deaths=deaths)
    failure = f"the episode did not go on for {waited:g} s, twice, though the planner had answered"
    clock = f"its process was still for {waited:g} s"
    return _salvaged(worker, replace(order, deaths=deaths), failure, clock)


def _salvaged(worker: Worker, order: Order, failure: str, clock: str) -> Order:
    notes = worker.notes
    return replace(order, salvage=Salvage(notes.commands(), notes.charged(), failure, clock))
