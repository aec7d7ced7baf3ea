"""What is known of a moment before a waypoint is chosen: answers by the model, or by geometry."""

from collections.abc import Mapping

from paseo.vqa.geometry.course import course_of
from paseo.vqa.geometry.rules import geometry_answers
from paseo.vqa.questions.questions import Option
from paseo.world.scenes import Scene


def true_answers(scene: Scene) -> Mapping[str, Option]:
    """The answers by geometry to the questions about a moment, by question key.

    They see what the robot saw and no future; what is too close to call is left out.
    """
    found = geometry_answers(course_of(scene))
    return {key: each.answer for key, each in found.items() if each.clear}
