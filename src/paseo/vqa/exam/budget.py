"""What an exam may spend, and the account of it while it runs."""

from dataclasses import dataclass, field
from enum import Enum

from paseo.errors import BadValue
from paseo.vlm.models import Usage
from paseo.vlm.prices import Price
from paseo.world.scenes import Unreadable


@dataclass(frozen=True, slots=True, kw_only=True)
class Caps:
    """The most an exam may use, over all its runs; None for no limit."""

    usd: float | None = None
    tokens: int | None = None


class Budget:
    """Tokens and money spent, with a reserve for each request under way.

    A request starts only if everything under way still fits.
    The reserve is the estimate until the first reply, which is waited for where there are caps:
    models that think take far more than estimates. Then it is the largest request so far.
    """

    def __init__(self, caps: Caps, *, price: Price | None, estimate: Usage) -> None:
        if caps.usd is not None and price is None:
            raise BadValue(
                "max_usd: the price of this model is not known; name it in a file given with "
                "prices, or use max_tokens_total",
                parameters=("max_usd", "prices", "max_tokens_total"),
            )
        self._caps, self._price, self._estimate = caps, price, estimate
        self._largest: Usage | None = None
        self.tokens = 0
        self._usd = 0.0
        self._reserved: list[float] = [0.0, 0.0]  # tokens and money of batches under way

    @property
    def largest(self) -> Usage:
        """The most that a request took so far; as estimated before the first."""
        return self._largest or self._estimate

    @property
    def usd(self) -> float | None:
        """Money spent; None where the model's price is not known."""
        return self._usd if self._price else None

    def fits(self, under_way: int) -> bool:
        """Whether one more request is within the caps when `under_way` are not yet settled."""
        if self._caps != Caps() and self._largest is None and under_way:
            return False
        reserve, requests = self._largest or self._estimate, under_way + 1
        tokens = self.tokens + requests * (reserve.input_tokens + reserve.output_tokens)
        usd = self._usd + requests * (self._price.cost_usd(reserve) if self._price else 0.0)
        caps = self._caps
        return (caps.tokens is None or tokens <= caps.tokens) and (
            caps.usd is None or usd <= caps.usd
        )

    def reserve(self, usage: Usage) -> bool:
        """Set aside what a request may come to at most; whether there is so much."""
        tokens = self._reserved[0] + usage.input_tokens + usage.output_tokens
        usd = self._reserved[1] + (self._price.cost_usd(usage) if self._price else 0.0)
        caps = self._caps
        if caps.tokens is not None and self.tokens + tokens > caps.tokens:
            return False
        if caps.usd is not None and self._usd + usd > caps.usd:
            return False
        self._reserved = [tokens, usd]
        return True

    def release(self) -> None:
        """Nothing is under way any more: what was set aside is free."""
        self._reserved = [0.0, 0.0]

    def cost_usd(self, usage: Usage | None) -> float | None:
        """What a request cost; one that does not say what it used counts as estimated."""
        return self._price.cost_usd(usage or self._estimate) if self._price else None

    def settle(self, usage: Usage | None, cost_usd: float | None) -> None:
        """Enter a request that was answered."""
        used = usage or self._estimate
        self.tokens += used.input_tokens + used.output_tokens
        self._usd += cost_usd or 0.0
        before = self._largest or used
        self._largest = Usage(  # without the cache, on which nobody can rely
            input_tokens=max(before.input_tokens, used.input_tokens),
            output_tokens=max(before.output_tokens, used.output_tokens),
        )


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
    shared: int = 0  # of those, how many replies came from what exams share
    invalid: int = 0  # of those, how many could not be read
    failed: int = 0  # the provider would not answer
    left_out: int = 0  # build on one that failed
    dropped: int = 0  # requests still under way at the end, not waited for
    requests: int = 0  # sent in this run, repeated attempts included
    retries: int = 0  # repeated attempts in this run
    tokens: int = 0  # of the whole exam
    usd: float | None = None  # of the whole exam; None where the price is not known
    batches: int = 0  # sent in this run
    batched: int = 0  # requests in batches that the provider has at present
    at_once: int = 0  # how many requests may be under way at present
    problems: list[str] = field(default_factory=list)  # the first few failures, in words
    unreadable: list[Unreadable] = field(default_factory=list)
    ending: Ending = Ending.COMPLETE

    @property
    def done(self) -> int:
        """Questions that need no more attention in this run."""
        return self.answered + self.failed + self.left_out
