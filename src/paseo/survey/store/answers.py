"""Answers of people, each stored the moment it is given."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import msgspec

from paseo.survey.store.database import Database
from paseo.text import storable
from paseo.vqa.questions.questions import Option

Choices = tuple[str, ...]


class Row(NamedTuple):
    """An answer as the database has it."""

    person: int
    scene: str
    question: str
    answer: str
    on_page_s: float
    time_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """An answer as it was given."""

    scene: str
    question: str  # its key, or that of a check
    option: Option
    on_page: float  # seconds that the page had been shown, by the browser's own account
    token: str  # of the page
    turn: int = 0  # of the request among those of the page, from 1; 0: it does not say


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredAnswer:
    """The last answer of somebody to a question."""

    person: int
    scene: str
    question: str
    option: Option
    on_page: float
    time_s: float
    changes: int  # how often they had answered it before


class Answers:
    """The answers of a study, in its database."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def add(self, person: int, given: Sequence[Given], *, now: float) -> int:
        """Store answers, all or none, on disk when this returns; those of a request once.

        A request that comes twice, or later than one that was sent after it, changes nothing; and
        what is the same as the last answer to its question is no new one. Returns how many are.
        """
        stored = 0
        with self._db.writing():
            for each in given:
                if not self._is_late(person, each) and not self._is_known(person, each):
                    stored += self._insert(person, each, now)
            values = (now, person)
            self._db.change("UPDATE people SET seen_s = max(seen_s, ?) WHERE person = ?", values)
        return stored

    def _insert(self, person: int, given: Given, now: float) -> int:
        text = msgspec.json.encode([storable(choice) for choice in given.option]).decode()
        return self._db.change(
            "INSERT INTO answers (person, scene, question, answer, on_page_s, time_s, token, turn) "
            "VALUES (?,?,?,?,?,?,?,?)",
            (
                person,
                given.scene,
                given.question,
                text,
                given.on_page,
                now,
                given.token,
                given.turn,
            ),
        )

    def _is_late(self, person: int, given: Given) -> bool:
        """Whether the same page has said as much, or something newer, already."""
        rows = self._db.rows(
            tuple[int | None],
            "SELECT max(turn) FROM answers WHERE person = ? AND token = ? AND question = ?",
            (person, given.token, given.question),
        )
        return given.turn > 0 and (rows[0][0] or 0) >= given.turn

    def _is_known(self, person: int, given: Given) -> bool:
        """Whether it is what was last answered; that the page has said it again is noted."""
        rows = self._db.rows(
            tuple[int, str, str],
            "SELECT id, answer, token FROM answers WHERE person = ? AND scene = ? AND question = ? "
            "ORDER BY id DESC LIMIT 1",
            (person, given.scene, given.question),
        )
        if not rows or self._option(rows[0][1]) != given.option:
            return False
        if rows[0][2] == given.token:
            values = (given.turn, rows[0][0])
            self._db.change("UPDATE answers SET turn = max(turn, ?) WHERE id = ?", values)
        return True

    def about(self, person: int, scene: str) -> dict[str, Option]:
        """What somebody last answered to each question about a scene."""
        query = "SELECT question, answer FROM answers WHERE person = ? AND scene = ? ORDER BY id"
        rows = self._db.rows(tuple[str, str], query, (person, scene))
        return {key: self._option(text) for key, text in rows}

    def every(self) -> list[StoredAnswer]:
        """The last answer of everybody to every question they were asked, by person."""
        query = (
            "SELECT person, scene, question, answer, on_page_s, time_s FROM answers "
            "JOIN people USING (person) ORDER BY id"
        )
        last: dict[tuple[int, str, str], StoredAnswer] = {}
        for person, scene, question, text, on_page, time_s in self._db.rows(Row, query):
            place = (person, scene, question)
            before = last.get(place)
            last[place] = StoredAnswer(
                person=person,
                scene=scene,
                question=question,
                option=self._option(text),
                on_page=on_page,
                time_s=time_s,
                changes=before.changes + 1 if before else 0,
            )
        return sorted(last.values(), key=lambda each: each.person)

    def end(self, person: int, *, remark: str, traits: Mapping[str, str]) -> None:
        """Store what somebody said at the end; the last time counts."""
        told = msgspec.json.encode({key: storable(value) for key, value in traits.items()})
        with self._db.writing():
            values = (person, storable(remark), told.decode())
            self._db.change("INSERT OR REPLACE INTO endings VALUES (?,?,?)", values)

    def endings(self) -> dict[int, tuple[str, dict[str, str]]]:
        """What people said at the end, by number: a remark, and what they told of themselves."""
        query = (
            "SELECT person, remark, traits FROM endings JOIN people USING (person) ORDER BY person"
        )
        with self._db.reading():
            return {
                person: (remark, msgspec.json.decode(traits, type=dict[str, str]))
                for person, remark, traits in self._db.rows(tuple[int, str, str], query)
            }

    def _option(self, text: str) -> Option:
        with self._db.reading():
            return msgspec.json.decode(text, type=Choices)
