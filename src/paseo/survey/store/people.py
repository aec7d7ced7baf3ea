"""People in a study: where each is, what they were given, and how many each scene has."""

import secrets
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum
from hashlib import sha256
from typing import NamedTuple

from paseo.errors import InputError
from paseo.survey.assigning import is_abandoned
from paseo.survey.store.database import Database

FIXED = "fixed"  # the fact that tells what must not change any more


class Stage(Enum):
    """Where somebody is in a study."""

    INSTRUCTIONS = "instructions"
    CHECK = "check"
    SCENES = "scenes"
    ENDING = "ending"
    DONE = "done"
    FAILED = "failed"  # done, both attention checks answered otherwise
    SCREENED = "screened"  # did not pass the comprehension check
    WITHDRAWN = "withdrawn"

    @property
    def under_way(self) -> bool:
        """Whether somebody may still answer."""
        return self in (Stage.INSTRUCTIONS, Stage.CHECK, Stage.SCENES, Stage.ENDING)

    @property
    def counts(self) -> bool:
        """Whether the scenes that somebody has finished count."""
        return self.under_way or self is Stage.DONE


class Person(NamedTuple):
    """Somebody who takes part, as the database has them; who they are is not here."""

    number: int  # by their turn, from 1
    name: str
    stage: Stage
    tries: int
    arrived_s: float
    seen_s: float
    ended_s: float | None


class PlaceRow(NamedTuple):
    """A place, and whose it is."""

    scene: str
    done_s: float | None
    stage: Stage
    seen_s: float


@dataclass(frozen=True, slots=True)
class Identity:
    """Who somebody is to whoever sent them here."""

    id: str  # of the person, or of their link
    study: str = ""
    submission: str = ""


@dataclass(frozen=True, slots=True)
class SceneCount:
    """How many people a scene has."""

    done: int
    under_way: int  # who have not left

    @property
    def taken(self) -> int:
        """Places that are not to be given again."""
        return self.done + self.under_way


COLUMNS = "people.person, name, stage, tries, arrived_s, seen_s, ended_s"
Assign = Callable[[int], tuple[str, ...]]  # scenes for a person of this number


def hashed(session: str) -> str:
    """What is stored of the secret in somebody's browser."""
    return sha256(session.encode("utf-8", "replace")).hexdigest()


class People:
    """The people of a study, in its database."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def by_session(self, session: str) -> Person | None:
        """Who has this secret in their browser."""
        query = f"SELECT {COLUMNS} FROM people JOIN sessions USING (person) WHERE hash = ?"
        rows = self._db.rows(Person, query, (hashed(session),))
        return rows[0] if rows else None

    def by_id(self, id: str) -> tuple[Person, Identity] | None:
        """Who came by this id, and as whom."""
        query = "SELECT person, id, study, submission FROM identities WHERE id = ?"
        found = self._db.rows(tuple[int, str, str, str], query, (id,))
        if not found:
            return None
        number, *who = found[0]
        rows = self._db.rows(Person, f"SELECT {COLUMNS} FROM people WHERE person = ?", (number,))
        return (rows[0], Identity(*who)) if rows else None

    def every(self) -> list[Person]:
        """All people, in the order they came."""
        return self._db.rows(Person, f"SELECT {COLUMNS} FROM people")

    def identities(self) -> dict[int, Identity]:
        """Who people are, by number."""
        query = "SELECT person, id, study, submission FROM identities ORDER BY person"
        rows = self._db.rows(tuple[int, str, str, str], query)
        return {person: Identity(*who) for person, *who in rows}

    def admit(
        self, session: str, identity: Identity | None, *, now: float, assign: Assign
    ) -> Person | None:
        """Let somebody in and give them scenes; None where no scene needs anybody.

        Who is in already stays who they are, however often they ask.
        """
        with self._db.writing():
            known = self.by_session(session)
            if known is None and identity is not None and (found := self.by_id(identity.id)):
                known = found[0]
                self.remember(session, known.number)
            if known is not None:
                return known
            number = self._next_number()
            scenes = assign(number)
            if not scenes:
                return None
            self._db.change(
                "INSERT INTO people (person, name, stage, arrived_s, seen_s) VALUES (?,?,?,?,?)",
                (number, secrets.token_hex(5), Stage.INSTRUCTIONS.value, now, now),
            )
            self._db.change("INSERT INTO sessions VALUES (?,?)", (hashed(session), number))
            if identity is not None:
                who = (number, identity.id, identity.study, identity.submission)
                self._db.change("INSERT INTO identities VALUES (?,?,?,?)", who)
            for turn, scene in enumerate(scenes):
                place = (number, turn, scene)
                self._db.change("INSERT INTO places VALUES (?,?,?,NULL)", place)
            return self.by_session(session)

    def _next_number(self) -> int:
        query = "SELECT seq FROM sqlite_sequence WHERE name = 'people'"
        rows = self._db.rows(tuple[int], query)
        return (rows[0][0] if rows else 0) + 1

    def remember(self, session: str, person: int) -> None:
        """Know somebody by one more browser."""
        with self._db.writing():
            values = (hashed(session), person)
            self._db.change("INSERT OR IGNORE INTO sessions VALUES (?,?)", values)

    def seen(self, person: int, *, now: float) -> None:
        """Note a sign of somebody."""
        with self._db.writing():
            self._db.change(
                "UPDATE people SET seen_s = max(seen_s, ?) WHERE person = ?", (now, person)
            )

    def move(self, person: int, *, before: Stage, after: Stage, now: float) -> bool:
        """Bring somebody from one stage to another; False where they were not at it."""
        ended = None if after.under_way else now
        with self._db.writing():
            query = (
                "UPDATE people SET stage = ?, seen_s = max(seen_s, ?), ended_s = ? "
                "WHERE person = ? AND stage = ?"
            )
            values = (after.value, now, ended, person, before.value)
            return self._db.change(query, values) > 0

    def tried(self, person: int) -> None:
        """Count an attempt at the comprehension check."""
        with self._db.writing():
            self._db.change("UPDATE people SET tries = tries + 1 WHERE person = ?", (person,))

    def withdraw(self, person: int, *, now: float) -> None:
        """Delete all that somebody gave, and who they are; that somebody withdrew stays."""
        with self._db.writing():
            for table in ("answers", "places", "endings", "identities"):
                self._db.change(f"DELETE FROM {table} WHERE person = ?", (person,))
            values = (Stage.WITHDRAWN.value, now, person)
            self._db.change("UPDATE people SET stage = ?, ended_s = ? WHERE person = ?", values)
        self._db.forget_traces()

    def scenes_of(self, person: int) -> dict[str, float | None]:
        """The scenes somebody was given, in order, with when they finished each."""
        query = "SELECT scene, done_s FROM places WHERE person = ? ORDER BY number"
        return dict(self._db.rows(tuple[str, float | None], query, (person,)))

    def places(self) -> dict[int, dict[str, float | None]]:
        """The scenes that everybody was given, in order, with when they finished each."""
        query = "SELECT person, scene, done_s FROM places ORDER BY person, number"
        found: dict[int, dict[str, float | None]] = {}
        for person, scene, done_s in self._db.rows(tuple[int, str, float | None], query):
            found.setdefault(person, {})[scene] = done_s
        return found

    def finish(self, person: int, scene: str, *, now: float) -> None:
        """Note that somebody has finished a scene; the first time counts."""
        with self._db.writing():
            self._db.change(
                "UPDATE places SET done_s = ? WHERE person = ? AND scene = ? AND done_s IS NULL",
                (now, person, scene),
            )
            self.seen(person, now=now)

    def standing(self, *, now: float, limit: float) -> list[PlaceRow]:
        """The places that are filled, or being filled by who gave a sign within `limit` seconds."""
        query = "SELECT scene, done_s, stage, seen_s FROM places JOIN people USING (person)"
        return [
            each
            for each in self._db.rows(PlaceRow, query)
            if each.stage.counts
            and (each.done_s is not None or not is_abandoned(each.seen_s, now=now, limit=limit))
        ]

    def counts(
        self,
        units: Iterable[str],
        *,
        now: float,
        limit: float,
        unit: Callable[[str], str] = str,
    ) -> dict[str, SceneCount]:
        """How many people each unit has, such as a scene; `unit` says what a place counts for."""
        done: Counter[str] = Counter()
        under_way: Counter[str] = Counter()
        for each in self.standing(now=now, limit=limit):
            count = under_way if each.done_s is None else done
            count[unit(each.scene)] += 1
        return {each: SceneCount(done[each], under_way[each]) for each in units}

    def check_fixed(self, hash: str) -> None:
        """Refuse where what must stay as it is has changed since the first person came."""
        with self._db.writing():
            self.check_unchanged(hash)
            self._db.change("INSERT OR REPLACE INTO facts VALUES (?,?)", (FIXED, hash))

    def check_unchanged(self, hash: str) -> None:
        """The same, and nothing is noted."""
        begun = bool(self._db.rows(tuple[int], "SELECT 1 FROM answers LIMIT 1"))
        noted = self._db.rows(tuple[str], "SELECT value FROM facts WHERE name = ?", (FIXED,))
        if begun and noted and noted[0][0] != hash:
            raise InputError(
                f"{self._db.path.parent}: the seed, the words or what people are shown was "
                "changed after the first answer, so that answers would not be to the same "
                "questions; restore study.toml and what it names, or make "
                "another study"
            )
