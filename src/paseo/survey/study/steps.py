"""What is asked about a scene on which page: the survey's order."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from paseo.survey.study.content import Check, Choices, keys_of, with_checks
from paseo.survey.study.scenes import ShownScene
from paseo.vqa.questions.questions import Catalogue, Question, kinds

# The parts of the survey, by the guidance of the questions in them: movement, then the goal, then
# what one does with regard to the other, then what comes next. In each, first the questions about
# the scene as a whole, then those about each person. One's own questions with other guidance come
# after them, a part for each category.
PARTS = (("movement",), ("goal",), ("affected", "action"), ("future_affected", "future_action"))
CHECKED = "q_robot_action"  # whose choices the checks have: five, so that few pass both by luck


@dataclass(frozen=True, slots=True, kw_only=True)
class SceneStep:
    """The questions of one page about a scene."""

    scene: str
    number: int  # within the scene, from 0
    part: int  # of the survey, from 0
    category: str  # of a part of one's own questions; else empty
    person: int | None  # whom they are about; None: the scene
    questions: tuple[Question, ...]
    opens: bool  # whether a part begins here
    check: Check | None = None

    @property
    def asked(self) -> Mapping[str, Choices]:
        """What may be answered to each question."""
        return {q.key: Choices(q.kind.choices, q.kind.select_many) for q in self.questions}

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of everything that is asked here."""
        return keys_of(self)

    def with_check(self, check: Check) -> "SceneStep":
        """The same page with a check on it."""
        return replace(self, check=check)


def steps_about(scene: ShownScene, catalogue: Catalogue) -> tuple[SceneStep, ...]:
    """The pages about a scene, without checks."""
    whom: tuple[int | None, ...] = (None, *scene.people)
    found: list[SceneStep] = []
    parts = _parts(catalogue.questions(scene.id, scene.people))
    for part, (category, here) in enumerate(parts):
        by_person = {person: [q for q in here if q.person == person] for person in whom}
        asked = {person: tuple(each) for person, each in by_person.items() if each}
        for turn, person in enumerate(asked):
            step = SceneStep(
                scene=scene.id,
                number=len(found),
                part=part,
                category=category,
                person=person,
                questions=asked[person],
                opens=turn == 0,
            )
            found.append(step)
    return tuple(found)


def _parts(every: Sequence[Question]) -> list[tuple[str, list[Question]]]:
    """The questions of each part, and the category of a part of one's own."""
    found = [("", [each for each in every if each.kind.guidance in names]) for names in PARTS]
    known = {name for names in PARTS for name in names}
    own = [each for each in every if each.kind.guidance not in known]
    for category in dict.fromkeys(each.kind.category for each in own):
        found.append((category, [each for each in own if each.kind.category == category]))
    return found


def steps_of(
    scenes: Sequence[ShownScene], catalogue: Catalogue, *, seed: int, person: int
) -> tuple[tuple[SceneStep, ...], ...]:
    """The pages about each of somebody's scenes; one check in the first half, one in the second."""
    plain = [steps_about(scene, catalogue) for scene in scenes]
    return with_checks(plain, kinds()[CHECKED].choices, seed=seed, person=person)
