"""One run for many clients: who gets which episode, and what becomes of one that was dropped."""

from collections import Counter
from dataclasses import dataclass

from paseo.errors import InputError
from paseo.planners.choices import parse_planners
from paseo.remote.logbook import Logbook
from paseo.remote.websocket.messages import Hello, PlannerSaid
from paseo.suite.runs.jobs import Job
from paseo.text import FORMULAS
from paseo.version import paseo_version
from paseo.world.motion import Control
from paseo.world.records import Provenance

TRANSPORT = "websocket"
MOST_DEALS = 5  # of an episode, to clients whose connections are lost in it


class Conflict(InputError):
    """A client says something else than others of its name."""


class BadName(InputError):
    """A client calls itself something that no table can show."""


class NotThere(InputError):
    """A client asks for an episode that is none."""


class Taken(InputError):
    """A client asks for an episode that is done, or that somebody else drives."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """The clients of one name, who share its episodes."""

    label: str
    jobs: tuple[Job, ...]
    provenance: Provenance


class Sharing:
    """Deals the episodes of each row to its clients, each to one at a time."""

    def __init__(self, book: Logbook, control: Control | None) -> None:
        self._book, self._control = book, control
        self._rows: dict[str, Row] = {}
        self._clients: Counter[str] = Counter()
        self._under_way: set[str] = set()
        self._losses: Counter[str] = Counter()

    @property
    def clients(self) -> int:
        """How many are here."""
        return self._clients.total()

    @property
    def rows(self) -> list[Row]:
        """Those that have results, or a client who is here."""
        here = (self._clients[row.label] for row in self._rows.values())
        return [
            row for row, clients in zip(self._rows.values(), here, strict=True)
            if clients or self._book.results_of(row.jobs)
        ]  # fmt: skip

    def join(self, hello: Hello) -> Row:
        """Let a client in; `BadName`, or `Conflict` where others of its name drive otherwise."""
        _check_name(hello.client)
        jobs = tuple(self._book.jobs_of_row(hello.client))
        label = jobs[0].planner.label
        row = Row(label=label, jobs=jobs, provenance=self._provenance(label, hello))
        known = self._rows.get(label)
        before = known.provenance if known else self._book.made(jobs)
        if before is not None:
            _check_same(label, before, row.provenance)
        self._rows[label] = row
        self._clients[label] += 1
        return row

    def leave(self, row: Row) -> None:
        """Note that a client of the row has gone; a name that never drove is free again."""
        self._clients[row.label] -= 1
        if not self._clients[row.label] and not self._book.results_of(row.jobs):
            del self._rows[row.label], self._clients[row.label]

    def left(self, row: Row) -> list[Job]:
        """What of a row has no result yet."""
        done = {each.key for each in self._book.results_of(row.jobs)}
        return [job for job in row.jobs if job.key not in done]

    @property
    def is_finished(self) -> bool:
        """Whether there are results, and nobody who is here has anything left to do."""
        book = self._book
        return book.is_begun and not book.left and not any(self.left(row) for row in self.rows)

    def deal(self, row: Row, episode: str | None = None) -> Job | None:
        """An episode for a client to drive, from now on its own; None: others drive what is left.

        `NotThere` or `Taken` where it asks for one that cannot be had.
        """
        wanted = [job for job in row.jobs if episode in (None, job.episode.name)]
        if not wanted:
            raise NotThere(f"there is no episode {episode!r:.80}; the episodes are in welcome")
        keys = {job.key for job in self.left(row)} - self._under_way
        free = next((job for job in wanted if job.key in keys), None)
        if free is not None:
            self._under_way.add(free.key)
        elif episode is not None:
            raise Taken(f"episode '{episode}' is done, or somebody else drives it; take another")
        return free

    def settle(self, job: Job) -> None:
        """Note that the job has its result."""
        self._under_way.discard(job.key)

    def drop(self, job: Job) -> bool:
        """Note that the connection of whoever drove is lost; whether it is dealt again."""
        self._losses[job.key] += 1
        if self._losses[job.key] >= MOST_DEALS:
            return False
        self._under_way.discard(job.key)
        return True

    def _provenance(self, label: str, hello: Hello) -> Provenance:
        said = hello.planner or PlannerSaid(reference=label)
        return Provenance(
            paseo_version=paseo_version(),
            planner=said.reference,
            control=self._control or hello.control or Control.VELOCITY,
            parameters=said.parameters,
            planner_hash=said.sha256 or "",
            transport=TRANSPORT,
        )


def _check_same(label: str, before: Provenance, now: Provenance) -> None:
    """Raise where somebody drives otherwise than others of the name did."""
    if before.control is not now.control:
        raise Conflict(
            f"others called '{label}' drive by {before.control}, this one by {now.control}; "
            "give it another name"
        )
    if _who(before) != _who(now):
        raise Conflict(f"others called '{label}' drive another planner; give it another name")


def _who(made: Provenance) -> tuple[object, ...]:
    return made.planner, dict(made.parameters), made.planner_hash


def _check_name(name: str) -> None:
    """Raise where a name could not be read again in a table, or a spreadsheet would run it."""
    try:
        fits = [each.label for each in parse_planners(name)] == [name]
    except InputError:
        fits = False
    if not (fits and name.isprintable()) or name[0] in FORMULAS:
        raise BadName(
            f"a client cannot be called {name!r}; use letters, digits, '-', '_', '.' and spaces, "
            "a letter first"
        )
