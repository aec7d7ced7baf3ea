"""What SocialNav-SUB's own evaluator leaves: an experiment's folder, read as a sheet."""

import re
from pathlib import Path
from typing import Any

from paseo.data.textfile import read_json
from paseo.errors import BadFile
from paseo.vqa.questions.methods import Method, asked
from paseo.vqa.questions.questions import Catalogue
from paseo.vqa.scores.answer_files import (
    LARGEST_FILE,
    MOST_SCENES,
    SceneAnswers,
    scene_answers,
)
from paseo.vqa.scores.sheets import Asking, Sheet
from paseo.world.scenes import SCENE_ID

ANSWERS, CONVERSATION = "question_answers.json", "conversation.json"
# As the evaluator names its folders; longer names of methods first.
EXPERIMENT = re.compile(r"experiment_\d+_(.+)_(cot_with_gt|cot|independent)")
METHODS = {
    "independent": Method.INDEPENDENT,
    "cot": Method.CHAIN,
    "cot_with_gt": Method.CHAIN_HUMAN,
}
MOST_SECONDS = 1e6  # of one reply


def holds_evaluation(folder: Path) -> bool:
    """Whether a folder is laid out as the evaluator leaves it."""
    return next(folder.glob(f"*/{ANSWERS}"), None) is not None


def read_evaluation(folder: Path, catalogue: Catalogue) -> Sheet:
    """The answers of one experiment.

    With people's answers told (`cot_with_gt`) the evaluator writes these down as if the model had
    given them: only the social questions, which it was asked, are read then.
    """
    files = sorted(f for f in folder.glob(f"*/{ANSWERS}") if SCENE_ID.fullmatch(f.parent.name))
    if not files:
        raise BadFile(f"{folder}: no folder in it is named like a scene; rename them")
    if len(files) > MOST_SCENES:
        raise BadFile(f"{folder}: holds {len(files)} scenes, expected at most {MOST_SCENES}")
    said = {f.parent.name: scene_answers(f, f.parent.name, catalogue) for f in files}
    seconds = {file.parent.name: _seconds(file.with_name(CONVERSATION)) for file in files}
    named = EXPERIMENT.fullmatch(folder.resolve().name)
    method = METHODS[named[2]] if named else None
    if method is None and _was_told(said, seconds):
        method = Method.CHAIN_HUMAN
    answers: SceneAnswers = {}
    for each in said.values():
        answers |= _given(each, method, catalogue)
    return Sheet(
        model=named[1] if named else folder.resolve().name,
        method=method,
        source=str(folder),
        answers=answers,
        askings=tuple(Asking(latency_s=s) for each in seconds.values() for s in each or ()),
    )


def _given(said: SceneAnswers, method: Method | None, catalogue: Catalogue) -> SceneAnswers:
    if method is not Method.CHAIN_HUMAN:
        return said
    every = (catalogue.question(*place) for place in said)
    put = {(each.scene, each.key) for each in asked(every, method)}
    return {place: answers for place, answers in said.items() if place in put}


def _was_told(said: dict[str, SceneAnswers], seconds: dict[str, list[float] | None]) -> bool:
    """Whether fewer questions were put than have answers, so that the others are people's."""
    return any(
        times is not None and len(times) < len(said[scene]) for scene, times in seconds.items()
    )


def _seconds(conversation: Path) -> list[float] | None:
    """How long each reply took; None where nothing was written down."""
    if not conversation.is_file():
        return None
    content: Any = read_json(conversation, largest=LARGEST_FILE)
    turns = content if isinstance(content, list) else []
    times = [each["latency_sec"] for each in turns if _has_time(each)]
    return [float(each) for each in times]


def _has_time(turn: object) -> bool:
    time = turn.get("latency_sec") if isinstance(turn, dict) else None
    return isinstance(time, int | float) and 0 <= time < MOST_SECONDS
