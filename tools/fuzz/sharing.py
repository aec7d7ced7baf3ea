"""Several processes at once: each takes some kinds of file, and no kind is taken by two."""

import queue
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor

from fuzz.target import Limits, Trial
from fuzz.watching import PER_CHILD, USUAL, Order, Problem, trials

SHARES = 2  # at least, for each process: kinds differ in how long they take


def shared(
    orders: Sequence[Order],
    seed: str,
    jobs: int,
    most: Limits = USUAL,
    *,
    targets: str = "fuzz.targets",
) -> Iterator[Trial | Problem]:
    """As `trials`, by so many processes: the same mutants, those of each kind in order."""
    found: queue.Queue[Trial | Problem | BaseException | None] = queue.Queue()
    stop = threading.Event()

    def work(lot: Sequence[Order]) -> None:
        try:
            for each in () if stop.is_set() else trials(lot, seed, most, targets=targets):
                found.put(each)
                if stop.is_set():
                    return
            found.put(None)
        except BaseException as error:
            found.put(error)

    lots = list(_lots(orders, jobs))
    with ThreadPoolExecutor(jobs) as workers:
        for lot in lots:
            workers.submit(work, lot)
        try:
            yield from _told(found, len(lots))
        finally:
            stop.set()


def _told(
    found: "queue.Queue[Trial | Problem | BaseException | None]", lots: int
) -> Iterator[Trial | Problem]:
    while lots:
        match found.get():
            case None:
                lots -= 1
            case BaseException() as error:
                raise error
            case each:
                yield each


def _lots(orders: Sequence[Order], jobs: int) -> Iterator[list[Order]]:
    """Neighbours share a process, which starts slowly, until it has enough to do."""
    room = min(PER_CHILD, sum(each.left for each in orders) // (SHARES * jobs))
    lot: list[Order] = []
    for each in orders:
        if lot and sum(other.left for other in lot) + each.left > room:
            yield lot
            lot = []
        lot.append(each)
    if lot:
        yield lot
