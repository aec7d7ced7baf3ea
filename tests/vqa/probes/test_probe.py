"""What each probe changes, and what it asks of an answer."""

import pytest

from marked_scenes import scene, walker
from paseo.errors import UnknownName
from paseo.vqa.probes.probe import (
    Probe,
    changed,
    counterpart,
    mirrored_words,
    must_become,
    new_numbers,
    probes_in,
    variants_for,
)
from paseo.vqa.questions.questions import Question, QuestionType, kinds, questions

ALL_KINDS = list(kinds().values())
PEOPLE = (1, 2, 3)


@pytest.mark.parametrize("kind", ALL_KINDS, ids=lambda kind: kind.key)
@pytest.mark.parametrize("probe", Probe)
def test_every_answer_becomes_a_possible_one_and_back(kind: QuestionType, probe: Probe) -> None:
    after = [must_become(option, kind, probe) for option in kind.options]
    assert sorted(after) == sorted(kind.options)
    assert [must_become(option, kind, probe) for option in after] == list(kind.options)


def test_only_sides_change_and_only_in_the_mirror() -> None:
    moves = {
        option: after
        for kind in ALL_KINDS
        for option in kind.options
        if (after := must_become(option, kind, Probe.MIRROR)) != option
    }
    assert moves == {
        ("turning left",): ("turning right",),
        ("turning right",): ("turning left",),
        ("moving ahead", "turning left"): ("moving ahead", "turning right"),
        ("moving ahead", "turning right"): ("moving ahead", "turning left"),
        ("to the left of",): ("to the right of",),
        ("to the right of",): ("to the left of",),
        ("to the left",): ("to the right",),
        ("to the right",): ("to the left",),
    }
    for probe in (Probe.RENUMBER, Probe.SHUFFLE):
        assert all(must_become(o, kind, probe) == o for kind in ALL_KINDS for o in kind.options)


def test_shuffled_questions_differ_in_the_order_of_their_choices_only() -> None:
    orders = set()
    for question in questions("yard", PEOPLE):
        after = counterpart(question, Probe.SHUFFLE, PEOPLE)
        assert (after.key, after.needs) == (question.key, question.needs)
        assert sorted(after.kind.choices) == sorted(question.kind.choices)
        assert all(a != b for a, b in zip(after.kind.choices, question.kind.choices, strict=True))
        orders.add((question.kind.key, after.kind.choices))
    assert len(orders) > len(ALL_KINDS)  # people of one scene are asked in different orders


def test_a_question_goes_with_its_person() -> None:
    before = scene(*(walker(number, (2.0 * number, 0.0)) for number in PEOPLE))
    after = changed(before, Probe.RENUMBER)
    for question in questions("yard", PEOPLE):
        moved = counterpart(question, Probe.RENUMBER, PEOPLE)
        assert moved.kind is question.kind
        if question.person is None:
            assert moved == question
        else:
            assert moved.person == new_numbers("yard", PEOPLE)[question.person] != question.person
            (person,) = (each for each in after.people if each.number == moved.person)
            assert person.positions[0, 0] == 2.0 * question.person


def test_scenes_are_renumbered_each_in_its_own_way() -> None:
    many = range(1, 14)
    assert new_numbers("yard", many) == new_numbers("yard", many) != new_numbers("hall", many)


def test_a_mirrored_question_stays_and_a_shuffled_scene_too() -> None:
    question = Question("yard", ALL_KINDS[1], 2)
    assert counterpart(question, Probe.MIRROR, PEOPLE) == question
    shown = scene(walker(1, (1, 0)))
    assert changed(shown, Probe.SHUFFLE) is shown
    assert changed(shown, Probe.MIRROR).goal == (8.0, -1.0)


def test_nobody_can_swap_numbers_alone() -> None:
    every = ("", "mirror", "renumber", "shuffle")
    assert variants_for((1,), every) == variants_for((), every) == ("", "mirror", "shuffle")
    assert variants_for((1, 2), every) == every


def test_probes_are_named_in_a_list() -> None:
    assert probes_in("shuffle, mirror,shuffle") == (Probe.MIRROR, Probe.SHUFFLE)
    with pytest.raises(UnknownName, match="no probe is called 'miror'. Did you mean 'mirror'"):
        probes_in("miror")
    with pytest.raises(UnknownName, match="no probe is called ''"):
        probes_in("")


@pytest.mark.parametrize(
    ("words", "after"),
    [
        ("to the left of", "to the right of"),
        ("turning right", "turning left"),
        ("moving ahead", "moving ahead"),
        ("bright leftover", "bright leftover"),
    ],
)
def test_words_change_sides_and_back(words: str, after: str) -> None:
    assert mirrored_words(words) == after
    assert mirrored_words(after) == words
