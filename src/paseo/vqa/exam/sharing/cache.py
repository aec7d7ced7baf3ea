"""A file of replies that exams share: what was paid for once is not asked again."""

import os
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

import msgspec

from paseo.databases import guard
from paseo.errors import BadFile, BadValue, CannotWrite
from paseo.text import storable
from paseo.vlm.models import Reply
from paseo.vqa.exam.replies import BROKEN, kept_usage

VERSION = 1
# What is wrong is not the file.
PASSING = ("SQLITE_FULL", "SQLITE_IOERR", "SQLITE_READONLY", "SQLITE_BUSY", "SQLITE_LOCKED")
PATIENCE_S = 60.0  # that an exam waits for another one to write
TABLE = """
CREATE TABLE IF NOT EXISTS shared (
    key TEXT PRIMARY KEY,  -- a hash of everything that determines the reply, and of who gives it
    text TEXT NOT NULL, ending TEXT NOT NULL, model TEXT NOT NULL, latency_s REAL NOT NULL,
    input_tokens INTEGER, output_tokens INTEGER, cached_tokens INTEGER, reasoning_tokens INTEGER,
    thoughts TEXT NOT NULL
);
"""
COLUMNS = (
    "text, ending, model, latency_s, input_tokens, output_tokens, cached_tokens, "
    "reasoning_tokens, thoughts"
)
# Where a provider's models are asked at another address than its own.
ADDRESSES = {
    "openai": "OPENAI_BASE_URL",
    "gemini": "GOOGLE_GEMINI_BASE_URL",
    "anthropic": "ANTHROPIC_BASE_URL",
}


class _Row(NamedTuple):
    text: str
    ending: str
    model: str
    latency_s: float
    input_tokens: int | None
    output_tokens: int | None
    cached_tokens: int | None
    reasoning_tokens: int | None
    thoughts: str


def who_answers(model: str, environment: Mapping[str, str] = os.environ) -> str:
    """A hash of who answers under a name: two servers may call different models the same.

    Raises `BadValue` for models whose code may change under their name.
    """
    provider, _, name = model.partition("/")
    if provider in ADDRESSES:
        address = urlsplit(environment.get(ADDRESSES[provider], "").strip())
        place = f"{address.scheme}://{address.netloc.rpartition('@')[2]}{address.path.rstrip('/')}"
    elif provider == "local":
        place = str(Path(name).resolve()) if Path(name).exists() else ""
    else:
        raise BadValue(
            f"replies of '{model}' are not shared between exams: its code may change under its "
            "name; leave the cache out",
            parameters=["cache"],
        )
    return sha256(f"{model}\n{place}".encode()).hexdigest()


class ReplyCache:
    """Replies by key; any number of exams may use one file at a time."""

    def __init__(self, path: Path, who: str) -> None:
        self.path, self._who = path, who
        with self._explained("opened"):
            path.parent.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(
                path, timeout=PATIENCE_S, isolation_level=None, check_same_thread=False
            )
            guard(self._db)
            version = self._db.execute("PRAGMA user_version").fetchone()[0]
            if version > VERSION:
                raise BadFile(f"{path}: was written by a newer Paseo; install that one to go on")
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute("PRAGMA synchronous = FULL")
            script = f"BEGIN IMMEDIATE;{TABLE}PRAGMA user_version = {VERSION};COMMIT;"
            self._db.executescript(script)

    def close(self) -> None:
        """Let go of the file."""
        self._db.close()

    def reply(self, key: str) -> Reply | None:
        """What was replied to the same request before, in whatever exam."""
        with self._explained("read"):
            query = f"SELECT {COLUMNS} FROM shared WHERE key = ?"
            row = self._db.execute(query, (self._own(key),)).fetchone()
            return _reply(msgspec.convert(row, _Row)) if row else None

    def add(self, replies: Sequence[tuple[str, Reply]]) -> None:
        """Keep replies, all or none; the first to a request stays."""
        with self._explained("written"):
            self._db.execute("BEGIN IMMEDIATE")
            try:
                for key, reply in replies:
                    values = (self._own(key), *_values(reply))
                    marks = ",".join("?" * len(values))
                    self._db.execute(f"INSERT OR IGNORE INTO shared VALUES ({marks})", values)
                self._db.execute("COMMIT")
            except BaseException:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise

    def _own(self, key: str) -> str:
        return sha256(f"{self._who}\n{key}".encode()).hexdigest()

    @contextmanager
    def _explained(self, done: str) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise CannotWrite(
                f"{self.path}: cannot be {done} ({error}); choose another cache",
                parameters=["cache"],
            ) from error
        except BROKEN as error:
            if getattr(error, "sqlite_errorname", "").startswith(PASSING):
                raise CannotWrite(
                    f"{self.path}: cannot be {done} ({error}); make space on the disk, wait for "
                    "other exams, or choose another cache. The exam keeps its own replies",
                    parameters=["cache"],
                ) from error
            raise BadFile(
                f"{self.path}: cannot be {done} ({error}), expected replies that exams share; "
                "delete it, or choose another cache. The exam keeps its own replies",
                parameters=["cache"],
            ) from error


def _values(reply: Reply) -> tuple[object, ...]:
    used = reply.usage
    tokens: tuple[int | None, ...] = (None, None, None, None)
    if used is not None:
        tokens = (used.input_tokens, used.output_tokens, used.cached_tokens, used.reasoning_tokens)
    said = (storable(reply.text), storable(reply.ending), storable(reply.model))
    return (*said, reply.latency_s, *tokens, storable(reply.thoughts))


def _reply(row: _Row) -> Reply:
    usage = kept_usage(row.input_tokens, row.output_tokens, row.cached_tokens, row.reasoning_tokens)
    return Reply(
        text=row.text,
        latency_s=row.latency_s,
        usage=usage,
        ending=row.ending,
        model=row.model,
        thoughts=row.thoughts,
    )
