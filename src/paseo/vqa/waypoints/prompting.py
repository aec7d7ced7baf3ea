"""The words that put a choice of waypoints, and the choice read from what a model wrote."""

import re
from collections.abc import Iterable, Sequence

from paseo.vlm.models import Picture, Prompt, PromptQuestion, Reply
from paseo.vqa.pictures.pictures import Layout
from paseo.vqa.prompts.prompts import CHOICES, EARLIER, answer_json, question_text
from paseo.vqa.prompts.wording import Wording
from paseo.vqa.questions.answers import Answer, read_answer
from paseo.vqa.questions.methods import Method
from paseo.vqa.questions.phrases import DOUBTS, NEGATIONS, REFUSALS
from paseo.vqa.questions.questions import Option, Question
from paseo.world.scenes import ClipTiming

LONGEST_PROSE = 300  # characters in which a letter alone is looked for
_LAST = {
    Layout.GRID: "the last frame, lower right,",
    Layout.GRID_BEV: "the last frame, lower right in the upper part, and in the map",
}
MARKS = (
    "In {LAST} yellow diamonds with a letter mark waypoints on the ground: places where the robot "
    "may be {SECONDS} s later; where a diamond has a line, the place is at its other end. "
    "{SEEN}One of them is to be chosen, so that the robot gets on "
    "towards its goal and moves among the people as a considerate person would."
)
UNSEEN = "In the camera's view only those are marked that it can see. "
# A letter alone; an A before another word is mostly an article.
_VERBS = "or|and|is|because|since|as|would|seems|looks|keeps|leads"
_ALONE = re.compile(rf"(?<![A-Za-z])([B-Z]|A(?! (?!(?:{_VERBS})\b)[a-z]))(?![A-Za-z'])")

Told = Sequence[tuple[Question, Option]]


def waypoint_text(
    question: Question,
    wording: Wording,
    *,
    layout: Layout,
    horizon: float,
    told: Told = (),
    method: Method = Method.INDEPENDENT,
) -> str:
    """The words that go with the pictures; `told` are answers to other questions about them."""
    reply = "reason_one" if method is Method.REASON else "answer_one"
    marks = MARKS.replace("{LAST}", _LAST.get(layout, "the last picture"))
    marks = marks.replace("{SECONDS}", f"{horizon:.3g}")
    parts = (
        wording.introduction,
        wording.pictures.get(layout.value, ""),
        marks.replace("{SEEN}", "" if layout is Layout.BEV else UNSEEN),
        told_text(told, wording),
        question.kind.text,
        CHOICES + ", ".join(f'"{letter}"' for letter in question.kind.choices),
        wording.formats[reply],
    )
    return "\n\n".join(part for part in parts if part)


def told_text(told: Told, wording: Wording) -> str:
    """Questions and the answers they were given; nothing where there are none."""
    lines: list[str] = []
    for question, option in told:
        lines += [question_text(question, wording), answer_json(option, question.kind)]
    return "\n".join([EARLIER, *lines]) if lines else ""


def waypoint_prompt(
    question: Question,
    text: str,
    images: tuple[Picture, ...] = (),
    *,
    fps: float | None = None,
    rules: Iterable[tuple[str, str]] = (),
) -> Prompt:
    """The request; `rules` are for models that follow a script, and never sent."""
    asked = PromptQuestion(
        key=question.key, choices=question.kind.choices, rules=tuple(sorted(rules))
    )
    return Prompt(
        text=text,
        images=images,
        fps=fps,
        id=f"{question.scene}/{question.key}",
        questions=(asked,),
    )


def film_rate(layout: Layout, timing: ClipTiming) -> float | None:
    """Frames per second where the pictures are sent as one film."""
    return timing.rate if layout is Layout.VIDEO else None


def read_waypoint(
    reply: Reply, question: Question, *, method: Method = Method.INDEPENDENT
) -> Answer:
    """The letter that was chosen: as asked for, or else one capital letter alone in few words."""
    answer = read_answer(reply.text, question, method=method, ending=reply.ending)
    if not answer.invalid or reply.ending != "stop":
        return answer
    short = reply.text.strip()
    if len(short) > LONGEST_PROSE or "{" in short:
        inner = re.findall(r'"answer"\s*:\s*"([^"]{1,40})"', short)
        short = inner[0] if len(set(inner)) == 1 else ""
    named = {each for each in _ALONE.findall(short) if each in question.kind.choices}
    denied = (REFUSALS | NEGATIONS | DOUBTS) & set(re.findall(r"[a-z']+", short.lower()))
    if len(named) != 1 or denied:
        return answer
    return Answer(option=(named.pop(),), tolerant=True, raw=reply.text)
