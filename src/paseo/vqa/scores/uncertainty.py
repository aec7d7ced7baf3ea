"""How sure a mean is: questions of a scene share its people, so scenes are drawn again."""

import math
from dataclasses import dataclass
from enum import Enum

import numpy as np

from paseo.metrics.comparison.sign_flips import sign_flip_p
from paseo.metrics.comparison.statistics import NORMAL, cluster_sums, student_t
from paseo.world.arrays import BoolArray, FloatArray, IntArray

DRAWS = 2000
MARGIN = 0.05  # of agreement: half a voter among ten, as most questions have
LEVEL = 0.05  # of tests
INTERVAL = (0.025, 0.975)
FEWEST_SCENES = 3  # for an interval
ROUNDING = 1e-12  # smaller differences are no merit


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """A mean over questions; None where too little is known."""

    mean: float | None
    naive_se: float | None  # as if questions were independent, as the paper has it
    clustered_se: float | None  # questions of one scene belong together
    low: float | None  # of the 95 % interval by drawing scenes
    high: float | None
    questions: int


@dataclass(frozen=True, slots=True, eq=False)
class SceneDraws:
    """How often each scene is drawn in each resample, and where each question belongs."""

    weights: FloatArray  # (draws, scenes)
    scene_of: IntArray  # (questions,)


def scene_draws(scene_of: IntArray, rng: np.random.Generator, draws: int = DRAWS) -> SceneDraws:
    """Draw as many scenes as there are, again and again, with replacement."""
    scenes = int(scene_of.max()) + 1
    weights = rng.multinomial(scenes, np.full(scenes, 1 / scenes), size=draws)
    return SceneDraws(weights.astype(np.float64), scene_of)


def score(values: FloatArray, draws: SceneDraws, chosen: BoolArray | None = None) -> Score:
    """The mean of the known values, shares or differences of shares, among the chosen questions."""
    known = ~np.isnan(values) if chosen is None else ~np.isnan(values) & chosen
    count = int(known.sum())
    if not count:
        return Score(mean=None, naive_se=None, clustered_se=None, low=None, high=None, questions=0)
    mean = float(values[known].mean())
    sums, counts = _by_scene(values, known, draws)
    errors = _errors(mean, sums, counts, draws)
    least = -1.0 if (values[known] < 0).any() else 0.0  # of a share, or a difference of two
    low, high = None, None
    if errors is not None:
        low, high = (min(max(mean + float(e), least), 1.0) for e in np.quantile(errors, INTERVAL))
    return Score(
        mean=mean,
        naive_se=float(values[known].std()) / math.sqrt(count),
        clustered_se=_clustered(mean, sums, counts),
        low=low,
        high=high,
        questions=count,
    )


def _by_scene(
    values: FloatArray, known: BoolArray, draws: SceneDraws
) -> tuple[FloatArray, FloatArray]:
    """Sum and number of the known values of each scene."""
    scenes = draws.weights.shape[1]
    places = draws.scene_of[known]
    sums = np.bincount(places, weights=values[known], minlength=scenes)
    counts = np.bincount(places, minlength=scenes)
    return sums.astype(np.float64), counts.astype(np.float64)


def _clustered(mean: float, sums: FloatArray, counts: FloatArray) -> float | None:
    """The cluster-robust standard error of a mean (Liang and Zeger 1986), with G / (G - 1)."""
    scenes = int((counts > 0).sum())
    if scenes < 2:
        return None
    residuals = sums - mean * counts
    return math.sqrt(scenes / (scenes - 1) * float((residuals**2).sum())) / float(counts.sum())


def _errors(
    mean: float, sums: FloatArray, counts: FloatArray, draws: SceneDraws
) -> FloatArray | None:
    """How far the mean of each resample is from the mean, (draws,), widened for few scenes.

    Drawing G scenes again makes too little of their spread: it is stretched by sqrt(G / (G - 1))
    and by Student's t against the normal (Cameron and Miller 2015, section VI).
    """
    scenes = int((counts > 0).sum())
    if scenes < FEWEST_SCENES:
        return None
    totals = draws.weights @ counts
    errors = (draws.weights @ sums)[totals > 0] / totals[totals > 0] - mean
    stretch = math.sqrt(scenes / (scenes - 1)) * student_t(scenes - 1) / NORMAL
    widened: FloatArray = stretch * errors
    return widened


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreDifference:
    """First minus second over the questions both answered."""

    score: Score
    p: float | None  # two-sided; None with fewer than two scenes


def difference(a: FloatArray, b: FloatArray, draws: SceneDraws) -> ScoreDifference:
    """A paired comparison; p is by exchanging the two scene by scene.

    It is exact for few scenes, and small enough to be corrected for many pairs: the share of
    2,000 draws on the other side of no difference would be neither.
    """
    values = np.where(np.abs(a - b) < ROUNDING, 0.0, a - b)
    known = ~np.isnan(values)
    scenes = draws.scene_of[known]
    p = sign_flip_p(cluster_sums(values[known], scenes)) if len(np.unique(scenes)) > 1 else None
    return ScoreDifference(score=score(values, draws), p=p)


class Standing(Enum):
    """Whether a model is as good as one more person."""

    BETTER = "better than one more person"
    AS_GOOD = "as good as one more person"
    AT_LEAST = "at least as good as one more person"
    WORSE = "worse than one more person"
    OPEN = "cannot be told"


@dataclass(frozen=True, slots=True, kw_only=True)
class Equivalence:
    """Two one-sided tests of the difference from a single person (Schuirmann 1987)."""

    difference: float | None
    low: float | None  # of the 90 % interval, which two tests at 5 % look at
    high: float | None
    p: float | None  # of being further apart than the margin
    margin: float
    verdict: Standing


def equivalence(
    model: FloatArray, person: FloatArray, draws: SceneDraws, margin: float = MARGIN
) -> Equivalence:
    """Hold a model against the people left out in turn, over the questions both have."""
    values = model - person
    known = ~np.isnan(values)
    errors = _drawn(values, known, draws) if known.any() else None
    if errors is None:
        return Equivalence(
            difference=None, low=None, high=None, p=None, margin=margin, verdict=Standing.OPEN
        )
    drawn = float(values[known].mean()) + errors
    low, high = (float(each) for each in np.quantile(drawn, [LEVEL, 1 - LEVEL]))
    return Equivalence(
        difference=float(values[known].mean()),
        low=low,
        high=high,
        p=max(_rarity(drawn <= -margin), _rarity(drawn >= margin)),
        margin=margin,
        verdict=_verdict(low, high, margin),
    )


def _verdict(low: float, high: float, margin: float) -> Standing:
    if -margin < low and high < margin:
        return Standing.AS_GOOD
    if low > 0:
        return Standing.BETTER
    if low > -margin:
        return Standing.AT_LEAST
    return Standing.WORSE if high < 0 else Standing.OPEN


def _drawn(values: FloatArray, known: BoolArray, draws: SceneDraws) -> FloatArray | None:
    return _errors(float(values[known].mean()), *_by_scene(values, known, draws), draws)


def _rarity(as_extreme: BoolArray) -> float:
    """The share of draws as extreme, never 0: what was seen is one of the possibilities."""
    return float((1 + as_extreme.sum()) / (1 + len(as_extreme)))
