"""Known data sets from their public addresses into the data folder."""

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from paseo.data.recordings.groups import read_groups, with_groups
from paseo.data.recordings.recordings import bridged_gap, read_sightings, recording_of
from paseo.data.store.catalog import KnownRecording, RemoteFile, known_recordings
from paseo.data.store.crowds import CrowdFile, save_crowd
from paseo.data.store.download import download, from_folder, verified
from paseo.data.store.hub import SOCIALNAV_SUB, HubDataset, dataset_is_complete, fetch_dataset
from paseo.data.store.hub_copy import adopt_dataset
from paseo.data.store.locations import DataFolder, data_folder
from paseo.data.store.packs import (
    Pack,
    PackFile,
    PackOptions,
    about_bytes,
    chosen_avatars,
    fetch_pack,
    missing_files,
    rocketbox_pack,
)
from paseo.errors import CannotFetch, CannotWrite, InputError, MissingData, UnknownName
from paseo.progress import Progress, silent

ETHUCY = "ethucy"  # all five recordings at once
Known = KnownRecording | HubDataset | Pack
Arrived = Callable[[int], None]  # is told of bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchOptions:
    """How files are to be had."""

    source: Path | None = None  # a folder of files that were brought; None: from their addresses
    mirror: str | None = None
    avatars: str | None = None  # of a pack: groups, names, 'all' or how many; None: as usual
    accept_licence: bool = False  # of every data set
    wait: Callable[[float], None] = time.sleep  # between attempts


@dataclass(frozen=True, slots=True, kw_only=True)
class Fetched:
    """A data set that is here now."""

    name: str
    place: Path
    was_here: bool  # before it was asked for


def fetch(
    names: Iterable[str],
    options: FetchOptions | None = None,
    *,
    data: DataFolder | Path | None = None,
    progress: Progress = silent,
    fetched: Callable[[Fetched], None] = lambda each: None,
) -> list[Fetched]:
    """Download data sets, verify them, and make crowds of recordings; 'ethucy' is all five.

    `fetched` is told of each as soon as it is here.
    """
    options, folder = options or FetchOptions(), data_folder(data)
    wanted = list(_wanted(names))
    if options.avatars is not None and not any(isinstance(each, Pack) for each in wanted):
        raise InputError("avatars are of rocketbox; fetch it, or omit them", parameters=["avatars"])
    places = {known.name: _place(known, folder, options) for known in wanted}
    missing = [known for known in wanted if places[known.name] is None]
    if not options.accept_licence and missing:
        raise InputError(
            "these data belong to their authors; read the terms, then add accept_licence to fetch "
            "them:",
            parameters=["accept_licence"],
            lines=[line for known in missing for line in _terms(known, options)],
        )
    results = []
    for known in wanted:
        here = places[known.name]
        place = here or _fetched(known, folder.path, options, progress)
        results.append(Fetched(name=known.name, place=place, was_here=here is not None))
        fetched(results[-1])
    return results


def _wanted(names: Iterable[str]) -> Iterator[Known]:
    others: tuple[Known, ...] = (SOCIALNAV_SUB, rocketbox_pack())
    known: dict[str, Known] = {**known_recordings(), **{each.name: each for each in others}}
    for name in dict.fromkeys(names):
        if name == ETHUCY:
            yield from known_recordings().values()
        elif name in known:
            yield known[name]
        else:
            raise UnknownName("data set", name, [*known, ETHUCY])


def _place(known: Known, data: DataFolder, options: FetchOptions) -> Path | None:
    """Where the data set is already, if it is; a copy that was brought is not yet compared."""
    place = data.path / known.name
    if isinstance(known, HubDataset):
        whole = dataset_is_complete(known, place, every_file=options.source is None)
        return place if whole else None
    if isinstance(known, Pack):
        return None if missing_files(_part(known, options), place) else place
    try:
        return data.file(known.name)
    except MissingData:
        return None


def _part(pack: Pack, options: FetchOptions) -> list[PackFile]:
    return pack.part(chosen_avatars(pack, options.avatars))


def _terms(known: Known, options: FetchOptions) -> Iterator[str]:
    yield f"  {known.name}: {known.licence}"
    yield f"    please cite: {known.citation}"
    if isinstance(known, Pack):
        yield f"    {_size(known, options)}"


def _size(pack: Pack, options: FetchOptions) -> str:
    """How much of a pack would be fetched, before anybody is asked."""
    avatars, files = chosen_avatars(pack, options.avatars), _part(pack, options)
    return (
        f"{len(avatars)} of {len(pack.avatars)} avatars, {len(files)} files, about "
        f"{about_bytes(files) / 1e9:.1f} GB; the licence: {pack.licence_source}"
    )


def _fetched(known: Known, data: Path, options: FetchOptions, progress: Progress) -> Path:
    if isinstance(known, Pack):
        way = PackOptions(source=options.source, mirror=options.mirror, wait=options.wait)
        return fetch_pack(known, _part(known, options), data / known.name, way, progress)
    if isinstance(known, KnownRecording):
        size = known.annotation.bytes + known.groups.bytes
        return fetch_recording(known, data, options, _counted(known.name, size, progress))
    arrived = _counted(known.name, known.bytes, progress)
    place = data / known.name
    if options.source is not None:
        return adopt_dataset(known, options.source, place, progress=arrived)
    return fetch_dataset(known, place, endpoint=options.mirror, progress=arrived, wait=options.wait)


def _counted(name: str, total: int, progress: Progress) -> Arrived:
    """What is told of bytes as they arrive, and tells how many there are."""
    done = 0

    def arrived(count: int) -> None:
        nonlocal done
        done += count
        progress(name, done, total)

    return arrived


def fetch_recording(
    known: KnownRecording, data: Path, options: FetchOptions, arrived: Arrived
) -> Path:
    """Get the published files, verify them, and keep what they hold as a crowd; its folder."""
    folder = data / "downloads" / known.name
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CannotWrite(
            f"{folder}: cannot be made ({error.strerror}); name another folder with data",
            parameters=["data"],
        ) from error
    annotation, groups = (
        _got(file, folder, options, arrived) for file in (known.annotation, known.groups)
    )
    reading = read_sightings(annotation, format=known.format)
    recording = recording_of(reading, fps=known.fps, affine=known.affine, name=known.name)
    # SocNavBench's files and the published counts leave out a person annotated only once.
    walking = tuple(track for track in recording.tracks if len(track.times) > 1)
    recording = with_groups(replace(recording, tracks=walking), read_groups(groups))
    about = CrowdFile(
        name=known.name,
        fps=known.fps,
        longest_gap_s=bridged_gap(reading, known.fps),
        source=known.annotation.url,
        source_sha256=known.annotation.sha256,
        source_format=known.format,
        transform=known.pixel_to_world_affine,
        licence=known.licence,
        citation=known.citation,
    )
    return save_crowd(about, recording, None, data)


def _got(file: RemoteFile, folder: Path, options: FetchOptions, arrived: Arrived) -> Path:
    target = folder / file.url.rpartition("/")[2]
    if options.source is None:
        download(file, target, mirror=options.mirror, progress=arrived, wait=options.wait)
    elif verified(target, file) or from_folder(file, options.source, target):
        arrived(file.bytes)
    else:
        raise CannotFetch(
            f"no file in {options.source} has the {file.bytes} bytes and the SHA-256 "
            f"{file.sha256[:12]}... of {target.name}; download it from {file.url} into that folder"
        )
    return target
