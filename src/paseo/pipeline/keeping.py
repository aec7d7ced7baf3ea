"""Detections kept as they come: a detector that was killed goes on where it was."""

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import IO, Protocol, runtime_checkable

import msgspec

from paseo.errors import BadFile
from paseo.files import cannot_write, held_folder, opened
from paseo.pipeline.drives.drive import Drive, Frame
from paseo.pipeline.locating.seen import Seen, SeenFrame
from paseo.progress import Progress, silent

FILE = "detections.jsonl"
LONGEST_LINE = 1 << 20  # bytes
LASTING = 100  # frames after which what was kept is on disk


@runtime_checkable
class Detecting(Protocol):
    """Finds people in single pictures."""

    def detections(self, frame: Frame) -> Sequence[Seen]:
        """The people in a picture, as nobody in particular."""


class Following(Protocol):
    """Knows people again, from one frame to the next."""

    def known(self, people: Sequence[Seen], time: float) -> Sequence[Seen]:
        """The same people as the tracks they belong to."""


class _Beginning(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The first line: of what drive and by whom."""

    format: str
    version: int
    drive: str
    frames: int
    detector: str


class _Line(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A frame."""

    number: int
    people: list[Seen]


class KeptDetections:
    """A `PeopleSource` whose detections are kept in a folder, each frame as soon as it is done.

    People are known again only afterwards, from the first frame on: what is found does not
    depend on how often the work was interrupted.
    """

    def __init__(
        self,
        detector: Detecting,
        follower: Callable[[Drive], Following],
        folder: Path,
        *,
        label: str,
        progress: Progress = silent,
    ) -> None:
        self._detector, self._follower, self._folder = detector, follower, folder
        self._label, self._progress = label, progress

    def frames(self, drive: Drive) -> Iterator[SeenFrame]:
        """Who is in each frame, in order."""
        follower, times = self._follower(drive), drive.frame_times
        for number, people in enumerate(self._all(drive)):
            known = tuple(follower.known(people, float(times[number])))
            if known:
                yield SeenFrame(number, known)

    def _all(self, drive: Drive) -> Iterator[Sequence[Seen]]:
        """The detections of every frame: those that are kept, then all others."""
        path, total = self._folder / FILE, len(drive.frame_times)
        beginning = _Beginning("paseo-detections", 1, drive.name, total, self._label)
        with held_folder(self._folder, by="reconstruction"):
            done, whole = 0, 0  # frames and bytes
            for line, end in _lines(path, beginning):
                yield line.people
                done, whole = line.number + 1, end
            try:
                with path.open("ab") as log:
                    log.truncate(whole)  # what a killed process left of a line
                    if not whole:
                        log.write(msgspec.json.encode(beginning) + b"\n")
                    yield from self._rest(drive, done, log)
            except OSError as error:
                raise cannot_write(path, error) from error

    def _rest(self, drive: Drive, first: int, log: IO[bytes]) -> Iterator[Sequence[Seen]]:
        total = len(drive.frame_times)
        for frame in drive.frames(first):
            self._progress("finding people", frame.number, total)
            people = list(self._detector.detections(frame))
            log.write(msgspec.json.encode(_Line(frame.number, people)) + b"\n")
            log.flush()
            if frame.number % LASTING == 0:
                os.fsync(log.fileno())
            yield people
        self._progress("finding people", total, total)


def _lines(path: Path, expected: _Beginning) -> Iterator[tuple[_Line, int]]:
    """The whole lines that are kept, each with where it ends; nothing if there is no file."""
    if not path.exists():
        return
    try:
        with opened(path) as stream:
            first = stream.readline(LONGEST_LINE)
            if not first.endswith(b"\n"):
                return
            _check_beginning(path, first, expected)
            number = 0
            while (text := stream.readline(LONGEST_LINE)).endswith(b"\n"):
                line = msgspec.json.decode(text, type=_Line)
                if line.number != number:
                    raise ValueError(f"frame {line.number} stands where {number} is expected")
                number += 1
                yield line, stream.tell()
            if len(text) >= LONGEST_LINE or number > expected.frames:
                raise ValueError("it holds more than was written")
    except (ValueError, OSError) as error:
        raise BadFile(
            f"{path}: is damaged ({error}), expected detections of an earlier run; remove it to "
            "begin anew"
        ) from error


def _check_beginning(path: Path, text: bytes, expected: _Beginning) -> None:
    found = msgspec.json.decode(text, type=_Beginning)
    for name in _Beginning.__struct_fields__:
        told, wanted = getattr(found, name), getattr(expected, name)
        if told != wanted:
            raise BadFile(
                f"{path}: is of another run ({name} is {told!r:.60}, not {wanted!r:.60}); choose "
                "another folder, or remove it to begin anew"
            )
