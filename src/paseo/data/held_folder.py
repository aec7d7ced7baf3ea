"""A folder that one process at a time may work in."""

from pathlib import Path
from typing import IO

from paseo.errors import InputError

try:
    import fcntl
except ImportError:  # Windows has no such locks; a second process is then not refused
    fcntl = None  # type: ignore[assignment]


def held(folder: Path, *, by: str) -> IO[str]:
    """Keep others out until what is returned is closed; `by` is the command that may hold it."""
    lock = (folder / ".lock").open("w")
    if fcntl is None:
        return lock
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        lock.close()
        raise InputError(
            f"{folder} is in use by another {by}; wait for it or stop it first"
        ) from error
    return lock
