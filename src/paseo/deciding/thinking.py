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


def likely_answers(scene: Scene) -> Mapping[str, Option]:
    """The answers by geometry to all questions about a moment, by question key.

    They see what the robot saw and no future.
    """
    return {key: each.answer for key, each in geometry_answers(course_of(scene)).items()}


def true_answers(scene: Scene) -> Mapping[str, Option]:
    """The same without those that are too close to call."""
    found = geometry_answers(course_of(scene))
    return {key: each.answer for key, each in found.items() if each.clear}
