"""Data sets of the hub that somebody brings as a copy."""

import os
import shutil
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from paseo.data.store.hub import NOT_DATA, HubDataset, Progress, download_line, mark
from paseo.errors import BadFile, CannotWrite
from paseo.files import draft_folder, opened

POINTER = b"version https://git-lfs.github.com/spec/v1"


def adopt_dataset(dataset: HubDataset, source: Path, folder: Path, *, progress: Progress) -> Path:
    """Copy somebody's own download into a new folder and mark it; the source stays as it is.

    Without the hub's listing only the number and size of files can be checked; `fetch_dataset` on
    the same folder checks the rest later.
    """
    paths = sorted(islice(_data_files(source), dataset.files + 1))
    if len(paths) != dataset.files:
        holds = f"more than {dataset.files}" if len(paths) > dataset.files else str(len(paths))
        raise BadFile(
            f"{source}: holds {holds} files, expected the {dataset.files} of {dataset.repo} at "
            f"revision {dataset.revision}; {download_line(dataset)}",
            parameters=["source"],
        )
    if pointer := next((each for each in paths if _is_pointer(source / each)), None):
        raise BadFile(
            f"{source / pointer}: only points to a file that Git LFS has not brought, expected "
            f"the file; run `git lfs pull` in {source}"
        )
    size = sum((source / each).stat().st_size for each in paths)
    if size < dataset.bytes / 2:
        raise BadFile(
            f"{source}: its files have {size} bytes, expected about {dataset.bytes}; "
            f"{download_line(dataset)}",
            parameters=["source"],
        )
    if folder.is_dir() and any(folder.iterdir()):
        raise CannotWrite(
            f"{folder}: holds an unfinished download; finish it without source, or remove it first",
            parameters=["source"],
        )
    with draft_folder(folder) as draft:
        _copy(source, draft, paths, progress)
        mark(dataset, draft, verified="number of files")
    return folder


def _data_files(source: Path) -> Iterator[Path]:
    """The files below a folder, as relative paths, without what Git and the hub keep there."""
    for here, folders, names in os.walk(source):
        inside = Path(here).relative_to(source)
        if inside == Path():
            folders[:] = [each for each in folders if each not in NOT_DATA]
            names = [each for each in names if each not in NOT_DATA]
        yield from (inside / each for each in names)


def _is_pointer(path: Path) -> bool:
    try:
        with opened(path) as stream:
            return stream.read(len(POINTER)) == POINTER
    except OSError as error:
        raise BadFile(f"{path}: cannot be read ({error.strerror}); copy it again") from error


def _copy(source: Path, target: Path, paths: list[Path], progress: Progress) -> None:
    for path in paths:
        place = target / path
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source / path, place)
        progress(place.stat().st_size)
