"""A study about scenes: people answer the questions that a model gets."""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from paseo.survey.assigning import scenes_for
from paseo.survey.study.content import Media, Repeat, Wanted
from paseo.survey.study.scenes import (
    PICTURES,
    QUESTIONS,
    SCENES,
    QuestionWords,
    ShownScene,
    ShownScenes,
    read_question_words,
    read_shown_scenes,
)
from paseo.survey.study.steps import SceneStep, steps_of
from paseo.survey.study.texts import TEXTS, AnswerTexts, read_texts
from paseo.vqa.questions.own import OWN, asked_in, questions_for
from paseo.vqa.questions.question_file import QuestionFile
from paseo.vqa.questions.questions import Catalogue, Question

PICTURE = re.compile(r"/pictures/([A-Za-z0-9][A-Za-z0-9._-]{0,99})/(\d{1,4})\.jpg")


@dataclass(frozen=True, kw_only=True, eq=False)
class AboutScenes:
    """The scenes of a study, the questions, and all words of its pages."""

    folder: Path
    texts: AnswerTexts
    words: QuestionWords
    origin: ShownScenes
    own: QuestionFile | None = None

    @classmethod
    def read(cls, folder: Path) -> "AboutScenes":
        """As the files of a study's folder say."""
        own = questions_for(folder)
        return cls(
            folder=folder,
            texts=read_texts(folder / TEXTS, AnswerTexts),
            words=read_question_words(folder / QUESTIONS, asked_in(own)),
            origin=read_shown_scenes(folder / SCENES),
            own=own,
        )

    @property
    def files(self) -> Sequence[str]:
        """Of the study's folder, which must stay as they are from the first answer on."""
        return (TEXTS, QUESTIONS, SCENES, *(() if self.own is None else (OWN,)))

    @cached_property
    def catalogue(self) -> Catalogue:
        """What is asked about each scene."""
        return asked_in(self.own)

    def asked(self, scene: str) -> tuple[Question, ...]:
        """All questions about a scene."""
        return self.catalogue.questions(scene, self.scenes[scene].people)

    @cached_property
    def scenes(self) -> Mapping[str, ShownScene]:
        """The scenes by id, in order."""
        return {each.id: each for each in self.origin.scenes}

    @property
    def units(self) -> Sequence[str]:
        """The ids of the scenes."""
        return tuple(self.scenes)

    def unit(self, place: str) -> str:
        """A place is a scene."""
        return place

    def shown(self, place: str) -> Sequence[str]:
        """One scene."""
        return (place,)

    def places_for(
        self, taken: Mapping[str, int], given: Sequence[str], *, wanted: Wanted, person: int
    ) -> tuple[str, ...]:
        """The scenes that need people most."""
        return scenes_for(
            taken,
            per_scene=wanted.per_unit,
            scenes_each=wanted.units_each,
            seed=wanted.seed,
            person=person,
        )

    def steps(
        self, places: Sequence[str], *, seed: int, person: int
    ) -> tuple[tuple[SceneStep, ...], ...]:
        """The questions about each scene, page by page."""
        return steps_of(
            [self.scenes[each] for each in places], self.catalogue, seed=seed, person=person
        )

    def repeat(self, place: str, given: Collection[str]) -> Repeat | None:
        """No scene comes twice."""
        return None

    def lasts(self, step: SceneStep) -> float:
        """Frames can be looked at as fast as one likes."""
        return 0.0

    def media(self, path: str) -> Media | None:
        """A frame of a scene."""
        found = PICTURE.fullmatch(path)
        if found is None or found[1] not in self.scenes:
            return None
        scene, number = found[1], int(found[2])
        if number >= self.scenes[scene].frames:
            return None
        return Media(scene, self.picture(scene, number), "image/jpeg")

    def picture(self, scene: str, number: int) -> Path:
        """A frame of a scene that is in the study."""
        return self.folder / PICTURES / scene / f"{number}.jpg"
