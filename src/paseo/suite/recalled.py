"""What a model that drove was asked, made again from the record and the decisions beside it.

Nobody is asked: the drive is repeated with the choices that were noted. Every prompt is held
against the hash under which its reply was kept, so that what comes out is what was sent.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

from paseo.deciding.choosing import THOUGHT
from paseo.deciding.decisions import Decision
from paseo.deciding.planner import Vlm
from paseo.deciding.replies import VARIANT, Answered
from paseo.errors import CannotGoOn, PaseoError
from paseo.planners.choices import PlannerChoice, make_planner
from paseo.planners.names import PLANNERS
from paseo.sim.simulate import simulate
from paseo.sim.timekeeping import make_clock
from paseo.suite.runs.imports import code_of_world
from paseo.suite.runs.timing import read_timing
from paseo.vlm.models import Prompt, Reply
from paseo.vqa.exam.sessions import KeyOf
from paseo.vqa.questions.questions import Question
from paseo.world.clocks import ClockName
from paseo.world.records import Record

NOBODY = {"model": "scripted/nearest", "store": None}  # who would answer, but is never asked
OTHERWISE = "made again by this version of Paseo, what is asked is not what was asked"


@dataclass(frozen=True, slots=True, kw_only=True)
class Put:
    """What was put to the model at one decision."""

    questions: Prompt | None  # before it chose; None: nothing was
    choice: Prompt


@dataclass(frozen=True, slots=True, kw_only=True)
class Recalled:
    """What could be made again, by number of the decision, and why the rest could not."""

    put: dict[int, Put]
    problem: str = ""


def asked_a_model(record: Record) -> bool:
    """Whether the planner `vlm` drove."""
    return record.provenance.planner in ("vlm", PLANNERS.shipped["vlm"])


def recalled(
    file: Path, record: Record, decisions: Sequence[Decision], wanted: Collection[int]
) -> Recalled:
    """The prompts of those decisions of a record in `file` that are wanted, by their places."""
    problem = _hindrance(record)
    if problem or not wanted:
        return Recalled(put={}, problem=problem)
    made = record.provenance
    memory: _Memory | None = None
    try:
        planner = make_planner(PlannerChoice("vlm", {**made.parameters, **NOBODY}))
        assert isinstance(planner, Vlm)
        memory = _Memory(decisions, wanted, planner.reply_key(str(made.parameters.get("model"))))
        planner.answer_by(memory)
        latencies = read_timing(file).charged_s if made.timekeeping.is_measured else None
        clock = make_clock(made.timekeeping, latencies=latencies)
        simulate(record.scenario, planner, provenance=made, clock=clock)
    except _Enough:
        return Recalled(put=memory.put if memory else {}, problem=memory.problem if memory else "")
    except PaseoError as error:  # such as that of a camera which is not installed
        return Recalled(put=memory.put if memory else {}, problem=str(error))
    return Recalled(put=memory.put, problem=OTHERWISE)


def _hindrance(record: Record) -> str:
    """Why a drive cannot be made again, in words; empty where it can."""
    if record.provenance.timekeeping.clock is ClockName.ASYNC:
        return "time ran at the wall clock, so that the drive cannot be made again"
    if code_of_world(record):
        return "its world is made by code of somebody's own, which is not run for a report"
    return ""


class _Enough(CannotGoOn):
    """All that was wanted has been made."""


class _Memory:
    """Answers as the decisions say it was answered, and keeps what was asked."""

    def __init__(self, decisions: Sequence[Decision], wanted: Collection[int], key: KeyOf) -> None:
        self.put: dict[int, Put] = {}
        self.problem = ""
        self._decisions, self._wanted, self._key = decisions, wanted, key
        self._last = max(wanted)
        self._number = 0
        self._questions: Prompt | None = None
        self._same = True  # as was sent, so far at this decision

    def ask(self, prompt: Prompt, questions: tuple[Question, ...]) -> Answered:
        """What was answered, whatever is asked now; `CannotGoOn` when enough is known."""
        decision = self._decisions[self._number]
        thought = prompt.id == THOUGHT
        key = self._key(prompt, VARIANT, 0)
        if key != (decision.questions_key if thought else decision.prompt_key):
            self.problem = self.problem or f"{OTHERWISE}, first at {decision.time_s:.1f} s"
            self._same = False
        if thought:
            self._questions = prompt
            said = _again(prompt, decision, questions)
            return Answered(reply=Reply(text=said), key=key)
        if self._number in self._wanted and self._same:
            self.put[self._number] = Put(questions=self._questions, choice=prompt)
        if self._number == self._last:
            raise _Enough("all is known")
        self._number, self._questions, self._same = self._number + 1, None, True
        said = (
            "" if decision.chosen is None else prompt.answered({questions[0].key: decision.chosen})
        )
        return Answered(reply=Reply(text=said, latency_s=decision.latency_s), key=key)


def _again(prompt: Prompt, decision: Decision, questions: tuple[Question, ...]) -> str:
    """What was read from the reply to all questions, as a reply that is easy to read."""
    found: dict[str, str | list[str]] = {}
    for each in questions:
        told = decision.answers.get(each.key)
        if told is not None and told.answer:
            found[each.key] = list(told.answer) if each.kind.select_many else told.answer[0]
    return prompt.answered(found) if found else ""
