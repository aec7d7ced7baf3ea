"""What is known of a moment before a waypoint is chosen: answers by the model, or by geometry."""

from collections.abc import Mapping

from paseo.vqa.baselines.rules import rule_answers
from paseo.vqa.baselines.sightings import sighting_from_scene
from paseo.vqa.questions.questions import Option
from paseo.world.scenes import Scene


def true_answers(scene: Scene) -> Mapping[str, Option]:
    """The answers by geometry to the questions about a moment, by question key.

    The one place that knows whose rules these are: they see what the robot saw and no future.
    """
    return rule_answers(sighting_from_scene(scene))
