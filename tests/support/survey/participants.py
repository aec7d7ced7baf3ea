"""People who take part in a study as real ones do: with care, in a hurry, or not at all."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from paseo.survey.assigning import scenes_for
from paseo.survey.screening.conduct import Conduct, Reply
from paseo.survey.store.people import Stage
from paseo.vqa.questions.questions import Question, kinds, questions
from paseo.vqa.questions.votes import read_labels
from paseo.world.arrays import FloatArray

BAD = ("hurried", "random", "constant", "inverted")
CHECKED = 5  # choices of an attention check
PER_PAGE = 3  # questions
TASTE = 0.5  # spread of people's own leanings, in logits
LAPSE = (1.0, 30.0)  # beta distribution of how often the careful slip: 3 % on average
REPLIES = {  # every possible one, by the key of the kind of question
    kind.key: [
        Reply(
            kind=kind.key,
            option=option,
            position=kind.choices.index(option[0]),
            choices=len(kind.choices),
        )
        for option in kind.options
    ]
    for kind in kinds().values()
}


@dataclass(frozen=True, eq=False)
class Scenes:
    """What people say of scenes: for every question the share of each answer."""

    asked: Mapping[str, tuple[Question, ...]]
    shares: Mapping[str, FloatArray]  # by scene: (questions, options), rows add up to 1


def labelled_scenes(folder: Path) -> Scenes:
    """As people said of the scenes of a data set."""
    labels = read_labels(folder)
    asked: dict[str, list[Question]] = {}
    shares: dict[str, list[FloatArray]] = {}
    for each, votes in zip(labels.questions, labels.counts, strict=True):
        asked.setdefault(each.scene, []).append(each)
        shares.setdefault(each.scene, []).append(votes / votes.sum())
    return Scenes(
        {scene: tuple(each) for scene, each in asked.items()},
        {scene: np.array(each) for scene, each in shares.items()},
    )


def made_up_scenes(count: int, rng: np.random.Generator, *, clear: float = 0.35) -> Scenes:
    """Scenes with 4 to 9 people about which people agree as often as about the real ones.

    Every question has a prior of its kind, which the scene turns; `clear` is how evenly.
    """
    asked: dict[str, tuple[Question, ...]] = {}
    shares: dict[str, FloatArray] = {}
    priors: dict[str, FloatArray] = {}
    for number in range(count):
        scene = f"s{number}"
        asked[scene] = questions(scene, range(1, int(rng.integers(4, 10)) + 1))
        rows = np.zeros((len(asked[scene]), 7))
        for row, each in zip(rows, asked[scene], strict=True):
            options = len(REPLIES[each.kind.key])
            prior = priors.setdefault(each.kind.key, rng.dirichlet(np.full(options, 2.0)))
            row[:options] = rng.dirichlet(np.maximum(prior * options * clear, 1e-3))
        shares[scene] = rows
    return Scenes(asked, shares)


def study_of(
    scenes: Scenes,
    rng: np.random.Generator,
    *,
    people: int,
    bad: float,
    kinds: Sequence[str] = BAD,
    per_scene: int = 5,
    scenes_each: int = 4,
) -> list[tuple[str, Conduct]]:
    """Everybody who took part, each with what kind of participant they are, in turn `kinds`."""
    wanted = max(scenes_each, round(people * scenes_each / per_scene))
    chosen = rng.permutation(list(scenes.asked))[:wanted]
    taken = {str(scene): 0 for scene in chosen}
    some = [kinds[k % len(kinds)] for k in rng.permutation(round(people * bad))]
    who = [*some, *["careful"] * (people - len(some))]
    found = []
    for number, kind in enumerate(rng.permutation(who), start=1):
        mine = scenes_for(taken, per_scene=9999, scenes_each=scenes_each, seed=0, person=number)
        for scene in mine:
            taken[scene] += 1
        found.append((str(kind), participant(str(kind), scenes, mine, rng, number=number)))
    return found


def participant(
    kind: str, scenes: Scenes, mine: Sequence[str], rng: np.random.Generator, *, number: int
) -> Conduct:
    """What one of them did."""
    asked = [each for scene in mine for each in scenes.asked[scene]]
    shares = np.concatenate([scenes.shares[scene] for scene in mine])
    chosen = _chosen(kind, asked, shares, rng)
    replies = {
        (each.scene, each.key): REPLIES[each.kind.key][k]
        for each, k in zip(asked, chosen, strict=True)
    }
    checks = _checks(kind, rng)
    return Conduct(
        name=f"{kind}-{number}",
        number=number,
        stage=Stage.DONE if any(checks) else Stage.FAILED,
        checks=checks,
        pace=_pace(kind, len(asked) // PER_PAGE, rng),
        replies=replies,
    )


def _chosen(
    kind: str, asked: Sequence[Question], shares: FloatArray, rng: np.random.Generator
) -> list[int]:
    """Which option they gave to each question."""
    options = np.array([len(REPLIES[each.kind.key]) for each in asked])
    by_lot = rng.integers(0, options)
    seen = _seen(asked, shares, rng)
    if kind == "random":
        return by_lot.tolist()
    if kind == "constant":  # one place in every list, with a slip now and then
        place = int(rng.integers(0, 5))
        fixed = np.minimum(place, [len(each.kind.choices) - 1 for each in asked])
        return np.where(rng.random(len(asked)) < 0.03, by_lot, fixed).tolist()
    if kind == "inverted":  # the list read from the wrong end
        return (options - 1 - seen).tolist()
    if kind == "satisficer":  # knows what is usually said, and does not look at the scene
        return _usual(asked, rng)
    lapses = {"hurried": rng.uniform(0.5, 0.8), "half-hearted": 0.5}
    lapse = lapses.get(kind, rng.beta(*LAPSE))
    return np.where(rng.random(len(asked)) < lapse, by_lot, seen).tolist()


def _seen(
    asked: Sequence[Question], shares: FloatArray, rng: np.random.Generator
) -> "np.ndarray[tuple[int], np.dtype[np.int64]]":
    """What somebody with leanings of their own makes of a scene: some say yes more readily."""
    leanings: dict[str, FloatArray] = {}
    for each in asked:
        leanings.setdefault(each.kind.key, rng.normal(0, TASTE, shares.shape[1]))
    mine = shares * np.exp([leanings[each.kind.key] for each in asked])
    steps = mine.cumsum(axis=1)
    draws = rng.random(len(asked)) * steps[:, -1]
    return (steps <= draws[:, None]).sum(axis=1)


def _usual(asked: Sequence[Question], rng: np.random.Generator) -> list[int]:
    weights = {key: rng.dirichlet(np.ones(len(options))) for key, options in REPLIES.items()}
    return [
        int(rng.choice(len(weights[each.kind.key]), p=weights[each.kind.key])) for each in asked
    ]


def _checks(kind: str, rng: np.random.Generator) -> tuple[bool, ...]:
    """Both checks: the careful slip in one of a hundred, who does not read passes by luck."""
    passing = dict.fromkeys(("careful", "satisficer", "half-hearted"), 0.99)
    passing |= dict.fromkeys(("hurried", "inverted"), 0.7)
    right = rng.random(2) < passing.get(kind, 1 / CHECKED)
    return tuple(map(bool, right))


def _pace(kind: str, pages: int, rng: np.random.Generator) -> tuple[float, ...]:
    """Seconds per question on each page; lognormal, as times are, with a spread between people."""
    typical = {"careful": 6.0, "inverted": 5.0, "half-hearted": 5.0, "hurried": 1.2}.get(kind, 3.0)
    mine = typical * np.exp(rng.normal(0, 0.3 if kind == "hurried" else 0.4))
    return tuple((mine * np.exp(rng.normal(0, 0.5, pages))).tolist())
