"""The same person twice: answers like somebody's before, far beyond how people agree."""

from dataclasses import dataclass

import numpy as np

from paseo.survey.screening.replies import NONE, Replies
from paseo.world.arrays import BoolArray, IntArray

FEWEST = 40  # questions that both answered
SURE = 5.0  # standard deviations; one pair in three million by luck


@dataclass(frozen=True, slots=True)
class Likeness:
    """Whom of those before them somebody's answers are most like."""

    value: float | None  # share of the same answers; None: nobody before has enough in common
    questions: int  # that both answered
    whom: int = NONE  # row of the other
    sure: bool = False  # whether it is beyond how people agree on these questions


def likenesses(replies: Replies, among: BoolArray, alike: float) -> tuple[Likeness, ...]:
    """For everybody whom they are most like of those who came before them.

    Only `among` these, (people,): two who always choose the first are alike without being one.
    """
    options = np.where(among[:, None], replies.options, NONE)
    usual = _usual_agreement(options)
    return tuple(
        _likeness(options, person, alike=alike, usual=usual) for person in range(len(options))
    )


def _likeness(options: IntArray, person: int, *, alike: float, usual: float) -> Likeness:
    asked = np.flatnonzero(options[person] != NONE)
    mine, theirs = options[person, asked], options[:person, asked]
    both = theirs != NONE  # (people before, questions)
    common = both.sum(axis=1)
    enough = common >= FEWEST
    if not enough.any():
        return Likeness(None, int(common.max(initial=0)))
    same = (theirs == mine).sum(axis=1)
    share = np.where(enough, same / np.maximum(common, 1), -1.0)
    whom = int(share.argmax())
    value = float(share[whom])
    sure = value > alike and _errors(options, (person, whom), asked[both[whom]], usual) > SURE
    return Likeness(value, int(common[whom]), whom, sure)


def _errors(options: IntArray, pair: tuple[int, int], both: IntArray, usual: float) -> float:
    """By how many standard deviations two agree more than people do on the same questions."""
    rest = np.delete(options[:, both], pair, axis=0)
    same = np.zeros(rest.shape[1])
    for k in range(int(rest.max(initial=0)) + 1):
        votes = (rest == k).sum(axis=0)
        same += votes * (votes - 1) / 2
    people = (rest != NONE).sum(axis=0)
    # One more pair that agrees as people usually do stands for what few others cannot tell.
    expected = (same + usual) / (people * (people - 1) / 2 + 1)
    agreed = float((options[pair[0], both] == options[pair[1], both]).sum())
    spread = float(np.sqrt((expected * (1 - expected)).sum()))
    return (agreed - float(expected.sum())) / max(spread, 1e-9)


def _usual_agreement(options: IntArray) -> float:
    """The share of pairs who say the same, over all questions."""
    people = (options != NONE).sum(axis=0)
    same = sum(
        float((votes * (votes - 1)).sum())
        for k in range(int(options.max(initial=0)) + 1)
        for votes in [(options == k).sum(axis=0)]
    )
    return same / max(float((people * (people - 1)).sum()), 1.0)
