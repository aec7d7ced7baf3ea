"""Files and folders that appear under their name only when they are complete."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from paseo.errors import BadValue, CannotWrite


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


@contextmanager
def draft_folder(out: Path) -> Iterator[Path]:
    """A neighbour of a folder that is empty or not there, to write into; moved or removed alike."""
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise BadValue(f"{out}: is not an empty folder; choose another name")
    if out.resolve() == Path.cwd():
        raise BadValue(f"{out}: is the folder you are in; name one to be made")
    beside = out.with_name(f".{out.name}.{os.getpid()}.part")
    try:
        beside.mkdir(parents=True)
        yield beside
        if out.is_dir():
            out.rmdir()
        beside.rename(out)
    except OSError as error:
        raise CannotWrite(
            f"{out}: cannot be written ({error.strerror or error}); nothing was left there. "
            "Free some space or choose another folder, then run again"
        ) from error
    finally:
        shutil.rmtree(beside, ignore_errors=True)
