"""Batches on their way: sent once, found again after a kill, waited for, and handed over."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TypeVar
from uuid import uuid4

from paseo.errors import CannotWrite
from paseo.vlm.batches import Batches, BatchLimits, BatchResult, BatchStatus, NotThere
from paseo.vlm.failures import ModelError, TryAgain
from paseo.vqa.exam.batching.ledger import Ledger, SentBatch
from paseo.vqa.exam.sessions import Request
from paseo.vqa.exam.workers import Clock

Value = TypeVar("Value")
LONGEST_PAUSE_S = 60.0  # between two looks at a batch, or attempts at anything
FIRST_PAUSE_S, GROWTH = 2.0, 1.5
LONGEST_WAIT_S = 50 * 3600.0  # providers end a batch after 24 hours, one of them after 48
KEPT_S = 30 * 24 * 3600.0  # that providers keep results
LOOKS = 3  # for a batch that may have been sent: lists of batches may lag behind


class Halt(Exception):
    """Somebody wants the exam to end."""


class Spool:
    """Requests as lines of a file, until there are enough for a batch."""

    def __init__(self, path: Path, limits: BatchLimits) -> None:
        self.path, self._limits = path, limits
        self.requests: list[Request] = []
        self._size = 0

    def holds(self, line: bytes) -> bool:
        """Whether one more line fits into the batch."""
        room = self._size + len(line) + 64 <= self._limits.content  # what encloses it
        return room and len(self.requests) < self._limits.requests

    def add(self, request: Request, line: bytes) -> None:
        """One more line."""
        try:
            with self.path.open("ab" if self.requests else "wb") as file:
                file.write(line + b"\n")
        except OSError as error:
            raise CannotWrite(f"{self.path}: cannot be written ({error})") from error
        self.requests.append(request)
        self._size += len(line) + 1

    def clear(self) -> None:
        """Begin another batch; the file goes."""
        self.path.unlink(missing_ok=True)
        self.requests, self._size = [], 0


class Post:
    """Carries batches to a provider and their results back."""

    def __init__(
        self,
        batches: Batches,
        ledger: Ledger,
        *,
        clock: Clock,
        pause: Callable[[float], None],
        retries: int,
        new_tag: Callable[[], str] = lambda: f"paseo-{uuid4().hex}",
    ) -> None:
        self._batches, self._ledger, self._clock = batches, ledger, clock
        self._pause, self._retries, self._new_tag = pause, retries, new_tag

    def send(self, spool: Spool) -> None:
        """Send what was gathered as one batch, which is noted before and after."""
        tag, count, now_s = self._new_tag(), len(spool.requests), self._clock.time()
        self._ledger.intend(tag, spool.requests, now_s=now_s)
        begun = False

        def sent() -> list[str]:
            # Whoever got no answer cannot know whether there is a batch: first look for it.
            nonlocal begun
            found = self._found(tag, now_s, count) if begun else []
            begun = True
            return found or [self._batches.send(tag, spool.path)]

        try:
            ids = self.patiently(sent)
        except TryAgain:
            raise  # it may have been sent: whoever goes on looks for it
        except ModelError:
            self._ledger.close(tag)
            raise
        self._ledger.name(tag, ids)
        spool.clear()

    def adopted(self, batch: SentBatch) -> list[str]:
        """The ids of a batch that was sent, or not, when the exam was killed; it is noted which."""
        ids: list[str] = []
        for look in range(LOOKS):
            if look:
                self._pause(LONGEST_PAUSE_S / LOOKS)
            ids = self.patiently(lambda: self._found(batch.tag, batch.sent_s, len(batch.requests)))
            if ids:
                self._ledger.name(batch.tag, ids)
                return ids
        self._ledger.close(batch.tag)
        return ids

    def _found(self, tag: str, since_s: float, count: int) -> list[str]:
        known = self._ledger.ids()
        found = self._batches.find(tag, since_s=since_s, requests=count)
        return [id for id in found if id not in known]

    def over(self, batch: SentBatch, ids: Sequence[str]) -> list[BatchStatus] | None:
        """How a batch ended; None while it has not."""
        try:
            statuses = [self.patiently(partial(self._batches.status, id)) for id in ids]
        except NotThere as error:
            if self._clock.time() - batch.sent_s > KEPT_S:
                return []
            raise ModelError(
                f"the batch {ids[0]} of this exam is not known any more ({error}); was it sent "
                "with another key? After 30 days its questions are asked again"
            ) from error
        if all(status.over for status in statuses):
            return statuses
        if self._clock.time() - batch.sent_s > LONGEST_WAIT_S:
            raise ModelError(
                f"the batch {ids[0]} has not ended after {LONGEST_WAIT_S / 3600:.0f} hours; look "
                "at it at the provider's, and go on when it has"
            )
        return None

    def results(self, statuses: Sequence[BatchStatus]) -> Iterator[BatchResult]:
        """All that came of a batch."""
        for status in statuses:
            yield from self._batches.results(status)

    def patiently(self, do: Callable[[], Value]) -> Value:
        """What comes of it, after passing failures, so many at most."""
        for attempt in range(self._retries):
            try:
                return do()
            except TryAgain as error:
                waited = FIRST_PAUSE_S * 2**attempt if error.retry_after_s is None else 0.0
                self._pause(min(max(waited, error.retry_after_s or 0.0), LONGEST_PAUSE_S))
        return do()
