"""What people said in a study of ratings, read from its store."""

import math
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

from paseo.errors import BadFile, InputError
from paseo.survey.insight.rated import Clip, Preference, RatedStudy, Rating
from paseo.survey.screening.screening import screened_study
from paseo.survey.store.answers import StoredAnswer
from paseo.survey.store.content import StudyContent, read_content
from paseo.survey.store.people import Person
from paseo.survey.study.content import CHECKS
from paseo.survey.study.folder import Study, open_study
from paseo.survey.study.ratings.about_clips import AboutClips
from paseo.survey.study.ratings.places import Place
from paseo.survey.study.ratings.steps import COMPARED, NEITHER, RATED, SECOND, steps_at


@dataclass(frozen=True, slots=True, kw_only=True)
class Collected:
    """One thing that somebody said, and how they came to say it."""

    said: Rating | Preference
    person: Person
    answer: StoredAnswer
    again: bool  # whether they had been given the clip, or the pair, before
    finished: bool  # whether they have said all that was asked there

    def counts(self, left_out: Collection[str] = ()) -> bool:
        """Whether it is part of a judgement, where the people of these names are left out."""
        is_out = self.person.name in left_out
        return self.finished and self.person.stage.counts and not is_out


def kept_study(folder: Path) -> RatedStudy:
    """What those who are not screened out said in the study in a folder."""
    study = open_study(folder)
    content = read_content(study)
    left_out = screened_study(study, content).left_out
    found = rated_study(study, content, left_out=left_out)
    if left_out and not found.ratings and not found.preferences:
        raise InputError(
            f"{folder}: everybody who has finished a clip is screened out, {len(left_out)} people; "
            "look at who and why, and change the section [screening] of study.toml if they are not "
            "to be"
        )
    return found


def rated_study(
    study: Study, content: StudyContent, *, left_out: Collection[str] = ()
) -> RatedStudy:
    """Everything that was said by those who count, where they have finished, and what was measured.

    `left_out` are the names of who was screened out. Pairs that were shown again, the other way
    round, are not in it: they tell of the rater.
    """
    about = study.about_clips
    counted = [each for each in collected(study, content) if each.counts(left_out)]
    return RatedStudy(
        aspects=tuple(each.key for each in about.asking.aspects),
        points=about.asking.points,
        ratings=tuple(each.said for each in counted if isinstance(each.said, Rating)),
        preferences=tuple(
            each.said for each in counted if isinstance(each.said, Preference) and not each.again
        ),
        measured={
            Clip(each.episode, each.planner): {
                name: math.nan if value is None else value for name, value in each.metrics.items()
            }
            for each in about.origin.clips
        },
        windows={each.episode: each.crowd for each in about.origin.clips if each.window},
    )


def collected(study: Study, content: StudyContent) -> Iterator[Collected]:
    """All that anybody said about clips, in the order in which people came and said it."""
    about = study.about_clips
    people = {each.number: each for each in content.people}
    for answer in content.answers:
        place = about.place(answer.scene)
        if place is None or answer.question in CHECKS:
            continue
        person = people[answer.person]
        yield Collected(
            said=_said(study, place, person.name, answer),
            person=person,
            answer=answer,
            again=place.again,
            finished=content.places.get(person.number, {}).get(answer.scene) is not None,
        )


def _said(study: Study, place: Place, rater: str, answer: StoredAnswer) -> Rating | Preference:
    about = study.about_clips
    asked = {
        key: each for step in steps_at(place, about.asking) for key, each in step.asked.items()
    }
    choices = asked.get(answer.question)
    if choices is None or len(answer.option) != 1 or answer.option[0] not in choices.known:
        raise BadFile(
            f"{study.database}: an answer to {answer.question!r:.60} is none of its choices; "
            "restore the file from a copy"
        )
    chosen, clip = answer.option[0], about.clips[place.clip]
    if answer.question.startswith(RATED):
        return Rating(
            rater=rater,
            clip=Clip(clip.episode, clip.planner),
            aspect=answer.question.removeprefix(RATED),
            value=int(chosen),
            again=place.again,
        )
    planners = _planners(about, place)
    return Preference(
        rater=rater,
        episode=clip.episode,
        aspect=answer.question.removeprefix(COMPARED),
        planners=planners,
        chosen=None if chosen == NEITHER else planners[chosen == SECOND],
    )


def _planners(about: AboutClips, place: Place) -> tuple[str, str]:
    """Who drives in a pair, in the order in which it is shown."""
    first, second = place.pair or (place.clip, place.clip)
    return about.clips[first].planner, about.clips[second].planner
