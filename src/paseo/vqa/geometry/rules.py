"""Answers by geometry: for every kind of question a stated rule on the true course of a scene."""

from paseo.vqa.geometry.conduct import about_conduct
from paseo.vqa.geometry.course import Course
from paseo.vqa.geometry.places import Finding, about_place, about_scene
from paseo.vqa.questions.questions import kinds


def geometry_answers(course: Course) -> dict[str, Finding]:
    """What is right by question key, in the order of asking, and where that is too close to call.

    Everybody must be somewhere in at least one frame that the scene shows.
    """
    scene = about_scene(course)
    people = {
        number: about_place(course, places) | about_conduct(course, places)
        for number, places in course.people.items()
    }
    answers: dict[str, Finding] = {}
    for kind in kinds().values():
        if kind.about_person:
            answers |= {f"{kind.key}_p{k}": each[kind.key] for k, each in people.items()}
        else:
            answers[kind.key] = scene[kind.key]
    return answers
