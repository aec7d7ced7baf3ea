"""Films of records, made in a process of its own while further episodes still run."""

import multiprocessing
import queue
import threading
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path
from types import TracebackType
from typing import Self

from paseo.errors import CannotWrite, PaseoError
from paseo.render.films.footage import FilmOptions, Footage
from paseo.render.films.panels import Overlaid
from paseo.render.raster.film import require_av, write_film
from paseo.render.raster.palette import find_theme
from paseo.render.staging.playthrough import WhoseDoing, nobody_knows
from paseo.world.recordfile import load_record

FAREWELL = 5.0  # seconds in which a process that was told to end must have ended


USUAL = FilmOptions()


def film_record(
    record: Path, film: Path, options: FilmOptions = USUAL, *, whose: WhoseDoing = nobody_knows
) -> None:
    """Film one record from above, on one core."""
    theme, playback = find_theme(options.theme), options.playback
    records = [load_record(record)]
    animation = Overlaid(records, theme=theme, size=options.size, note=playback.note, whose=whose)
    write_film(film, Footage(animation, playback), playback.fps, threads=1)


class Filming:
    """Films records one after the other in another process, into a folder that only it writes to.

    Used as a context: leaving it waits for all films; an exception ends the process at once.
    """

    def __init__(
        self, folder: Path, options: FilmOptions = USUAL, *, whose: WhoseDoing = nobody_knows
    ) -> None:
        require_av()  # here, where it can still be told
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise CannotWrite(f"{folder}: cannot be made ({error.strerror})") from error
        self._folder, self._options, self._whose = folder, options, whose
        self._sweep()  # after who was killed
        self._waiting: queue.Queue[Path | None] = queue.Queue()
        self.failures: list[str] = []  # a sentence for each record that could not be filmed
        # Spawned: a fork would copy threads of the encoder and of whoever runs the episodes.
        context = multiprocessing.get_context("spawn")
        self._ours, theirs = context.Pipe()
        self._process = context.Process(target=_film_all, args=(theirs,), daemon=True)
        self._process.start()
        theirs.close()
        self._messenger = threading.Thread(target=self._hand_over, daemon=True)
        self._messenger.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if kind is None:
            self.wait()
        self._end(patience=FAREWELL if kind is None else 0.0)

    def film(self, record: Path) -> Path:
        """Where the film of a record goes."""
        return self._folder / f"{record.stem}.mp4"

    def add(self, record: Path) -> None:
        """Film this record when its turn comes; returns at once."""
        self._waiting.put(record)

    @property
    def left(self) -> int:
        """How many records wait for their turn."""
        return self._waiting.qsize()

    def wait(self, tell: Callable[[int], None] = lambda left: None) -> None:
        """Wait until all records are filmed, telling now and then how many are left."""
        self._waiting.put(None)
        while self._messenger.is_alive():
            tell(self.left)
            self._messenger.join(0.2)

    def _hand_over(self) -> None:
        """Give the process one record at a time."""
        while (record := self._waiting.get()) is not None:
            try:
                self._ours.send((record, self.film(record), self._options, self._whose))
                problem = self._ours.recv()
            except (EOFError, OSError):
                problem = f"{record}: the process that films died; try: paseo draw {record}"
            if problem:
                self.failures.append(problem)

    def _end(self, patience: float) -> None:
        self._ours.close()
        self._process.join(patience)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()
        self._sweep()

    def _sweep(self) -> None:
        """Remove films that were not finished."""
        for unfinished in self._folder.glob(".*.mp4.*.part"):
            unfinished.unlink(missing_ok=True)


def _film_all(tasks: Connection) -> None:
    """Film what comes through the pipe until the other end closes."""
    while True:
        try:
            record, film, options, whose = tasks.recv()
        except (EOFError, OSError, KeyboardInterrupt):
            return
        problem = ""
        try:
            film_record(record, film, options, whose=whose)
        except PaseoError as error:
            problem = str(error)
        except KeyboardInterrupt:
            return
        try:
            tasks.send(problem)
        except OSError:
            return
