"""The frames of a film, drawn when they are asked for."""

import math
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
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
    """All frames of an animation from beginning to end, the last one held for a moment.

    With threads, those that come next are drawn while one is looked at, as many at once as there
    are threads; the animation is then asked by all of them.
    """

    def __init__(self, animation: Animation, playback: Playback, *, threads: int = 0) -> None:
        self._animation, self._step = animation, playback.speed / playback.fps
        self._moving = math.ceil(animation.end / self._step - 1e-6) + 1
        self._held = round(HELD * playback.fps)
        self._pool = ThreadPoolExecutor(threads) if threads else None
        self._ahead = 2 * threads  # so that no thread waits for who looks at frames
        self._drawn: dict[float, Callable[[], Frame]] = {}  # or being drawn, by time

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
        number %= len(self)
        end = min(number + self._ahead + 1, len(self))
        wanted = [min(each * self._step, self._animation.end) for each in range(number, end)]
        # What is held, or asked for twice in a row, is drawn once.
        self._drawn = {time: self._drawn.get(time) or self._begun(time) for time in wanted}
        return self._drawn[wanted[0]]()

    def _begun(self, time: float) -> Callable[[], Frame]:
        """A frame that is being drawn, or is drawn now: to be called for it."""
        if self._pool is not None:
            return self._pool.submit(self._animation.frame, time).result
        frame = self._animation.frame(time)
        return lambda: frame
