"""Open loop against closed loop: does who answers better also drive better?"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import correlation

import numpy as np

from paseo.errors import InputError
from paseo.metrics.comparison.statistics import NORMAL, Estimate, estimate
from paseo.planners.choices import PlannerChoice
from paseo.suite.audit.cases import Drive, asking_planners, drives_by, judged
from paseo.vqa.questions.votes import Truth
from paseo.vqa.scores.breakdown import ALL
from paseo.vqa.scores.rows import Group, Over
from paseo.vqa.scoring import ScoreOptions, score
from paseo.world.records import Verdict

FEWEST = 4  # models, below which a correlation has no interval


@dataclass(frozen=True, slots=True, kw_only=True)
class LoopPoint:
    """One model: how well it answers, and how well it drives."""

    model: str
    planner: str  # its label in the run
    answers: Estimate  # share of questions, from 0 to 1
    success: Estimate  # share of episodes


@dataclass(frozen=True, slots=True, kw_only=True)
class Correlation:
    """Pearson's r over models, with 95 % by Fisher's z where there are enough."""

    r: float
    low: float | None
    high: float | None
    models: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Loops:
    """What came out."""

    points: tuple[LoopPoint, ...]
    measured: str  # what `answers` are the share of, in words
    left_out: tuple[str, ...]  # planners of whom one of the two is not known
    correlation: Correlation | None  # None: fewer than three models, or one value for all


def open_and_closed_loop(
    runs: Sequence[Path], exams: Sequence[Path] = (), *, truth: Truth | None = None
) -> Loops:
    """Every model that drove in `runs`: its answers in `exams`, by its name, and its successes.

    Without exams its answers at its own decisions, where it thought about questions.
    """
    asked, measured = _examined(exams, truth) if exams else ({}, "right answers while driving")
    points: list[LoopPoint] = []
    left_out: list[str] = []
    for folder in runs:
        for choice, drives in drives_by(folder, asking_planners(folder)):
            model = str(choice.parameters.get("model", ""))
            answers = asked.get(model) if exams else _right(drives)
            if answers is None or answers.mean is None or not drives:
                left_out.append(choice.label)
                continue
            points.append(
                LoopPoint(
                    model=model,
                    planner=_unique(choice, points),
                    answers=answers,
                    success=_successes(drives),
                )
            )
    if not points:
        raise InputError(
            "no model of these runs has both driven and answered; run the planner vlm with "
            "think=questions, or name with exam those of the same models",
            parameters=("exam",),
        )
    pairs = [(each.answers.mean or 0.0, each.success.mean or 0.0) for each in points]
    return Loops(
        points=tuple(points),
        measured=measured,
        left_out=tuple(left_out),
        correlation=correlated(pairs),
    )


def correlated(pairs: Sequence[tuple[float, float]]) -> Correlation | None:
    """Pearson's r of pairs; None where it is not defined."""
    columns = list(zip(*pairs, strict=True))
    if len(pairs) < 3 or any(max(each) == min(each) for each in columns):
        return None
    r = max(-1.0, min(1.0, correlation(*columns)))
    if len(pairs) < FEWEST or abs(r) == 1.0:
        return Correlation(r=r, low=None, high=None, models=len(pairs))
    z, half = math.atanh(r), NORMAL / math.sqrt(len(pairs) - 3)
    low, high = math.tanh(z - half), math.tanh(z + half)
    return Correlation(r=r, low=low, high=high, models=len(pairs))


def _examined(exams: Sequence[Path], truth: Truth | None) -> tuple[Mapping[str, Estimate], str]:
    """By model, how far it agrees with people, or with geometry, over questions common to all."""
    card = score(list(exams), options=ScoreOptions(questions=Over.COMMON, truth=truth))
    found = {}
    for each in card.rows:
        if each.row.sheet is not None and each.row.group is Group.MODEL:
            got = each.scores["category"][ALL]
            found[each.row.sheet.model] = Estimate(got.mean, got.low, got.high, got.questions)
    by = "right answers by geometry" if card.labels.by_geometry else "agreement with people (PA)"
    return found, f"{by} in an exam"


def _right(drives: Sequence[Drive]) -> Estimate:
    """Right answers of those that can be judged; an episode counts by its share."""
    shares = []
    for drive in drives:
        right = [told == true for each in drive.decisions for _, told, true in judged(each)]
        shares.append(float(np.mean(right)) if right else math.nan)
    return _share(shares, drives)


def _successes(drives: Sequence[Drive]) -> Estimate:
    return _share([float(each.record.verdict is Verdict.SUCCESS) for each in drives], drives)


def _share(values: Sequence[float], drives: Sequence[Drive]) -> Estimate:
    clusters = np.array([each.cluster for each in drives])
    return estimate(np.array(values, float)[:, None], clusters, share=True)


def _unique(choice: PlannerChoice, points: Sequence[LoopPoint]) -> str:
    """The label, with a number where another run has the same."""
    same = sum(each.planner.partition(" #")[0] == choice.label for each in points)
    return f"{choice.label} #{same + 1}" if same else choice.label
