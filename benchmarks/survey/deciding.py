"""Whether a status keeps its word on rankings: two models, planted differences, simulated people.

    python benchmarks/survey/deciding.py [--studies 400]

Everybody answers four scenes of 27 questions; on ten of them the models differ, and each person
sides with one of the two. Whether they do depends on the scene, the question and a taste of their
own, which goes with them from scene to scene. What infinitely many people would say of these
scenes, and of all scenes, is then known in closed form; what 20 per scene say is drawn.
Intervals are those of Clopper and Pearson, 95 %.
"""

import argparse
from dataclasses import dataclass, replace
from statistics import NormalDist

import numpy as np

from paseo.survey.status.deciding import Decision, Merits, decided
from paseo.survey.status.waiting import share_of
from paseo.world.arrays import FloatArray, IntArray

QUESTIONS, DIFFERENT, EACH = 27, 10, 4  # in a scene; of them; scenes for each person
LATER = 20  # people per scene
DRAWS = 1000
NORMAL = NormalDist()


@dataclass(frozen=True, slots=True, kw_only=True)
class Plant:
    """A study whose truth is known; all numbers are of a normal scale of opinions."""

    lead: float = 0.0  # of the first model
    lead_spread: float = 0.0  # of leads between studies
    scenes: int = 20
    per_scene: int = 5
    scene_spread: float = 0.4
    question_spread: float = 0.6
    taste: float = 0.4  # of people


PLANTS = {
    "large": Plant(lead=0.8),
    "large, few scenes": Plant(lead=0.8, scenes=6),
    "small, many scenes": Plant(lead=0.15, scenes=120),
    "none": Plant(),
    "none, scenes alike": Plant(scene_spread=0.0),
    "none, 3 people": Plant(per_scene=3),
    "none, 10 people": Plant(per_scene=10),
    "none, people alike": Plant(taste=0.0),
    "none, people of taste": Plant(taste=1.0),
    "none, 6 scenes": Plant(scenes=6),
    "any": Plant(lead_spread=0.25),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What a status said of one study, beside the truth."""

    decision: Decision
    here: float  # the difference on these scenes, with infinitely many people
    everywhere: float  # on all scenes
    later: float  # on these scenes, with as many people as `LATER`

    @property
    def covers_here(self) -> bool:
        last = self.decision.crowds[-1]
        return last.low <= self.here <= last.high

    @property
    def covers_later(self) -> bool:
        found = next(each for each in self.decision.crowds if each.per_scene == LATER)
        return found.low <= self.later <= found.high


def told(plant: Plant, rng: np.random.Generator) -> Told:
    """One study, its status, and how it goes on."""
    lead = plant.lead + plant.lead_spread * rng.normal()
    scene = plant.scene_spread * rng.normal(size=(plant.scenes, 1))
    means = lead + scene + plant.question_spread * rng.normal(size=(plant.scenes, DIFFERENT))
    if plant.lead == plant.scene_spread == plant.lead_spread == 0:
        means[:, DIFFERENT // 2 :] = -means[:, : DIFFERENT // 2]  # none on these scenes either
    every = _answered(means, LATER, plant.taste, rng)
    within = plant.scene_spread**2 + plant.question_spread**2
    return Told(
        decision=_decided(_first(every, plant.per_scene), rng),
        here=_share(means, plant.taste**2) * DIFFERENT / QUESTIONS,
        everywhere=_share(np.array([lead]), within + plant.taste**2) * DIFFERENT / QUESTIONS,
        later=every.difference,
    )


def _share(means: FloatArray, variance: float) -> float:
    """How much oftener people side with the first than with the second."""
    scale = np.sqrt(1 + variance)
    return float(np.mean([2 * NORMAL.cdf(each / scale) - 1 for each in means.ravel()]))


def _answered(means: FloatArray, people: int, taste: float, rng: np.random.Generator) -> Merits:
    """So many people in each scene, those who came first having the smallest numbers."""
    scenes = len(means)
    rounds = np.concatenate([rng.permutation(scenes) for _ in range(people)])
    person = np.arange(len(rounds)) // EACH
    tastes = taste * rng.normal(size=person[-1] + 1)
    opinions = means[rounds] + tastes[person][:, None] + rng.normal(size=(len(rounds), DIFFERENT))
    order = np.argsort(rounds, kind="stable")
    votes = np.sign(opinions).sum(axis=1)
    return _merits(votes[order], person[order], rounds[order], scenes)


def _first(merits: Merits, people: int) -> Merits:
    """Only those who came first in each scene."""
    scenes = len(merits.questions)
    turn = np.concatenate([np.arange(int(n)) for n in merits.people])
    some = turn < people
    return _merits(merits.votes[some], merits.person[some], merits.scene[some], scenes)


def _merits(votes: FloatArray, person: IntArray, scene: IntArray, scenes: int) -> Merits:
    numbers = np.unique(person, return_inverse=True)[1]
    asked = np.full(scenes, float(QUESTIONS))
    return Merits(votes=votes, person=numbers, scene=scene, questions=asked)


def _decided(merits: Merits, rng: np.random.Generator) -> Decision:
    found = decided(merits, rng, DRAWS)
    assert found is not None
    return found


def share(name: str, found: list[bool]) -> None:
    """A line of the table."""
    known = share_of(sum(found), len(found))
    assert known.value is not None and known.high is not None
    print(f"  {name:58} {known.value:6.3f}  [{known.low:.3f}, {known.high:.3f}]")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--studies", type=int, default=400)
    studies = options.parse_args().studies
    for number, (name, plant) in enumerate(PLANTS.items()):
        rng = np.random.default_rng([19, number])
        every = [told(plant, rng) for _ in range(studies)]
        print(f"\n{name}: {replace(plant)}")
        share(
            "interval for these scenes holds their truth (wanted .95)",
            [e.covers_here for e in every],
        )
        share(
            f"interval for {LATER} people holds what they say (wanted .95)",
            [e.covers_later for e in every],
        )
        share("settled on these scenes", [e.decision.settled_here for e in every])
        share("settled on all scenes", [e.decision.settled for e in every])
        share(
            "open, and only more scenes would decide it", [_only_scenes(e.decision) for e in every]
        )
        _same(every)
        _errors(every)


def _only_scenes(decision: Decision) -> bool:
    return not decision.settled and not decision.people_would_do


def _same(every: list[Told]) -> None:
    """Whether rankings stay as often as was said."""
    for size, now in ((LATER, "later"), (None, "here")):
        said = [c.same for e in every for c in e.decision.crowds if c.per_scene == size]
        stayed = [bool(getattr(e, now) * e.decision.difference > 0) for e in every]
        people = "infinitely many" if size is None else str(size)
        share(f"same with {people} (said: {np.mean(said):.3f})", stayed)


def _errors(every: list[Told]) -> None:
    """Standard errors beside how far differences were off."""
    off = np.array([e.decision.difference - e.here for e in every])
    apart = np.array([e.here - e.everywhere for e in every])
    said = [np.sqrt(np.mean([f(e.decision) ** 2 for e in every])) for f in (_people, _scenes)]
    print(f"  error from people: said {said[0]:.4f}, was {np.sqrt(np.mean(off**2)):.4f}")
    print(f"  error from scenes: said {said[1]:.4f}, was {np.sqrt(np.mean(apart**2)):.4f}")


def _people(decision: Decision) -> float:
    return decision.people_se


def _scenes(decision: Decision) -> float:
    return decision.scenes_se


if __name__ == "__main__":
    main()
