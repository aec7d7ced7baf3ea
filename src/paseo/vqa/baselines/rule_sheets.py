"""The rule-based baselines as answer sheets: from the tracks, and from the pictures by OCR."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from paseo.data.scenes.dataset import SceneFolder, readable
from paseo.errors import InputError, PaseoError
from paseo.progress import Progress, silent
from paseo.vqa.baselines.rules import rule_answers
from paseo.vqa.baselines.sightings import Sighting, sighting_from_scene
from paseo.vqa.geometry.aftermath import read_aftermath
from paseo.vqa.geometry.course import course_of
from paseo.vqa.geometry.rules import geometry_answers
from paseo.vqa.pictures.chart import view_of
from paseo.vqa.pictures.pictures import Drawing, Layout, drawing_of, drawn_to_measure
from paseo.vqa.questions.answers import Answer
from paseo.vqa.questions.questions import questions
from paseo.vqa.scores.sheets import Sheet
from paseo.world.scenes import Scene, Unreadable

if TYPE_CHECKING:
    from paseo.vqa.baselines.reading.axes import Axes
    from paseo.vqa.baselines.reading.engines import Engine


class Source(Enum):
    """Where the rules have the positions from."""

    TRACKS = "tracks"
    PICTURES = "pictures"  # read out of the bird's-eye views


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleSheets:
    """What the rules answer about a folder of scenes, and where they could not."""

    sheets: tuple[Sheet, ...] = ()
    unreadable: tuple[Unreadable, ...] = ()
    problem: str = ""  # why no pictures were read, in words


def rule_sheets(
    folder: SceneFolder,
    *,
    engine: str | None = "rapidocr",
    geometry: bool = True,
    progress: Progress = silent,
) -> RuleSheets:
    """The rules' answers from tracks, and from pictures if there is an engine to read them.

    With `geometry`, also what is right by geometry, where that is clear.
    """
    found = list(readable(folder))
    scenes = [each for each in found if isinstance(each, Scene)]
    sheets, problem = [rules_sheet(scenes, source=Source.TRACKS)], ""
    if geometry:
        sheets.append(_geometry_sheet(scenes, folder.folder))
    if engine is not None:
        try:
            drawing = drawing_of(scenes)
            shown = _followed(scenes, progress)
            sheets.append(
                rules_sheet(shown, source=Source.PICTURES, drawing=drawing, engine=engine)
            )
        except PaseoError as error:
            problem = str(error)
    return RuleSheets(
        sheets=tuple(sheet for sheet in sheets if sheet.answers),
        unreadable=tuple(each for each in found if isinstance(each, Unreadable)),
        problem=problem,
    )


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
        chosen = drawing_of([scene], chosen)
        return pictured_sighting(scene, chosen, reader)

    answers = _answers(scenes, read)
    return Sheet(
        model="rules (pictures)",
        engine=engine,
        images=Layout.BEV,
        drawing=chosen,
        answers=answers,
    )


def _geometry_sheet(scenes: Sequence[Scene], folder: Path) -> Sheet:
    """Right answers by geometry; there is none where it is too close to call."""
    answers = {
        (scene.id, key): (Answer(option=found.answer),)
        for scene in scenes
        for key, found in geometry_answers(
            course_of(scene, read_aftermath(folder, scene.id))
        ).items()
        if found.clear
    }
    return Sheet(model="geometry", answers=answers)


def pictured_sighting(scene: Scene, drawing: Drawing, engine: "Engine") -> Sighting:
    """What the bird's-eye views of a scene show, with every disc on its place."""
    from paseo.vqa.baselines.reading.birdseye import sighting_from_pictures

    return sighting_from_pictures(
        drawn_to_measure(scene, drawing),
        numbers=[person.number for person in scene.people],
        period=scene.period,
        engine=engine,
        known=None if drawing is Drawing.DATASET else known_axes(scene),
    )


def _followed(scenes: Sequence[Scene], progress: Progress) -> Iterator[Scene]:
    """With progress: pictures take seconds each."""
    for number, scene in enumerate(scenes):
        progress("reading pictures", number, len(scenes))
        yield scene
    progress("reading pictures", len(scenes), len(scenes))


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
