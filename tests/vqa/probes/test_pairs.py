"""Answers before and after a change, and whether they fit together."""

from dataclasses import replace

from paseo.vqa.probes.pairs import Answers, PairVerdict, pairs, repeated
from paseo.vqa.probes.probe import Probe, new_numbers
from paseo.vqa.questions.answers import Answer
from paseo.vqa.questions.questions import Catalogue, kinds, shipped

MOVING, GOAL = "q_robot_moving_direction", "q_goal_position_begin"
PLACE = "q_person_spatial_position_begin"
YARD = {"yard": (1, 2, 3)}


def said(words: dict[str, str], repeat: int = 0) -> Answers:
    """Answers about the yard, several choices joined by +; what is empty cannot be read."""
    return {
        ("yard", key): {repeat: Answer(option=tuple(text.split("+")) if text else None)}
        for key, text in words.items()
    }


def verdicts(before: dict[str, str], after: dict[str, str], probe: Probe) -> dict[str, PairVerdict]:
    found = pairs(said(before), said(after), probe, YARD, shipped())
    return {each.question.key: each.verdict for each in found}


def test_in_the_mirror_sides_must_change_and_all_else_must_not() -> None:
    before = {MOVING: "moving ahead+turning left", GOAL: "to the left", f"{PLACE}_p1": "behind"}
    after = {MOVING: "moving ahead+turning right", GOAL: "to the left", f"{PLACE}_p1": "behind"}
    assert verdicts(before, after, Probe.MIRROR) == {
        MOVING: PairVerdict.CONSISTENT,
        GOAL: PairVerdict.WRONG,
        f"{PLACE}_p1": PairVerdict.CONSISTENT,
    }


def test_an_answer_about_a_person_goes_with_their_number() -> None:
    new = new_numbers("yard", YARD["yard"])
    places = dict(zip(YARD["yard"], ("ahead of", "behind", "to the left of"), strict=True))
    before = {f"{PLACE}_p{number}": place for number, place in places.items()}
    after = {f"{PLACE}_p{new[number]}": place for number, place in places.items()}
    assert set(verdicts(before, after, Probe.RENUMBER).values()) == {PairVerdict.CONSISTENT}
    assert set(verdicts(before, before, Probe.RENUMBER).values()) == {PairVerdict.WRONG}


def test_what_cannot_be_read_on_either_side_is_invalid() -> None:
    for before, after in (("", "ahead"), ("ahead", ""), ("", "")):
        assert verdicts({GOAL: before}, {GOAL: after}, Probe.SHUFFLE) == {GOAL: PairVerdict.INVALID}


def test_only_the_same_repeats_are_held_against_each_other() -> None:
    both = {("yard", GOAL): {k: Answer(option=(word,)) for k, word in ((0, "ahead"), (2, "x"))}}
    after = said({GOAL: "ahead"}, repeat=2)
    (pair,) = pairs(both, after, Probe.SHUFFLE, YARD, shipped())
    assert (pair.before, pair.after) == (("x",), ("ahead",))
    assert not list(pairs(both, said({GOAL: "ahead"}, repeat=1), Probe.SHUFFLE, YARD, shipped()))


def test_a_scene_with_one_person_is_not_renumbered() -> None:
    same = said({GOAL: "ahead"})
    assert not list(pairs(same, same, Probe.RENUMBER, {"yard": (1,)}, shipped()))
    assert len(list(pairs(same, same, Probe.MIRROR, {"yard": (1,)}, shipped()))) == 1


def test_guessing_fits_once_in_as_many_answers_as_there_are() -> None:
    before = {MOVING: "moving ahead", GOAL: "ahead", f"{PLACE}_p1": "behind"}
    found = pairs(said(before), said(before), Probe.SHUFFLE, YARD, shipped())
    assert [each.chance for each in found] == [1 / 7, 1 / 4, 1 / 3]


def test_asked_again_holds_each_repeat_against_the_next() -> None:
    words = ("ahead", "ahead", "to the left", "to the left")
    answers = {("yard", GOAL): {k: Answer(option=(word,)) for k, word in enumerate(words)}}
    found = [each.verdict for each in repeated(answers, YARD, shipped())]
    assert found == [PairVerdict.CONSISTENT, PairVerdict.WRONG, PairVerdict.CONSISTENT]
    assert not list(repeated(said({GOAL: "ahead"}), YARD, shipped()))


def test_a_mirror_turns_words_of_ones_own_and_leaves_out_what_has_no_other_side() -> None:
    kind = replace(kinds()["q_goal_position_begin"], choices=("On the Left", "On the Right"))
    lone = replace(kind, key="q_lone", choices=("keep left", "stop"))
    catalogue = Catalogue({kind.key: kind, lone.key: lone})
    before = said({GOAL: "On the Left", "q_lone": "keep left"})
    after = said({GOAL: "On the Right", "q_lone": "stop"})
    (pair,) = pairs(before, after, Probe.MIRROR, YARD, catalogue)
    assert pair.verdict is PairVerdict.CONSISTENT and pair.names_side
    both = list(pairs(before, after, Probe.SHUFFLE, YARD, catalogue))
    assert [each.verdict for each in both] == [PairVerdict.WRONG] * 2
