"""Votes and answer sheets made by hand."""

import json
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from paseo.vqa.questions.answers import Answer
from paseo.vqa.questions.questions import Option, Question, question, questions
from paseo.vqa.questions.raw_answers import Annotations
from paseo.vqa.questions.votes import Labels
from paseo.vqa.scores.sheets import Asking, Sheet

GOAL, AFFECTED, MOVING = "q_goal_position_begin", "q_robot_affected_p1", "q_robot_moving_direction"

Votes = Mapping[tuple[str, str], Mapping[str, int]]  # by scene and key; choices joined by +


def options_of(asked: Question) -> dict[str, Option]:
    return {"+".join(option): option for option in asked.kind.options}


def labels(votes: Votes, annotators: Annotations | None = None) -> Labels:
    """Labels with just these votes."""
    asked = tuple(question(scene, key) for scene, key in votes)
    counts = np.zeros((len(asked), 7), dtype=np.int64)
    for row, (each, cast) in enumerate(zip(asked, votes.values(), strict=True)):
        names = list(options_of(each))
        for choice, count in cast.items():
            counts[row, names.index(choice)] = count
    return Labels(questions=asked, counts=counts, annotators=annotators or {})


def sheet(
    answers: Mapping[tuple[str, str], str | tuple[str, ...]],
    *,
    model: str = "model",
    askings: tuple[Asking, ...] = (),
    **about: str,
) -> Sheet:
    """A sheet; a tuple holds repeats, '?' is an answer that could not be read."""
    given = {}
    for (scene, key), said in answers.items():
        options = options_of(question(scene, key))
        repeats = (said,) if isinstance(said, str) else said
        given[scene, key] = tuple(Answer(option=options.get(each)) for each in repeats)
    return Sheet(model=model, answers=given, askings=askings, **about)  # type: ignore[arg-type]


def label_file(scene: str, people: int = 1, **special: Mapping[str, int]) -> dict[str, object]:
    """The label file of a scene: ten people all say the first choice, but for special votes."""
    content: dict[str, object] = {"": ["next"], "_probabilities": [1.0], "_n_answers": 3}
    for each in questions(scene, range(1, people + 1)):
        cast = special.get(each.key, {each.kind.choices[0]: 10})
        n = sum(cast.values())
        chosen = [list(options_of(each)[name]) for name in cast]
        content[each.key] = chosen if each.kind.select_many else [c[0] for c in chosen]
        content[f"{each.key}_probabilities"] = [count / n for count in cast.values()]
        content[f"{each.key}_n_answers"] = n
    return content


def write_labels(folder: Path, scenes: Mapping[str, Mapping[str, object]]) -> Path:
    """A data set of nothing but labels."""
    for scene, content in scenes.items():
        place = folder / "human_labels" / scene
        place.mkdir(parents=True)
        (place / "common_answers.json").write_text(json.dumps(content))
    return folder
