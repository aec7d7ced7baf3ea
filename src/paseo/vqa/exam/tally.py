"""The account of an exam while it runs, and how it ended."""

from dataclasses import dataclass, field
from enum import Enum

from paseo.vqa.exam.sessions import Unreadable


class Ending(Enum):
    """Why an exam stopped asking."""

    COMPLETE = "complete"  # everything was asked
    SPENT = "spent"  # a cap on money or tokens was reached
    USELESS = "useless"  # nothing useful for many questions in a row
    STOPPED = "stopped"  # somebody stopped it


@dataclass(slots=True, kw_only=True)
class Tally:
    """Counts of questions unless said otherwise; changed only by the exam itself."""

    answered: int = 0  # those with a reply, new or stored
    stored: int = 0  # of those, how many were answered in an earlier run
    invalid: int = 0  # of those, how many could not be read
    failed: int = 0  # the provider would not answer
    left_out: int = 0  # build on one that failed
    dropped: int = 0  # requests still under way at the end, not waited for
    requests: int = 0  # sent in this run, repeated attempts included
    retries: int = 0  # repeated attempts in this run
    tokens: int = 0  # of the whole exam
    usd: float | None = None  # of the whole exam; None where the price is not known
    at_once: int = 0  # how many requests may be under way at present
    problems: list[str] = field(default_factory=list)  # the first few failures, in words
    unreadable: list[Unreadable] = field(default_factory=list)
    ending: Ending = Ending.COMPLETE

    @property
    def done(self) -> int:
        """Questions that need no more attention in this run."""
        return self.answered + self.failed + self.left_out
