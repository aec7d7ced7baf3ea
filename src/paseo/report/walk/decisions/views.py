"""Decisions as a page shows them: what was to choose between, said, true, and how late it came."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from paseo.deciding.decisions import Candidate, Decision
from paseo.errors import PaseoError
from paseo.report.walk.episodes import Point
from paseo.report.walk.packing import packed
from paseo.vqa.questions.questions import Option, question
from paseo.world.arrays import FloatArray, IntArray
from paseo.world.clocks import WAITING, steps_in
from paseo.world.records import Record

NOT_KNOWN = 0  # in place of an answer, or of what is true
DIGITS = 4  # of a person's number, at most


@dataclass(slots=True)
class Texts:
    """Texts of which each stands in the page once, and is called by its number."""

    known: dict[str, int] = field(default_factory=dict)

    def number(self, text: str) -> int:
        """Which one this is; it is kept if it is new."""
        return self.known.setdefault(text, len(self.known))

    def packed(self, texts: Iterable[str]) -> str:
        """The numbers of several, each as the step from the one before: mostly one."""
        numbers = np.array([self.number(text) for text in texts], np.int64)
        return packed([np.diff(numbers, prepend=0)])


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What was put to the model: the lines of its words by number, packed, and a picture."""

    questions: str  # empty: none were put
    choice: str
    picture: str  # base64 of a JPEG; empty: the model saw none, or there is no room


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionView:
    """One decision; places are in metres from the corner of the map."""

    time: float
    arrives: float  # when the robot had the answer
    took: float  # seconds that the replies took
    pose: tuple[float, float, float]
    goal: Point
    people: tuple[tuple[int, int], ...]  # the number that was drawn, and whose track it is
    candidates: tuple[tuple[str, float, float, float], ...]  # letter, x, y, m/s
    chosen: str | None
    rules: Mapping[str, str]
    reply: str
    problem: str
    answers: str  # packed: of each question its number, and those of what was said and is true
    asked: Asked | None = None  # None: it could not be made again, or there is no room


@dataclass(frozen=True, slots=True, kw_only=True)
class DrivenView:
    """A drive by a model: who it was, whether the world waited for it, and its decisions."""

    model: str
    waits: bool
    sees: bool  # pictures, and not only words
    problem: str  # why what was asked could not be made again, where it could not
    decisions: tuple[DecisionView, ...]


@dataclass(frozen=True, slots=True)
class Wordbook:
    """The texts that decisions of a page share."""

    lines: Texts = field(default_factory=Texts)  # of prompts
    questions: Texts = field(default_factory=Texts)
    options: Texts = field(default_factory=lambda: Texts({"": NOT_KNOWN}))


def decision_view(
    decision: Decision, record: Record, corner: FloatArray, book: Wordbook
) -> DecisionView:
    """What a page shows of a decision, all but what was asked."""
    columns = {id: column for column, id in enumerate(record.ids.tolist())}
    x, y, heading = decision.pose
    drawn = [(n, id) for n, id in decision.people.items() if n.isdecimal() and len(n) <= DIGITS]
    return DecisionView(
        time=round(decision.time_s, 3),
        arrives=round(arrival(decision, record), 3),
        took=round(decision.latency_s, 3),
        pose=(*_placed((x, y), corner), round(heading, 3)),
        goal=_placed(decision.goal_m, corner),
        people=tuple((int(number), columns[id]) for number, id in drawn if id in columns),
        candidates=tuple(_candidate(each, corner) for each in decision.candidates),
        chosen=decision.chosen,
        rules=decision.rules,
        reply=decision.reply,
        problem=decision.problem,
        answers=packed(list(_answers(decision, book))),
    )


def arrival(decision: Decision, record: Record) -> float:
    """When the robot had the answer: at once where the world waited for it."""
    keeping = record.provenance.timekeeping.in_force
    if keeping == WAITING:
        return decision.time_s
    took = decision.latency_s if keeping.latency_s is None else keeping.latency_s
    return decision.time_s + steps_in(took, record.scenario.dt) * record.scenario.dt


def wrong_answers(decision: Decision) -> int:
    """How many answers are not what is clearly true."""
    said = decision.answers
    return sum(key in said and said[key].answer != true for key, true in decision.truth.items())


def _answers(decision: Decision, book: Wordbook) -> Iterable[IntArray]:
    keys = dict.fromkeys([*decision.answers, *decision.truth])
    for key in keys:
        told = decision.answers.get(key)
        row = (
            book.questions.number(_words(key)),
            book.options.number(_listed(told.answer if told else ())),
            book.options.number(_listed(decision.truth.get(key, ()))),
        )
        yield np.array(row, np.int64)


def _words(key: str) -> str:
    """A question in words; a key that nobody knows as it is."""
    try:
        asked = question("", key)
    except PaseoError:
        return key
    return asked.kind.text.replace("{PERSON}", f"person {asked.person}")


def _listed(option: Option) -> str:
    return " and ".join(option)


def _candidate(each: Candidate, corner: FloatArray) -> tuple[str, float, float, float]:
    return (each.letter, *_placed((each.x_m, each.y_m), corner), round(each.speed_mps, 2))


def _placed(place: Sequence[float], corner: FloatArray) -> Point:
    x, y = (np.array(place) - corner).tolist()
    return round(x, 2), round(y, 2)
