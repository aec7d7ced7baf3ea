"""How fast an exam may ask: a rate limit, fewer at once when told to slow down, pauses."""

import math

import numpy as np

FIRST_PAUSE, LONGEST_PAUSE = 1.0, 60.0  # seconds, doubled from one attempt to the next
LONGEST_HONOURED = 600.0  # seconds; a provider that asks for more is asked again after that


class RateLimit:
    """Tells when the next request may start. Times are seconds of any steady clock."""

    def __init__(
        self, most: int, *, per_minute: float | None = None, rng: np.random.Generator
    ) -> None:
        self._most, self._limit = most, float(most)
        self._spacing = 60.0 / per_minute if per_minute else 0.0
        self._rng = rng
        self._not_before = -math.inf  # nobody starts before that
        self._last_cut = -math.inf

    @property
    def at_once(self) -> int:
        """How many requests may be under way now."""
        return int(self._limit)

    def wait_s(self, now: float, under_way: int) -> float:
        """Seconds until another request may start; infinite while too many are under way."""
        if under_way >= self.at_once:
            return math.inf
        return max(0.0, self._not_before - now)

    def start(self, now: float) -> None:
        """A request starts."""
        self._not_before = max(now, self._not_before) + self._spacing

    def succeed(self) -> None:
        """A request was answered: after a whole round of them, one more may run at once."""
        self._limit = min(self._most, self._limit + 1.0 / self._limit)

    def slow_down(self, now: float, pause: float, *, started: float) -> None:
        """The provider had too many: everybody pauses, and half as many go on.

        Requests that started before the last cut tell nothing new about the number at once.
        """
        self._not_before = max(self._not_before, now + pause)
        if started > self._last_cut:
            self._limit = max(1.0, self._limit / 2)
            self._last_cut = now

    def pause(self, attempt: int, asked_for: float | None) -> float:
        """Seconds before a request is tried again, after its attempt number `attempt`, from 1."""
        doubled = min(LONGEST_PAUSE, FIRST_PAUSE * 2.0 ** min(attempt - 1, 30))
        jittered = doubled * (0.5 + 0.5 * self._rng.random())
        if asked_for is None or not asked_for >= 0:
            return float(jittered)
        # A little later than asked for, and not all at the same moment.
        return float(min(asked_for, LONGEST_HONOURED) + 0.1 * jittered)
