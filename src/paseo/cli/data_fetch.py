"""`paseo data fetch`."""

import argparse
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from tqdm import tqdm

from paseo.data.store.catalog import KnownRecording, known_recordings
from paseo.data.store.fetching import FetchOptions, fetch_recording
from paseo.data.store.hub import SOCIALNAV_SUB, HubDataset, dataset_is_complete, fetch_dataset
from paseo.data.store.hub_copy import adopt_dataset
from paseo.data.store.locations import data_dir, recording_file
from paseo.errors import InputError, MissingData, UnknownName

ETHUCY = "ethucy"  # all five recordings at once
Known = KnownRecording | HubDataset


def fetch(options: argparse.Namespace) -> int:
    """Download data sets, verify them, and make crowds of them."""
    folder = data_dir(options.data).expanduser()
    wanted, copied = list(_wanted(options.names)), options.source is not None
    missing = [known for known in wanted if _place(known, folder, copied=copied) is None]
    if not options.accept_licence and missing:
        raise InputError(_licences(missing))
    for known in wanted:
        place = _place(known, folder, copied=copied)
        if place is None:
            place = _fetched(known, folder, options)
        else:
            print(f"paseo: {known.name} is here already", file=sys.stderr)
        print(f"{known.name}: {place}")
    return 0


def _wanted(names: Iterable[str]) -> Iterable[Known]:
    known: dict[str, Known] = {**known_recordings(), SOCIALNAV_SUB.name: SOCIALNAV_SUB}
    for name in dict.fromkeys(names):
        if name == ETHUCY:
            yield from known_recordings().values()
        elif name in known:
            yield known[name]
        else:
            raise UnknownName("data set", name, [*known, ETHUCY])


def _place(known: Known, folder: Path, *, copied: bool) -> Path | None:
    """Where the data set is already, if it is; a copy that was brought is not yet compared."""
    if isinstance(known, HubDataset):
        place = folder / known.name
        return place if dataset_is_complete(known, place, every_file=not copied) else None
    try:
        return recording_file(known.name, folder)
    except MissingData:
        return None


def _licences(missing: list[Known]) -> str:
    each = "".join(
        f"\n  {known.name}: {known.licence}\n    please cite: {known.citation}" for known in missing
    )
    return (
        "these data belong to their authors; read the terms, then add --accept-licence to fetch "
        f"them:{each}"
    )


def _fetched(known: Known, folder: Path, options: argparse.Namespace) -> Path:
    if isinstance(known, HubDataset):
        return _fetched_dataset(known, folder / known.name, options)
    size = known.annotation.bytes + known.groups.bytes
    with _progress(known.name, size) as progress:
        way = FetchOptions(
            source=options.source, mirror=options.mirror, progress=progress, wait=time.sleep
        )
        return fetch_recording(known, folder, way)


def _fetched_dataset(dataset: HubDataset, place: Path, options: argparse.Namespace) -> Path:
    with _progress(dataset.name, dataset.bytes) as progress:
        if options.source is not None:
            return adopt_dataset(dataset, options.source, place, progress=progress)
        return fetch_dataset(
            dataset, place, endpoint=options.mirror, progress=progress, wait=time.sleep
        )


@contextmanager
def _progress(name: str, size: int) -> Iterator[Callable[[int], None]]:
    """A bar on the terminal, and what to tell it about bytes that arrived."""
    with tqdm(total=size, desc=name, unit="B", unit_scale=True, leave=False, disable=None) as bar:

        def advance(count: int) -> None:
            bar.update(count)

        yield advance
