"""The batches of an exam, noted before they are sent: whoever goes on finds them again."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated, NamedTuple

import msgspec

from paseo.vlm.models import Prompt
from paseo.vqa.exam.replies import Questions
from paseo.vqa.exam.sessions import Request
from paseo.vqa.exam.store import ReplyStore, place
from paseo.vqa.questions.questions import Catalogue

# It becomes part of an address.
Id = Annotated[str, msgspec.Meta(pattern=r"^(batches/)?[A-Za-z0-9_.-]{1,200}$")]


@dataclass(frozen=True, slots=True, kw_only=True)
class SentBatch:
    """A batch whose results are not stored yet."""

    tag: str
    ids: tuple[str, ...]  # empty where it was killed before the provider's id was noted
    sent_s: float  # since 1970
    requests: dict[str, Request] = field(hash=False)  # by key; their prompts are gone


class _Place(NamedTuple):
    key: str
    variant: str
    scene: str
    questions: str
    repeat: int


class Ledger:
    """The tables of batches in the store of an exam."""

    def __init__(self, store: ReplyStore, catalogue: Catalogue) -> None:
        self._store, self._catalogue = store, catalogue

    def intend(self, tag: str, requests: Sequence[Request], *, now_s: float) -> None:
        """Note, on disk, that these are about to be sent under a tag."""
        rows = [(tag, each.key, *place(each)) for each in requests]
        with self._store.writing() as db:
            db.execute("INSERT INTO batches VALUES (?, '[]', ?, 1)", (tag, now_s))
            db.executemany("INSERT INTO batched VALUES (?,?,?,?,?,?)", rows)

    def name(self, tag: str, ids: Sequence[str]) -> None:
        """Note the provider's ids of a batch."""
        with self._store.writing() as db:
            db.execute("UPDATE batches SET ids = ? WHERE tag = ?", (json.dumps(list(ids)), tag))

    def close(self, tag: str) -> None:
        """All that came of a batch is stored, or nothing will."""
        with self._store.writing() as db:
            db.execute("UPDATE batches SET open = 0 WHERE tag = ?", (tag,))

    def in_flight(self) -> list[SentBatch]:
        """Those that are not closed, the oldest first."""
        with self._store.reading() as db:
            query = "SELECT tag, ids, sent_s FROM batches WHERE open ORDER BY sent_s, tag"
            rows = msgspec.convert(db.execute(query).fetchall(), list[tuple[str, str, float]])
            return [
                SentBatch(
                    tag=tag,
                    ids=msgspec.json.decode(ids, type=tuple[Id, ...]),
                    sent_s=sent_s,
                    requests=self._requests(tag),
                )
                for tag, ids, sent_s in rows
            ]

    def ids(self) -> set[str]:
        """The provider's ids of all batches that were ever named."""
        with self._store.reading() as db:
            rows = db.execute("SELECT ids FROM batches").fetchall()
            return {id for (ids,) in rows for id in msgspec.json.decode(ids, type=tuple[Id, ...])}

    def attempts(self, key: str) -> int:
        """In how many batches a request was."""
        with self._store.reading() as db:
            query = "SELECT COUNT(*) FROM batched WHERE key = ?"
            return msgspec.convert(db.execute(query, (key,)).fetchone()[0], int)

    def is_answered(self, key: str) -> bool:
        """Whether the reply to a request is stored."""
        with self._store.reading() as db:
            found = db.execute("SELECT 1 FROM replies WHERE key = ?", (key,)).fetchone()
            return found is not None

    def _requests(self, tag: str) -> dict[str, Request]:
        with self._store.reading() as db:
            query = "SELECT key, variant, scene, questions, repeat FROM batched WHERE tag = ?"
            rows = msgspec.convert(db.execute(query, (tag,)).fetchall(), list[_Place])
        return {row.key: self._request(row) for row in rows}

    def _request(self, row: _Place) -> Request:
        keys = msgspec.json.decode(row.questions, type=Questions)
        return Request(
            key=row.key,
            variant=row.variant,
            questions=tuple(self._catalogue.question(row.scene, key) for key in keys),
            repeat=row.repeat,
            prompt=Prompt(text="", id=f"{row.scene}/{','.join(keys)}"),
        )
