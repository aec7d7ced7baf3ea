"""Known recordings from their public addresses into crowds of the data folder."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from paseo.data.recordings.groups import read_groups, with_groups
from paseo.data.recordings.recordings import bridged_gap, read_sightings, recording_of
from paseo.data.store.catalog import KnownRecording, RemoteFile
from paseo.data.store.crowds import CrowdFile, save_crowd
from paseo.data.store.download import download, from_folder, verified
from paseo.errors import CannotFetch, CannotWrite


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchOptions:
    """How files are to be had."""

    source: Path | None = None  # a folder of files that were brought; None: from their addresses
    mirror: str | None = None
    progress: Callable[[int], None]
    wait: Callable[[float], None]


def fetch_recording(known: KnownRecording, data: Path, way: FetchOptions) -> Path:
    """Get the published files, verify them, and keep what they hold as a crowd; its folder."""
    folder = data / "downloads" / known.name
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise CannotWrite(
            f"{folder}: cannot be made ({error.strerror}); name another folder with --data"
        ) from error
    annotation, groups = (_got(file, folder, way) for file in (known.annotation, known.groups))
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


def _got(file: RemoteFile, folder: Path, way: FetchOptions) -> Path:
    target = folder / file.url.rpartition("/")[2]
    if way.source is None:
        download(file, target, mirror=way.mirror, progress=way.progress, wait=way.wait)
    elif verified(target, file) or from_folder(file, way.source, target):
        way.progress(file.bytes)
    else:
        raise CannotFetch(
            f"no file in {way.source} has the {file.bytes} bytes and the SHA-256 "
            f"{file.sha256[:12]}... of {target.name}; download it from {file.url} into that folder"
        )
    return target
