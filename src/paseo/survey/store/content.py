"""All that is in a study's database, read at one time, and what of it counts."""

from collections.abc import Collection, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass

from paseo.errors import BadFile
from paseo.survey.store.answers import Answers, StoredAnswer
from paseo.survey.store.database import Database
from paseo.survey.store.people import Identity, People, Person
from paseo.survey.study.content import CHECKS, Step
from paseo.survey.study.folder import Study
from paseo.vqa.questions.questions import Option, Question

Sheet = Mapping[str, Option]  # what somebody answered about a scene, by question key


@dataclass(frozen=True, kw_only=True, eq=False)
class StudyContent:
    """People, what they were given and what they gave."""

    people: Sequence[Person]
    places: Mapping[int, Mapping[str, float | None]]  # when they finished each scene
    answers: Sequence[StoredAnswer]
    endings: Mapping[int, tuple[str, Mapping[str, str]]]
    identities: Mapping[int, Identity]


def read_content(study: Study) -> StudyContent:
    """What is in a study's database; nothing comes in between, and nobody is kept waiting."""
    with closing(Database(study.database)) as db, db.snapshot():
        return content_in(db, study)


def content_in(db: Database, study: Study) -> StudyContent:
    """What is in a study's database, read within a snapshot of it.

    What was answered must have been answered to the study as it is now.
    """
    people, answers = People(db), Answers(db)
    people.check_unchanged(study.fixed)
    return StudyContent(
        people=people.every(),
        places=people.places(),
        answers=answers.every(),
        endings=answers.endings(),
        identities=people.identities(),
    )


def pages_of(study: Study, content: StudyContent, person: Person) -> list[Step]:
    """All pages with questions that somebody was given, in order."""
    known, given = {*study.content.units}, content.places.get(person.number, ())
    shown = {each: set(study.content.shown(each)) for each in given}
    places = [each for each, units in shown.items() if units and units <= known]
    if not places:
        return []
    pages = study.content.steps(places, seed=study.settings.seed, person=person.number)
    return [step for place in pages for step in place]


def whole_sheets(
    study: Study, content: StudyContent, people: Collection[int]
) -> dict[int, dict[str, Sheet]]:
    """By person and scene, all answers of these people in the scenes that they have finished."""
    found: dict[int, dict[str, dict[str, Option]]] = {number: {} for number in people}
    about = study.about_scenes
    for each in content.answers:
        done = content.places.get(each.person, {}).get(each.scene) is not None
        if done and each.person in found and each.scene in study.scenes:
            found[each.person].setdefault(each.scene, {})[each.question] = each.option
            if each.question not in CHECKS:
                _check_option(study, each)
    return {
        number: {scene: s for scene, s in sheets.items() if is_whole(about.asked(scene), s)}
        for number, sheets in found.items()
    }


def is_whole(asked: Sequence[Question], sheet: Sheet) -> bool:
    """Whether somebody has answered all there is to ask about a scene."""
    return all(each.key in sheet for each in asked)


def _check_option(study: Study, answer: StoredAnswer) -> None:
    asked = study.about_scenes.catalogue.question(answer.scene, answer.question)
    if answer.option not in asked.kind.options:
        raise BadFile(
            f"{study.database}: an answer to {asked.key} is none of its choices; restore the file "
            "from a copy"
        )
