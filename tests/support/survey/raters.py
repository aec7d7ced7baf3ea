"""People who rate clips as real ones do: with care, in a hurry, by lot, or always the same."""

from collections import Counter
from dataclasses import dataclass

import numpy as np

from paseo.survey.screening.conduct import Conduct, conducts
from paseo.survey.store.answers import StoredAnswer
from paseo.survey.store.content import StudyContent
from paseo.survey.store.people import Person, Stage
from paseo.survey.study.content import Wanted
from paseo.survey.study.folder import Study
from paseo.survey.study.ratings.steps import ClipStep

BAD = ("random", "constant", "hurried")
CLIP_SPREAD, TASTE, LEVEL, NOISE = 1.2, 0.6, 0.6, 0.6  # standard deviations, in points
MIDDLE, TELLING = 4.3, 0.5  # of the scale; points apart from which two clips differ


@dataclass(eq=False)
class Rater:
    """Somebody with a level, a taste and a hand of their own."""

    kind: str
    study: Study
    deserved: dict[str, float]  # by clip and aspect
    rng: np.random.Generator

    def __post_init__(self) -> None:
        rng = self.rng
        self._level = rng.normal(0, LEVEL)
        self._noise = NOISE * np.exp(rng.normal(0, 0.3))
        self._own = {key: value + rng.normal(0, TASTE) for key, value in self.deserved.items()}
        self._point = str(rng.integers(1, 8))
        self._place = int(rng.integers(0, 3))
        self._pace = {"careful": 3.0, "hurried": 0.5}.get(self.kind, 1.6) * np.exp(
            rng.normal(0, 0.35)
        )

    def answer(self, step: ClipStep, key: str) -> str:
        """What they say."""
        choices, by_lot = step.choices, str(self.rng.choice(step.choices))
        lapse = {"random": 1.0, "hurried": 0.6, "constant": 0.03}.get(self.kind, 0.02)
        if self.rng.random() < lapse:
            return by_lot
        if self.kind == "constant":
            return self._point if len(choices) > 3 else choices[min(self._place, len(choices) - 1)]
        aspect = key.partition("_")[2]
        felt = [self._felt(clip, aspect) for clip in step.clips]
        if not step.is_pair:
            return str(int(np.clip(round(felt[0]), 1, len(choices))))
        if abs(felt[0] - felt[1]) < TELLING and "neither" in choices:
            return "neither"
        return "first" if felt[0] > felt[1] else "second"

    def _felt(self, clip: str, aspect: str) -> float:
        own = self._own[f"{clip} {aspect}"]
        return float(MIDDLE + self._level + own + self.rng.normal(0, self._noise))

    def passes(self) -> bool:
        """Whether they answer an attention check as it asks."""
        chance = {"careful": 0.99, "hurried": 0.7}.get(self.kind, 1 / 7)
        return bool(self.rng.random() < chance)

    def seconds(self, step: ClipStep) -> float:
        """How long they are on a page; the hurried say that clips do not play."""
        asked = len(step.aspects) + (step.check is not None)
        thought = asked * self._pace * np.exp(self.rng.normal(0, 0.4))
        return float(thought + (self.kind != "hurried") * (self.study.content.lasts(step) + 1.0))


def raters_of(
    study: Study, people: int, bad: float, rng: np.random.Generator
) -> list[tuple[str, Conduct]]:
    """Everybody who took part, with what kind of rater they are; places are given as they are."""
    wanted = study.settings
    aspects = [each.key for each in study.about_clips.asking.aspects]
    deserved = {}
    for clip in study.content.units:
        halo = rng.normal(0, CLIP_SPREAD * 0.8)
        deserved |= {f"{clip} {a}": halo + rng.normal(0, CLIP_SPREAD * 0.6) for a in aspects}
    some = [BAD[k % len(BAD)] for k in range(round(people * bad))]
    kinds = rng.permutation([*some, *["careful"] * (people - len(some))])
    taken: Counter[str] = Counter(dict.fromkeys(study.content.units, 0))
    given: list[str] = []
    found, places, answers = [], {}, []
    for number, kind in enumerate(kinds, start=1):
        mine = study.content.places_for(
            taken, given,
            wanted=Wanted(per_unit=999, units_each=wanted.scenes_each, seed=wanted.seed),
            person=number,
        )  # fmt: skip
        taken.update(unit for each in mine if (unit := study.content.unit(each)))
        given += mine
        rater = Rater(str(kind), study, deserved, rng)
        said, passed = _answers(rater, number, mine)
        stage = Stage.DONE if any(passed) else Stage.FAILED
        found.append(Person(number, f"{kind}-{number}", stage, 0, 0.0, 1e4, 1e4))
        places[number] = dict.fromkeys(mine, 1e4)
        answers += said
    content = StudyContent(people=found, places=places, answers=answers, endings={}, identities={})
    judged = conducts(study, content)
    return [(each.name.partition("-")[0], each) for each in judged]


def _answers(
    rater: Rater, number: int, places: tuple[str, ...]
) -> tuple[list[StoredAnswer], list[bool]]:
    study, now = rater.study, 0.0
    found: list[StoredAnswer] = []
    passed = []
    steps = study.content.steps(places, seed=study.settings.seed, person=number)
    for step in (each for place in steps for each in place):
        assert isinstance(step, ClipStep)
        seconds = rater.seconds(step)
        now += seconds
        said = {key: rater.answer(step, key) for key in step.asked}
        if step.check:
            passed.append(rater.passes())
            wrong = [each for each in step.check.choices if each != step.check.choice]
            said[step.check.key] = step.check.choice if passed[-1] else wrong[0]
        found += [
            StoredAnswer(
                person=number, scene=step.scene, question=key, option=(value,), on_page=seconds,
                time_s=now, changes=0,
            )
            for key, value in said.items()
        ]  # fmt: skip
    return found, passed
