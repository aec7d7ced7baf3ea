"""One person's corrections: applied at once, written down at once, taken back one by one."""

import threading
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec import Struct

from paseo.errors import BadFile, InputError
from paseo.files import bounded, write_whole
from paseo.mending.telling import told
from paseo.pipeline.corrections import Correction, corrected, in_words
from paseo.pipeline.reconstructing import Method, retraced
from paseo.pipeline.reconstruction import Reconstruction
from paseo.pipeline.reconstruction_file import save_reconstruction

LARGEST_FILE = 4 << 20  # bytes


class CorrectionsFile(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What was corrected of one reconstruction, as it lies on the disk."""

    format: Literal["paseo-corrections"] = "paseo-corrections"
    version: Literal[1] = 1
    drive: str
    frames: int
    corrections: list[Correction]


class Session:
    """A reconstruction as it stands after all corrections so far, which lie in `file`.

    The outcome is written to `out` after each of them.
    """

    def __init__(
        self, drive: Reconstruction, *, file: Path, out: Path, method: Method | None = None
    ) -> None:
        self._drive, self._file, self._out, self._method = drive, file, out, method
        self._lock = threading.Lock()
        self._corrections = read_corrections(file, drive) if file.exists() else []
        self._now = self._after(self._corrections) if self._corrections else drive

    @property
    def now(self) -> Reconstruction:
        """After all corrections."""
        return self._now

    def told(self) -> dict[str, Any]:
        """What the page is told."""
        with self._lock:
            return told(self._now, corrections=[in_words(each) for each in self._corrections])

    def correct(self, correction: Correction) -> None:
        """Apply one more; it is on disk when this returns."""
        with self._lock:
            self._become([*self._corrections, correction])

    def undo(self) -> None:
        """Take the last one back."""
        with self._lock:
            if not self._corrections:
                raise InputError("nothing has been corrected; there is nothing to take back")
            self._become(self._corrections[:-1])

    def _become(self, corrections: list[Correction]) -> None:
        after = self._after(corrections)
        content = CorrectionsFile(
            drive=self._drive.name, frames=len(self._drive.frame_times), corrections=corrections
        )
        write_whole(self._file, msgspec.json.format(msgspec.json.encode(content), indent=1))
        save_reconstruction(after, self._out)
        self._corrections, self._now = corrections, after

    def _after(self, corrections: list[Correction]) -> Reconstruction:
        return retraced(self._drive, corrected(self._drive.seen, corrections), self._method)


def read_corrections(file: Path, drive: Reconstruction) -> list[Correction]:
    """What was corrected of this reconstruction before."""
    content = bounded(file, LARGEST_FILE)
    try:
        found = msgspec.json.decode(content, type=CorrectionsFile)
    except (msgspec.MsgspecError, RecursionError, ValueError) as error:
        raise BadFile(
            f"{file}: holds no corrections of tracks ({error}); restore it, or move it away to "
            "begin anew"
        ) from error
    if (found.drive, found.frames) != (drive.name, len(drive.frame_times)):
        raise InputError(
            f"{file}: corrects {found.drive} with {found.frames} frames, but this is {drive.name} "
            f"with {len(drive.frame_times)}; move it away to begin anew"
        )
    return found.corrections
