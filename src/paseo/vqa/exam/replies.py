"""Stored replies, read back: from rows of SQLite, whose types nobody vouches for, to values."""

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, NamedTuple

import msgspec

from paseo.databases import guard
from paseo.errors import BadFile
from paseo.vlm.likelihoods import MOST_TOKENS
from paseo.vlm.models import Reply, Token, Usage

COLUMNS = (
    "key, variant, scene, questions, repeat, text, ending, model, latency_s, attempts, time_s, "
    "input_tokens, output_tokens, cached_tokens, cost_usd, reasoning_tokens, thoughts, tokens"
)
OLDER = {  # by version
    1: COLUMNS.replace("reasoning_tokens, thoughts, tokens", "NULL, '', ''"),
    2: COLUMNS.replace("thoughts, tokens", "thoughts, ''"),
}
# A database whose words are no UTF-8 makes sqlite3 itself stumble.
BROKEN = (sqlite3.DatabaseError, msgspec.DecodeError, UnicodeError, OverflowError)
ORDER = "ORDER BY variant, scene, questions, repeat"


Questions = Annotated[tuple[str, ...], msgspec.Meta(min_length=1)]  # their keys


@dataclass(frozen=True, slots=True, kw_only=True)
class Stored:
    """A reply, or a failure, as it stands in the store."""

    key: str
    variant: str
    scene: str
    questions: tuple[str, ...]
    repeat: int
    reply: Reply | None  # None for a failure
    problem: str = ""
    attempts: int = 1
    time_s: float = 0.0  # since 1970
    cost_usd: float | None = None


def stored_replies(path: Path) -> list[Stored]:
    """All replies, then all failures, in an order that does not depend on when they came."""
    if not path.is_file():
        return []
    try:
        db = _opened(path)
        try:
            guard(db)
            if not db.execute("SELECT 1 FROM sqlite_master").fetchone():
                return []  # an exam that was begun a moment ago
            version = db.execute("PRAGMA user_version").fetchone()[0]
            columns = OLDER.get(version, COLUMNS)
            replies = db.execute(f"SELECT {columns} FROM replies {ORDER}").fetchall()
            failures = db.execute(f"SELECT * FROM failures {ORDER}").fetchall()
        finally:
            db.close()
        return [stored_reply(row) for row in replies] + [_failure(row) for row in failures]
    except BROKEN as error:
        raise BadFile(
            f"{path}: cannot be read ({error}), expected the replies of an exam; "
            "restore it from a copy, or ask again in another folder"
        ) from error


def _opened(path: Path) -> sqlite3.Connection:
    """For reading beside a running exam: WAL shows a whole state of it."""
    place = path.absolute().as_uri()
    db = sqlite3.connect(f"{place}?mode=ro", uri=True)
    try:
        db.execute("SELECT 1 FROM sqlite_master")
    except sqlite3.OperationalError:
        db.close()
        if path.with_name(f"{path.name}-wal").exists():
            raise
        # In a folder that cannot be written to not even readers can agree on a state; nobody
        # can be changing it either.
        return sqlite3.connect(f"{place}?immutable=1", uri=True)
    return db


class _ReplyRow(NamedTuple):
    key: str
    variant: str
    scene: str
    questions: str
    repeat: int
    text: str
    ending: str
    model: str
    latency_s: float
    attempts: int
    time_s: float
    input_tokens: int | None
    output_tokens: int | None
    cached_tokens: int | None
    cost_usd: float | None
    reasoning_tokens: int | None
    thoughts: str
    tokens: str


class _FailureRow(NamedTuple):
    key: str
    variant: str
    scene: str
    questions: str
    repeat: int
    problem: str
    attempts: int
    time_s: float


def kept_usage(
    sent: int | None, written: int | None, cached: int | None, reasoning: int | None
) -> Usage | None:
    """Tokens as a store keeps them; None where nobody told how many were sent."""
    if sent is None:
        return None
    return Usage(
        input_tokens=sent,
        output_tokens=written or 0,
        cached_tokens=cached or 0,
        reasoning_tokens=reasoning or 0,
    )


def written_tokens(tokens: Sequence[Token]) -> str:
    """Tokens as a store keeps them; empty for none."""
    return json.dumps([[each.text, each.chances] for each in tokens]) if tokens else ""


def _tokens(written: str) -> tuple[Token, ...]:
    if not written:
        return ()
    told = msgspec.json.decode(written, type=list[tuple[str, tuple[tuple[str, float], ...]]])
    return tuple(Token(text=text, chances=chances) for text, chances in told[-MOST_TOKENS:])


def stored_reply(values: Sequence[object]) -> Stored:
    """A row of `replies` as a value; `msgspec.DecodeError` if it holds something else."""
    row = msgspec.convert(values, _ReplyRow)
    usage = kept_usage(row.input_tokens, row.output_tokens, row.cached_tokens, row.reasoning_tokens)
    return Stored(
        key=row.key,
        variant=row.variant,
        scene=row.scene,
        questions=msgspec.json.decode(row.questions, type=Questions),
        repeat=row.repeat,
        reply=Reply(
            text=row.text,
            latency_s=row.latency_s,
            usage=usage,
            ending=row.ending,
            model=row.model,
            thoughts=row.thoughts,
            tokens=_tokens(row.tokens),
        ),
        attempts=row.attempts,
        time_s=row.time_s,
        cost_usd=row.cost_usd,
    )


def _failure(values: Sequence[object]) -> Stored:
    row = msgspec.convert(values, _FailureRow)
    return Stored(
        key=row.key,
        variant=row.variant,
        scene=row.scene,
        questions=msgspec.json.decode(row.questions, type=Questions),
        repeat=row.repeat,
        reply=None,
        problem=row.problem,
        attempts=row.attempts,
        time_s=row.time_s,
    )
