"""The database of a study: what is stored stays, whenever the process dies, and is stored once."""

import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

import msgspec

from paseo.databases import guard
from paseo.errors import BadFile, CannotWrite

VERSION = 1
WAIT_S = 30.0  # for another process that writes
TABLES = """
CREATE TABLE people (
    person INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE,  -- drawn by lot: tells nothing of the person, nor of their turn
    stage TEXT NOT NULL,
    tries INTEGER NOT NULL DEFAULT 0,  -- at the comprehension check
    arrived_s REAL NOT NULL, seen_s REAL NOT NULL, ended_s REAL
);
CREATE TABLE sessions (hash TEXT PRIMARY KEY, person INTEGER NOT NULL REFERENCES people);
-- Who people are stands here and nowhere else.
CREATE TABLE identities (
    person INTEGER PRIMARY KEY REFERENCES people,
    id TEXT NOT NULL UNIQUE, study TEXT NOT NULL, submission TEXT NOT NULL
);
CREATE TABLE places (
    person INTEGER NOT NULL REFERENCES people, number INTEGER NOT NULL, scene TEXT NOT NULL,
    done_s REAL, PRIMARY KEY (person, scene)
);
CREATE INDEX places_of_scenes ON places (scene);
-- Every answer that was ever given; of several to one question the last counts.
CREATE TABLE answers (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    person INTEGER NOT NULL REFERENCES people, scene TEXT NOT NULL, question TEXT NOT NULL,
    answer TEXT NOT NULL,  -- a JSON list of choices
    on_page_s REAL NOT NULL, time_s REAL NOT NULL,
    token TEXT NOT NULL,  -- of the page
    turn INTEGER NOT NULL  -- of the request among those of the page, from 1; 0: it did not say
);
CREATE INDEX answers_of_people ON answers (person, scene, question);
CREATE INDEX answers_of_pages ON answers (person, token, question);
CREATE TABLE endings (
    person INTEGER PRIMARY KEY REFERENCES people, remark TEXT NOT NULL, traits TEXT NOT NULL
);
CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL);
"""

LARGEST = 1e12  # seconds; no clock of ours shows more

R = TypeVar("R")
FAULTS = (sqlite3.Error, msgspec.MsgspecError, ValueError, OSError)  # of a file that was damaged


class Database:
    """One connection that threads share, one at a time."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.RLock()
        with self._explained("opened"):
            path.touch(mode=0o600)  # it may tell who people are
            self._db = sqlite3.connect(
                path, isolation_level=None, check_same_thread=False, timeout=WAIT_S
            )
            try:
                self._prepare()
            except BaseException:
                self._db.close()
                raise

    def _prepare(self) -> None:
        guard(self._db)
        self._db.execute("PRAGMA journal_mode = WAL")
        # FULL: an answer that a page was told of outlives even a power cut.
        self._db.execute("PRAGMA synchronous = FULL")
        self._db.execute("PRAGMA secure_delete = ON")  # who withdraws leaves no bytes behind
        self._db.execute("PRAGMA foreign_keys = ON")
        if self._version() == VERSION:
            return  # without waiting for anybody who writes
        with self.writing():
            version = self._version()
            if version > VERSION:
                raise BadFile(f"{self.path}: was written by a newer Paseo; install that one")
            if version == 0:
                for statement in TABLES.split(";\n"):
                    self._db.execute(statement)
                self._db.execute(f"PRAGMA user_version = {VERSION}")

    def _version(self) -> int:
        return self.rows(tuple[int], "PRAGMA user_version")[0][0]

    def close(self) -> None:
        """Let go of the file."""
        with self._lock:
            self._db.close()

    def rows(self, kind: type[R], query: str, values: Sequence[object] = ()) -> list[R]:
        """What a query finds, each row a value of `kind`."""
        with self._lock, self._explained("read"):
            found = self._db.execute(query, values).fetchall()
            for row in found:
                _check_numbers(row)
            return [msgspec.convert(row, kind) for row in found]

    @contextmanager
    def reading(self) -> Iterator[None]:
        """What is made of rows within: what cannot be is a fault of the file."""
        with self._explained("read"):
            yield

    def change(self, query: str, values: Sequence[object] = ()) -> int:
        """Change something; returns how many rows did. It is on disk when `writing` ends."""
        with self._lock, self._explained("written"):
            return self._db.execute(query, values).rowcount

    @contextmanager
    def writing(self) -> Iterator[None]:
        """Everything that is changed within, or nothing of it; on disk when this ends."""
        with self._lock, self._explained("written"):
            if self._db.in_transaction:  # a part of a larger change
                yield
                return
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._db.execute("COMMIT")
            except BaseException:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """Everything that is read within is as of one time; whoever writes need not wait for it."""
        with self._lock, self._explained("read"):
            self._db.execute("BEGIN")
            try:
                yield
            finally:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")

    def forget_traces(self) -> None:
        """Write out and empty the log beside the database, in which what is deleted lives on."""
        with self._lock, self._explained("written"):
            self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    @contextmanager
    def _explained(self, done: str) -> Iterator[None]:
        try:
            yield
        except FAULTS as error:
            if done == "written":
                raise CannotWrite(
                    f"{self.path}: cannot be written ({error}); all that was stored before is "
                    "safe. Make space on the disk, then serve the study again"
                ) from error
            raise BadFile(
                f"{self.path}: cannot be {done} ({error}), expected the answers of a study; "
                "restore it from a copy"
            ) from error


def _check_numbers(row: tuple[object, ...]) -> None:
    """Raise where a time is beyond all times, as a file that was damaged may have it."""
    for value in row:
        if isinstance(value, float) and not abs(value) <= LARGEST:
            raise ValueError(f"a time is {value:g} s")
