"""What somebody did in a study, as far as it tells whether they took part in earnest."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from math import isfinite
from statistics import median

from paseo.errors import BadFile
from paseo.survey.store.answers import StoredAnswer
from paseo.survey.store.content import StudyContent, pages_of
from paseo.survey.store.people import Person, Stage
from paseo.survey.study.content import Choices, Step, keys_of
from paseo.survey.study.folder import Study
from paseo.vqa.questions.questions import Option

ABOUT_PERSON = re.compile(r"_p[0-9]+$")  # one kind of question, whomever it is about

Asked = tuple[str, str]  # what it is about, such as a scene, and the key of the question


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """An answer, and where it stands among the choices."""

    kind: str  # questions of one kind have the same choices
    option: Option
    position: int  # of the first choice in it, from 0
    choices: int  # how many there are


@dataclass(frozen=True, slots=True)
class Twice:
    """Where somebody's two answers to the same stand among the choices."""

    first: int  # from 0
    again: int
    choices: int  # how many there are


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Conduct:
    """What somebody did; who they are is not here."""

    name: str  # drawn by lot
    number: int  # by their turn
    stage: Stage
    checks: tuple[bool, ...]  # of those they came to, whether answered as asked
    pace: tuple[float, ...]  # seconds per question, page by page, without the clips that play there
    replies: Mapping[Asked, Reply]
    twice: tuple[Twice, ...] = ()

    @property
    def failed(self) -> int:
        """How many attention checks were answered otherwise."""
        return self.checks.count(False)

    @property
    def median_pace(self) -> float | None:
        """Seconds per question in the middle one of their pages; None where there is none."""
        return median(self.pace) if self.pace else None


def conducts(study: Study, content: StudyContent) -> tuple[Conduct, ...]:
    """What everybody did who has answered something, in the order they came."""
    said: dict[int, dict[Asked, StoredAnswer]] = {}
    for each in content.answers:
        said.setdefault(each.person, {})[each.scene, each.question] = each
    people = [each for each in content.people if each.number in said]
    return tuple(_conduct(study, content, each, said[each.number]) for each in people)


def _conduct(
    study: Study, content: StudyContent, person: Person, said: Mapping[Asked, StoredAnswer]
) -> Conduct:
    steps = pages_of(study, content, person)
    replies: dict[Asked, Reply] = {}
    for step in steps:
        about = study.content.unit(step.scene) or step.scene
        for key, choices in step.asked.items():
            if (answer := said.get((step.scene, key))) is not None:
                replies[about, key] = _reply(study, key, choices, answer.option)
    checks = [
        said[step.scene, step.check.key].option == (step.check.choice,)
        for step in steps
        if step.check and (step.scene, step.check.key) in said
    ]
    return Conduct(
        name=person.name,
        number=person.number,
        stage=person.stage,
        checks=tuple(checks),
        pace=_pace(steps, said, study.content.lasts),
        replies=replies,
        twice=_twice(study, steps, said),
    )


def _twice(
    study: Study, steps: Sequence[Step], said: Mapping[Asked, StoredAnswer]
) -> tuple[Twice, ...]:
    """Answers to what was shown again, each with the first to the same."""
    found: list[Twice] = []
    given = [step.scene for step in steps]
    for step in steps:
        repeat = study.content.repeat(step.scene, given)
        if repeat is None:
            continue
        for key, choices in step.asked.items():
            before, after = said.get((repeat.first, key)), said.get((step.scene, key))
            if before is not None and after is not None:
                first, again = (_reply(study, key, choices, e.option) for e in (before, after))
                last = again.choices - 1
                place = last - again.position if repeat.turned else again.position
                found.append(Twice(first.position, place, again.choices))
    return tuple(found)


def _reply(study: Study, key: str, choices: Choices, option: Option) -> Reply:
    if not option or not set(option) <= set(choices.known):
        raise BadFile(
            f"{study.database}: an answer to {key} is none of its choices; restore the file from a "
            "copy"
        )
    return Reply(
        kind=ABOUT_PERSON.sub("", key),
        option=option,
        position=choices.known.index(option[0]),
        choices=len(choices.known),
    )


def _pace(
    steps: Sequence[Step], said: Mapping[Asked, StoredAnswer], lasts: Callable[[Step], float]
) -> tuple[float, ...]:
    """Seconds per question of each page, in the order in which they were left.

    What a clip takes to be seen does not count: below 0, somebody left before its end.

    The browser says for how long a page was seen, where it runs our script; no longer than the
    server's clock tells since the page before, which nobody can forge.
    """
    every = [
        ([said[s.scene, k] for k in keys_of(s) if (s.scene, k) in said], lasts(s)) for s in steps
    ]
    pages = sorted((each for each in every if each[0]), key=lambda each: _left(each[0]))
    gaps = (_left(after) - _left(before) for (before, _), (after, _) in pairwise(pages))
    found = []
    for (page, clip), gap in zip(pages, chain([None], gaps), strict=False):  # the first has none
        seen = max(each.on_page for each in page)
        known = [each for each in (gap, seen or None) if each is not None and isfinite(each)]
        if known:
            found.append((min(known) - clip) / len(page))
    return tuple(found)


def _left(page: Sequence[StoredAnswer]) -> float:
    """When the last answer on a page was given."""
    return max(each.time_s for each in page)
