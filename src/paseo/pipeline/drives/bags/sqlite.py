"""ROS 2 bags in SQLite: one table of topics, one of messages, read in the order of their rows."""

import sqlite3
from collections.abc import Collection, Iterator, Mapping
from contextlib import closing
from pathlib import Path

import numpy as np

from paseo.databases import guard
from paseo.files import opened
from paseo.pipeline.drives.bags.bag import (
    LATEST,
    LONGEST_NAME,
    MOST_TOPICS,
    MOST_TYPE,
    Message,
    Topic,
    Wire,
    not_a_bag,
    type_name,
)
from paseo.progress import Progress
from paseo.world.arrays import IntArray

MAGIC = b"SQLite format 3\0"
ALL = -1  # no limit, to SQLite
EVERY = 1000  # messages between two signs of progress


class SqliteBag:
    """One file of a ROS 2 bag."""

    def __init__(self, path: Path) -> None:
        self.path, self.notes = path, list[str]()
        try:
            with opened(path), closing(self._opened()) as db:
                rows = db.execute(
                    "SELECT id, name, type, serialization_format FROM topics LIMIT ?",
                    (MOST_TOPICS,),
                ).fetchall()
                db.execute("SELECT topic_id, timestamp, data FROM messages LIMIT 0")
        except (sqlite3.Error, OSError, ValueError, TypeError) as error:
            raise not_a_bag(path, f"cannot be read as a bag in SQLite ({error})") from error
        self._topics = {
            number: Topic(
                str(name)[:LONGEST_NAME],
                type_name(str(kind)[:MOST_TYPE]),
                Wire.CDR if form == "cdr" else Wire.OTHER,
            )
            for number, name, kind, form in rows
            if isinstance(number, int)
        }

    def times(self, progress: Progress) -> Mapping[Topic, IntArray]:
        """When messages of each topic were recorded; the messages themselves are passed over."""
        found: dict[int, list[int]] = {number: [] for number in self._topics}
        for number, time in self._rows("topic_id, timestamp", (), progress):
            if number in found and isinstance(time, int) and 0 <= time <= LATEST:
                found[number].append(time)
        return {self._topics[number]: np.array(each, np.int64) for number, each in found.items()}

    def messages(self, names: Collection[str], progress: Progress) -> Iterator[Message]:
        """The messages of these topics."""
        wanted = [number for number, topic in self._topics.items() if topic.name in names]
        for number, time, data in self._rows("topic_id, timestamp, data", wanted, progress):
            if isinstance(time, int) and 0 <= time <= LATEST and isinstance(data, bytes):
                yield Message(self._topics[number].name, time, data)

    def _rows(
        self, columns: str, wanted: Collection[int], progress: Progress
    ) -> Iterator[tuple[int, ...]]:
        chosen = f"AND topic_id IN ({','.join('?' * len(wanted))})" if wanted else ""
        # By row, not by time: so the file is read from front to back, and without its index.
        query = (
            f"SELECT rowid, {columns} FROM messages NOT INDEXED WHERE rowid > ? {chosen} "
            "ORDER BY rowid LIMIT ?"
        )
        last, count, most = -1, 0, ALL
        with closing(self._opened()) as db:
            while True:
                try:
                    for place, *row in db.execute(query, (last, *wanted, most)):
                        if place <= last:
                            raise sqlite3.DatabaseError("its rows go round in a circle")
                        yield tuple(row)
                        last, count = place, count + 1
                        if count % EVERY == 0:
                            progress("message", count, 0)
                    return
                except sqlite3.Error as error:
                    self._note(f"is damaged ({error}); what comes before is used")
                    if most == 1:
                        return
                    most = 1  # Python drops the row before the damage: it is asked for alone

    def _note(self, words: str) -> None:
        sentence = f"{self.path.name}: {words}"
        if sentence not in self.notes:
            self.notes.append(sentence)

    def _opened(self) -> sqlite3.Connection:
        # Nothing is written beside the file, and nobody who writes to it is waited for.
        db = sqlite3.connect(f"{self.path.resolve().as_uri()}?mode=ro&immutable=1", uri=True)
        try:
            db.text_factory = lambda held: held.decode("utf-8", "replace")
            # Nothing can be written, but so SQLite opens a file that was cut off, too.
            db.execute("PRAGMA writable_schema = ON")
            guard(db)
        except sqlite3.Error:
            db.close()
            raise
        return db
