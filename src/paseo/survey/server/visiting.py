"""What happens when somebody opens a page or sends a form, whatever brings it here."""

import math
import re
import secrets
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from paseo.errors import InputError
from paseo.survey.pages import around
from paseo.survey.pages.parts import HOME, Said, Visitor
from paseo.survey.pages.steps import Progress, step_page
from paseo.survey.server.arriving import Arrival, Refused
from paseo.survey.server.guarding import new_session
from paseo.survey.store.answers import Answers, Given
from paseo.survey.store.database import Database
from paseo.survey.store.people import People, Person, Stage
from paseo.survey.study.content import Choices, Step, Wanted, keys_of
from paseo.survey.study.folder import Study
from paseo.survey.study.texts import Page
from paseo.vqa.questions.questions import Option

MOST_TRIES = 2  # at the comprehension check
LONGEST_ON_PAGE = 86_400.0  # seconds
SIGN_S = 30.0  # how exactly it is known when somebody was last seen
NUMBER = re.compile(r"[0-9]{1,5}")
TOKEN = re.compile(r"[A-Za-z0-9_-]{8,64}")

Form = Mapping[str, Sequence[str]]
Pages = Sequence[Sequence[Step]]  # by place


@dataclass(frozen=True, slots=True)
class Shown:
    """A page."""

    html: str
    status: int = 200
    session: str = ""  # a new secret for the browser; empty: it keeps its own


@dataclass(frozen=True, slots=True)
class Sent:
    """Another place to go to."""

    path: str = HOME
    session: str = ""


@dataclass(frozen=True, slots=True)
class Stored:
    """Nothing to be shown: it is stored."""


Outcome = Shown | Sent | Stored


class BadForm(InputError):
    """What was sent cannot be from a page of ours."""


@dataclass(slots=True, eq=False)
class Visits:
    """A study that people visit."""

    study: Study
    db: Database
    clock: Callable[[], float]  # seconds since 1970
    people: People = field(init=False)
    answers: Answers = field(init=False)
    # Somebody's pages follow from their scenes; made once, for they are asked for all the time.
    _pages: dict[int, tuple[tuple[str, ...], Pages]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.people, self.answers = People(self.db), Answers(self.db)

    def csrf(self, session: str) -> str:
        """What the forms of a session's pages carry."""
        return self.study.signed("form", session)

    def visitor(self, session: str, person: Person | None = None) -> Visitor:
        """Whom a page is for."""
        under_way = person is not None and person.stage.under_way
        return Visitor(csrf=self.csrf(session), under_way=under_way)

    def notice(self, session: str, words: Page, *, status: int = 200, code: str = "") -> Shown:
        """A page that only tells something."""
        page = around.notice_page(self.study, self.visitor(session), words, code=code)
        return Shown(page, status)

    # Coming in

    def arrive(self, session: str, query: Form) -> Outcome:
        """Somebody opens the link to the study."""
        texts, known = self.study.texts, self.people.by_session(session)
        try:
            arrival = Arrival.of(self.study, query)
        except Refused:
            return Sent() if known else self.notice(session, texts.no_link, status=403)
        if arrival.identity is None:
            return Sent() if known else self._invite(session, arrival)
        found = self.people.by_id(arrival.identity.id)
        mine = known is not None and found is not None and known.number == found[0].number
        if found is not None and found[1] != arrival.identity and not mine:
            return self.notice(session, texts.twice, status=403)
        if known is not None and not mine:  # somebody else sits at the same machine
            session = fresh = new_session()
        else:
            fresh = ""
        if found is not None:
            self.people.remember(session, found[0].number)
            return Sent(session=fresh)
        return replace(self._invite(session, arrival), session=fresh)

    def _invite(self, session: str, arrival: Arrival) -> Shown:
        """The question whether somebody wants to take part, if there is a place."""
        if not self._assigned(0):
            codes = self.study.settings.codes
            return self.notice(session, self.study.texts.full, code=codes.screened_out)
        return Shown(around.consent_page(self.study, self.visitor(session), arrival.fields))

    def consent(self, session: str, form: Form) -> Outcome:
        """Somebody agrees, or does not."""
        texts = self.study.texts
        if _one(form, "answer") != "agree":
            return self.notice(session, texts.declined)
        try:
            identity = Arrival.of(self.study, form).identity
        except Refused:
            return self.notice(session, texts.no_link, status=403)
        if identity is not None and (found := self.people.by_id(identity.id)):
            if found[1] != identity:
                return self.notice(session, texts.twice, status=403)
        admitted = self.people.admit(session, identity, now=self.clock(), assign=self._assigned)
        if admitted is None:
            return self.notice(session, texts.full, code=self.study.settings.codes.screened_out)
        return Sent()

    def _assigned(self, person: int) -> tuple[str, ...]:
        settings, content = self.study.settings, self.study.content
        standing = self.people.standing(now=self.clock(), limit=settings.place_limit)
        given = [each.scene for each in standing]
        counts = Counter(map(content.unit, given))
        wanted = Wanted(
            per_unit=settings.per_scene, units_each=settings.scenes_each, seed=settings.seed
        )
        taken = {unit: counts[unit] for unit in content.units}
        return content.places_for(taken, given, wanted=wanted, person=person)

    # Going on

    def show(self, session: str, person: Person, query: Form) -> Outcome:
        """The page that is due, or within a scene an earlier one."""
        if self.clock() - person.seen_s > SIGN_S:
            self.people.seen(person.number, now=self.clock())
        study, visitor, codes = self.study, self.visitor(session, person), self.study.settings.codes
        if person.stage is Stage.INSTRUCTIONS:
            return Shown(around.instructions_page(study, visitor))
        if person.stage is Stage.CHECK:
            return Shown(around.comprehension_page(study, visitor, again=person.tries > 0))
        if person.stage is Stage.SCENES:
            return self._show_step(person, visitor, query)
        if person.stage is Stage.ENDING:
            return Shown(around.ending_page(study, visitor))
        words, code = {
            Stage.DONE: (study.texts.done, codes.complete),
            Stage.FAILED: (study.texts.failed, codes.failed_checks),
            Stage.SCREENED: (study.texts.screened, codes.screened_out),
            Stage.WITHDRAWN: (study.texts.withdrawn, ""),
        }[person.stage]
        return self.notice(session, words, code=code)

    def read_instructions(self, person: Person) -> Outcome:
        """Somebody has read what to do."""
        self.people.move(
            person.number, before=Stage.INSTRUCTIONS, after=Stage.CHECK, now=self.clock()
        )
        return Sent()

    def comprehend(self, person: Person, form: Form) -> Outcome:
        """Somebody has answered the questions about the instructions."""
        if person.stage is not Stage.CHECK:
            return Sent()
        riddles = self.study.texts.comprehension.riddles
        right = all(_one(form, f"riddle_{k}") == each.right for k, each in enumerate(riddles))
        if not right and person.tries + 1 < MOST_TRIES:
            self.people.tried(person.number)
            return Sent()
        after = Stage.SCENES if right else Stage.SCREENED
        self.people.move(person.number, before=Stage.CHECK, after=after, now=self.clock())
        return Sent()

    def steps(self, person: Person) -> Pages:
        """All pages with questions that somebody gets, by scene."""
        scenes = tuple(self.people.scenes_of(person.number))
        known = self._pages.get(person.number)
        if known is None or known[0] != scenes:
            seed = self.study.settings.seed
            known = scenes, self.study.content.steps(scenes, seed=seed, person=person.number)
            self._pages[person.number] = known
        return known[1]

    def _due(self, person: Person) -> tuple[int, Sequence[Step]]:
        """The number of the scene that somebody is at, and its pages."""
        done = list(self.people.scenes_of(person.number).values())
        number = done.index(None)
        return number, self.steps(person)[number]

    def _show_step(self, person: Person, visitor: Visitor, query: Form) -> Outcome:
        scene, steps = self._due(person)
        answers = self.answers.about(person.number, steps[0].scene)
        furthest = _furthest(steps, answers)
        wanted = _one(query, "step")
        number = min(int(wanted), furthest) if NUMBER.fullmatch(wanted) else furthest
        step = steps[number]
        lengths = [len(each) for each in self.steps(person)]
        progress = Progress(
            scene=scene + 1,
            scenes=len(lengths),
            step=number + 1,
            steps=len(steps),
            share=(sum(lengths[:scene]) + number) / sum(lengths),
        )
        lacking = (
            [key for key in keys_of(step) if key not in answers] if _one(query, "lacking") else []
        )
        page = step_page(
            self.study,
            visitor,
            step,
            progress=progress,
            said=Said(answers, lacking),
            token=secrets.token_urlsafe(12),
        )
        return Shown(page)

    def answer(self, person: Person, form: Form) -> Outcome:
        """Somebody has chosen something on a page."""
        _, given = self._given(person, form)
        if not given:
            raise BadForm("no answer to a question of that page was sent")
        self.answers.add(person.number, given, now=self.clock())
        return Stored()

    def next(self, person: Person, form: Form) -> Outcome:
        """Somebody leaves a page, with all that is answered on it."""
        step, given = self._given(person, form)
        self.answers.add(person.number, given, now=self.clock())
        if _one(form, "go") == "back":
            return Sent(f"{HOME}?step={max(step.number - 1, 0)}")
        if {each.question for each in given} != set(keys_of(step)):
            return Sent(f"{HOME}?step={step.number}&lacking=1")
        _, steps = self._due(person)
        if step.number + 1 < len(steps):
            return Sent(f"{HOME}?step={step.number + 1}")
        answers = self.answers.about(person.number, step.scene)
        if all(key in answers for each in steps for key in keys_of(each)):
            self._finish(person, step.scene)
        return Sent()

    def _finish(self, person: Person, scene: str) -> None:
        now = self.clock()
        with self.db.writing():
            self.people.finish(person.number, scene, now=now)
            if None not in self.people.scenes_of(person.number).values():
                self.people.move(person.number, before=Stage.SCENES, after=Stage.ENDING, now=now)

    def _given(self, person: Person, form: Form) -> tuple[Step, list[Given]]:
        """The page that a form is of, and what is answered in it."""
        if person.stage is not Stage.SCENES:
            raise BadForm("there is nothing to answer at this point")
        _, steps = self._due(person)
        number, token = _one(form, "step"), _one(form, "token")
        if not NUMBER.fullmatch(number) or int(number) >= len(steps):
            raise BadForm("there is no such page")
        step = steps[int(number)]
        if _one(form, "scene") != step.scene or not TOKEN.fullmatch(token):
            raise BadForm("that is not the scene that is due")
        turn = _one(form, "turn")
        page: dict[str, Any] = {
            "scene": step.scene,
            "on_page": _seconds(_one(form, "on_page_s")),
            "token": token,
            "turn": int(turn) if NUMBER.fullmatch(turn) else 0,
        }
        answered = _options(step, form).items()
        return step, [Given(question=key, option=option, **page) for key, option in answered]

    # Leaving

    def end(self, person: Person, form: Form) -> Outcome:
        """Somebody has filled in the last page."""
        if person.stage is not Stage.ENDING:
            return Sent()
        traits = {}
        for each in self.study.texts.ending.traits:
            told = _one(form, f"trait_{each.key}")
            if told in each.choices:
                traits[each.key] = told
        remark = _one(form, "remark").strip()[: around.LONGEST_REMARK]
        after = Stage.FAILED if self.failed_checks(person) else Stage.DONE
        with self.db.writing():
            self.answers.end(person.number, remark=remark, traits=traits)
            self.people.move(person.number, before=Stage.ENDING, after=after, now=self.clock())
        return Sent()

    def failed_checks(self, person: Person) -> bool:
        """Whether somebody answered otherwise in both attention checks."""
        checked = [step for steps in self.steps(person) for step in steps if step.check]
        return all(
            self.answers.about(person.number, step.scene).get(step.check.key)
            != (step.check.choice,)
            for step in checked
            if step.check
        )

    def withdraw(self, person: Person) -> Outcome:
        """Somebody wants nothing of theirs to be kept."""
        if person.stage is not Stage.WITHDRAWN:
            self.people.withdraw(person.number, now=self.clock())
        return Sent()

    def may_see(self, person: Person, scene: str) -> bool:
        """Whether the files of a scene, or of a clip, are for somebody."""
        places = self.people.scenes_of(person.number)
        return any(scene in self.study.content.shown(place) for place in places)


def _one(form: Form, name: str) -> str:
    """The value of a field that is there once."""
    values = form.get(name, ())
    return values[0] if len(values) == 1 else ""


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        return 0.0
    return min(max(seconds, 0.0), LONGEST_ON_PAGE) if math.isfinite(seconds) else 0.0


def _furthest(steps: Sequence[Step], answers: Mapping[str, Option]) -> int:
    """The first page on which something is not answered, else the last."""
    for step in steps:
        if any(key not in answers for key in keys_of(step)):
            return step.number
    return len(steps) - 1


def _options(step: Step, form: Form) -> dict[str, Option]:
    """What a form answers to the questions of its page; what is no answer is refused."""
    asked = dict(step.asked)
    if step.check:
        asked[step.check.key] = Choices(step.check.choices)
    found: dict[str, Option] = {}
    for key, choices in asked.items():
        said = form.get(key, ())
        option = tuple(choice for choice in choices.known if choice in said)
        if len(option) != len(said) or len(said) > (len(choices.known) if choices.several else 1):
            raise BadForm("an answer is none of the choices")
        if option:
            found[key] = option
    return found
