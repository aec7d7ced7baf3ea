"""Work on values that are there already, shared by forked processes where there are such."""

import multiprocessing
import os
from collections.abc import Callable, Iterator, Sequence
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any, TypeVar

from paseo.errors import InputError, PaseoError
from paseo.stopping import leave_to_parent

T = TypeVar("T")
R = TypeVar("R")
WORTH_IT = 4  # tasks for each process, below which none is started


def shared(work: Callable[[T], R], tasks: Sequence[T]) -> Iterator[R]:
    """What the work makes of each task, in order, as soon as it is there.

    A fork passes on tasks of any kind as they are; what is made of them must be picklable.
    """
    shares = os.cpu_count() or 1
    if "fork" not in multiprocessing.get_all_start_methods() or len(tasks) < WORTH_IT * shares:
        yield from map(work, tasks)
        return
    helpers = [_started(work, tasks[k::shares]) for k in range(shares)]
    try:
        for k in range(len(tasks)):
            yield _received(helpers[k % shares][1])
    finally:
        for process, _ in helpers:
            process.kill()  # those that have not ended: nobody waits for their answers
            process.join()


def _started(work: Callable[[T], R], tasks: Sequence[T]) -> tuple[BaseProcess, Connection]:
    fork = multiprocessing.get_context("fork")
    # Made one by one: no process holds the sending end of another, so a death is noticed.
    receiver, sender = fork.Pipe(duplex=False)
    process = fork.Process(target=_work_on, args=(work, tasks, sender), daemon=True)
    process.start()
    sender.close()
    return process, receiver


def _work_on(work: Callable[[T], R], tasks: Sequence[T], sender: Connection) -> None:
    leave_to_parent()
    for task in tasks:
        try:
            sender.send((work(task), None))
        except PaseoError as error:
            is_input = isinstance(error, InputError)
            sender.send((None, (str(error), error.parameters, is_input)))
            return


def _received(receiver: Connection) -> Any:
    try:
        answer, fault = receiver.recv()
    except EOFError as error:
        raise PaseoError("a process that measured records died; try again") from error
    if fault is not None:
        sentence, parameters, is_input = fault
        raise (InputError if is_input else PaseoError)(sentence, parameters=parameters)
    return answer
