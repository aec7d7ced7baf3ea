"""How often the place was chosen where the robot really went, beside chance and `straight`."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from paseo.vqa.exam.replies import Stored, stored_replies
from paseo.vqa.scores.uncertainty import Score, scene_draws, score
from paseo.vqa.waypoints.candidates import KEY, Candidates
from paseo.vqa.waypoints.plan import AskedChoice, WaypointFolder, WaypointPlan
from paseo.vqa.waypoints.prompting import read_waypoint
from paseo.world.arrays import FloatArray

SEED = 0  # of the draws of scenes


@dataclass(frozen=True, slots=True, kw_only=True)
class WaypointRow:
    """How often somebody chose where the robot went."""

    name: str
    context: str  # whose answers were told; empty for rules
    score: Score  # over scenes and runs; standard error and interval are clustered by scene
    runs: int
    run_se: float | None  # of the means of the runs, as the paper has it; None with one
    invalid: int = 0  # replies that could not be read: no credit, and counted
    failed: int = 0  # requests without a reply: not in the score


def waypoint_rows(folder: Path) -> tuple[WaypointRow, ...]:
    """The model's row, then `straight` and chance over the same scenes."""
    holder = WaypointFolder(folder)
    plan = holder.plan()
    stored = [each for each in stored_replies(holder.replies) if each.questions == (KEY,)]
    right, invalid = _right(plan, stored)
    asked = [k for k in range(len(plan.scenes)) if not np.isnan(right[k]).all()]
    scenes = [plan.scenes[k] for k in asked] or list(plan.scenes)
    model = _row(plan.name or plan.model, right[asked] if asked else right)
    return (
        WaypointRow(
            name=model.name,
            context=plan.context.value,
            score=model.score,
            runs=plan.repeats,
            run_se=model.run_se,
            invalid=invalid,
            failed=sum(each.reply is None for each in stored),
        ),
        _row("straight", np.array([[float(s.true == s.straight)] for s in scenes])),
        _row("chance", np.array([[1 / len(each.places)] for each in scenes])),
    )


def _right(plan: WaypointPlan, stored: Iterable[Stored]) -> tuple[FloatArray, int]:
    """1 where right, else 0, NaN without a reply, (scenes, runs); how many are invalid."""
    right = np.full((len(plan.scenes), plan.repeats), np.nan)
    place = {scene.id: k for k, scene in enumerate(plan.scenes)}
    invalid = 0
    for each in stored:
        if each.reply is None or each.scene not in place or each.repeat >= plan.repeats:
            continue
        scene = plan.scenes[place[each.scene]]
        question = candidates_of(scene).question(scene.id)
        answer = read_waypoint(each.reply, question, method=plan.method)
        invalid += answer.invalid
        right[place[each.scene], each.repeat] = float(answer.option == (scene.true,))
    return right, invalid


def candidates_of(scene: AskedChoice) -> Candidates:
    """The candidates of a scene that was asked about."""
    return Candidates(places=np.array(scene.places), horizon=scene.horizon_s)


def _row(name: str, right: FloatArray) -> WaypointRow:
    scenes, runs = right.shape
    of = np.repeat(np.arange(scenes), runs)
    values = right.ravel()
    found = score(values, scene_draws(of, np.random.default_rng(SEED)))
    means = [float(np.nanmean(run)) for run in right.T if not np.isnan(run).all()]
    run_se = float(np.std(means, ddof=1)) / math.sqrt(len(means)) if len(means) > 1 else None
    return WaypointRow(name=name, context="", score=found, runs=runs, run_se=run_se)
