"""What all planners of a run use together: money, tokens and requests per minute, in SQLite.

The tables stand in the store of the replies, so that every process that asks sees them.
"""

import os
import socket
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from paseo.databases import guard
from paseo.errors import CannotGoOn, CannotWrite
from paseo.vlm.models import Usage
from paseo.vlm.prices import Price
from paseo.vqa.exam.budget import Caps

TABLES = """
CREATE TABLE IF NOT EXISTS under_way (
    key TEXT PRIMARY KEY,  -- of the request
    tokens INTEGER NOT NULL, usd REAL NOT NULL,  -- that are reserved for it
    until_s REAL NOT NULL,  -- since 1970; who reserved it and is gone by then has lost it
    owner TEXT NOT NULL  -- machine, process and when that began: it may be gone before
);
CREATE TABLE IF NOT EXISTS pace (
    one INTEGER PRIMARY KEY, not_before_s REAL NOT NULL  -- since 1970; nobody starts before that
);
"""
SPENT = (
    "SELECT COUNT(*), COALESCE(SUM(COALESCE(input_tokens, 0) + COALESCE(output_tokens, 0)), 0), "
    "COALESCE(SUM(COALESCE(cost_usd, 0)), 0), "
    "COALESCE(MAX(COALESCE(input_tokens, 0) + COALESCE(output_tokens, 0)), 0), "
    "COALESCE(MAX(COALESCE(cost_usd, 0)), 0) FROM replies"
)
RESERVED = "SELECT COUNT(*), COALESCE(SUM(tokens), 0), COALESCE(SUM(usd), 0) FROM under_way"
GLANCE = 0.05  # seconds between looks at what others do
BUSY = 60.0  # seconds that a transaction of somebody else is waited for


@dataclass(frozen=True, slots=True, kw_only=True)
class Allowance:
    """What may be used, and how fast."""

    caps: Caps = field(default_factory=Caps)
    price: Price | None = None
    per_minute: float | None = None  # requests

    @property
    def spacing(self) -> float:
        """Seconds from one request to the next."""
        return 60.0 / self.per_minute if self.per_minute else 0.0


def owner_of(process: int) -> str:
    """A process of this machine, told from others that had its number before."""
    begun = ""
    with suppress(OSError, IndexError):  # only Linux tells
        stat = Path(f"/proc/{process}/stat").read_text(errors="replace")
        begun = stat.rpartition(")")[2].split()[19]
    return f"{socket.gethostname()}/{process}/{begun}"


def owner_is_gone(owner: str) -> bool:
    """Whether a process of this machine has ended; of another machine nobody knows."""
    host, _, rest = owner.rpartition("/")[0].rpartition("/")
    if host != socket.gethostname() or not rest.isdigit():
        return False
    try:
        os.kill(int(rest), 0)
    except ProcessLookupError:
        return True
    except OSError:
        return False
    return owner_of(int(rest)) != owner


class Ledger:
    """Reserves requests; one that does not fit is not begun, whoever asks."""

    def __init__(
        self,
        path: Path,
        allowance: Allowance,
        *,
        now: Callable[[], float] = time.time,
        sleep: Callable[[float], None] = time.sleep,
        is_gone: Callable[[str], bool] = owner_is_gone,
    ) -> None:
        self._path, self._allowance = path, allowance
        self._now, self._sleep, self._is_gone = now, sleep, is_gone
        self._owner = owner_of(os.getpid())
        with self._explained():
            # By the wall clock a planner answers in a thread of its own, one at a time.
            self._db = sqlite3.connect(
                path, isolation_level=None, timeout=BUSY, check_same_thread=False
            )
            guard(self._db)
            self._db.executescript(TABLES)

    def close(self) -> None:
        """Let go of the file."""
        self._db.close()

    def reserve(self, key: str, estimate: Usage, *, for_s: float) -> bool:
        """Wait until a request may start; False if meanwhile somebody else has it under way.

        `CannotGoOn` where it would cost more than is allowed.
        """
        while True:
            with self._transaction():
                now = self._now()
                self._forget_the_dead(now)
                if self._db.execute("SELECT 1 FROM under_way WHERE key = ?", (key,)).fetchone():
                    return False
                reserve = self._fitting(estimate)
                if reserve is not None:
                    wait = self._slot(now)
                    row = (key, *reserve, now + wait + for_s, self._owner)
                    self._db.execute("INSERT INTO under_way VALUES (?, ?, ?, ?, ?)", row)
            if reserve is not None:
                self._sleep(wait)
                return True
            self._sleep(GLANCE)

    def release(self, key: str) -> None:
        """A request has ended, however it did."""
        with self._transaction():
            self._db.execute("DELETE FROM under_way WHERE key = ?", (key,))

    def slow_down(self, pause: float) -> None:
        """The provider had too many: nobody starts for so long."""
        with self._transaction():
            later = self._now() + pause
            self._set_pace(max(later, self._not_before()))

    def _forget_the_dead(self, now: float) -> None:
        """Drop what nobody will bring to an end: what was killed, or is far too late."""
        self._db.execute("DELETE FROM under_way WHERE until_s < ?", (now,))
        for (owner,) in self._db.execute("SELECT DISTINCT owner FROM under_way").fetchall():
            if self._is_gone(owner):
                self._db.execute("DELETE FROM under_way WHERE owner = ?", (owner,))

    def _fitting(self, estimate: Usage) -> tuple[int, float] | None:
        """Tokens and money to reserve for one more; None: wait for what is under way."""
        caps, price = self._allowance.caps, self._allowance.price
        replies, tokens, usd, most_tokens, most_usd = self._db.execute(SPENT).fetchone()
        under_way, reserved_tokens, reserved_usd = self._db.execute(RESERVED).fetchone()
        guess = estimate.input_tokens + estimate.output_tokens
        need = max(most_tokens, 0 if replies else guess)
        cost = max(most_usd, 0.0 if replies or price is None else price.cost_usd(estimate))
        if caps == Caps():
            return need, cost
        if not replies and under_way:  # models that think take far more than estimates
            return None
        fits_tokens = caps.tokens is None or tokens + reserved_tokens + need <= caps.tokens
        fits_usd = caps.usd is None or usd + reserved_usd + cost <= caps.usd
        if fits_tokens and fits_usd:
            return need, cost
        if under_way:
            return None
        raise CannotGoOn(
            f"{tokens:,} tokens and ${usd:.4f} were used, and another request would pass the "
            "limit; raise max_usd or max_tokens_total and go on with resume",
            parameters=("max_usd", "max_tokens_total", "resume"),
        )

    def _slot(self, now: float) -> float:
        """Seconds until a request may start; the next one may a spacing later."""
        start = max(now, self._not_before())
        self._set_pace(start + self._allowance.spacing)
        return start - now

    def _not_before(self) -> float:
        row = self._db.execute("SELECT not_before_s FROM pace WHERE one = 1").fetchone()
        return float(row[0]) if row else 0.0

    def _set_pace(self, time_s: float) -> None:
        self._db.execute("INSERT OR REPLACE INTO pace VALUES (1, ?)", (time_s,))

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        with self._explained():
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._db.execute("COMMIT")
            finally:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise CannotWrite(
                f"{self._path}: cannot be used ({error}), expected a store of replies that can be "
                "written; name another store"
            ) from error
