"""Single people against the others."""

import pytest

from ballots import AFFECTED, GOAL, labels, sheet
from paseo.vqa.scores.annotators import Annotator, annotators, by_category, outdone
from paseo.vqa.scores.marking import Variant, marking
from paseo.vqa.scores.rows import Choosing, Group, choosing, sheet_row

A, B = ("a", GOAL), ("a", AFFECTED)
PEOPLE = {
    "ann": {A: ("ahead",), B: ("no",)},
    "bo": {A: ("ahead",), B: ("yes",)},
    "cy": {A: ("to the left",)},
}
VOTES = labels({A: {"ahead": 2, "to the left": 1}, B: {"yes": 1, "no": 2}}, PEOPLE)


def by(people: object = None) -> Choosing:
    votes = VOTES if people is None else labels(
        {A: {"ahead": 2, "to the left": 1}, B: {"yes": 1, "no": 2}}, people  # type: ignore[arg-type]
    )  # fmt: skip
    return choosing(votes, marking(votes, Variant.DEFINITION))


def named() -> dict[str, Annotator]:
    return {each.name: each for each in annotators(by())}


def test_a_person_agrees_with_the_others_who_said_the_same() -> None:
    assert named()["ann"].agreement == pytest.approx([1 / 2, 1 / 2])
    assert named()["bo"].agreement == pytest.approx([1 / 2, 0])
    assert named()["cy"].agreement == pytest.approx([0])
    assert list(named()) == ["ann", "bo", "cy"]


def test_the_mean_of_all_people_is_the_average_human() -> None:
    complete = PEOPLE | {"cy": {A: ("to the left",), B: ("no",)}}
    found = annotators(by(complete))
    marks = marking(VOTES, Variant.DEFINITION)
    assert sum(each.mean for each in found) / 3 == pytest.approx(marks.person.mean())


def test_a_person_is_summed_up_by_category() -> None:
    found = by_category(named()["bo"], VOTES)
    assert found == {"spatial": 0.5, "spatiotemporal": None, "social": 0.0}


def test_a_model_outdoes_people_on_their_own_questions_against_the_same_others() -> None:
    def beaten(goal: str, affected: str) -> int | None:
        answers = sheet({A: goal, B: affected})
        return outdone(
            sheet_row(answers, by(), name="m", group=Group.MODEL), annotators(by()), VOTES
        )

    # Without ann, the others say ahead or left, and yes or no: nobody is better than ann.
    assert beaten("ahead", "no") == 2
    assert beaten("to the left", "no") == 1  # cy said left herself, which is no agreement
    assert beaten("to the left", "yes") == 0
    assert beaten("?", "?") == 0


def test_an_answer_that_was_not_counted_is_left_out() -> None:
    found = annotators(by({"dee": {A: ("to the right",)}, "ed": {("z", GOAL): ("ahead",)}}))
    assert found == ()
