"""Answers by geometry: for every kind of question a stated rule on the true course of a scene."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from paseo.vqa.geometry.conduct import about_conduct
from paseo.vqa.geometry.course import Course
from paseo.vqa.geometry.own_rules import OwnRule
from paseo.vqa.geometry.places import Finding, about_place, about_scene
from paseo.vqa.questions.questions import Catalogue, shipped


@dataclass(frozen=True, slots=True)
class Rulebook:
    """What is asked, and the rules that answer it; by itself the fifteen and ours."""

    catalogue: Catalogue = field(default_factory=shipped)
    own: Mapping[str, OwnRule] = field(default_factory=dict)  # by the key of one's own kind

    def answers(self, course: Course) -> dict[str, Finding]:
        """What is right by question key, in the order of asking, and what is too close to call.

        Everybody must be somewhere in at least one frame that the scene shows. Questions without
        a rule have no answer.
        """
        ours = _by_our_rules(course) if shipped().kinds.keys() & self.catalogue.kinds else {}
        frozen = course.frozen() if self.own else course
        found: dict[str, Finding] = {}
        for each in self.catalogue.questions("", course.people):
            if each.kind.key in self.own:
                found[each.key] = self.own[each.kind.key].finding(frozen, each)
            elif each.key in ours:
                found[each.key] = ours[each.key]
        return found


def geometry_answers(course: Course) -> dict[str, Finding]:
    """The answers to the fifteen, by question key in the order of asking."""
    return Rulebook().answers(course)


def _by_our_rules(course: Course) -> dict[str, Finding]:
    """In any order."""
    found = about_scene(course)
    for number, places in course.people.items():
        person = about_place(course, places) | about_conduct(course, places)
        found |= {f"{key}_p{number}": each for key, each in person.items()}
    return found
