"""`paseo survey status` as a function: how far a study is, how sure, and how much more it takes."""

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from paseo.survey.assigning import is_abandoned
from paseo.survey.screening.findings import Rule
from paseo.survey.screening.screening import screened_study
from paseo.survey.status.agreement import (
    Agreement,
    Ranking,
    agreement,
    card_so_far,
    exam_sheets,
    ranking,
)
from paseo.survey.status.outlook import Outlook, outlook
from paseo.survey.store.content import StudyContent, content_in, pages_of
from paseo.survey.store.database import Database
from paseo.survey.store.people import People, SceneCount, Stage
from paseo.survey.study.folder import Study, open_study
from paseo.survey.study.settings import Kind
from paseo.survey.votes import sheets_so_far


@dataclass(frozen=True, slots=True)
class Checks:
    """How those who came to the end answered the attention checks."""

    people: int
    one: int  # who answered one of them otherwise
    both: int


@dataclass(frozen=True, slots=True)
class ClipWords:
    """What a clip is, for the eyes of who runs the study."""

    episode: str
    planner: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyStatus:
    """People for each scene or clip, where people are, and what is known and to be expected."""

    title: str
    now_s: float  # of which this is the status, in seconds since 1970
    kind: Kind
    per_scene: int  # people that each is to have
    scenes: dict[str, SceneCount]  # by the scene's id, or the clip's name
    clips: dict[str, ClipWords]  # what each clip is, by its name; empty for scenes
    people: dict[Stage, int]
    left: int  # of those under way, who gave no sign for so long that their places are given again
    checks: Checks
    screened_out: int  # people who are in no score, but have filled places
    screened_by: Mapping[Rule, int]  # how many each rule leaves out
    outlook: Outlook
    agreement: Agreement | None  # None: nobody has finished a scene, or clips are rated
    ranking: Ranking | None  # None: two models were not named, or nobody has finished a scene

    @property
    def full(self) -> int:
        """How many scenes have their people."""
        return sum(each.done >= self.per_scene for each in self.scenes.values())


def study_status(
    folder: Path, *, now: float, exams: Sequence[Path] = (), seed: int = 0
) -> StudyStatus:
    """How the study in a folder stands at a time in seconds since 1970.

    With one exam or two, their models are held against the votes so far, and against each other.
    """
    return status_of(open_study(folder), now=now, exams=exams, seed=seed)


def status_of(
    study: Study, *, now: float, exams: Sequence[Path] = (), seed: int = 0
) -> StudyStatus:
    """How a study stands; everything is read as of one time, and nobody is kept waiting."""
    sheets = exam_sheets(study, exams) if exams else []
    limit, about = study.settings.place_limit, study.content
    with closing(Database(study.database)) as db, db.snapshot():
        content = content_in(db, study)
        counts = People(db).counts(about.units, unit=about.unit, now=now, limit=limit)
    stages = Counter(each.stage for each in content.people)
    rng, card = np.random.default_rng(seed), None
    found = screened_study(study, content)
    if study.settings.kind is Kind.SCENES:
        kept = sheets_so_far(study, content, left_out=found.left_out)
        card = card_so_far(study, kept, sheets, rng)
    return StudyStatus(
        title=study.settings.title,
        now_s=now,
        kind=study.settings.kind,
        per_scene=study.settings.per_scene,
        scenes=counts,
        clips=_clips(study),
        people={stage: stages[stage] for stage in Stage},
        left=sum(
            each.stage.under_way and is_abandoned(each.seen_s, now=now, limit=limit)
            for each in content.people
        ),
        checks=_checks(study, content),
        screened_out=len(found.left_out),
        screened_by=found.by_rule,
        outlook=outlook(study, content, counts, now=now),
        agreement=agreement(card) if card else None,
        ranking=ranking(card, rng) if card and len(sheets) > 1 else None,
    )


def _clips(study: Study) -> dict[str, ClipWords]:
    if study.settings.kind is Kind.SCENES:
        return {}
    return {
        each.name: ClipWords(each.episode, each.planner) for each in study.about_clips.origin.clips
    }


def _checks(study: Study, content: StudyContent) -> Checks:
    said = {(each.person, each.question): each.option for each in content.answers}
    wrong = [
        sum(
            said.get((person.number, step.check.key)) != (step.check.choice,)
            for step in pages_of(study, content, person)
            if step.check
        )
        for person in content.people
        if person.stage in (Stage.DONE, Stage.FAILED)
    ]
    return Checks(len(wrong), wrong.count(1), sum(each > 1 for each in wrong))
