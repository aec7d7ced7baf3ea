"""A drive as a short film that does not tell who drives."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from paseo.errors import BadValue
from paseo.files import sha256
from paseo.render.films.footage import Footage, Playback
from paseo.render.raster.film import write_film
from paseo.render.raster.palette import LIGHT
from paseo.render.raster.strokes import Frame
from paseo.render.staging.backdrop import Actor, Backdrop, Size, backdrop_of
from paseo.render.staging.playthrough import Playthrough
from paseo.render.staging.renderers import (
    RENDERERS,
    MakeRenderer,
    Renderer,
    frame_of,
    new_renderer,
    size_for,
)
from paseo.world.records import Record

VIEWS = ("topview", "camera")
FPS = 20.0
NEAR = 3.0  # metres between a robot and a person who meet
MARGIN = 3.0  # seconds before and after
LONGEST = 60.0  # seconds of a clip that people can be asked to watch
LARGEST = 15 << 20  # bytes of a clip
ROBOT = Actor(name="robot", colour=LIGHT.planner(0))  # whoever drives


@dataclass(frozen=True, slots=True, kw_only=True)
class ClipOptions:
    """How clips are made."""

    view: str = VIEWS[0]
    speed: float = 1.0  # seconds of the drive in each second of the clip
    longest_s: float = 20.0

    def __post_init__(self) -> None:
        if self.view not in VIEWS:
            raise BadValue(
                f"view is '{self.view}', expected {' or '.join(VIEWS)}", parameters=("view",)
            )
        if not 1 <= self.longest_s <= LONGEST:
            raise BadValue(
                f"longest_s is {self.longest_s:g}, expected 1 to {LONGEST:g}",
                parameters=("longest_s",),
            )
        if not 0.1 <= self.speed <= 10:
            raise BadValue(f"speed is {self.speed:g}, expected 0.1 to 10", parameters=("speed",))


@dataclass(frozen=True, slots=True, kw_only=True)
class Filmed:
    """A clip that was made."""

    from_s: float  # the piece of the drive that is seen
    to_s: float
    size: Size
    sha256: str

    def is_whole(self, record: Record) -> bool:
        """Whether all of the drive is seen."""
        return self.from_s <= 0 and self.to_s >= float(record.times[-1])


@dataclass(slots=True, kw_only=True, eq=False)
class Piece:
    """A piece of a drive, without a word on how it ended."""

    played: Playthrough
    renderer: Renderer
    size: Size
    begin: float
    end: float  # seconds after `begin`

    def frame(self, time: float) -> Frame:
        """What is seen so many seconds after its beginning."""
        moment = replace(self.played.at(self.begin + time), ending="")
        return frame_of(self.renderer, [moment], self.size)


class Stage:
    """One place that all planners of an episode are filmed in, alike."""

    def __init__(self, records: Sequence[Record], options: ClipOptions) -> None:
        self._options = options
        self._playback = Playback(fps=FPS, speed=options.speed)
        self._view: MakeRenderer = RENDERERS.find(options.view)
        whole = backdrop_of(records, theme=LIGHT, title="", note=self._playback.note)
        self._backdrop: Backdrop = replace(whole, actors=(ROBOT,))
        self._size = size_for(self._view, self._backdrop)

    def film(self, record: Record, file: Path) -> Filmed:
        """Film a drive, or the piece of it in which robot and people meet."""
        piece = self.piece(record)
        # By one thread, so that the bytes do not depend on how many cores there are.
        write_film(file, Footage(piece, self._playback), FPS, threads=1)
        if file.stat().st_size > LARGEST:
            raise BadValue(
                f"a clip of '{record.scenario.name}' has more than {LARGEST >> 20} MiB; choose a "
                "smaller longest_s",
                parameters=("longest_s",),
            )
        return Filmed(
            from_s=piece.begin,
            to_s=piece.begin + piece.end,
            size=self._size,
            sha256=sha256(file),
        )

    def piece(self, record: Record) -> Piece:
        """What is shown of a drive."""
        begin, end = encounter(record, self._options.longest_s * self._options.speed)
        return Piece(
            # Neither marks nor words on contacts: people are to judge by what they see.
            played=Playthrough(replace(record, contacts=())),
            renderer=new_renderer(self._view, self._backdrop, self._size),
            size=self._size,
            begin=begin,
            end=end - begin,
        )


def encounter(record: Record, lasts: float) -> tuple[float, float]:
    """The seconds of a drive in which robot and people meet, so many of them; all of a short one.

    In their middle is the time in which people are near, or where that is too long, when one is
    nearest.
    """
    times = record.times
    end = float(times[-1])
    if end <= lasts:
        return 0.0, end
    gaps = np.linalg.norm(record.people - record.robot[:, None, :2], axis=2)  # (states, people)
    nearest = np.nan_to_num(gaps, nan=np.inf).min(axis=1, initial=np.inf)
    met = times[nearest <= NEAR]
    middle = float(times[nearest.argmin()])
    if met.size and met[-1] - met[0] + 2 * MARGIN <= lasts:
        middle = float(met[0] + met[-1]) / 2
    begin = min(max(middle - lasts / 2, 0.0), end - lasts)
    return begin, begin + lasts
