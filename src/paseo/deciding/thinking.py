"""What is known of a moment before a waypoint is chosen: answers by the model, or by geometry."""

from collections.abc import Mapping
from dataclasses import dataclass

from paseo.vqa.geometry.course import course_of
from paseo.vqa.geometry.rules import geometry_answers
from paseo.vqa.questions.questions import Option, Question
from paseo.world.scenes import Scene


@dataclass(frozen=True, slots=True)
class Instead:
    """What a model is told instead of its own answers, from one decision on; for audits."""

    since: int  # number of the decision
    kind: str  # of the questions
    right: bool  # the likely answers by geometry; else wrong ones

    def answer(self, question: Question, likely: Mapping[str, Option]) -> Option | None:
        """What is told; None: what the model said."""
        known = likely.get(question.key)
        if question.kind.key != self.kind or known is None:
            return None
        if self.right:
            return known
        options = question.kind.options
        return options[(options.index(known) + 1) % len(options)]


@dataclass(frozen=True, slots=True)
class Known:
    """The answers by geometry about a moment, by question key; they see no future."""

    likely: Mapping[str, Option]  # to all questions
    true: Mapping[str, Option]  # without those that are too close to call


def known_answers(scene: Scene) -> Known:
    """What the rules say of a scene that the robot saw."""
    found = geometry_answers(course_of(scene))
    return Known(
        likely={key: each.answer for key, each in found.items()},
        true={key: each.answer for key, each in found.items() if each.clear},
    )
