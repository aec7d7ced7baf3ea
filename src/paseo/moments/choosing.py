"""Which moments become scenes: worth asking about, balanced, and without people in common."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

import numpy as np

from paseo.moments.candidates import Moment
from paseo.vqa.geometry.rules import Rulebook
from paseo.vqa.questions.questions import Option
from paseo.world.arrays import FloatArray, IntArray

BALANCE = 3.0  # how much more a scene with rare answers counts than the fittest of all
THRIFT = (0.0, 1.0, 3.0, 10.0, 100.0)  # how much less one counts that keeps many others out
Cell = tuple[str, Option]  # a kind of question and what is right
Span = tuple[float, float]  # seconds of a recording


def right_answers(moment: Moment, rules: Rulebook) -> Counter[Cell]:
    """How often each answer is clearly right in a moment."""
    found: Counter[Cell] = Counter()
    course = moment.course()
    answers = rules.answers(course)
    for each in rules.catalogue.questions("", course.people):
        finding = answers.get(each.key)
        if finding is not None and finding.clear:
            found[each.kind.key, finding.answer] += 1
    return found


def chosen_moments(found: Sequence[Moment], count: int, seed: int, rules: Rulebook) -> list[Moment]:
    """At most so many moments: no two show the same person at the same time.

    One after the other the moment is taken whose right answers are rarest so far among the
    answers to their questions, and which is worth most; of equals the seed decides. Where that
    leaves no room for so many, those that keep others out count for less.
    """
    if not found:
        return []
    pool = _Pool(found, seed, rules)
    best: list[int] = []
    for thrift in THRIFT:
        taken = pool.taken(count, thrift)
        best = max(best, taken, key=len)
        if len(best) == count:
            break
    return [found[k] for k in sorted(best)]


class _Pool:
    """All moments with what is right in them and whom they keep out."""

    def __init__(self, found: Sequence[Moment], seed: int, rules: Rulebook) -> None:
        kinds = rules.catalogue.kinds
        cells, self._counts = _table([right_answers(moment, rules) for moment in found])
        self._kinds = np.array([list(kinds).index(kind) for kind, _ in cells], dtype=np.int64)
        self._choices = np.array([len(kinds[kind].choices) for kind, _ in cells], dtype=float)
        chance = 1e-6 * np.random.default_rng(seed).random(len(found))
        self._worth = _ranks(np.array([moment.fitness for moment in found])) + chance
        people = _Presences(found)
        self._clashes = [people.clashing(k) for k in range(len(found))]

    def taken(self, count: int, thrift: float) -> list[int]:
        """The moments, one after the other."""
        total = np.zeros(self._counts.shape[1])
        free = np.ones(len(self._worth), bool)
        asked = np.maximum(self._counts.sum(axis=1), 1.0)
        shut = np.array([len(each) for each in self._clashes], dtype=float)  # if it were taken
        usual = float(shut.mean())
        taken: list[int] = []
        while len(taken) < count and free.any():
            rare = self._counts @ _needs(total, self._kinds, self._choices) / asked
            worth = BALANCE * rare + self._worth - thrift * shut / usual
            best = int(np.argmax(np.where(free, worth, -np.inf)))
            taken.append(best)
            total += self._counts[best]
            gone = self._clashes[best][free[self._clashes[best]]]
            free[gone] = False
            for each in gone:
                shut[self._clashes[each]] -= 1.0
        return taken


def _table(answers: Sequence[Counter[Cell]]) -> tuple[list[Cell], FloatArray]:
    cells = sorted({cell for each in answers for cell in each})
    table = np.array([[each[cell] for cell in cells] for each in answers], dtype=float)
    return cells, table


def _ranks(values: FloatArray) -> FloatArray:
    """From 0 for the least to 1 for the largest."""
    order = np.argsort(np.argsort(values, kind="stable"), kind="stable")
    ranks: FloatArray = order / max(len(values) - 1, 1)
    return ranks


def _needs(total: FloatArray, kinds_of: IntArray, choices: FloatArray) -> FloatArray:
    """How much each answer is lacking: 1 where it was never right, 0 where it has its share."""
    asked = np.bincount(kinds_of, weights=total)[kinds_of]
    share = np.divide(total, asked, out=np.zeros_like(total), where=asked > 0)
    return np.clip(1.0 - share * choices, 0.0, 1.0)


class _Presences:
    """Who is in which moments, and when."""

    def __init__(self, found: Sequence[Moment]) -> None:
        self._people = [dict(_presences(moment)) for moment in found]
        self._by_person: defaultdict[tuple[str, int], list[int]] = defaultdict(list)
        for k, people in enumerate(self._people):
            for person in people:
                self._by_person[person].append(k)

    def clashing(self, which: int) -> IntArray:
        """All moments that show somebody of this one while it lasts, itself too."""
        found = {
            other
            for person, (begin, end) in self._people[which].items()
            for other in self._by_person[person]
            if self._people[other][person][0] < end and begin < self._people[other][person][1]
        }
        return np.array(sorted(found), np.int64)


def _presences(moment: Moment) -> Iterable[tuple[tuple[str, int], Span]]:
    """Who is in a moment, the rider too, and when in their recording."""
    stage, rider = moment.sighted.stage, moment.sighted.rider
    begin, length = float(stage.times[moment.first]), moment.timing.duration
    for who in (rider.identity, *(stage.identities[k] for k in moment.asked)):
        yield who.key, (who.began + begin, who.began + begin + length)
