"""How strong planners are by choices between two: Bradley and Terry's model with ties and order.

Of two clips, the left one is chosen by the odds exp(strength + order / 2), the right one by
exp(strength - order / 2), and neither by the geometric mean of the two strengths times exp(ties)
(Davidson 1970; Davidson and Beaver 1977). Order is how much the left side is worth by itself.
"""

from dataclasses import dataclass

import numpy as np

from paseo.world.arrays import FloatArray

PSEUDO = 0.5  # choices, won and lost; as R's PlackettLuce has it (Turner et al. 2020)
STEPS = 60
SETTLED = 1e-8
LONGEST = 2.0  # of a step, in logits
LEFT, RIGHT, NEITHER = range(3)


@dataclass(frozen=True, slots=True, eq=False)
class Strengths:
    """What was estimated from each of several tables of choices."""

    planners: FloatArray  # (tables, planners), logits about their mean
    order: FloatArray  # (tables,), logits for the left side; 0 where it was not estimated
    ties: FloatArray  # (tables,), logits for no difference among equals; -inf: there are none


def strengths(choices: FloatArray, pseudo: float = PSEUDO) -> Strengths:
    """Estimates for tables of choices (tables, left planner, right planner, left/right/neither).

    Every planner is taken to have also won and lost `pseudo` choices against an average one, and
    likewise each side and no difference: a planner that always wins has a finite strength, and one
    that nobody saw is average. With `pseudo` 0 it is plain maximum likelihood.
    """
    planners = choices.shape[1]
    tied = bool(choices[..., NEITHER].any())
    outcomes = 3 if tied else 2
    design = _design(planners)[:, :outcomes, : planners + outcomes - 1]
    counts = choices.reshape(len(choices), planners**2, 3)[..., :outcomes]
    found = _maximum(design, counts, pseudo)
    about = found[:, :planners] - found[:, :planners].mean(axis=1, keepdims=True)
    ties = found[:, planners + 1] if tied else np.full(len(found), -np.inf)
    return Strengths(about, found[:, planners], ties)


def _design(planners: int) -> FloatArray:
    """What each parameter adds to the log odds of outcomes, (pairs, outcomes, parameters)."""
    left, right = np.divmod(np.arange(planners**2), planners)
    rows = np.arange(planners**2)
    design = np.zeros((planners**2, 3, planners + 2))
    design[rows, LEFT, left] = 1
    design[rows, RIGHT, right] = 1
    design[rows, NEITHER, left] += 0.5
    design[rows, NEITHER, right] += 0.5
    design[:, LEFT, planners], design[:, RIGHT, planners] = 0.5, -0.5
    design[:, NEITHER, planners + 1] = 1
    return design


def _maximum(design: FloatArray, counts: FloatArray, pseudo: float) -> FloatArray:
    """Newton's method for all tables at once, (tables, parameters); the likelihood has one top."""
    pairs, outcomes, parameters = design.shape
    flat = design.reshape(pairs * outcomes, parameters)
    squares = (flat[:, :, None] * flat[:, None, :]).reshape(len(flat), -1)
    totals = counts.sum(axis=2)  # (tables, pairs)
    won = counts.reshape(len(counts), -1) @ flat
    found = np.zeros((len(counts), parameters))
    # What nothing tells (the strengths' common level) stays where it is.
    still = 1e-9 * np.eye(parameters)
    for _ in range(STEPS):
        odds = np.exp((found @ flat.T).reshape(-1, pairs, outcomes))
        chances = odds / odds.sum(axis=2, keepdims=True)
        expected = (totals[..., None] * chances).reshape(len(counts), -1)
        means = np.matmul(chances.transpose(1, 0, 2), design).transpose(1, 0, 2)
        curve = (expected @ squares).reshape(-1, parameters, parameters)
        curve -= np.matmul((totals[..., None] * means).transpose(0, 2, 1), means)
        half = 1 / (1 + np.exp(-found))  # of the choices against an average one
        curve += (2 * pseudo * half * (1 - half))[:, :, None] * np.eye(parameters) + still
        slope = won - expected @ flat + pseudo * (1 - 2 * half)
        step = np.linalg.solve(curve, slope[:, :, None])[:, :, 0]
        found += np.clip(step, -LONGEST, LONGEST)
        if float(np.abs(step).max()) < SETTLED:
            break
    return found
