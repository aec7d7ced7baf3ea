"""Bird's-eye views drawn with matplotlib the way SocialNav-SUB draws its own."""

import io
from collections.abc import Mapping

import numpy as np
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from numpy.typing import ArrayLike, NDArray
from PIL import Image

from paseo.data.scenes.socialnavsub import TIMING
from paseo.world.scenes import NumberedPerson, Scene

ARROW, SHAFT = 0.5, 0.1  # metres


def staged(
    people: Mapping[int, ArrayLike],
    *,
    robot: ArrayLike = (0.0, 0.0, 0.0),
    goal: tuple[float, float] = (8.0, 0.0),
    id: str = "staged",
) -> Scene:
    """A scene of people and a robot that stand, (2,) and (3,), or walk, (frames, ...)."""
    front = io.BytesIO()
    Image.new("RGB", (1280, 720), "grey").save(front, "PNG")
    return Scene(
        id=id,
        frames=(front.getvalue(),) * TIMING.frames,
        period=TIMING.period,
        robot=np.broadcast_to(np.asarray(robot, float), (TIMING.frames, 3)),
        goal=goal,
        people=tuple(
            NumberedPerson(
                number=number,
                positions=np.broadcast_to(np.asarray(place, float), (TIMING.frames, 2)),
                boxes=np.full((TIMING.frames, 4), np.nan),
            )
            for number, place in people.items()
        ),
    )


def original_birdseye(scene: Scene, frame: int, *, dpi: int = 300) -> NDArray[np.uint8]:
    """A frame from above, 1280 pixels wide; only the robot is drawn in time, not a step ahead."""
    figure = Figure(figsize=(7, 7), dpi=dpi)
    canvas = FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    colours = colormaps["brg"](np.linspace(0, 1, len(scene.people)))
    for person, colour in zip(scene.people, colours, strict=True):
        if frame in person.seen:
            heading = _heading(person.positions, frame)
            _mark(axes, person.positions[frame], str(person.number), colour, heading)
    _mark(axes, scene.robot[frame, :2], "R", "black", float(scene.robot[frame, 2]))
    _mark(axes, np.array(scene.goal), "G", "black", None)
    axes.set_aspect("equal")
    (low_x, high_x), (low_y, high_y) = _limits(scene)
    axes.set_xlim(high_y, low_y)
    axes.set_ylim(low_x, high_x)
    axes.grid(visible=True)
    figure.tight_layout()
    canvas.draw()
    picture = Image.fromarray(np.asarray(canvas.buffer_rgba())[:, :, :3])
    return np.asarray(picture.resize((1280, 1280), Image.Resampling.BILINEAR))


def _mark(axes: Axes, at: NDArray, text: str, colour: object, heading: float | None) -> None:
    x, y = at
    if heading is not None:
        axes.arrow(y, x, ARROW * np.sin(heading), ARROW * np.cos(heading), width=SHAFT,
                   color=colour)  # fmt: skip
    axes.plot(y, x, "o", markersize=20, color=colour)
    axes.text(y, x, text, color="white", fontsize=15, ha="center", va="center")


def _heading(positions: NDArray, frame: int) -> float | None:
    step = positions[min(frame + 1, TIMING.frames - 1)] - positions[frame]
    return float(np.arctan2(step[1], step[0])) if np.hypot(*step) > 0.075 else None


def _limits(scene: Scene) -> list[tuple[float, float]]:
    """0 to 10 m ahead and 5 m to each side, grown so that all fits with half a metre to spare."""
    points = np.concatenate(
        [*(each.positions[list(each.seen)] for each in scene.people), scene.robot[:, :2],
         [scene.goal]]
    )  # fmt: skip
    low, high = points.min(axis=0) - 0.5, points.max(axis=0) + 0.5
    return [(min(low[0], 0.0), max(high[0], 10.0)), (min(low[1], -5.0), max(high[1], 5.0))]
