"""Scenes small enough to count pixels, and what a disc's colour is at a place."""

import io
from typing import Any

import numpy as np
from PIL import Image

from paseo.data.scenes.socialnavsub import TIMING
from paseo.world.scenes import NumberedPerson, Scene

SIZE = (320, 180)
STEPS = np.arange(TIMING.frames)


def picture(shade: int, size: tuple[int, int] = SIZE, *, form: str = "PNG") -> bytes:
    buffer = io.BytesIO()
    Image.new("RGB", size, (shade, shade, shade)).save(buffer, form)
    return buffer.getvalue()


def walker(
    number: int, start: tuple[float, float], speed: tuple[float, float] = (0.0, 0.0), *,
    frames: tuple[int, ...] = tuple(STEPS), box: tuple[float, ...] = (100, 60, 140, 120),
) -> NumberedPerson:  # fmt: skip
    """Somebody who walks straight on, and is seen in some frames only."""
    positions = np.array(start) + TIMING.period * STEPS[:, None] * np.array(speed)
    boxes = np.tile(np.array(box, float), (TIMING.frames, 1))
    unseen = ~np.isin(STEPS, frames)
    positions[unseen], boxes[unseen] = np.nan, np.nan
    return NumberedPerson(number=number, positions=positions, boxes=boxes)


def scene(*people: NumberedPerson, **changes: Any) -> Scene:
    """The robot drives ahead at 1 m/s towards a goal at (8, 1); frame k has the shade 20 k."""
    robot = np.stack(
        [TIMING.period * STEPS, np.zeros(TIMING.frames), np.zeros(TIMING.frames)], axis=1
    )
    usual: dict[str, Any] = {
        "id": "yard", "frames": tuple(picture(20 * k) for k in range(TIMING.frames)),
        "period": TIMING.period, "robot": robot, "goal": (8.0, 1.0), "people": people,
    }  # fmt: skip
    return Scene(**{**usual, **changes})


def colour_of_disc(
    frame: np.ndarray, at: tuple[float, float], radius: float
) -> tuple[int, ...] | None:
    """The colour of the disc around (column, row) on all four sides of its number, or None."""
    off = 0.68 * radius
    sides = ((0, -off), (0, off), (-off, 0), (off, 0))
    places = [frame[int(at[1] + y), int(at[0] + x)] for x, y in sides if at[0] + x >= 0]
    colours = {tuple(place.tolist()) for place in places}
    return colours.pop() if len(colours) == 1 else None
