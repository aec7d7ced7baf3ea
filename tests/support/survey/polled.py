"""Studies that people have answered, written straight into the store, and models' answers."""

import json
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path

import numpy as np

from paseo.survey.store.answers import Answers, Given
from paseo.survey.store.database import Database
from paseo.survey.store.people import People, Person, Stage
from paseo.survey.study.content import Wanted
from paseo.survey.study.folder import Study
from paseo.vqa.questions.questions import Option, Question, questions

MINUTE = 60.0
Saying = Callable[[Question], Option]


def first_option(asked: Question) -> Option:
    return asked.kind.options[0]


def second_option(asked: Question) -> Option:
    return asked.kind.options[1]


def leaning(rng: np.random.Generator, share: float = 0.7) -> Saying:
    """Somebody who says the first choice so often, else the second."""
    return lambda asked: asked.kind.options[int(rng.random() >= share)]


class Poll:
    """People who come to a study, one by one."""

    def __init__(self, study: Study) -> None:
        self.study = study

    def add(
        self,
        said: Saying = first_option,
        *,
        at: float,
        minutes: float = 20.0,
        scenes: int = 1000,
        stage: Stage = Stage.DONE,
    ) -> Person:
        """Somebody who comes, answers so many of their scenes, and is then at a stage."""
        end = at + minutes * MINUTE
        with closing(Database(self.study.database)) as db:
            people, answers = People(db), Answers(db)
            with db.writing():  # all at once, which is faster
                number = len(people.every()) + 1
                found = people.admit(
                    f"session {number}", None, now=at, assign=lambda n: self._places(people, n, at)
                )
                assert found is not None
                places = list(people.scenes_of(number))
                given = [
                    each
                    for place in places[:scenes]
                    for each in [*self._given(place, said), *self._checks(number, places, place)]
                ]
                for turn, each in enumerate(given, start=1):  # one after the other
                    now = at + (end - at) * turn / len(given)
                    answers.add(number, [each], now=now)
                for place in places[:scenes]:
                    people.finish(number, place, now=end)
                people.move(number, before=Stage.INSTRUCTIONS, after=stage, now=end)
            if stage is Stage.WITHDRAWN:
                people.withdraw(number, now=end)
            return found

    def _places(self, people: People, number: int, now: float) -> tuple[str, ...]:
        settings, about = self.study.settings, self.study.content
        counts = people.counts(about.units, now=now, limit=settings.place_limit)
        taken = {id: each.taken for id, each in counts.items()}
        wanted = Wanted(
            per_unit=settings.per_scene, units_each=settings.scenes_each, seed=settings.seed
        )
        return tuple(about.places_for(taken, (), wanted=wanted, person=number))

    def _given(self, scene: str, said: Saying) -> list[Given]:
        asked = questions(scene, self.study.scenes[scene].people)
        return [_given(scene, each.key, said(each)) for each in asked]

    def _checks(self, person: int, places: list[str], place: str) -> list[Given]:
        steps = self.study.content.steps(places, seed=self.study.settings.seed, person=person)
        return [
            _given(place, step.check.key, (step.check.choice,))
            for page in steps
            for step in page
            if step.check and step.scene == place
        ]


def _given(scene: str, key: str, option: Option) -> Given:
    return Given(scene=scene, question=key, option=option, on_page=30.0, token=f"t-{scene}-{key}")


def answer_folder(folder: Path, scenes: Mapping[str, tuple[int, ...]], said: Saying) -> Path:
    """A model's answers to all questions about scenes, as files."""
    folder.mkdir(parents=True)
    for scene, people in scenes.items():
        content = {each.key: list(said(each)) for each in questions(scene, people)}
        (folder / f"{scene}.json").write_text(json.dumps(content))
    return folder
