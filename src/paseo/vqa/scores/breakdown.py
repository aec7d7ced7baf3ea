"""Which questions a score is over: categories, kinds, how far people agree, how many there are."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from paseo.vqa.questions.questions import Option
from paseo.vqa.questions.votes import Labels
from paseo.vqa.scores.rows import ScoreRow
from paseo.vqa.scores.sheets import Sheet
from paseo.world.arrays import BoolArray, IntArray

ALL = "all"
CLEAR = 2 / 3  # of the people: most of them agree
# Shares of the most common answer, from and below; all people agree from 1 on.
AGREEMENT_BANDS = {
    "under 1/2": (0.0, 1 / 2),
    "1/2 to 2/3": (1 / 2, 2 / 3),
    "2/3 and more, not all": (2 / 3, 1.0),
    "everybody": (1.0, 2.0),
}
CROWD_BANDS = {"1 to 3": (0, 4), "4 to 6": (4, 7), "7 to 9": (7, 10), "10 and more": (10, 10**9)}

Sections = Mapping[str, Mapping[str, BoolArray]]


def sections(labels: Labels) -> Sections:
    """Masks over the questions, by kind of section and then by name; empty ones are left out."""
    asked = labels.questions
    category = np.array([each.kind.category for each in asked])
    kind = np.array([each.kind.key for each in asked])
    shares = labels.counts.max(axis=1) / labels.people
    crowd = people_in_scene(labels)
    every = {
        "category": {ALL: np.ones(len(asked), bool)}
        | {each: category == each for each in labels.catalogue.categories},
        "question": {key: kind == key for key in labels.catalogue.kinds},
        "agreement": {
            name: (low <= shares) & (shares < high) for name, (low, high) in AGREEMENT_BANDS.items()
        },
        "people": {
            name: (low <= crowd) & (crowd < high) for name, (low, high) in CROWD_BANDS.items()
        },
    }
    return {
        title: {name: mask for name, mask in masks.items() if mask.any() or title == "category"}
        for title, masks in every.items()
    }


def people_in_scene(labels: Labels) -> IntArray:
    """How many numbered people each question's scene has, (questions,)."""
    people = {(each.scene, each.person) for each in labels.questions if each.person is not None}
    counts = Counter(scene for scene, _ in people)
    return np.array([counts[each.scene] for each in labels.questions])


@dataclass(frozen=True, slots=True, kw_only=True)
class Missed:
    """A question that most people agree on and a model answered otherwise."""

    scene: str
    key: str
    people_said: Option
    votes: int
    people: int
    model_said: Option | None  # None where it could not be read
    agreed: int  # how many people said what the model said


def missed(row: ScoreRow, labels: Labels) -> tuple[Missed, ...]:
    """What at least two thirds of the people agree on and the row missed, clearest first.

    With repeats, a question is missed that fewer than half of the answers got, and the first
    other answer is shown.
    """
    if row.choices is None:
        return ()
    invalid = labels.counts.shape[1]
    top = labels.counts.argmax(axis=1)
    votes, people = labels.counts.max(axis=1), labels.people
    answered = (row.choices <= invalid).sum(axis=1)
    right = (row.choices == top[:, None]).sum(axis=1)
    wrong = (votes / people >= CLEAR) & (2 * right < answered)
    found = []
    for k in np.nonzero(wrong)[0]:
        asked = labels.questions[k]
        said = next(int(c) for c in row.choices[k] if c != top[k] and c <= invalid)
        found.append(
            Missed(
                scene=asked.scene,
                key=asked.key,
                people_said=asked.kind.options[top[k]],
                votes=int(votes[k]),
                people=int(people[k]),
                model_said=asked.kind.options[said] if said < invalid else None,
                agreed=int(labels.counts[k, said]) if said < invalid else 0,
            )
        )
    return tuple(sorted(found, key=lambda each: (-each.votes / each.people, -each.votes)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Apart:
    """A question to which two sheets have different answers; None is one that cannot be read."""

    scene: str
    key: str
    first: Option | None
    second: Option | None
    people_said: Option | None = None  # None where nobody's votes are known


def apart(
    first: Sheet, second: Sheet, labels: Labels | None = None
) -> tuple[tuple[Apart, ...], int]:
    """Where two sheets' first answers differ, and how many questions both answered.

    With labels only the questions that these know are looked at, in their order.
    """
    said = labels.most_common() if labels else {}
    places = [place for place in said or first.answers if first.answers.get(place)]
    both = [place for place in places if second.answers.get(place)]
    found = []
    for place in both:
        options = first.answers[place][0].option, second.answers[place][0].option
        if options[0] != options[1]:
            found.append(
                Apart(
                    scene=place[0],
                    key=place[1],
                    first=options[0],
                    second=options[1],
                    people_said=said.get(place),
                )
            )
    return tuple(found), len(both)
