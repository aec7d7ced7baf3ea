"""The terms of an exam: how fast, how stubborn, how patient."""

from dataclasses import dataclass

from paseo.errors import BadValue

MOST_AT_ONCE = 512
PATIENCE = 50  # useless answers in a row before an exam pauses
STALL = 3.0  # times the time-out of a request: the longest an exam waits for anything to come


@dataclass(frozen=True, slots=True, kw_only=True)
class ExamOptions:
    """How an exam is run; none of it changes what is asked, but repeats and together."""

    repeats: int = 1
    together: int = 1  # questions per request
    concurrency: int = 8
    per_minute: float | None = None  # requests
    retries: int = 5
    patience: int | None = PATIENCE  # None: however many useless answers come
    stall_s: float = 360.0  # with nothing arriving, before what is under way is given up
    seed: int = 0  # of the jitter between attempts

    def __post_init__(self) -> None:
        if not 1 <= self.concurrency <= MOST_AT_ONCE:
            raise BadValue(
                f"concurrency is {self.concurrency}, expected 1 to {MOST_AT_ONCE} requests at once"
            )
