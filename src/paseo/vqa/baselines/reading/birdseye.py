"""A sighting read out of the bird's-eye pictures of a scene."""

from collections.abc import Iterable, Sequence

import numpy as np
from PIL import Image

from paseo.errors import BadValue
from paseo.vqa.baselines.reading.axes import Axes, read_axes
from paseo.vqa.baselines.reading.discs import find_discs
from paseo.vqa.baselines.reading.engines import Engine, Pixels
from paseo.vqa.baselines.reading.names import places, worth_reading
from paseo.vqa.baselines.sightings import Sighting, headings_of_motion
from paseo.world.arrays import FloatArray

WIDTH = 1280  # pixels; pictures are read at this width, that of the data set's own


def sighting_from_pictures(
    views: Iterable[Pixels],
    *,
    numbers: Sequence[int],
    period: float,
    engine: Engine,
    known: Axes | None = None,
) -> Sighting:
    """What bird's-eye pictures, `period` seconds apart, show of the people with these numbers.

    Pixels become metres by the numbers at the axes; `known` serves where these cannot be read. The
    robot's heading is that of its motion: arrows are drawn too small to be measured well.
    """
    pictures = [_at_width(view) for view in views]
    axes, problem = _axes(pictures, engine, known)
    marks = find_discs(pictures)
    discs = worth_reading(marks)
    readings = zip(discs, engine.read([disc.crop for disc in discs]), strict=True)
    names = ["R", "G", *(str(number) for number in numbers)]
    seen_at = places(marks, readings, names, frames=len(pictures))
    found = {name: axes.to_metres(place) for name, place in seen_at.items()}
    robot = found["R"]
    if np.isnan(robot).all():
        raise BadValue("the robot R was read in none of the bird's-eye pictures")
    people = {number: found[str(number)] for number in numbers}
    return Sighting(
        robot=np.column_stack([robot, headings_of_motion(robot, period)]),
        goal=_still(found["G"]),
        people=people,
        problem="; ".join(filter(None, [problem, *_missing(found)])),
    )


def _axes(pictures: list[Pixels], engine: Engine, known: Axes | None) -> tuple[Axes, str]:
    """All pictures of a clip have the same axes, so the first that can be read will do."""
    problem = "there are no pictures"
    for picture in pictures:
        try:
            return read_axes(picture, engine), ""
        except BadValue as error:
            problem = str(error)
    if known is None:
        raise BadValue(problem)
    return known, f"{problem}: {known.source} used instead"


def _at_width(view: Pixels) -> Pixels:
    if view.shape[1] == WIDTH:
        return view
    height = max(1, round(view.shape[0] * WIDTH / view.shape[1]))
    return np.asarray(Image.fromarray(view).resize((WIDTH, height), Image.Resampling.BICUBIC))


def _still(places: FloatArray) -> FloatArray:
    """Where something that does not move was seen; NaN if nowhere."""
    seen = places[~np.isnan(places[:, 0])]
    return np.median(seen, axis=0) if len(seen) else np.full(2, np.nan)


def _missing(found: dict[str, FloatArray]) -> list[str]:
    """What should have been seen and was not; people may be out of the picture, the robot never."""
    problems = []
    frames = len(found["R"])
    seen = int((~np.isnan(found["R"][:, 0])).sum())
    if seen < frames:
        problems.append(f"the robot was read in {seen} of {frames} frames")
    if np.isnan(found["G"]).all():
        problems.append("the goal was read in no frame")
    unread = [name for name, place in found.items() if name not in "RG" and np.isnan(place).all()]
    if unread:
        problems.append(f"read in no frame: person {', '.join(unread)}")
    return problems
