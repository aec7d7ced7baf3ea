"""What each probe changes in a scene and its questions, and what that asks of an answer."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from enum import Enum

from paseo.errors import UnknownName
from paseo.vqa.probes.places import new_places, renumbered, reordered
from paseo.vqa.questions.questions import Option, Question, QuestionType
from paseo.world.scenes import Scene

PLAIN = ""  # the variant of a scene in which nothing is changed
SIDE = re.compile(r"\b(left|right)\b", re.IGNORECASE)
OTHER = {"left": "right", "right": "left", "Left": "Right", "Right": "Left"}
OTHER |= {word.upper(): other.upper() for word, other in OTHER.items()}


class Probe(Enum):
    """A change after which the right answer is known from the answer before."""

    MIRROR = "mirror"  # left and right are exchanged: in the answer, too
    RENUMBER = "renumber"  # people swap numbers and colours: the answer about each stays
    SHUFFLE = "shuffle"  # the choices are listed in another order: the answer stays


def probes_in(words: str) -> tuple[Probe, ...]:
    """The probes named in a list such as `shuffle,mirror`, each once, in our order."""
    named = [word.strip() for word in words.split(",")]
    known = [probe.value for probe in Probe]
    for name in named:
        if name not in known:
            raise UnknownName("probe", name[:40], known)
    return tuple(probe for probe in Probe if probe.value in named)


def variants_for(people: Sequence[int], variants: Iterable[str]) -> tuple[str, ...]:
    """Those that change anything about a scene with these people: one cannot swap numbers."""
    alone = len(people) < 2
    return tuple(each for each in variants if not (alone and each == Probe.RENUMBER.value))


def changed(scene: Scene, probe: Probe) -> Scene:
    """The scene a probe asks about."""
    if probe is Probe.MIRROR:
        from paseo.vqa.probes.mirror import mirrored  # pictures take long to load, answers do not

        return mirrored(scene)
    if probe is Probe.RENUMBER:
        return renumbered(scene, new_numbers(scene.id, [each.number for each in scene.people]))
    return scene


def counterpart(question: Question, probe: Probe, people: Sequence[int]) -> Question:
    """The question a probe asks in place of this one, in a scene with these people."""
    if probe is Probe.SHUFFLE:
        choices = question.kind.choices
        places = new_places(choices, f"shuffle/{question.scene}/{question.key}")
        return replace(question, kind=replace(question.kind, choices=reordered(choices, places)))
    if probe is Probe.RENUMBER and question.person is not None:
        return replace(question, person=new_numbers(question.scene, people)[question.person])
    return question


def origin(question: Question, probe: Probe, people: Sequence[int]) -> Question:
    """The question before the change in whose place this one is asked; its choices aside."""
    if probe is not Probe.RENUMBER or question.person is None:
        return question
    before = {new: old for old, new in new_numbers(question.scene, people).items()}
    return replace(question, person=before[question.person])


def new_numbers(scene: str, people: Sequence[int]) -> dict[int, int]:
    """The number everybody gets when people swap them."""
    return new_places(people, f"renumber/{scene}")


def must_become(option: Option, kind: QuestionType, probe: Probe) -> Option:
    """What an answer has to be after the change, in the order of the kind's choices."""
    if probe is not Probe.MIRROR:
        return option
    sides = {mirrored_words(choice) for choice in option}
    return tuple(choice for choice in kind.choices if choice in sides)


def is_tied(kind: QuestionType, probe: Probe) -> bool:
    """Whether every answer tells what it must become: "keep left" needs a "keep right"."""
    mirrored = {mirrored_words(choice) for choice in kind.choices}
    return probe is not Probe.MIRROR or mirrored == set(kind.choices)


def mirrored_words(text: str) -> str:
    """The words with left and right exchanged."""
    return SIDE.sub(lambda found: OTHER.get(found[0], found[0]), text)
