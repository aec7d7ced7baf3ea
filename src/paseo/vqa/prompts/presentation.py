"""How scenes are shown and questions put: the same in an exam, an export and on a page."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from paseo.data.scenes.dataset import wording_file
from paseo.errors import MissingData
from paseo.vlm.models import Picture, Prompt, PromptQuestion
from paseo.vqa.pictures.pictures import Drawing, Layout, pictures
from paseo.vqa.prompts.prompts import NOTHING, prompt_text, prompt_text_for_many
from paseo.vqa.prompts.wording import Wording, WordingSource, paseo_wording, read_wording
from paseo.vqa.questions.answers import Answer
from paseo.vqa.questions.methods import Method
from paseo.vqa.questions.question_file import QuestionFile
from paseo.vqa.questions.questions import Option, Question
from paseo.world.scenes import ClipTiming, Scene


@dataclass(frozen=True, slots=True, kw_only=True)
class Presentation:
    """Which pictures, drawn by whom, and whose words."""

    layout: Layout
    drawing: Drawing
    wording: Wording
    largest_px: int | None = None  # of the longer side of a picture

    def pictures(self, scene: Scene) -> tuple[Picture, ...]:
        """What a model is shown of a scene."""
        return pictures(scene, self.layout, self.drawing, largest_px=self.largest_px)

    def text(
        self,
        questions: Sequence[Question],
        *,
        timing: ClipTiming,
        method: Method,
        earlier: Mapping[str, Answer | Option] = NOTHING,
    ) -> str:
        """The words that put one question or several about a clip."""
        wording, layout = self.wording.about(timing), self.layout
        if len(questions) == 1:
            only = questions[0]
            return prompt_text(only, wording, method=method, layout=layout, earlier=earlier)
        return prompt_text_for_many(
            questions, wording, method=method, layout=layout, earlier=earlier
        )

    def prompt(
        self,
        questions: Sequence[Question],
        text: str,
        images: tuple[Picture, ...],
        *,
        timing: ClipTiming,
    ) -> Prompt:
        """The request that puts these questions, with the pictures of their scene."""
        keys = ",".join(each.key for each in questions)
        return Prompt(
            text=text,
            images=images,
            fps=timing.rate if self.layout is Layout.VIDEO else None,
            id=f"{questions[0].scene}/{keys}",
            questions=tuple(map(_told, questions)),
        )


def wording_in(
    folder: Path, wanted: WordingSource | None = None, own: QuestionFile | None = None
) -> Wording:
    """The wording for the scenes in a folder: as wanted, else the data set's own where it is.

    The words of one's own questions are part of it.
    """
    return _wording_in(folder, wanted).asking(own)


def _wording_in(folder: Path, wanted: WordingSource | None) -> Wording:
    file = wording_file(folder)
    if wanted is WordingSource.PASEO or (wanted is None and file is None):
        return paseo_wording()
    if file is None:
        raise MissingData(
            f"{folder}: the data set's own words, prompts/survey_prompt.json, are not there; "
            "fetch the data set again or use wording paseo",
            parameters=["wording"],
        )
    return read_wording(file)


def _told(question: Question) -> PromptQuestion:
    kind = question.kind
    return PromptQuestion(key=question.key, choices=kind.choices, several=kind.select_many)
