"""Whether more people, or more scenes, would change which of two models is ahead.

Two things are uncertain in a difference of agreements, and are kept apart here: which people were
asked about these scenes, and which scenes people were asked about.
"""

import math
from dataclasses import dataclass

import numpy as np

from paseo.metrics.comparison.statistics import NORMAL, student_t
from paseo.vqa.scores.baselines import scene_numbers
from paseo.vqa.scores.rows import ScoreRow
from paseo.vqa.scores.scorecard import Scorecard
from paseo.vqa.scores.uncertainty import DRAWS, FEWEST_SCENES, INTERVAL, ROUNDING
from paseo.world.arrays import BoolArray, FloatArray, IntArray

FEWEST_PEOPLE = 5  # for anything to be said
CROWDS = (5, 10, 20, 50)  # people per scene that one may think of
LARGEST_TABLE = 1 << 22  # numbers that are drawn at once


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Merits:
    """By how many votes each person's answers about a scene favour the first model, by scene."""

    votes: FloatArray  # (ballots,), one for each person and scene; over the questions both answered
    person: IntArray  # (ballots,), from 0
    scene: IntArray  # (ballots,), from 0, rising
    questions: FloatArray  # (scenes,)
    lonely: int = 0  # scenes left out, as only one person has answered

    @property
    def people(self) -> FloatArray:
        """How many there are in each scene, (scenes,)."""
        return np.bincount(self.scene, minlength=len(self.questions)).astype(np.float64)

    @property
    def means(self) -> FloatArray:
        """Of the votes in each scene, (scenes,)."""
        sums = np.bincount(self.scene, weights=self.votes, minlength=len(self.questions))
        return sums / self.people

    @property
    def difference(self) -> float:
        """The first model's agreement minus the second's."""
        return float(self.means.sum() / self.questions.sum())


@dataclass(frozen=True, slots=True)
class Crowd:
    """What would become of a difference with more people in each scene."""

    per_scene: int | None  # None: infinitely many
    same: float  # how often the same model is ahead as now
    low: float  # of the 95 % interval of the difference that would be found
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """How far a difference is settled on these scenes, and on others like them."""

    difference: float  # first minus second, over scenes with two people or more
    people: int
    scenes: int
    lonely: int  # scenes left out, as only one person has answered
    per_scene: float  # people, on average
    crowds: tuple[Crowd, ...]  # the last is of infinitely many
    people_se: float  # what is due to which people were asked
    scenes_se: float  # what would be left with infinitely many people
    settled_here: bool  # on these scenes, whoever is asked
    settled: bool  # on scenes like these
    people_would_do: bool  # whether enough people in these scenes could settle it for all
    people_here: int | None  # in each scene, to settle it for these if it stays as large
    people_wanted: int | None  # likewise for all scenes like these; None: no number would
    scenes_wanted: int | None  # with as many people in each as now; None: no number would


def merits_of(card: Scorecard, first: ScoreRow, second: ScoreRow) -> Merits:
    """What everybody's answers say of two models that a card holds."""
    ahead = _shares(first, card) - _shares(second, card)  # (questions, options), NaN: not both
    both, scenes = ~np.isnan(ahead[:, 0]), scene_numbers(card.labels)
    ballots: list[tuple[int, int, float]] = []
    for number, person in enumerate(card.people):
        rows = person.questions
        votes = np.where(both[rows], ahead[rows, person.choices], 0.0)
        sums = np.bincount(scenes[rows], weights=votes)
        ballots += [(int(scene), number, float(sums[scene])) for scene in np.unique(scenes[rows])]
    table = np.array(sorted(ballots), dtype=np.float64).reshape(-1, 3)
    asked = np.bincount(scenes[both], minlength=len(card.labels.scenes))
    people = np.bincount(table[:, 0].astype(np.int64), minlength=len(asked))
    return _kept(table, asked, (asked > 0) & (people > 1))


def _kept(table: FloatArray, asked: IntArray, kept: BoolArray) -> Merits:
    """Of ballots (scene, person, votes) those in the scenes that are kept."""
    scene, person = table[:, :2].astype(np.int64).T
    here = kept[scene]
    return Merits(
        votes=table[here, 2],
        person=np.unique(person[here], return_inverse=True)[1],
        scene=np.unique(scene[here], return_inverse=True)[1],
        questions=asked[kept].astype(np.float64),
        lonely=int(((asked > 0) & ~kept).sum()),
    )


def _shares(row: ScoreRow, card: Scorecard) -> FloatArray:
    """How large a share of a row's answers each option is, (questions, options)."""
    if row.choices is None:
        raise TypeError(f"{row.name} has no answers of its own")
    options = card.labels.counts.shape[1]
    said = row.choices[:, :, None] == np.arange(options)  # (questions, repeats, options)
    answered = (row.choices <= options).sum(axis=1)[:, None].astype(np.float64)
    return np.divide(
        said.sum(axis=1), answered, out=np.full((len(said), options), np.nan), where=answered > 0
    )


def decided(merits: Merits, rng: np.random.Generator, draws: int = DRAWS) -> Decision | None:
    """Whether more people would change which is ahead; None where too little is known.

    People are given random weights, the same in all their scenes (Rubin's Bayesian bootstrap,
    1981): as if infinitely many came, of whom those that came are a sample. A mean of n that
    becomes one of n' moves by 1 - n / n' of that variance.
    """
    people, scenes = len(np.unique(merits.person)), len(merits.questions)
    if scenes < FEWEST_SCENES or people < FEWEST_PEOPLE:
        return None
    mean = float(merits.people.mean())
    sizes = [each for each in CROWDS if each > merits.people.max()]
    reach = [np.sqrt(np.maximum(1 - merits.people / size, 0.0)) for size in sizes]
    reach.append(np.ones(scenes))
    errors = _errors(merits, np.array(reach), rng, draws)
    crowds = tuple(
        _crowd(size, merits.difference, error)
        for size, error in zip([*sizes, None], errors, strict=True)
    )
    spread = _Spread.of(merits)
    return Decision(
        difference=merits.difference,
        people=people,
        scenes=scenes,
        lonely=merits.lonely,
        per_scene=mean,
        crowds=crowds,
        people_se=math.sqrt(spread.people),
        scenes_se=math.sqrt(spread.scenes),
        settled_here=_apart(crowds[-1], merits.difference),
        settled=spread.is_settled,
        people_would_do=spread.people_would_do,
        people_here=spread.people_here(mean),
        people_wanted=spread.people_wanted(mean),
        scenes_wanted=spread.scenes_wanted(scenes),
    )


def _errors(
    merits: Merits, reach: FloatArray, rng: np.random.Generator, draws: int
) -> list[FloatArray]:
    """How far the difference moves in each draw, for each `reach` (crowds, scenes).

    Weighting n people makes too little of their spread: it is stretched by sqrt((n+1) / (n-1)), to
    the variance that takes their tastes into account, and by Student's t against the normal.
    """
    people = merits.people
    plain, whole = _people_variance(merits)
    starts = np.concatenate([[0], np.cumsum(people)[:-1]]).astype(np.int64)
    stretch = np.sqrt((people + 1) / (people - 1)) * _student(merits) / NORMAL
    stretch = stretch * (math.sqrt(whole / plain) if plain else 1.0)
    found, left = [], draws
    while left:
        some = min(left, max(LARGEST_TABLE // len(merits.votes), 1))
        by_person = rng.standard_exponential((some, int(merits.person.max()) + 1))
        weights = by_person[:, merits.person]  # (draws, ballots)
        sums = np.add.reduceat(weights * merits.votes, starts, axis=1)
        moved = stretch * (sums / np.add.reduceat(weights, starts, axis=1) - merits.means)
        found.append(moved @ reach.T / merits.questions.sum())
        left -= some
    return list(np.concatenate(found).T)


def _pulls(merits: Merits) -> FloatArray:
    """How far each ballot pulls the difference; squared and added up, they are its variance."""
    count = merits.people
    apart = merits.votes - merits.means[merits.scene]
    pulls: FloatArray = apart / np.sqrt(count * (count - 1))[merits.scene]
    return pulls / merits.questions.sum()


def _people_variance(merits: Merits) -> tuple[float, float]:
    """What is due to which people came, each one cluster over all their scenes.

    Somebody is a part of the mean that they are held against. Within a scene that is allowed for
    by n / (n - 1), from one scene to another it takes its square; the first number is without that.
    """
    pulls, count = _pulls(merits), merits.people[merits.scene]
    wider = pulls * np.sqrt(count / (count - 1))
    plain = float((np.bincount(merits.person, weights=pulls) ** 2).sum())
    across = float((np.bincount(merits.person, weights=wider) ** 2).sum() - (wider**2).sum())
    return plain, max(plain, float((pulls**2).sum()) + across)


def _student(merits: Merits) -> float:
    """Student's t for what is known of how people differ."""
    freedom = min(int(merits.person.max()), len(merits.votes) - len(merits.questions))
    return student_t(freedom)


def _crowd(size: int | None, difference: float, errors: FloatArray) -> Crowd:
    low, high = (float(each) for each in np.quantile(difference + errors, INTERVAL))
    # Never all of them: what was not drawn is not impossible.
    changed = (np.sign(difference + errors) != np.sign(difference)).sum()
    spread = bool(np.abs(errors).max() > ROUNDING)
    same = 1 - float(changed + spread) / (len(errors) + spread)
    return Crowd(size, same, max(low, -1.0), min(high, 1.0))


def _apart(crowd: Crowd, difference: float) -> bool:
    return abs(difference) > ROUNDING and (crowd.low > 0 or crowd.high < 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Spread:
    """The two parts of the variance of a difference, and how many standard errors are sure."""

    difference: float
    people: float
    scenes: float
    t_people: float
    t_scenes: float

    @classmethod
    def of(cls, merits: Merits) -> "_Spread":
        """How scenes differ holds how people differ within them, which is taken off."""
        lifts = merits.means - merits.difference * merits.questions
        lifts /= merits.questions.sum()
        between = len(lifts) / (len(lifts) - 1) * float((lifts**2).sum())
        return cls(
            difference=merits.difference,
            people=_people_variance(merits)[1],
            scenes=max(between - float((_pulls(merits) ** 2).sum()), 0.0),
            t_people=_student(merits),
            t_scenes=student_t(len(lifts) - 1),
        )

    @property
    def room(self) -> float:
        """The variance under which the difference would be sure, for scenes like these."""
        return (self.difference / self.t_scenes) ** 2

    @property
    def is_settled(self) -> bool:
        return abs(self.difference) > ROUNDING and self.people + self.scenes < self.room

    @property
    def people_would_do(self) -> bool:
        return self.scenes < self.room and abs(self.difference) > ROUNDING

    def people_here(self, now: float) -> int | None:
        if abs(self.difference) <= ROUNDING:
            return None
        more = self.people * (self.t_people / self.difference) ** 2
        return math.ceil(max(more, 1.0) * now)

    def people_wanted(self, now: float) -> int | None:
        if not self.people_would_do:
            return None
        return math.ceil(max(self.people / (self.room - self.scenes), 1.0) * now)

    def scenes_wanted(self, now: int) -> int | None:
        if abs(self.difference) <= ROUNDING:
            return None
        return math.ceil(max((self.people + self.scenes) / self.room, 1.0) * now)
