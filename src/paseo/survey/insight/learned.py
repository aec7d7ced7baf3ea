"""A small score learned from the ratings: a few metrics, weighed, and tried on other episodes."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from paseo.survey.insight.levels import clip_means
from paseo.survey.insight.panel import Panel
from paseo.survey.insight.rank_correlation import pairs_within, taus
from paseo.survey.insight.resampling import Draws, Interval, interval
from paseo.world.arrays import BoolArray, FloatArray, IntArray

MOST_TERMS = 3
FOLDS = 10
INNER_FOLDS = 5
FEWEST_CLUSTERS = 5  # of episodes, to learn from some and be tried on others
FURTHEST = 3.0  # deviations from the mean, beyond which a value counts as that far
OUTER = (0.02, 0.98)  # quantiles, beyond which a value does not count for mean and deviation
KNOWN = 0.8  # of the clips; a metric with fewer values is no term


@dataclass(frozen=True, slots=True, kw_only=True)
class Term:
    """A metric in the score: points of the scale for each deviation from its mean."""

    metric: str
    points: float
    mean: float
    deviation: float
    chosen: float  # share of the folds that chose it


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnedScore:
    """The score, and how it does on episodes that it was not learned from."""

    level: float  # points, of an average drive
    terms: tuple[Term, ...]
    tau: Interval  # within episodes not learned from
    single: Interval  # the same of the one metric that did best on the episodes learned from
    singles: tuple[str, ...]  # those metrics, the most frequent first
    better: Interval  # tau of the score less that of the single metric
    error: float  # root mean square, points, of clips' means within episodes
    single_error: float
    mean_error: float  # of who says the mean of all ratings to every clip

    @property
    def beats_single(self) -> bool:
        """Whether it is better than one metric beyond chance."""
        return self.beats_chance and self.better.low is not None and self.better.low > 0

    @property
    def beats_chance(self) -> bool:
        """Whether it orders drives better than chance."""
        return self.tau.low is not None and self.tau.low > 0


@dataclass(frozen=True, slots=True, eq=False)
class _Fit:
    """Weights of standardised metrics."""

    columns: tuple[int, ...]
    points: FloatArray
    level: float
    means: FloatArray  # of all metrics, over the clips learned from
    deviations: FloatArray

    def __call__(self, measured: FloatArray) -> FloatArray:
        """What it says of clips, (clips,) of (metrics, clips)."""
        own = list(self.columns)
        standard = _standard(measured[own], self.means[own], self.deviations[own])
        said: FloatArray = self.level + self.points @ standard
        return said


@dataclass(frozen=True, slots=True, eq=False)
class _Lesson:
    """What is learned from: metrics and ratings of some clips, less the means of episodes.

    Only what differs within episodes is learned from: hard ones teach nothing about planners.
    """

    own: FloatArray  # (metrics, clips learned from), standardised
    target: FloatArray  # (clips learned from,)
    level: float
    means: FloatArray
    deviations: FloatArray

    @classmethod
    def of(cls, people: FloatArray, panel: Panel, learn: BoolArray) -> "_Lesson":
        means, deviations = _scale(panel.measured, learn)
        own = _within(_standard(panel.measured, means, deviations), panel, learn)[:, learn]
        target = _within(people[None], panel, learn)[0, learn]
        return cls(own, target, float(people[learn].mean()), means, deviations)

    def fit(self, columns: tuple[int, ...]) -> _Fit:
        """Weights of these metrics by least squares."""
        points = np.linalg.lstsq(self.own[list(columns)].T, self.target, rcond=None)[0]
        return _Fit(columns, points.astype(np.float64), self.level, self.means, self.deviations)


def learned_score(
    level: FloatArray, panel: Panel, draws: Draws, rng: np.random.Generator
) -> LearnedScore | None:
    """Learned from ratings (raters, clips) less raters' levels; None where it cannot be.

    Metrics are taken in one after the other, and as many as other episodes ask for, all of it
    within the episodes learned from; clusters of episodes are never torn apart.
    """
    people = clip_means(level, np.ones((1, len(level))))[0]
    rated = ~np.isnan(people)
    clusters = panel.clusters[panel.episode_of]
    usable = _usable(panel, rated)
    if len(np.unique(clusters[rated])) < FEWEST_CLUSTERS or not usable.any():
        return None
    if np.ptp(people[rated]) == 0:
        return None
    folds = _folds(clusters, FOLDS, rng)
    said = np.full((3, len(people)), np.nan)  # by the score, by a single metric, by the mean
    fits, singles = [], []
    for fold in np.unique(folds[rated]):
        test, learn = folds == fold, (folds != fold) & rated
        fit = _chosen(people, panel, learn, usable, rng)
        single = _single(people, panel, learn, usable)
        for row, each in enumerate((fit, single)):
            said[row, test] = each(panel.measured)[test]
        said[2, test] = fit.level
        fits.append(fit)
        singles.append(panel.metrics[single.columns[0]])
    whole = _chosen(people, panel, rated, usable, rng)
    return _told(whole, fits, singles, said, level, panel, draws)


def _told(
    whole: _Fit, fits: Sequence[_Fit], singles: Sequence[str], said: FloatArray,
    level: FloatArray, panel: Panel, draws: Draws,
) -> LearnedScore:  # fmt: skip
    pairs = pairs_within(panel)
    means = clip_means(level, draws.raters)
    found = taus(means, said[:2], pairs, pairs.weights(draws.episodes))
    # Where all is tied, as by a metric that is constant there, nothing is predicted.
    found = np.where(np.isnan(found), 0.0, found)
    rated = ~np.isnan(means[0])
    own = _within(np.concatenate([said, means[:1]]), panel, rated)[:, rated]
    errors = np.sqrt(((own[:3] - own[3]) ** 2).mean(axis=1))
    terms = [
        Term(
            metric=panel.metrics[column],
            points=float(points),
            mean=float(whole.means[column]),
            deviation=float(whole.deviations[column]),
            chosen=sum(column in each.columns for each in fits) / len(fits),
        )
        for column, points in zip(whole.columns, whole.points, strict=True)
    ]
    by_number = sorted(set(singles), key=lambda name: (-singles.count(name), name))
    return LearnedScore(
        level=whole.level,
        terms=tuple(terms),
        tau=interval(found[:, 0], draws, least=-1.0, most=1.0),
        single=interval(found[:, 1], draws, least=-1.0, most=1.0),
        singles=tuple(by_number),
        better=interval(found[:, 0] - found[:, 1], draws, least=-2.0, most=2.0),
        error=float(errors[0]),
        single_error=float(errors[1]),
        mean_error=float(errors[2]),
    )


def _usable(panel: Panel, rated: BoolArray) -> BoolArray:
    """Metrics that are known of most clips and differ between planners of some episode."""
    own = panel.measured[:, rated]
    known = (~np.isnan(own)).mean(axis=1) >= KNOWN if own.shape[1] else np.zeros(len(own), bool)
    within = _within(_standard(panel.measured, *_scale(panel.measured, rated)), panel, rated)
    usable: BoolArray = known & (np.abs(within[:, rated]).max(axis=1, initial=0.0) > 1e-9)
    return usable


def _folds(clusters: IntArray, folds: int, rng: np.random.Generator) -> IntArray:
    """The fold of each clip: whole clusters, as many in each as can be."""
    names = np.unique(clusters)
    dealt = rng.permutation(len(names)) % folds
    return dealt[np.searchsorted(names, clusters)]


def _chosen(
    people: FloatArray, panel: Panel, learn: BoolArray, usable: BoolArray, rng: np.random.Generator
) -> _Fit:
    """The fit with as many terms as do best on episodes within those learned from.

    Fewer are taken if they do as well within one standard error (Breiman et al. 1984), and only
    those that most of the inner folds take as well.
    """
    folds = _folds(panel.clusters[panel.episode_of], INNER_FOLDS, rng)
    losses, taken = [], []  # of each fold
    for fold in np.unique(folds[learn]):
        test, rest = learn & (folds == fold), learn & (folds != fold)
        if rest.any():
            fits = _forward(_Lesson.of(people, panel, rest), usable)
            own = _within(np.stack([people, *(fit(panel.measured) for fit in fits)]), panel, test)
            losses.append(((own[1:, test] - own[0, test]) ** 2).mean(axis=1))
            taken.append(fits[-1].columns)
    lesson = _Lesson.of(people, panel, learn)
    fits = _forward(lesson, usable)
    if len(losses) < 2:
        return fits[0]
    fewest = min(map(len, losses))
    table = np.array([each[:fewest] for each in losses])
    means, best = table.mean(axis=0), int(table.mean(axis=0).argmin())
    gains = table - table[:, [best]]
    within = gains.std(axis=0, ddof=1) / np.sqrt(len(table))
    enough = int(np.flatnonzero(means - means[best] <= within + 1e-12)[0])
    columns = fits[min(enough, len(fits) - 1)].columns
    stable = [
        column
        for column in columns[1:]
        if 2 * sum(column in each[: enough + 1] for each in taken) > len(taken)
    ]
    return lesson.fit((columns[0], *stable))


def _forward(lesson: _Lesson, usable: BoolArray) -> list[_Fit]:
    """Fits of one, two and three terms, each with the metric that then leaves the least unsaid."""
    columns: tuple[int, ...] = ()
    fits = []
    for _ in range(min(MOST_TERMS, int(usable.sum()))):
        column = _next(lesson.own, lesson.target, columns, usable)
        if column is None:
            break
        columns = (*columns, column)
        fits.append(lesson.fit(columns))
    return fits or [lesson.fit((int(np.flatnonzero(usable)[0]),))]


def _next(
    own: FloatArray, target: FloatArray, columns: tuple[int, ...], usable: BoolArray
) -> int | None:
    """The metric that explains most of what those chosen leave unsaid."""
    left, rest = target, own
    if columns:
        basis, _ = np.linalg.qr(own[list(columns)].T)
        left, rest = target - basis @ (basis.T @ target), own - (own @ basis) @ basis.T
    sizes = (rest**2).sum(axis=1)
    fresh = usable & (sizes > 1e-6 * np.maximum((own**2).sum(axis=1), 1e-12))
    fresh[list(columns)] = False
    if not fresh.any():
        return None
    gains = np.where(fresh, (rest @ left) ** 2 / np.where(fresh, sizes, 1.0), -1.0)
    return int(gains.argmax())


def _single(people: FloatArray, panel: Panel, learn: BoolArray, usable: BoolArray) -> _Fit:
    """The metric with the largest tau on the clips learned from, with a weight of its own."""
    pairs = pairs_within(panel).among(learn)
    found = np.abs(taus(people[None], panel.measured, pairs, np.ones((1, len(pairs.first))))[0])
    column = int(np.where(usable, np.nan_to_num(found), -1.0).argmax())
    return _Lesson.of(people, panel, learn).fit((column,))


def _scale(measured: FloatArray, learn: BoolArray) -> tuple[FloatArray, FloatArray]:
    """Mean and deviation of each metric over clips, its outer values pulled in."""
    means, deviations = np.zeros(len(measured)), np.ones(len(measured))
    told = (~np.isnan(measured[:, learn])).any(axis=1)
    own = measured[told][:, learn]
    if own.size:
        low, high = np.nanquantile(own, OUTER, axis=1)[:, :, None]
        inner = np.clip(own, low, high)
        spread = np.nanstd(inner, axis=1)
        spread = np.where(spread > 0, spread, np.nanstd(own, axis=1))
        means[told], deviations[told] = np.nanmean(inner, axis=1), np.where(spread > 0, spread, 1.0)
    return means, deviations


def _standard(measured: FloatArray, means: FloatArray, deviations: FloatArray) -> FloatArray:
    """In deviations from the mean, at most 3; what is undefined counts as the mean."""
    standard = (measured - means[:, None]) / deviations[:, None]
    bounded: FloatArray = np.clip(np.nan_to_num(standard, nan=0.0), -FURTHEST, FURTHEST)
    return bounded


def _within(values: FloatArray, panel: Panel, chosen: BoolArray) -> FloatArray:
    """Rows (rows, clips) less their mean over the chosen clips of each episode."""
    episodes = panel.episode_of
    counts = np.bincount(episodes, weights=chosen, minlength=len(panel.episodes))
    filled = np.where(chosen, np.nan_to_num(values), 0.0)
    sums = np.stack([
        np.bincount(episodes, weights=row, minlength=len(panel.episodes)) for row in filled
    ])  # fmt: skip
    centred: FloatArray = values - (sums / np.maximum(counts, 1.0))[:, episodes]
    return centred
