"""The seam to batch interfaces: many prompts sent at once, for half the price, answered within a
day."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, runtime_checkable

from paseo.vlm.failures import ModelError
from paseo.vlm.models import Prompt, Reply

PRICE = 0.5  # of a batch's tokens, in parts of what they cost one by one


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchLimits:
    """The most that fits into one batch."""

    requests: int
    content: int  # bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchStatus:
    """How far a batch is."""

    id: str
    over: bool  # whether nothing more will come
    ending: str = ""  # the provider's word for where it stands: completed, expired, ...
    done: int = 0  # requests
    problem: str = ""  # why it was not done at all, in words
    files: tuple[str, ...] = ()  # where its results are


@dataclass(frozen=True, slots=True)
class BatchResult:
    """What came of one request of a batch; without a key it is a line that cannot be read."""

    key: str
    outcome: Reply | ModelError


class NotThere(ModelError):
    """The provider knows of no such batch or file, or offers no batches."""


class Batches(Protocol):
    """A provider's batch interface; failures are those of `paseo.vlm.failures`."""

    limits: BatchLimits

    def line(self, key: str, prompt: Prompt) -> bytes:
        """A request as one line of a batch, without its end."""
        ...

    def send(self, tag: str, lines: Path) -> str:
        """Send a file of lines as a batch under a tag of ours; the provider's id of it."""
        ...

    def find(self, tag: str, *, since_s: float, requests: int) -> list[str]:
        """The ids of batches that may be the one sent under a tag, at that time or later."""
        ...

    def status(self, id: str) -> BatchStatus:
        """How far a batch is."""
        ...

    def results(self, status: BatchStatus) -> Iterator[BatchResult]:
        """All that came of a batch that is over, in any order."""
        ...


@runtime_checkable
class TakesBatches(Protocol):
    """A model whose provider has a batch interface."""

    def batches(self) -> Batches:
        """The interface, for this model and its settings."""
        ...
