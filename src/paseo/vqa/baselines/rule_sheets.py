"""The rule-based baselines as answer sheets: from the tracks, and from the pictures by OCR."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

import numpy as np

from paseo.errors import InputError
from paseo.vqa.baselines.rules import rule_answers
from paseo.vqa.baselines.sightings import Sighting, sighting_from_scene
from paseo.vqa.pictures.chart import view_of
from paseo.vqa.pictures.pictures import Drawing, Layout, drawing_of, drawn
from paseo.vqa.questions.answers import Answer
from paseo.vqa.questions.questions import Option, questions
from paseo.vqa.questions.sheets import Sheet
from paseo.world.scenes import Scene

if TYPE_CHECKING:
    from paseo.vqa.baselines.reading.axes import Axes
    from paseo.vqa.baselines.reading.engines import Engine


class Source(Enum):
    """Where the rules have the positions from."""

    TRACKS = "tracks"
    PICTURES = "pictures"  # read out of the bird's-eye views


@dataclass(frozen=True, slots=True, kw_only=True)
class Disagreement:
    """A question that two sheets answer differently; None where one could not."""

    scene: str
    question: str
    first: Option | None
    second: Option | None


def rules_sheet(
    scenes: Iterable[Scene],
    *,
    source: Source,
    drawing: Drawing | None = None,
    engine: str = "rapidocr",
) -> Sheet:
    """The rules' answers to all questions about some scenes; `engine` reads pictures, if any.

    A scene whose pictures cannot be read has invalid answers that name the problem. All pictures
    are of one drawing: that of the first scene, unless one is asked for.
    """
    if source is Source.TRACKS:
        return Sheet(model="rules (tracks)", answers=_answers(scenes, sighting_from_scene))
    from paseo.vqa.baselines.reading.engines import engine as loaded  # OCR is an extra

    reader = loaded(engine)
    chosen = drawing

    def read(scene: Scene) -> Sighting:
        nonlocal chosen
        chosen = drawing_of(scene, chosen)
        return pictured_sighting(scene, chosen, reader)

    answers = _answers(scenes, read)
    return Sheet(
        model="rules (pictures)",
        method=engine,
        images=Layout.BEV.value,
        drawing=chosen.value if chosen else "",
        answers=answers,
    )


def pictured_sighting(scene: Scene, drawing: Drawing, engine: "Engine") -> Sighting:
    """What the bird's-eye views of a scene show."""
    from paseo.vqa.baselines.reading.birdseye import sighting_from_pictures

    return sighting_from_pictures(
        drawn(scene, Layout.BEV, drawing),
        numbers=[person.number for person in scene.people],
        engine=engine,
        known=None if drawing is Drawing.DATASET else known_axes(scene),
    )


def disagreements(first: Sheet, second: Sheet) -> tuple[Disagreement, ...]:
    """The questions in the first sheet that the second answers differently, or not."""
    differing = []
    for (scene, key), answers in first.answers.items():
        others = second.answers.get((scene, key), ())
        options = [answer.option for answer in answers], [answer.option for answer in others]
        if options[0] != options[1]:
            differing.append(Disagreement(
                scene=scene, question=key, first=options[0][0] if options[0] else None,
                second=options[1][0] if options[1] else None,
            ))  # fmt: skip
    return tuple(differing)


def _answers(
    scenes: Iterable[Scene], sighted: Callable[[Scene], Sighting]
) -> dict[tuple[str, str], tuple[Answer, ...]]:
    answers: dict[tuple[str, str], tuple[Answer, ...]] = {}
    for scene in scenes:
        try:
            sighting = sighted(scene)
            problem, options = sighting.problem, rule_answers(sighting)
        except InputError as error:
            problem, options = str(error), {}
        for each in questions(scene.id, [person.number for person in scene.people]):
            answers[scene.id, each.key] = (Answer(option=options.get(each.key), problem=problem),)
    return answers


def known_axes(scene: Scene) -> "Axes":
    """How we draw the scene, at the width at which pictures are read."""
    from paseo.vqa.baselines.reading.axes import Axes
    from paseo.vqa.baselines.reading.birdseye import WIDTH

    # The middle of a pixel is where it is counted from.
    (x, y), (x_next, y_next) = view_of(scene, WIDTH).to_metres(np.array([[0.5, 0.5], [1.5, 1.5]]))
    return Axes(
        x_at_top=x, y_at_left=y, x_per_px=x_next - x, y_per_px=y_next - y, source="known limits"
    )
