"""Recordings into named crowds of the data folder, examined as they come in."""

from dataclasses import dataclass
from pathlib import Path

from paseo.crowd_check.examination import Examination, examine
from paseo.crowd_check.reading import ReadingOptions, guess_notes, read_rows, require_rate
from paseo.data.store.crowds import crowd_folder
from paseo.data.store.importing import ImportOptions, import_crowd
from paseo.data.store.locations import DataFolder, data_folder
from paseo.world.space.floorplan import InferredFrom


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ImportedRecording:
    """A crowd that was stored, and what is to be known about it."""

    folder: Path
    examination: Examination  # by the map given; one that was inferred is no witness
    notes: tuple[str, ...] = ()  # sentences


def import_recording(
    file: Path,
    name: str,
    *,
    reading: ReadingOptions | None = None,
    floorplan: str | None = None,
    groups: Path | None = None,
    replace: bool = False,
    data: DataFolder | Path | None = None,
) -> ImportedRecording:
    """Make a recording's file a named crowd for suites, with its floor plan or one inferred.

    The floor plan is a shipped map, a crowd's own, or a file, in the frame of the crowd's metres.
    """
    reading, folder = reading or ReadingOptions(), data_folder(data)
    rows = read_rows(file, reading)
    require_rate(rows, reading)
    given = folder.floorplan(floorplan) if floorplan else None
    wanted = ImportOptions(
        name=name,
        fps=reading.fps,
        transform=reading.transform,
        longest_gap=reading.longest_gap,
        plan=given,
        groups=groups,
        replace=replace,
    )
    recording = import_crowd(rows, file, wanted, folder.path)
    notes, stored = guess_notes(rows, reading), folder.own_floorplan(name)
    if given is None and stored is not None:
        notes.append(f"no map was given. {stored.source}")
    witness = given if given and given.inferred is not InferredFrom.TRACKS else None
    return ImportedRecording(
        folder=crowd_folder(name, folder.path),
        examination=examine(recording, witness),
        notes=tuple(notes),
    )
