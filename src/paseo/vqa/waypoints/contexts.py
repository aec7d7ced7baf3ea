"""What a model is told before it chooses a waypoint: answers to the questions about the scene."""

from collections.abc import Mapping
from enum import Enum
from pathlib import Path
from typing import Any

from paseo.data.scenes.tree import Tree
from paseo.errors import BadValue, InputError
from paseo.vqa.geometry.aftermath import REMEDY
from paseo.vqa.questions.own import catalogue_in
from paseo.vqa.questions.questions import Option, questions
from paseo.vqa.questions.raw_answers import option_of
from paseo.vqa.waypoints.candidates import seeded
from paseo.world.scenes import Scene

GEOMETRY_FOLDER, FILE = "geometry_labels", "common_answers.json"
PARTS = ("_probabilities", "_n_answers")

Place = tuple[str, str]  # scene and question key


class Context(Enum):
    """Whose answers are told."""

    NONE = "none"
    RANDOM = "random"  # any, the same for the same scene
    OWN = "own"  # the model's, which is asked the questions first
    PEOPLE = "people"  # what most people said
    GEOMETRY = "geometry"  # what follows from where everybody was


def random_answers(scene: Scene) -> dict[Place, Option]:
    """An answer to every question of a scene, each as likely as the others."""
    rng = seeded("random answers", scene.id)
    numbers = [person.number for person in scene.people]
    return {
        (scene.id, each.key): each.kind.options[int(rng.integers(len(each.kind.options)))]
        for each in questions(scene.id, numbers)
    }


def geometry_answers(folder: Path, scene: Scene) -> dict[Place, Option]:
    """The answers in geometry_labels/<scene>/common_answers.json; where it is silent, none.

    What is ambiguous by geometry is not in it, so not every question must be there.
    """
    tree, name = Tree(folder, REMEDY), f"{GEOMETRY_FOLDER}/{scene.id}/{FILE}"
    if not tree.has(name):
        return {}
    content = tree.json(name, dict[str, Any])
    asked = catalogue_in(folder).questions(scene.id, [p.number for p in scene.people])
    known = {each.key: each.kind for each in asked}
    found: dict[Place, Option] = {}
    for key, answers in content.items():
        if key.endswith(PARTS) or not key.startswith("q_"):
            continue
        if key not in known or not isinstance(answers, list) or not answers:
            raise tree.fault(name, f"'{key[:60]}' is no answer to a question about the scene")
        option = option_of(answers[0], known[key])
        if option is None:
            raise tree.fault(name, f"{key}: {answers[0]!r:.60} is none of its choices")
        found[scene.id, key] = option
    return found


def check_told(told: Mapping[Place, Option], context: Context, folder: Path) -> None:
    """Raise where nobody's answers are there that are to be told."""
    if told or context in (Context.NONE, Context.OWN):
        return
    if context is Context.GEOMETRY:
        raise InputError(
            f"{folder}: has no {GEOMETRY_FOLDER}/<scene>/{FILE}; cut scenes with answers by "
            "geometry, or choose another context",
            parameters=("context",),
        )
    raise BadValue("there is nobody to ask about; choose context none", parameters=("context",))
