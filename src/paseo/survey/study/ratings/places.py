"""Who gets which clips, and beside which others: seeded, balanced, some of them twice."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from paseo.survey.assigning import SCENE_STREAM
from paseo.survey.study.content import Wanted
from paseo.survey.study.ratings.asking import Asking, Pairs
from paseo.survey.study.ratings.clips import NAME, ShownClip

PAIR_STREAM, AGAIN_STREAM = 2, 3  # of the random numbers of a person
PLACE = re.compile(rf"({NAME})(?:-({NAME})-([12]))?(-again)?")

Clips = Mapping[str, ShownClip]  # by name


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """What one person is given of a clip: to rate it, and to hold it against another."""

    clip: str
    other: str | None = None  # another planner's drive through the same episode
    second: bool = False  # whether the clip is the second of the two
    again: bool = False  # whether they have been given it before

    @property
    def name(self) -> str:
        """What the place is called; nothing in it tells who drives."""
        pair = "" if self.other is None else f"-{self.other}-{2 if self.second else 1}"
        return f"{self.clip}{pair}{'-again' if self.again else ''}"

    @property
    def pair(self) -> tuple[str, str] | None:
        """Both clips in the order in which they are shown."""
        if self.other is None:
            return None
        return (self.other, self.clip) if self.second else (self.clip, self.other)


def place_called(name: str, clips: Clips) -> Place | None:
    """The place of that name, if these clips have it."""
    found = PLACE.fullmatch(name)
    if found is None or not {each for each in found.group(1, 2) if each} <= clips.keys():
        return None
    return Place(clip=found[1], other=found[2], second=found[3] == "2", again=bool(found[4]))


def places_for(
    clips: Clips,
    asking: Asking,
    taken: Mapping[str, int],
    given: Sequence[str],
    *,
    wanted: Wanted,
    person: int,
) -> list[Place]:
    """Places for the next person; none where no clip needs anybody.

    Clips with the fewest people come first, so that no clip is ever two ahead of another, and among
    equals those of episodes that the person has not got. Each is held against the planner with
    which its own has been compared least, in the order that has been rarer.
    """
    mine = _clips_for(clips, taken, wanted, person)
    rng = np.random.default_rng([wanted.seed, person, PAIR_STREAM])
    balance = _Balance(clips, [place for each in given if (place := place_called(each, clips))])
    paired = asking.pairs is not Pairs.NONE
    places = [balance.paired(each, rng) if paired else Place(clip=each) for each in mine]
    again = np.random.default_rng([wanted.seed, person, AGAIN_STREAM])
    return _with_repeats(places, asking, again)


def _clips_for(clips: Clips, taken: Mapping[str, int], wanted: Wanted, person: int) -> list[str]:
    needing = [name for name, count in taken.items() if count < wanted.per_unit]
    rng = np.random.default_rng([wanted.seed, person, SCENE_STREAM])
    luck = dict(zip(needing, rng.permutation(len(needing)).tolist(), strict=True))
    mine: list[str] = []
    episodes: Counter[str] = Counter()
    while luck and len(mine) < wanted.units_each:
        name = min(luck, key=lambda each: (taken[each], episodes[clips[each].episode], luck[each]))
        mine.append(name)
        episodes[clips[name].episode] += 1
        del luck[name]
    return [mine[k] for k in rng.permutation(len(mine))]


class _Balance:
    """How often planners have been held against each other, and which of them came first."""

    def __init__(self, clips: Clips, given: Sequence[Place]) -> None:
        self._clips = clips
        self._planners: Counter[frozenset[str]] = Counter()
        self._order: Counter[tuple[str, str]] = Counter()
        self._shown: Counter[frozenset[str]] = Counter()  # of clips
        self._mine: set[frozenset[str]] = set()
        for place in given:
            self._count(place)

    def paired(self, clip: str, rng: np.random.Generator) -> Place:
        """The clip beside another."""
        own = self._clips[clip]
        others = [e for e in self._clips.values() if e.episode == own.episode and e.name != clip]
        luck = rng.permutation(len(others)).tolist()
        first = bool(rng.integers(2))

        def use(number: int) -> tuple[int, ...]:
            two = frozenset((clip, others[number].name))
            planners = frozenset((own.planner, others[number].planner))
            return two in self._mine, self._planners[planners], self._shown[two], luck[number]

        other = others[min(range(len(others)), key=use)]
        ahead, behind = (own.planner, other.planner), (other.planner, own.planner)
        lead = self._order[ahead] - self._order[behind]
        place = Place(clip=clip, other=other.name, second=lead > 0 if lead else first)
        self._count(place)
        self._mine.add(frozenset((clip, other.name)))
        return place

    def _count(self, place: Place) -> None:
        if place.pair is None or place.again:
            return
        first, second = (self._clips[each].planner for each in place.pair)
        self._planners[frozenset((first, second))] += 1
        self._order[first, second] += 1
        self._shown[frozenset(place.pair)] += 1


def _with_repeats(places: list[Place], asking: Asking, rng: np.random.Generator) -> list[Place]:
    """The places, and some of them once more, each with at least one other in between."""
    early = max(len(places) - 1, 0)
    count = min(max(round(asking.again * len(places)), int(asking.again > 0)), early)
    found = list(places)
    for number in rng.choice(early, size=count, replace=False) if count else ():
        place = places[number]
        # With a scale the clip is rated again; else the pair is shown the other way round.
        repeat = (
            Place(clip=place.clip) if asking.points else replace(place, second=not place.second)
        )
        after = int(rng.integers(found.index(place) + 2, len(found) + 1))
        found.insert(after, replace(repeat, again=True))
    return found
