"""Formats of recording files: what each must be able to do, and all there are by name."""

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from paseo.data.recordings.sightings import Sightings
from paseo.errors import BadFile, PaseoError
from paseo.registry.registry import Registry, lacks, made
from paseo.text import error_words


class RecordingFormat(Protocol):
    """How files of one kind are read; a class that is made without arguments.

    A format whose files are in pixels says so with `in_pixels = True`, and one whose sightings lie
    apart although the person was there all the time with `bridges_gaps = True`.
    """

    def sign(self, name: str, lines: Sequence[str]) -> str:
        """Why a file seems to be of this kind, as in 'its name ends in .vsp'; empty if it does not.

        The name is in small letters and without .gz; of the lines the first is there.
        """
        ...

    def sightings(self, lines: list[str], path: Path) -> Sightings:
        """Who was seen where in which frame; `BadFile` names the line that is wrong."""
        ...


FORMATS: Registry[type[RecordingFormat]] = Registry(
    kind="recording format",
    group="paseo.recording_formats",
    # In the order in which they are asked for a sign: whoever takes the most comes last.
    shipped={
        "vsp": "paseo.data.recordings.vsp:Vsp",
        "trajnet": "paseo.data.recordings.trajnet:TrajNet",
        "obsmat": "paseo.data.recordings.obsmat:Obsmat",
        "socnavbench": "paseo.data.recordings.socnavbench_csv:SocNavBench",
        "csv": "paseo.data.recordings.csv_tracks:Csv",
    },
    fault=lacks("sign", "sightings"),
)


def recording_format(reference: str) -> RecordingFormat:
    """A format by its name, `file.py:Class` or `module:Class`."""
    cls = FORMATS.find(reference)
    return made(f"recording format '{reference}'", lambda: cls())


def is_in_pixels(reference: str) -> bool:
    """Whether files of this format need an affine to metres."""
    return bool(getattr(FORMATS.find(reference), "in_pixels", False))


def bridges_gaps(reference: str) -> bool:
    """Whether people walk on between sightings of this format, however far apart they are."""
    return bool(getattr(FORMATS.find(reference), "bridges_gaps", False))


def guessed_format(path: Path, lines: Sequence[str]) -> tuple[str, str]:
    """The format a file seems to have, and the reason: its name, first line or number of lines.

    Ours are asked first, so that no package changes how a file is read that was read before.
    """
    known = FORMATS.targets()
    name = path.name.removesuffix(".gz").lower()
    for format in (*FORMATS.shipped, *(each for each in known if each not in FORMATS.shipped)):
        if reason := recording_format(format).sign(name, lines):
            return format, reason
    raise BadFile(
        f"{path}: line 1 is of no known recording format, expected one of {', '.join(known)}; "
        "name the format"
    )


def sightings_of(reference: str, lines: list[str], path: Path) -> Sightings:
    """Who was seen where, as a format of this name reads it."""
    try:
        found = recording_format(reference).sightings(lines, path)
    except PaseoError:
        raise
    except Exception as error:  # of a user's format
        raise PaseoError(
            f"{path}: recording format '{reference}' failed ({error_words(error)}); correct it, "
            "and see paseo.checks.check_recording_format"
        ) from error
    if not isinstance(found, Sightings):
        raise PaseoError(
            f"{path}: recording format '{reference}' returned {found!r:.80}, expected Sightings"
        )
    return found
