"""Single people held against the others, where a data set tells who said what."""

from dataclasses import dataclass

import numpy as np

from paseo.vqa.questions.votes import Labels
from paseo.vqa.scores.rows import Choosing, ScoreRow
from paseo.world.arrays import FloatArray, IntArray


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Annotator:
    """One person: which questions they answered, and how many of the others agree."""

    name: str
    questions: IntArray  # rows of the labels
    choices: IntArray  # the number of their option on each
    agreement: FloatArray  # share of the others who said the same, on each

    @property
    def mean(self) -> float:
        """The person's Probability of Agreement."""
        return float(self.agreement.mean())


def annotators(by: Choosing) -> tuple[Annotator, ...]:
    """Everybody who answered a question together with somebody else; the best first.

    An answer that is not among the question's votes is left out: it was not counted.
    """
    counts, people = by.labels.counts, by.labels.people
    found = []
    for name, answers in by.labels.annotators.items():
        places = [
            (row, by.numbers[by.labels.questions[row].kind.key][option])
            for place, option in answers.items()
            if (row := by.places.get(place)) is not None
        ]
        table = np.array(places, dtype=np.int64).reshape(-1, 2)
        kept = table[(counts[table[:, 0], table[:, 1]] > 0) & (people[table[:, 0]] > 1)]
        if len(kept):
            rows, choices = kept.T
            alike = (counts[rows, choices] - 1) / (people[rows] - 1)
            found.append(Annotator(name=name, questions=rows, choices=choices, agreement=alike))
    return tuple(sorted(found, key=lambda each: (-each.mean, each.name)))


def by_category(person: Annotator, labels: Labels) -> dict[str, float | None]:
    """A person's mean over the questions of each category."""
    category = np.array([labels.questions[k].kind.category for k in person.questions])
    return {
        each: float(person.agreement[mask].mean()) if mask.any() else None
        for each in labels.catalogue.categories
        for mask in (category == each,)
    }


def outdone(row: ScoreRow, people: tuple[Annotator, ...], labels: Labels) -> int | None:
    """How many people the row agrees with the others better than, each on their own questions.

    Both are held against the same others: everybody but the person.
    """
    if row.choices is None:
        return None
    return sum(_outdoes(row.choices, person, labels) for person in people)


def _outdoes(choices: IntArray, person: Annotator, labels: Labels) -> bool:
    said = choices[person.questions]  # (their questions, repeats)
    padded = np.pad(labels.counts[person.questions], ((0, 0), (0, 2)))
    votes = np.take_along_axis(padded, said, axis=1) - (said == person.choices[:, None])
    others = (labels.people[person.questions] - 1)[:, None]
    answered = said <= labels.counts.shape[1]
    shares = np.where(answered, votes / others, 0.0).sum(axis=1)
    known = answered.any(axis=1)
    if not known.any():
        return False
    mine = shares[known] / answered[known].sum(axis=1)
    return bool(mine.mean() > person.agreement[known].mean())
