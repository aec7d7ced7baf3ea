"""The answers of an exam, read from its stored replies: better reading improves old exams."""

from collections import defaultdict
from pathlib import Path

import numpy as np

from paseo.data.scenes.origin import holds_staged, is_staged
from paseo.errors import InputError
from paseo.vlm.models import Reply
from paseo.vqa.exam.examiner import answers_in
from paseo.vqa.exam.plan import ExamFolder, ExamPlan
from paseo.vqa.exam.replies import Stored, stored_replies
from paseo.vqa.probes.consistency import ProbeResult, outcomes
from paseo.vqa.questions.answers import Answer
from paseo.vqa.questions.likelihoods import option_chances
from paseo.vqa.questions.questions import Option, question
from paseo.vqa.scores.sheets import Asking, Sheet

Place = tuple[str, str]  # scene and question key
SEED = 0  # of the draws of scenes


def exam_sheet(folder: Path, *, variant: str = "") -> Sheet:
    """The answers to one variant of the scenes, for scoring."""
    holder = ExamFolder(folder)
    plan = holder.plan()
    stored = [each for each in stored_replies(holder.replies) if each.variant == variant]
    replies = [(each, each.reply) for each in stored if each.reply is not None]
    return Sheet(
        model=plan.name or plan.model,
        method=plan.method,
        images=plan.images,
        drawing=plan.drawing,
        wording=f"{plan.wording.value} {plan.wording_hash[:8]}",
        source=str(folder),
        answers={
            place: tuple(answer for _, answer in sorted(by_repeat.items()))
            for place, by_repeat in _answers(replies, plan).items()
        },
        chances=_chances(replies, plan),
        askings=tuple(
            Asking(latency_s=reply.latency_s, usage=reply.usage, cost_usd=each.cost_usd)
            for each, reply in replies
        ),
        failed=sum(len(each.questions) for each in stored if each.reply is None),
        staged=_staged(plan, stored),
        people={scene.id: scene.people for scene in plan.scenes},
    )


def _chances(
    replies: list[tuple[Stored, Reply]], plan: ExamPlan
) -> dict[Place, tuple[dict[Option, float] | None, ...]]:
    """The probabilities of options, by place, where log-probabilities were asked for."""
    found: dict[Place, list[dict[Option, float] | None]] = defaultdict(list)
    if plan.settings.get("logprobs") is None:
        return {}
    for stored, reply in replies:
        asked = [question(stored.scene, key) for key in stored.questions]
        for key, answer in answers_in(reply, asked, method=plan.method).items():
            kind = question(stored.scene, key).kind
            found[stored.scene, key].append(option_chances(reply.tokens, kind, answer.option))
    return {place: tuple(each) for place, each in found.items()}


def _staged(plan: ExamPlan, stored: list[Stored]) -> bool:
    """By its own notes, the ids it asked about or got replies to, and what its folder says now."""
    ids = {scene.id for scene in plan.scenes} | {each.scene for each in stored}
    return plan.staged is True or any(map(is_staged, ids)) or holds_staged(Path(plan.source))


def probe_results(folder: Path) -> tuple[ProbeResult, ...]:
    """What the probes of an exam found: how often answers changed exactly as they must."""
    found = probe_outcomes(folder, np.random.default_rng(SEED))
    if not found:
        raise InputError(
            f"{folder}: was asked without probes; ask with some, into another out",
            parameters=["out"],
        )
    return found


def probe_outcomes(folder: Path, rng: np.random.Generator) -> tuple[ProbeResult, ...]:
    """The same; empty where it was asked without any."""
    holder = ExamFolder(folder)
    plan = holder.plan()
    stored = stored_replies(holder.replies)
    variants = {}
    for variant in plan.variants:
        replies = [(e, e.reply) for e in stored if e.variant == variant and e.reply is not None]
        variants[variant] = _answers(replies, plan)
    people = {scene.id: scene.people for scene in plan.scenes}
    return outcomes(variants, people, rng) if len(variants) > 1 else ()


def _answers(replies: list[tuple[Stored, Reply]], plan: ExamPlan) -> dict[Place, dict[int, Answer]]:
    """Every answer by its place and its repeat."""
    found: dict[Place, dict[int, Answer]] = defaultdict(dict)
    for stored, reply in replies:
        asked = [question(stored.scene, key) for key in stored.questions]
        for key, answer in answers_in(reply, asked, method=plan.method).items():
            found[stored.scene, key][stored.repeat] = answer
    return found
