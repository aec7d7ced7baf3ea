"""How often answers change exactly as a probe says they must."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from paseo.vqa.probes.pairs import AnswerPair, Answers, PairVerdict, People, pairs, repeated
from paseo.vqa.probes.probe import Probe, is_tied, variants_for
from paseo.vqa.questions.questions import Catalogue, QuestionType, shipped
from paseo.vqa.scores.uncertainty import SceneDraws, Score, scene_draws, score
from paseo.world.arrays import BoolArray, FloatArray

ALL = "all"
SIDED = "answers with a side"  # named before the change; who never names one passes the mirror
AGAIN = "asked again"  # no probe: the same question in the next repeat


@dataclass(frozen=True, slots=True, kw_only=True)
class Consistency:
    """The verdicts over some questions; an invalid pair counts as not consistent."""

    counts: Mapping[PairVerdict, int]
    share: Score  # of consistent pairs
    chance: float | None  # the share that guessing gets


@dataclass(frozen=True, slots=True, kw_only=True)
class Position:
    """Whether choices are taken because they stand first in the list; over valid pairs.

    With shuffled choices another one stands first, so that each of both orders is held against
    the other: only the place differs, not the choice.
    """

    first: Score  # how often a choice is taken where it stands first
    elsewhere: Score  # how often the very same choices are taken where they do not
    difference: Score
    chance: float | None  # of being taken by guessing: 1/n with n choices


@dataclass(frozen=True, slots=True, kw_only=True)
class ProbeResult:
    """What a probe found."""

    name: str  # of the probe
    categories: Mapping[str, Consistency]
    kinds: Mapping[str, Consistency]  # by key of the kind of question
    position: Mapping[str, Position]  # by category; only where choices were shuffled
    catalogue: Catalogue = field(default_factory=shipped)  # of the kinds
    unpaired: int = 0  # answers before or after the change that lack the other one


def outcomes(
    variants: Mapping[str, Answers],
    people: People,
    rng: np.random.Generator,
    catalogue: Catalogue,
) -> tuple[ProbeResult, ...]:
    """What came of each probe by its name, held against the plain answers under the empty name.

    Where there are repeats, asking again without a change comes first. `rng` draws scenes.
    """
    plain = variants.get("", {})
    again = list(repeated(plain, people, catalogue))
    found = [outcome(AGAIN, again, rng, catalogue)] if again else []
    for probe in Probe:
        if probe.value in variants:
            after = variants[probe.value]
            both = list(pairs(plain, after, probe, people, catalogue))
            whole = sum(_answered(each, probe, people, catalogue) for each in (plain, after))
            done = outcome(probe.value, both, rng, catalogue)
            found.append(replace(done, unpaired=whole - 2 * len(both)))
    return tuple(found)


def _answered(answers: Answers, probe: Probe, people: People, catalogue: Catalogue) -> int:
    """How many answers that the probe ties to others there are about scenes that it changes."""
    changed = {scene for scene, who in people.items() if variants_for(who, [probe.value])}
    tied = {key for key, kind in catalogue.kinds.items() if is_tied(kind, probe)}
    return sum(
        len(by_repeat)
        for (scene, key), by_repeat in answers.items()
        if scene in changed and catalogue.question(scene, key).kind.key in tied
    )


def outcome(
    name: str, both: Sequence[AnswerPair], rng: np.random.Generator, catalogue: Catalogue
) -> ProbeResult:
    """The verdicts by category and kind of question."""
    draws = _draws(both, rng)
    category = np.array([each.question.kind.category for each in both])
    key = np.array([each.question.kind.key for each in both])
    masks = {ALL: np.ones(len(both), bool)}
    masks |= {each: category == each for each in catalogue.categories}
    sided = np.array([each.names_side for each in both], bool)
    parts = masks | ({SIDED: sided} if name == Probe.MIRROR.value else {})
    shuffled = name == Probe.SHUFFLE.value
    return ProbeResult(
        name=name,
        categories={part: _consistency(both, mask, draws) for part, mask in parts.items()},
        kinds={k: _consistency(both, key == k, draws) for k in catalogue.kinds if k in key},
        catalogue=catalogue,
        position={part: _position(both, mask, draws) for part, mask in masks.items()}
        if shuffled
        else {},
    )


def _draws(both: Sequence[AnswerPair], rng: np.random.Generator) -> SceneDraws:
    numbers: dict[str, int] = {}
    scene_of = [numbers.setdefault(each.question.scene, len(numbers)) for each in both]
    return scene_draws(np.array(scene_of or [0]), rng)


def _consistency(both: Sequence[AnswerPair], chosen: BoolArray, draws: SceneDraws) -> Consistency:
    verdicts = np.array([each.verdict for each in both])
    right = (verdicts == PairVerdict.CONSISTENT).astype(float)
    return Consistency(
        counts={each: int(((verdicts == each) & chosen).sum()) for each in PairVerdict},
        share=score(right, draws, chosen),
        chance=_mean([each.chance for each in both], chosen),
    )


def _position(both: Sequence[AnswerPair], chosen: BoolArray, draws: SceneDraws) -> Position:
    taken = np.array([_taken(each) for each in both]).reshape(-1, 2)  # (pairs, first or elsewhere)
    first, elsewhere = taken[:, 0], taken[:, 1]
    return Position(
        first=score(first, draws, chosen),
        elsewhere=score(elsewhere, draws, chosen),
        difference=score(first - elsewhere, draws, chosen),
        chance=_mean([_inclusion(each.question.kind) for each in both], chosen),
    )


def _taken(pair: AnswerPair) -> tuple[float, float]:
    """How often the two choices that stand first, one in each order, are taken: first, elsewhere.

    Among several choices that are taken, each counts. NaN where an answer cannot be read.
    """
    before, after = pair.before, pair.after
    if before is None or after is None:
        return np.nan, np.nan
    old, new = pair.question.kind.choices[0], pair.changed.kind.choices[0]
    first = (old in before) + (new in after)
    elsewhere = (old in after) + (new in before)
    return first / 2, elsewhere / 2


def _inclusion(kind: QuestionType) -> float:
    """The share of all possible answers that a choice is in."""
    return sum(kind.choices[0] in option for option in kind.options) / len(kind.options)


def _mean(values: Sequence[float], chosen: BoolArray) -> float | None:
    array: FloatArray = np.array(values, float)
    return float(array[chosen].mean()) if chosen.any() else None
