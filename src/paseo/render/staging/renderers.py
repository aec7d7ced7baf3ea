"""The seam of renderers: how moments of a record become pictures."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from inspect import getattr_static
from typing import Any, Protocol, runtime_checkable

import numpy as np

from paseo.errors import BadValue, PaseoError
from paseo.progress import Progress
from paseo.registry.registry import Registry, lacks, made
from paseo.render.raster.strokes import Frame
from paseo.render.staging.backdrop import Backdrop, Size, usual_size
from paseo.render.staging.playthrough import Moment
from paseo.text import error_words
from paseo.world.arrays import FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class Rendering:
    """One picture of a scene."""

    rgb: Frame  # (height, width, 3)
    depth: FloatArray | None = None  # (height, width), metres to what is seen; None: not told


@runtime_checkable
class Renderer(Protocol):
    """How a scene is drawn, from above or through the robot's eyes.

    It is made as `View(backdrop, size)`, for one place and one size in pixels (width, height);
    then it is shown moments, in any order, and keeps nothing of one for the next. Its class may
    have a static `usual_size(backdrop)` for those who name no size, and a static
    `prepare(progress)` for what takes long the first time.
    """

    def render(self, moments: Sequence[Moment]) -> Rendering:
        """The scene at one time, with a moment for each actor of the backdrop."""


MakeRenderer = Callable[[Backdrop, Size], Renderer]


RENDERERS: Registry[MakeRenderer] = Registry(
    kind="view",
    group="paseo.renderers",
    shipped={
        "topview": "paseo.render.topview.topview:TopView",
        "camera": "paseo.render.robotview.robotview:RobotView",
        "both": "paseo.render.robotview.robotview:BothViews",
    },
    fault=lacks("render"),
)


def size_for(make: MakeRenderer, backdrop: Backdrop) -> Size:
    """The size that a view likes best; as suits the map where it does not tell."""
    own = _static(make, "usual_size")
    return usual_size(backdrop) if own is None else own(backdrop)


def prepare(make: MakeRenderer, progress: Progress) -> None:
    """What a view has to do before the first one is made, told while it lasts."""
    own = _static(make, "prepare")
    if own is not None:
        own(progress)


def _static(make: MakeRenderer, name: str) -> Callable[..., Any] | None:
    """A static method of a view; what else goes by that name is its own business."""
    found = getattr_static(make, name, None)
    return found.__func__ if isinstance(found, staticmethod) else None


def new_renderer(make: MakeRenderer, backdrop: Backdrop, size: Size) -> Renderer:
    """A new renderer; whatever goes wrong inside it is told in a sentence."""
    return made(f"view '{_name(make)}'", lambda: make(backdrop, size), told=(PaseoError,))


def frame_of(renderer: Renderer, moments: Sequence[Moment], size: Size) -> Frame:
    """What a renderer draws, as RGB; `BadValue` where that is no frame of this size."""
    try:
        frame = renderer.render(moments).rgb
    except PaseoError:
        raise
    except Exception as error:
        raise BadValue(
            f"view '{_name(type(renderer))}' failed at {moments[0].snapshot.time:g} s "
            f"({error_words(error)})"
        ) from error
    shape = (size[1], size[0], 3)
    if not (isinstance(frame, np.ndarray) and frame.shape == shape and frame.dtype == np.uint8):
        given = f"{frame.dtype} of shape {frame.shape}" if isinstance(frame, np.ndarray) else "none"
        raise BadValue(
            f"view '{_name(type(renderer))}' gave no frame of {size[0]}x{size[1]} pixels, "
            f"expected an array uint8 of shape {shape}, not {given}"
        )
    return frame


def _name(maker: object) -> str:
    return getattr(maker, "__name__", type(maker).__name__)
