"""Which questions scores are over, and which a model missed."""

import numpy as np

from ballots import AFFECTED, GOAL, MOVING, labels, sheet
from paseo.vqa.scores.breakdown import Missed, apart, missed, sections
from paseo.vqa.scores.marking import Variant, marking
from paseo.vqa.scores.rows import Group, choosing, sheet_row

VOTES = labels(
    {
        ("a", GOAL): {"ahead": 4, "to the left": 2},  # two thirds
        ("a", AFFECTED): {"yes": 3, "no": 3},  # half
        ("a", "q_robot_affected_p4"): {"no": 6},
        ("b", MOVING): {"moving ahead": 2, "turning left": 2, "turning right": 1},
        ("b", AFFECTED): {"no": 9, "yes": 1},
    }
)


def found(**answers: str | tuple[str, ...]) -> tuple[Missed, ...]:
    places = {"goal": ("a", GOAL), "a1": ("a", AFFECTED), "a4": ("a", "q_robot_affected_p4"),
              "moving": ("b", MOVING), "b1": ("b", AFFECTED)}  # fmt: skip
    answered = sheet({places[name]: said for name, said in answers.items()})
    by = choosing(VOTES, marking(VOTES, Variant.DEFINITION))
    return missed(sheet_row(answered, by, name="m", group=Group.MODEL), VOTES)


def test_sections_hold_every_question_once() -> None:
    for title, masks in sections(VOTES).items():
        table = np.array([mask for name, mask in masks.items() if name != "all"])
        assert (table.sum(axis=0) == 1).all(), title


def test_bands_begin_where_they_say() -> None:
    found = {
        name: np.nonzero(mask)[0].tolist() for name, mask in sections(VOTES)["agreement"].items()
    }
    assert found == {
        "under 1/2": [3], "1/2 to 2/3": [1], "2/3 and more, not all": [0, 4], "everybody": [2],
    }  # fmt: skip


def test_exactly_two_thirds_are_two_thirds_of_any_number_of_people() -> None:
    thirds = range(1, 40)
    votes = labels({(f"s{k}", GOAL): {"ahead": 2 * k, "to the left": k} for k in thirds})
    assert sections(votes)["agreement"]["2/3 and more, not all"].all()


def test_people_of_a_scene_are_counted_whatever_their_numbers() -> None:
    crowd = {("c", f"q_robot_affected_p{number}"): {"no": 2} for number in (1, 2, 5, 900)}
    votes = labels({("a", GOAL): {"ahead": 2}, ("a", "q_robot_affected_p9"): {"no": 2}} | crowd)
    masks = sections(votes)["people"]
    assert masks["1 to 3"].tolist() == [True] * 2 + [False] * 4
    assert masks["4 to 6"].tolist() == [False] * 2 + [True] * 4
    assert "10 and more" not in masks


def test_sheets_are_apart_where_both_answered_and_differ() -> None:
    first = sheet({("a", GOAL): "ahead", ("a", AFFECTED): "yes", ("b", AFFECTED): "no"})
    second = sheet(
        {("a", GOAL): "to the left", ("a", AFFECTED): "yes", ("b", MOVING): "moving ahead"}
    )
    (only,), both = apart(first, second, VOTES)
    assert both == 2
    assert (only.scene, only.key, only.first, only.second, only.people_said) == (
        "a", GOAL, ("ahead",), ("to the left",), ("ahead",),
    )  # fmt: skip
    (without_labels,), both = apart(first, second)
    assert (without_labels.key, without_labels.people_said, both) == (GOAL, None, 2)
    assert apart(first, sheet({("a", GOAL): "?"}))[0][0].second is None  # cannot be read
    assert apart(first, sheet({})) == ((), 0)


def test_what_most_people_agree_on_and_the_model_missed_comes_clearest_first() -> None:
    wrong = found(goal="to the left", a1="no", a4="yes", moving="turning right", b1="yes")
    assert [(each.scene, each.key) for each in wrong] == [
        ("a", "q_robot_affected_p4"), ("b", AFFECTED), ("a", GOAL),
    ]  # fmt: skip
    assert wrong[2] == Missed(
        scene="a", key=GOAL, people_said=("ahead",), votes=4, people=6,
        model_said=("to the left",), agreed=2,
    )  # fmt: skip


def test_what_cannot_be_read_is_missed_and_what_was_not_asked_is_not() -> None:
    (only,) = found(goal="?")
    assert (only.key, only.model_said, only.agreed) == (GOAL, None, 0)
    assert found(goal="ahead", a4="no", b1="no") == ()


def test_repeats_miss_a_question_that_most_of_them_miss() -> None:
    assert found(goal=("ahead", "to the left")) == ()
    (only,) = found(goal=("ahead", "to the left", "?"))
    assert only.model_said == ("to the left",)
