"""The frames of a film, drawn when they are asked for."""

import math
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Protocol, overload

from paseo.errors import BadValue
from paseo.render.raster.palette import find_theme
from paseo.render.raster.strokes import Frame
from paseo.render.staging.backdrop import Size

HELD = 1.0  # seconds that the last frame stays, so that the ending can be read


@dataclass(frozen=True, slots=True, kw_only=True)
class Playback:
    """How a film runs."""

    fps: float = 20.0
    speed: float = 1.0  # seconds of the record in each second of the film

    def __post_init__(self) -> None:
        if not 1 <= self.fps <= 120:
            raise BadValue(f"a film of {self.fps:g} frames per second, expected 1 to 120")
        if not 0.01 <= self.speed <= 1000:
            raise BadValue(f"a film at {self.speed:g} times real speed, expected 0.01 to 1000")

    @property
    def note(self) -> str:
        """What a film says of its own speed."""
        return "" if self.speed == 1 else f"{self.speed:g}x speed"


@dataclass(frozen=True, slots=True, kw_only=True)
class FilmOptions:
    """How films are made; plain values, fit to be sent to another process."""

    theme: str = "light"
    size: Size | None = None  # pixels; None: as suits the map
    playback: Playback = field(default_factory=Playback)

    def __post_init__(self) -> None:
        find_theme(self.theme)


class Animation(Protocol):
    """Something that can be filmed."""

    end: float  # seconds

    def frame(self, time: float) -> Frame:
        """What is seen at a time."""


class Footage(Sequence[Frame]):
    """All frames of an animation from beginning to end, the last one held for a moment."""

    def __init__(self, animation: Animation, playback: Playback) -> None:
        self._animation, self._step = animation, playback.speed / playback.fps
        self._moving = math.ceil(animation.end / self._step - 1e-6) + 1
        self._held = round(HELD * playback.fps)

    def __len__(self) -> int:
        return self._moving + self._held

    @overload
    def __getitem__(self, number: int) -> Frame: ...
    @overload
    def __getitem__(self, number: slice) -> list[Frame]: ...
    def __getitem__(self, number: int | slice) -> Frame | list[Frame]:
        if isinstance(number, slice):
            return [self[each] for each in range(*number.indices(len(self)))]
        if not -len(self) <= number < len(self):
            raise IndexError(number)
        return self._animation.frame(min(number % len(self) * self._step, self._animation.end))


class DrawnAhead(Sequence[Frame]):
    """Frames of which each is drawn while the one before it is encoded, by a thread of its own.

    They are to be taken in order; what draws them is only ever asked for one at a time.
    """

    def __init__(self, frames: Sequence[Frame]) -> None:
        self._frames = frames
        self._thread = ThreadPoolExecutor(1)
        self._coming: dict[int, Future[Frame]] = {}

    def __len__(self) -> int:
        return len(self._frames)

    @overload
    def __getitem__(self, number: int) -> Frame: ...
    @overload
    def __getitem__(self, number: slice) -> list[Frame]: ...
    def __getitem__(self, number: int | slice) -> Frame | list[Frame]:
        if isinstance(number, slice):
            return [self[each] for each in range(*number.indices(len(self)))]
        if not -len(self) <= number < len(self):
            raise IndexError(number)
        number %= len(self)
        wanted = self._coming.pop(number, None) or self._thread.submit(self._draw, number)
        after = number + 1
        if after < len(self) and after not in self._coming:
            self._coming = {after: self._thread.submit(self._draw, after)}
        return wanted.result()

    def _draw(self, number: int) -> Frame:
        return self._frames[number]
