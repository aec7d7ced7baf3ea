"""An exam as the script of its page reads it: each text once, all else as numbers."""

import json
import math
from collections.abc import Mapping
from typing import Any

from paseo.render.raster.palette import as_text
from paseo.report.pages.template import harmless
from paseo.vqa.exam.plan import AskedScene, ExamPlan
from paseo.vqa.exam.replies import Stored
from paseo.vqa.exam.transcript import Said, Transcript, TranscriptEntry, prompt_texts
from paseo.vqa.pictures.colours import brg_colours, letter_colour, safe_colours
from paseo.vqa.pictures.pictures import Drawing
from paseo.vqa.prompts.prompts import question_text
from paseo.vqa.questions.questions import Catalogue, Option, QuestionType
from paseo.vqa.questions.votes import Labels
from paseo.vqa.scores.rows import Group
from paseo.vqa.scores.scorecard import Scorecard, Scored

LONGEST_REPLY = 20_000  # characters of one reply that are shown
Agreements = Mapping[tuple[str, str], float]  # by scene and question key


class Lines:
    """Texts that each get a number once."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def number(self, text: str) -> int:
        """The number of a line."""
        return self._numbers.setdefault(text, len(self._numbers))

    @property
    def texts(self) -> list[str]:
        """All lines by number."""
        return list(self._numbers)


def exam_data(exam: Transcript) -> str:
    """Everything but pictures, as JSON that cannot end the element it stands in."""
    lines, earned = Lines(), _earned(exam.card)
    places = {scene.id: number for number, scene in enumerate(exam.plan.scenes)}
    prompts = prompt_lines(exam, lines)
    data = {
        "kinds": [kind_data(kind) for kind in exam.sheet.catalogue.kinds.values()],
        "scenes": [scene_data(scene, exam.plan) for scene in exam.plan.scenes],
        "questions": [
            {
                "scene": places[entry.question.scene],
                "text": lines.number(question_text(entry.question, exam.presentation.wording)),
                **entry_data(entry, earned, exam.sheet.catalogue),
            }
            for entry in exam.entries
        ],
        "requests": [
            request_data(each, prompt) for each, prompt in zip(exam.requests, prompts, strict=True)
        ],
        "repeats": exam.plan.repeats,
        "lines": lines.texts,
    }
    return harmless(json.dumps(data, separators=(",", ":"), allow_nan=False))


TITLES = {
    "q_robot_moving_direction": "Robot's motion",
    "q_person_spatial_position_begin": "Where the person is at first",
    "q_person_spatial_position_end": "Where the person is at last",
    "q_person_distance_change": "Distance to the person",
    "q_goal_position_begin": "Where the goal is at first",
    "q_goal_position_end": "Where the goal is at last",
    "q_obstructing_path": "Person's way crosses the robot's",
    "q_obstructing_end_position": "Person stands in the robot's way",
    "q_robot_affected": "Robot is affected",
    "q_robot_action": "What the robot does",
    "q_person_affected": "Person is affected",
    "q_person_action": "What the person does",
    "q_robot_suggested_affected": "Robot should be affected",
    "q_robot_suggested_action": "What the robot should do",
    "q_human_future_action_prediction": "What the person will do",
}


def title_of(kind: QuestionType) -> str:
    """The name of a kind of question in words."""
    return TITLES.get(kind.key) or kind.key.removeprefix("q_").replace("_", " ").capitalize()


def kind_data(kind: QuestionType) -> dict[str, Any]:
    """A kind of question."""
    return {
        "key": kind.key,
        "title": title_of(kind),
        "reasoning": kind.category,
        "choices": kind.choices,
    }


def scene_data(scene: AskedScene, plan: ExamPlan) -> dict[str, Any]:
    """A scene: its id, and whom it numbers in which colours."""
    ours = plan.drawing is Drawing.PASEO
    colours = (safe_colours if ours else brg_colours)(scene.people)
    people = [
        [number, as_text(colour), as_text(letter_colour(colour))]
        for number, colour in colours.items()
    ]
    return {"id": scene.id, "people": people}


def entry_data(entry: TranscriptEntry, earned: Agreements, catalogue: Catalogue) -> dict[str, Any]:
    """A question: what people said, and what came of asking it."""
    kind, put = entry.question.kind, entry.question
    agreement = earned.get((put.scene, put.key))
    return {
        "key": put.key,
        "kind": list(catalogue.kinds).index(kind.key),
        "person": put.person or 0,
        "states": [state.value for state in entry.states],
        "votes": [[_choices(option, kind), count] for option, count in entry.votes.items()],
        "said": [_said(said, kind) for said in entry.said],
        "agreement": _finite(agreement),
    }


def _said(said: Said, kind: QuestionType) -> dict[str, Any]:
    answer = said.answer
    if answer is None:
        return {"request": said.request}
    if answer.option is None:
        return {"request": said.request, "problem": answer.problem}
    return {"request": said.request, "option": _choices(answer.option, kind)}


def _choices(option: Option, kind: QuestionType) -> list[int]:
    return [kind.choices.index(choice) for choice in option]


def request_data(stored: Stored, prompt: list[int]) -> dict[str, Any]:
    """A request: what was asked, in numbers of lines, and what came back."""
    found: dict[str, Any] = {"prompt": prompt, "attempts": stored.attempts}
    reply = stored.reply
    if reply is None:
        return {**found, "failure": stored.problem}
    found |= {
        "reply": reply.text[:LONGEST_REPLY],
        "more": max(0, len(reply.text) - LONGEST_REPLY),
        "ending": reply.ending,
        "model": reply.model,
        "latency_s": _finite(reply.latency_s),
        "cost_usd": _finite(stored.cost_usd),
    }
    if reply.usage is not None:
        found["tokens"] = [reply.usage.input_tokens, reply.usage.output_tokens]
        found["thought"] = reply.usage.reasoning_tokens
    if reply.thoughts:
        left = len(reply.thoughts) - LONGEST_REPLY
        more = f"\n... {left:,} more characters" if left > 0 else ""
        found["thoughts"] = reply.thoughts[:LONGEST_REPLY] + more
    return found


def _finite(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None


def prompt_lines(exam: Transcript, lines: Lines) -> list[list[int]]:
    """The words of each request as numbers of lines; empty where they cannot be known."""
    return [
        [lines.number(line) for line in text.split("\n")] if text else []
        for text in prompt_texts(exam)
    ]


def _earned(card: Scorecard | None) -> Agreements:
    return {} if card is None else agreements(card.labels, model_row(card))


def agreements(labels: Labels, each: Scored) -> Agreements:
    """What each question earned."""
    return {
        (put.scene, put.key): float(value)
        for put, value in zip(labels.questions, each.row.agreement, strict=True)
    }


def model_row(card: Scorecard) -> Scored:
    """The row of the exam itself."""
    return next(each for each in card.rows if each.row.group is Group.MODEL)
