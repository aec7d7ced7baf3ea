"""SQLite files of others: rows of plain tables, and nothing that the file itself would compute."""

import sqlite3

LARGEST_VALUE = 64 << 20  # bytes of a text
# A view may never end, and a column that is computed may be as long as it likes in every row.
STRANGE = """
SELECT master.type, master.name FROM sqlite_master AS master
WHERE master.type NOT IN ('table', 'index') OR master.sql LIKE 'CREATE VIRTUAL%'
OR EXISTS (SELECT 1 FROM pragma_table_xinfo(master.name) AS field WHERE field.hidden > 0)
LIMIT 1
"""


def guard(db: sqlite3.Connection) -> None:
    """Refuse, with `sqlite3.DatabaseError`, what is more than tables; call it before any query."""
    db.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LARGEST_VALUE)
    db.execute("PRAGMA trusted_schema = OFF")
    found = db.execute(STRANGE).fetchone()
    if found is not None:
        raise sqlite3.DatabaseError(f"{found[0]} {str(found[1])[:60]!r} is computed")
