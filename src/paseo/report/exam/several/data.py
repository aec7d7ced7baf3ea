"""Several exams as the script of their page reads them: each question once, with all answers."""

import json
from typing import Any

from paseo.report.exam.data import (
    Agreements,
    Lines,
    agreements,
    entry_data,
    kind_data,
    prompt_lines,
    request_data,
    scene_data,
)
from paseo.report.exam.several.gathered import Gathered
from paseo.report.pages.template import harmless
from paseo.vqa.exam.transcript import State
from paseo.vqa.prompts.prompts import question_text
from paseo.vqa.scores.rows import Group

SPLIT = "split"  # the state of a question to which models gave different answers


def exams_data(found: Gathered) -> str:
    """Everything but pictures, as JSON that cannot end the element it stands in."""
    lines = Lines()
    requests: list[dict[str, Any]] = []
    first: list[int] = []  # request of each exam
    for exam in found.exams:
        first.append(len(requests))
        prompts = prompt_lines(exam, lines)
        requests += [request_data(r, p) for r, p in zip(exam.requests, prompts, strict=True)]
    data = {
        "models": list(found.names),
        "kinds": [kind_data(kind) for kind in found.catalogue.kinds.values()],
        "scenes": [scene_data(s, found.shower(s.id).plan) for s in found.scenes],
        "questions": _questions(found, lines, first),
        "requests": requests,
        "repeats": max(exam.plan.repeats for exam in found.exams),
        "lines": lines.texts,
    }
    return harmless(json.dumps(data, separators=(",", ":"), allow_nan=False))


def _questions(found: Gathered, lines: Lines, first: list[int]) -> list[dict[str, Any]]:
    """By scene, then in the order they are asked."""
    places = {scene.id: number for number, scene in enumerate(found.scenes)}
    earned = _earned(found)
    merged: dict[tuple[str, str], dict[str, Any]] = {}
    for number, exam in enumerate(found.exams):
        for entry in exam.entries:
            put = entry.question
            told = entry_data(entry, earned[number], found.catalogue)
            words = lines.number(question_text(put, exam.presentation.wording))
            one = merged.setdefault(
                (put.scene, put.key),
                {**told, "scene": places[put.scene], "text": words, "states": [], "said": [],
                 "agreements": {}},
            )  # fmt: skip
            one["votes"] = one["votes"] or told["votes"]
            one["states"] += [state for state in told["states"] if state not in one["states"]]
            one["said"] += [
                {**said, "by": number, "request": said["request"] + first[number]}
                for said in told["said"]
            ]
            if told["agreement"] is not None:
                one["agreements"][number] = told["agreement"]
    return [_closed(one) for one in sorted(merged.values(), key=lambda one: one["scene"])]


def _closed(one: dict[str, Any]) -> dict[str, Any]:
    """With what only shows when all exams are in."""
    options = {tuple(said["option"]) for said in one["said"] if "option" in said}
    if len(options) > 1:
        one["states"].append(SPLIT)
    if one["said"]:  # some model was asked
        one["states"] = [state for state in one["states"] if state != State.OPEN.value]
    earned = one["agreements"].values()
    one["agreement"] = sum(earned) / len(earned) if earned else None
    return one


def _earned(found: Gathered) -> list[Agreements]:
    if found.card is None:
        return [{}] * len(found.exams)
    models = [each for each in found.card.rows if each.row.group is Group.MODEL]
    return [agreements(found.card.labels, each) for each in models]
