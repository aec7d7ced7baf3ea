"""The replies of an exam in SQLite: whatever was stored stays, whenever the process dies."""

import json
import sqlite3
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import msgspec

from paseo.databases import guard
from paseo.errors import BadFile, CannotWrite, InputError
from paseo.text import storable
from paseo.vlm.models import Reply, Usage
from paseo.vqa.exam.replies import BROKEN, COLUMNS, Questions, Stored, stored_reply, written_tokens
from paseo.vqa.exam.sessions import Request

VERSION = 3  # 1 had neither thoughts nor how many tokens they took, 2 no log-probabilities
DISK = ("SQLITE_FULL", "SQLITE_IOERR", "SQLITE_READONLY")  # what is wrong is not the file
TABLES = """
CREATE TABLE IF NOT EXISTS replies (
    key TEXT PRIMARY KEY,  -- a hash of everything that determines the reply
    variant TEXT NOT NULL, scene TEXT NOT NULL,
    questions TEXT NOT NULL,  -- their keys, a JSON list
    repeat INTEGER NOT NULL,  -- from 0
    text TEXT NOT NULL,  -- as the model wrote it
    ending TEXT NOT NULL, model TEXT NOT NULL,
    latency_s REAL NOT NULL, attempts INTEGER NOT NULL, time_s REAL NOT NULL,
    input_tokens INTEGER, output_tokens INTEGER, cached_tokens INTEGER,
    cost_usd REAL,  -- by the price table of that time
    reasoning_tokens INTEGER, thoughts TEXT NOT NULL DEFAULT '',
    tokens TEXT NOT NULL DEFAULT ''  -- JSON, where log-probabilities were asked for
);
CREATE UNIQUE INDEX IF NOT EXISTS places ON replies (variant, scene, questions, repeat);
CREATE TABLE IF NOT EXISTS failures (
    key TEXT PRIMARY KEY, variant TEXT NOT NULL, scene TEXT NOT NULL, questions TEXT NOT NULL,
    repeat INTEGER NOT NULL, problem TEXT NOT NULL, attempts INTEGER NOT NULL, time_s REAL NOT NULL
);
CREATE TABLE IF NOT EXISTS batches (
    tag TEXT PRIMARY KEY,  -- ours, noted before the batch is sent
    ids TEXT NOT NULL,  -- the provider's, a JSON list; empty until it is known
    sent_s REAL NOT NULL, open INTEGER NOT NULL  -- 1 until all that came of it is stored
);
CREATE TABLE IF NOT EXISTS batched (
    tag TEXT NOT NULL, key TEXT NOT NULL, variant TEXT NOT NULL, scene TEXT NOT NULL,
    questions TEXT NOT NULL, repeat INTEGER NOT NULL, PRIMARY KEY (key, tag)
);
"""
# What each version lacks, beside what those after it do.
ADDED = {
    1: """
ALTER TABLE replies ADD COLUMN reasoning_tokens INTEGER;
ALTER TABLE replies ADD COLUMN thoughts TEXT NOT NULL DEFAULT '';
""",
    2: "ALTER TABLE replies ADD COLUMN tokens TEXT NOT NULL DEFAULT '';",
}
OURS = {"replies", "failures"}
PLACE = "WHERE variant = ? AND scene = ? AND questions = ? AND repeat = ?"


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What came of a request: a reply, or why there is none, in words."""

    request: Request
    reply: Reply | str
    attempts: int
    time_s: float
    cost_usd: float | None = None


class ReplyStore:
    """The replies of one exam; only one thread writes."""

    def __init__(self, path: Path) -> None:
        self.path = path
        with self._explained("opened"):
            self._db = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
            guard(self._db)
            version = self._db.execute("PRAGMA user_version").fetchone()[0]
            if version > VERSION:
                raise BadFile(f"{path}: was written by a newer Paseo; install that one to go on")
            self._check_tables()
            self._db.execute("PRAGMA journal_mode = WAL")
            # FULL: a reply that was paid for outlives even a power cut. Replies that arrive
            # together are committed together, so that a flush to disk is shared among them.
            self._db.execute("PRAGMA synchronous = FULL")
            grown = "".join(words for lacking, words in ADDED.items() if 0 < version <= lacking)
            script = f"BEGIN;{grown}{TABLES}PRAGMA user_version = {VERSION};COMMIT;"
            self._db.executescript(script)

    def _check_tables(self) -> None:
        """All are made at once; what was in a lost one would be asked, and paid for, again."""
        found = {name for (name,) in self._db.execute("SELECT tbl_name FROM sqlite_master")}
        if found and not found >= OURS:
            raise sqlite3.DatabaseError(f"no table {' or '.join(sorted(OURS - found))}")

    def close(self) -> None:
        """Let go of the file."""
        self._db.close()

    def reply(self, request: Request) -> Reply | None:
        """The stored reply to a request; refuses where something else was asked in its place."""
        with self._explained("read"):
            cursor = self._db.execute(f"SELECT {COLUMNS} FROM replies {PLACE}", place(request))
            row = cursor.fetchone()
            stored = stored_reply(row) if row else None
        if stored is None:
            return None
        if stored.key != request.key:
            raise InputError(
                f"{self.path}: the prompt {request.prompt.id} is not the one that was answered, "
                "because Paseo words prompts or reads answers in another way than when the exam "
                "was begun; finish it with that version of Paseo or choose another out",
                parameters=["out"],
            )
        return stored.reply

    def replies_about(self, scene: str) -> list[Stored]:
        """Everything that was replied about a scene."""
        with self._explained("read"):
            query = f"SELECT {COLUMNS} FROM replies WHERE scene = ?"
            return [stored_reply(row) for row in self._db.execute(query, (scene,))]

    def answered(self) -> Counter[str]:
        """How many questions have a reply, by scene, over all repeats and variants."""
        counts: Counter[str] = Counter()
        with self._explained("read"):
            for row in self._db.execute("SELECT scene, questions FROM replies"):
                scene, keys = msgspec.convert(row, tuple[str, str])
                counts[scene] += len(msgspec.json.decode(keys, type=Questions))
        return counts

    def spent(self) -> list[tuple[Usage | None, float | None]]:
        """Tokens and money of every reply that is stored, but for those of other exams."""
        with self._explained("read"):
            rows = self._db.execute(f"SELECT {COLUMNS} FROM replies WHERE attempts > 0").fetchall()
            found = [stored_reply(row) for row in rows]
        return [(each.reply.usage if each.reply else None, each.cost_usd) for each in found]

    def add(self, outcomes: Sequence[Asked]) -> None:
        """Store what came of requests, all or none; it is on disk when this returns."""
        with self.writing():
            for outcome in outcomes:
                self._insert(outcome)

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """The tables, to look something up in them."""
        with self._explained("read"):
            yield self._db

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """The tables, to change them; all of it or nothing is on disk afterwards."""
        with self._explained("written"):
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield self._db
                self._db.execute("COMMIT")
            except BaseException:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise

    def _insert(self, outcome: Asked) -> None:
        request, reply = outcome.request, outcome.reply
        what = (request.key, *place(request))
        when = (outcome.attempts, outcome.time_s)
        if isinstance(reply, str):
            failure = (*what, storable(reply), *when)
            self._db.execute("INSERT OR REPLACE INTO failures VALUES (?,?,?,?,?,?,?,?)", failure)
            return
        used = reply.usage
        tokens: tuple[int | None, ...] = (None, None, None)
        if used is not None:
            tokens = (used.input_tokens, used.output_tokens, used.cached_tokens)
        thought = (used.reasoning_tokens if used else None, storable(reply.thoughts))
        told = written_tokens(reply.tokens)
        text = (storable(reply.text), storable(reply.ending), storable(reply.model))
        values = (*what, *text, reply.latency_s, *when, *tokens, outcome.cost_usd, *thought, told)
        self._db.execute(f"INSERT INTO replies VALUES ({','.join('?' * len(values))})", values)
        self._db.execute("DELETE FROM failures WHERE key = ?", (request.key,))

    @contextmanager
    def _explained(self, done: str) -> Iterator[None]:
        try:
            yield
        except BROKEN as error:
            if done == "written":
                raise CannotWrite(
                    f"{self.path}: cannot be written ({error}); all that was stored before is "
                    "safe. Make space on the disk, then go on with resume",
                    parameters=["resume"],
                ) from error
            if getattr(error, "sqlite_errorname", "").startswith(DISK):
                raise CannotWrite(
                    f"{self.path}: cannot be {done} ({error}); make space on the disk, or choose "
                    "another out where one can write",
                    parameters=["out"],
                ) from error
            raise BadFile(
                f"{self.path}: cannot be {done} ({error}), expected the replies of an exam; "
                "restore it from a copy, or begin again in another folder"
            ) from error


def place(request: Request) -> tuple[str, str, str, int]:
    """Where a request stands in an exam: variant, scene, keys of questions, repeat."""
    keys = json.dumps([question.key for question in request.questions])
    return request.variant, request.scene, keys, request.repeat
