"""The frames of a drive, each at hand: drives are read from front to back, pages jump."""

import threading
from collections.abc import Collection
from pathlib import Path

from paseo.errors import PaseoError
from paseo.pipeline.drives.drive import Drive

MOST_BYTES = 4 << 30  # of pictures in all
WAIT_S = 20.0  # for a frame that is not there yet


class Shelf:
    """Puts the wanted frames into a folder, one after the other, while others are looked at."""

    def __init__(self, drive: Drive, wanted: Collection[int], folder: Path) -> None:
        self._drive, self._wanted, self._folder = drive, frozenset(wanted), folder
        self._there: set[int] = set()
        self._changed = threading.Condition()
        self._ended = False
        self.trouble = ""  # why there are no more
        self._thread = threading.Thread(target=self._fill, daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def stop(self) -> None:
        """Put nothing more there."""
        with self._changed:
            self._ended = True
            self._changed.notify_all()
        self._thread.join()

    def picture(self, number: int, *, wait_s: float = WAIT_S) -> bytes | None:
        """A frame as it was recorded, waited for if need be; None: there is none."""
        if number not in self._wanted:
            return None
        with self._changed:
            self._changed.wait_for(lambda: self._ended or number in self._there, wait_s)
            if number not in self._there:
                return None
        return (self._folder / str(number)).read_bytes()

    def _fill(self) -> None:
        left = MOST_BYTES
        try:
            for frame in self._drive.frames():
                if self._ended:
                    return
                if frame.number not in self._wanted:
                    continue
                left -= len(frame.picture)
                if left < 0:
                    self.trouble = f"only the first {MOST_BYTES >> 30} GB of pictures are shown"
                    return
                self._put(frame.number, frame.picture)
        except (PaseoError, OSError) as error:
            self.trouble = str(error)
        finally:
            with self._changed:
                self._ended = True
                self._changed.notify_all()

    def _put(self, number: int, picture: bytes) -> None:
        (self._folder / str(number)).write_bytes(picture)
        with self._changed:
            self._there.add(number)
            self._changed.notify_all()
