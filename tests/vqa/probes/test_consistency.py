"""How often answers change as they must, by hand and against guessing."""

import math
from collections.abc import Callable

import numpy as np
import pytest

from paseo.vqa.probes.consistency import AGAIN, ALL, SIDED, ProbeResult, outcomes
from paseo.vqa.probes.pairs import Answers, PairVerdict, People
from paseo.vqa.probes.probe import Probe, counterpart
from paseo.vqa.questions.answers import Answer
from paseo.vqa.questions.questions import Option, Question, questions, shipped

GOAL = "q_goal_position_begin"
PEOPLE: People = {"a": (1, 2), "b": (1,), "c": (1, 2, 3)}
MANY: People = {f"s{k}": (1, 2, 3, 4) for k in range(60)}
Model = Callable[[Question], Option | None]


def answers(model: Model, people: People, probe: Probe | None = None) -> Answers:
    """What a model says to all questions, put as a probe puts them; in order of the choices."""
    found = {}
    for scene, numbers in people.items():
        for question in questions(scene, numbers):
            asked = counterpart(question, probe, numbers) if probe else question
            said = model(asked)
            option = said and tuple(c for c in question.kind.choices if c in said)
            found[scene, asked.key] = {0: Answer(option=option)}
    return found


def found_by(probe: Probe, model: Model, people: People = PEOPLE) -> ProbeResult:
    variants = {"": answers(model, people), probe.value: answers(model, people, probe)}
    (outcome,) = outcomes(variants, people, np.random.default_rng(0), shipped())
    return outcome


def first(question: Question) -> Option:
    return question.kind.choices[:1]


def guessing() -> Model:
    rng = np.random.default_rng(7)
    return lambda question: question.kind.options[rng.integers(len(question.kind.options))]


def counts(outcome: ProbeResult, part: str = ALL) -> tuple[int, ...]:
    return tuple(outcome.categories[part].counts.values())


def test_who_takes_the_first_choice_fails_wherever_choices_are_shuffled() -> None:
    people: People = {"a": (1, 2), "c": (1, 2, 3)}
    outcome = found_by(Probe.SHUFFLE, first, people)
    assert counts(outcome) == (0, 2 * 3 + 12 * 5, 0)
    position = outcome.position[ALL]
    assert (position.first.mean, position.elsewhere.mean) == (1.0, 0.0)
    assert position.difference.mean == 1.0


def test_who_says_always_the_same_passes_shuffle_and_favours_no_place() -> None:
    outcome = found_by(Probe.SHUFFLE, lambda question: (min(question.kind.choices),))
    assert counts(outcome) == (3 * 3 + 12 * 6, 0, 0)
    assert outcome.position[ALL].difference.mean == 0.0
    assert outcome.categories[ALL].share.mean == 1.0


def test_renumbering_leaves_out_scenes_with_one_person() -> None:
    outcome = found_by(Probe.RENUMBER, first)
    assert counts(outcome) == (2 * 3 + 12 * 5, 0, 0)
    assert not outcome.position


def test_who_always_says_left_fails_the_mirror_exactly_there() -> None:
    def leftish(question: Question) -> Option:
        lefts = [choice for choice in question.kind.choices if "left" in choice]
        return tuple(lefts or question.kind.choices)[:1]

    outcome = found_by(Probe.MIRROR, leftish)
    sided = 3 * 3 + 2 * 6  # what the robot does and where its goal is; where people are
    assert counts(outcome, SIDED) == (0, sided, 0)
    assert counts(outcome) == (3 * 3 + 12 * 6 - sided, sided, 0)
    assert counts(outcome, "social") == (7 * 6, 0, 0)


def test_an_unreadable_answer_is_never_consistent_and_always_counted() -> None:
    outcome = found_by(Probe.SHUFFLE, lambda q: None if q.kind.key == GOAL else q.kind.choices)
    assert tuple(outcome.kinds[GOAL].counts.values()) == (0, 0, 3)
    assert outcome.kinds[GOAL].share.mean == 0.0
    assert outcome.kinds[GOAL].chance == pytest.approx(1 / 3)
    assert outcome.position["spatial"].first.questions == 3 * 6 + 3


def test_the_standard_error_takes_questions_of_a_scene_together() -> None:
    """Two scenes all right and two all wrong: as if there were four answers, not sixty."""
    people: People = dict.fromkeys("abcd", (1,))
    plain = answers(first, people)
    right = {"a", "b"}
    after = {
        (scene, key): {0: by[0] if scene in right else Answer(option=("other",))}
        for (scene, key), by in plain.items()
    }
    (outcome,) = outcomes(
        {"": plain, "shuffle": after}, people, np.random.default_rng(0), shipped()
    )
    share = outcome.categories[ALL].share
    assert share.mean == 0.5
    assert share.clustered_se == pytest.approx(0.5 / math.sqrt(3))


@pytest.mark.parametrize("probe", Probe)
def test_guessing_gets_the_chance_level_and_no_place_is_favoured(probe: Probe) -> None:
    outcome = found_by(probe, guessing(), MANY)
    for part in outcome.categories.values():
        assert part.share.mean is not None and part.chance is not None
        error = math.sqrt(part.chance * (1 - part.chance) / part.share.questions)
        assert abs(part.share.mean - part.chance) < 4 * error
    if probe is Probe.SHUFFLE:
        position = outcome.position[ALL]
        assert position.first.mean == pytest.approx(position.chance, abs=0.03)
        assert position.elsewhere.mean == pytest.approx(position.chance, abs=0.03)


def test_asking_again_comes_first_where_there_are_repeats() -> None:
    plain = {place: {0: by[0], 1: by[0]} for place, by in answers(first, PEOPLE).items()}
    again, mirror = outcomes(
        {"": plain, "mirror": plain}, PEOPLE, np.random.default_rng(0), shipped()
    )
    assert (again.name, mirror.name) == (AGAIN, "mirror")
    assert counts(again) == (81, 0, 0)
    assert counts(mirror) == (2 * 81, 0, 0)


def test_a_probe_without_answers_yet_is_empty() -> None:
    plain = answers(first, PEOPLE)
    (outcome,) = outcomes({"": plain, "shuffle": {}}, PEOPLE, np.random.default_rng(0), shipped())
    assert counts(outcome) == (0, 0, 0)
    assert (outcome.categories[ALL].share.mean, outcome.categories[ALL].chance) == (None, None)
    assert outcome.position[ALL].difference.mean is None
    assert not outcome.kinds
    assert outcome.unpaired == 81


def test_answers_that_lack_their_counterpart_are_counted() -> None:
    plain = answers(first, PEOPLE)
    half = {place: by for place, by in answers(first, PEOPLE, Probe.RENUMBER).items()
            if place[0] != "c"}  # fmt: skip
    (outcome,) = outcomes(
        {"": plain, "renumber": half}, PEOPLE, np.random.default_rng(0), shipped()
    )
    assert outcome.unpaired == 3 + 3 * 12  # of scene c; b has nobody to swap numbers with
    assert counts(outcome) == (3 + 2 * 12, 0, 0)


def test_verdicts_add_up_over_categories_and_questions() -> None:
    outcome = found_by(Probe.MIRROR, guessing(), MANY)
    for verdict in PairVerdict:
        whole = outcome.categories[ALL].counts[verdict]
        parts = [outcome.categories[n].counts[verdict] for n in outcome.categories
                 if n not in (ALL, SIDED)]  # fmt: skip
        assert whole == sum(parts) == sum(each.counts[verdict] for each in outcome.kinds.values())
