"""Files that appear under their name only when they are complete."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from paseo.errors import CannotWrite


@contextmanager
def draft(path: Path) -> Iterator[Path]:
    """A neighbour of `path` to write to; moved into place at the end, removed if anything fails."""
    beside = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        if path.is_dir() or (path.exists() and not path.is_file()):
            raise CannotWrite(f"{path}: is no file that could be replaced; choose another name")
        beside.touch()  # a place that cannot be written to is told before the work
        try:
            yield beside
            with beside.open("rb+") as stream:
                os.fsync(stream.fileno())
            beside.replace(path)
        finally:
            with suppress(OSError):
                beside.unlink()
    except OSError as error:
        raise CannotWrite(
            f"{path}: cannot be written ({error.strerror or error}); nothing was left there. "
            "Free some space or choose another folder, then draw again"
        ) from error
