"""Who is kept and who is not: every rule on cases worked by hand."""

from collections.abc import Mapping
from itertools import permutations

import numpy as np
import pytest

from paseo.survey.screening.agreement import _excess, agreements
from paseo.survey.screening.conduct import Conduct, Reply, Twice
from paseo.survey.screening.findings import Rule, Screened
from paseo.survey.screening.positions import samenesses
from paseo.survey.screening.reasons import SHORTEST, reason
from paseo.survey.screening.replies import replies_of
from paseo.survey.screening.screening import screened
from paseo.survey.store.people import Stage
from paseo.survey.study.screening_rules import ScreeningRules

LETTERS = "abcdefgh"
RULES = ScreeningRules()


def person(
    number: int,
    answers: Mapping[str, str] | str = "",
    *,
    checks: tuple[bool, ...] = (True, True),
    pace: tuple[float, ...] = (6.0,) * 9,
    stage: Stage = Stage.DONE,
    choices: int = 3,
    twice: tuple[tuple[int, int], ...] = (),
) -> Conduct:
    """Somebody who gave these letters to the questions 0, 1, 2 ... of one kind.

    `twice` are places of seven, at first and when the same was shown again.
    """
    said = dict(enumerate(answers)) if isinstance(answers, str) else answers
    replies = {
        ("scene", f"q_{key}"): Reply(
            kind="q", option=(letter,), position=LETTERS.index(letter), choices=choices
        )
        for key, letter in said.items()
    }
    return Conduct(
        name=f"p{number}",
        number=number,
        stage=stage,
        checks=checks,
        pace=pace,
        replies=replies,
        twice=tuple(Twice(first, again, 7) for first, again in twice),
    )


def crowd(count: int, rng: np.random.Generator, *, questions: int = 80) -> list[Conduct]:
    """People who see the same truth, and slip in one question of four."""
    truth = rng.integers(0, 3, questions)
    found = []
    for number in range(1, count + 1):
        slips = rng.random(questions) < 0.25
        said = np.where(slips, rng.integers(0, 3, questions), truth)
        found.append(person(number, "".join(LETTERS[k] for k in said)))
    return found


def out_by(people: list[Conduct], rules: ScreeningRules = RULES) -> dict[str, tuple[Rule, ...]]:
    return {each.conduct.name: each.out_by for each in screened(people, rules) if not each.kept}


def test_nobody_is_screened_where_there_is_nobody() -> None:
    assert screened([], RULES) == ()


@pytest.mark.parametrize("checks", [(True, True), (True, False), (False,), ()])
def test_fewer_failed_checks_than_the_threshold_leave_nobody_out(checks: tuple[bool, ...]) -> None:
    assert out_by([person(1, checks=checks)]) == {}


def test_failed_checks_leave_somebody_out_by_the_threshold() -> None:
    people = [person(1, checks=(False, False)), person(2, checks=(False, True))]
    assert out_by(people) == {"p1": (Rule.CHECKS,)}
    assert set(out_by(people, ScreeningRules(checks_failed=1))) == {"p1", "p2"}


def test_whom_the_study_has_sent_away_stays_out_whatever_the_threshold() -> None:
    sent_away = person(1, checks=(False, False), stage=Stage.FAILED)
    assert out_by([sent_away], ScreeningRules(checks_failed=9)) == {"p1": (Rule.CHECKS,)}


def test_speed_is_that_of_the_middle_page() -> None:
    people = [
        person(1, pace=(1.9, 0.5, 1.0, 900.0, 900.0, 0.1, 1.8)),
        person(2, pace=(2.1, 0.5, 1.0, 900.0, 900.0, 0.1, 2.1)),
    ]
    first, second = screened(people, RULES)
    assert (first.findings[Rule.SPEED].value, first.out_by) == (1.8, (Rule.SPEED,))
    assert (second.findings[Rule.SPEED].value, second.out_by) == (2.1, ())


def test_a_few_fast_pages_are_too_little_to_go_on() -> None:
    (only,) = screened([person(1, pace=(0.1,) * 4)], RULES)
    assert (only.findings[Rule.SPEED].value, only.kept) == (None, True)


def test_the_same_place_is_measured_from_the_others_to_always() -> None:
    # The others choose the first in half of the questions: 0.75 is half of the way to always.
    people = [person(1, "a" * 15 + "b" * 5 + "a" * 15 + "b" * 5), person(2, "ab" * 20)]
    first, second = samenesses(replies_of(people))
    assert first.value == pytest.approx((0.75 - 0.5) / 0.5)
    assert (first.questions, second.questions) == (40, 40)
    always = samenesses(replies_of([person(1, "a" * 40), person(2, "ab" * 20)]))[0]
    assert always.value == pytest.approx(1.0)


def test_the_last_choice_of_every_list_is_one_place() -> None:
    lists = {"x": 2, "y": 3, "z": 5}

    def mixed(number: int, letters: Mapping[str, str]) -> Conduct:
        replies = {
            ("scene", f"{kind}_{k}"): Reply(
                kind=kind, option=(letter,), position=LETTERS.index(letter), choices=lists[kind]
            )
            for kind, letter in letters.items()
            for k in range(10)
        }
        return Conduct(
            name=f"p{number}",
            number=number,
            stage=Stage.DONE,
            checks=(),
            pace=(),
            replies=replies,
        )

    last, other = mixed(1, {"x": "b", "y": "c", "z": "e"}), mixed(2, dict.fromkeys(lists, "a"))
    assert samenesses(replies_of([last, other]))[0].value == pytest.approx(1.0)


def test_what_all_say_is_no_straight_lining() -> None:
    people = [person(number, "a" * 40) for number in (1, 2, 3)]
    assert [each.value for each in samenesses(replies_of(people))] == [0.0] * 3
    assert out_by(people) == {}


def test_agreement_of_two_beyond_chance_is_cohens() -> None:
    # 20 both yes, 15 both no, 5 and 10 apart: observed 0.7, by chance 0.5, kappa 0.4.
    one = "a" * 25 + "b" * 25
    other = "a" * 20 + "b" * 5 + "a" * 10 + "b" * 15
    replies = replies_of([person(1, one), person(2, other)])
    both = np.ones(2, dtype=bool)
    for who in (0, 1):
        mean, _, questions = _excess(replies, who, replies.chosen(both), counted=True)
        assert (mean, questions) == (pytest.approx(0.7 - 0.5), 50)


def test_chance_is_all_orders_of_ones_own_answers() -> None:
    mine, others = "aabbca", ["abbbca", "aacbcc", "babaca", "aabbba"]
    people = [person(1, mine), *(person(k, said) for k, said in enumerate(others, start=2))]
    replies = replies_of(people)
    everybody = np.ones(len(people), dtype=bool)
    mean, error, _ = _excess(replies, 0, replies.chosen(everybody), counted=True)

    def agreed(order: tuple[str, ...]) -> float:
        same = [said[k] == letter for said in others for k, letter in enumerate(order)]
        return sum(same) / len(others)

    all_orders = np.array([agreed(order) for order in permutations(mine)])
    assert mean * 6 == pytest.approx(agreed(tuple(mine)) - all_orders.mean())
    assert error * 6 == pytest.approx(all_orders.std())


def test_who_sees_what_others_see_agrees_and_who_does_not_is_out() -> None:
    rng = np.random.default_rng(0)
    people = crowd(8, rng)
    by_lot = "".join(rng.choice(list("abc"), 80))
    swapped = {"a": "b", "b": "c", "c": "a"}
    turned = "".join(swapped[r.option[0]] for r in people[0].replies.values())
    people += [person(9, by_lot), person(10, turned)]
    found = screened(people, RULES)
    values = [each.findings[Rule.AGREEMENT].value or 0.0 for each in found]
    assert all(0.7 < value < 1.4 for value in values[:8])
    assert abs(values[8]) < RULES.agreement
    assert values[9] < -0.2
    assert out_by(people) == {"p9": (Rule.AGREEMENT,), "p10": (Rule.AGREEMENT,)}


def test_the_names_of_choices_and_the_turns_of_people_change_no_agreement() -> None:
    people = crowd(8, np.random.default_rng(1))
    renamed = {"a": "c", "b": "a", "c": "b"}
    other = [
        person(k, "".join(renamed[r.option[0]] for r in each.replies.values()))
        for k, each in enumerate(reversed(people))
    ]
    everybody = np.ones(8, dtype=bool)
    before, _ = agreements(replies_of(people), everybody, 0.4)
    after, _ = agreements(replies_of(other), everybody, 0.4)
    assert [each.value for each in reversed(after)] == pytest.approx(
        [each.value for each in before]
    )


def test_honest_people_whose_questions_are_few_are_not_judged_by_agreement() -> None:
    people = crowd(8, np.random.default_rng(2), questions=30)
    assert {each.findings[Rule.AGREEMENT].value for each in screened(people, RULES)} == {None}


def test_nobody_is_judged_by_agreement_where_nobody_agrees() -> None:
    rng = np.random.default_rng(3)
    people = [person(k, "".join(rng.choice(list("abc"), 80))) for k in range(1, 10)]
    assert {each.findings[Rule.AGREEMENT].value for each in screened(people, RULES)} == {None}


def copied(whom: Conduct, number: int, changes: int = 2) -> Conduct:
    said = [r.option[0] for r in whom.replies.values()]
    for k in range(changes):
        said[k] = {"a": "b", "b": "c", "c": "a"}[said[k]]
    return person(number, "".join(said))


def test_who_comes_a_second_time_is_left_out_and_the_first_is_kept() -> None:
    people = crowd(8, np.random.default_rng(4))
    people.append(copied(people[2], 9))
    last = screened(people, RULES)[-1]
    assert (last.findings[Rule.TWICE].value, last.findings[Rule.TWICE].whom) == (78 / 80, "p3")
    assert out_by(people) == {"p9": (Rule.TWICE,)}


def test_people_who_agree_because_a_scene_is_clear_are_not_one_person() -> None:
    rng = np.random.default_rng(5)
    truth = rng.integers(0, 3, 80)
    people = []
    for number in range(1, 9):
        said = np.where(rng.random(80) < 0.03, rng.integers(0, 3, 80), truth)
        people.append(person(number, "".join(LETTERS[k] for k in said)))
    likest = [each.findings[Rule.TWICE].value or 0.0 for each in screened(people, RULES)]
    assert max(likest) > RULES.alike
    assert out_by(people) == {}


def test_two_who_always_choose_the_first_are_not_one_person() -> None:
    people = [*crowd(8, np.random.default_rng(6)), person(9, "a" * 80), person(10, "a" * 80)]
    found = out_by(people)
    assert set(found) == {"p9", "p10"}
    assert all(Rule.TWICE not in rules for rules in found.values())


def test_every_rule_can_be_turned_off() -> None:
    rng = np.random.default_rng(7)
    people = crowd(8, rng)
    people += [
        person(9, "".join(rng.choice(list("abc"), 80))),
        person(10, "a" * 80),
        copied(people[0], 11),
        person(12, pace=(0.1,) * 9),
        person(13, checks=(False, False)),
    ]
    assert set(out_by(people)) == {f"p{k}" for k in range(9, 14)}
    off = ScreeningRules(
        checks_failed=9, seconds_per_question=0, same_position=1, agreement=-9, alike=1
    )
    assert out_by(people, off) == {}


def left_out_by_each() -> dict[Rule, Screened]:
    rng = np.random.default_rng(8)
    people = crowd(8, rng)
    people += [
        person(9, checks=(False, False)),
        person(10, pace=(0.1,) * 9),
        person(11, "a" * 80),
        person(12, "".join(rng.choice(list("abc"), 80))),
        copied(people[0], 13),
    ]
    found = {each.out_by[0]: each for each in screened(people, RULES) if not each.kept}
    unlike = screened([person(14, twice=((0, 6),) * 8)], RULES, by=(Rule.CONSISTENCY,))
    return {**found, Rule.CONSISTENCY: unlike[0]}


def test_consistency_is_measured_from_the_same_to_drawn_by_lot() -> None:
    # Of seven points, two drawn by lot are (49 - 1) / 21 apart on average.
    drawn = [abs(a - b) for a in range(7) for b in range(7)]
    for points, apart in ((((4, 4),) * 6, 0), (((0, 2), (4, 3)) * 3, 1.5), (((0, 6),) * 6, 6)):
        (found,) = screened([person(1, twice=points)], RULES, by=(Rule.CONSISTENCY,))
        finding = found.findings[Rule.CONSISTENCY]
        assert finding.value == pytest.approx(1 - apart / np.mean(drawn))
        assert (finding.rests_on, finding.out) == (6, apart > 2)


def test_a_few_answers_given_twice_are_too_little_to_go_on() -> None:
    (found,) = screened([person(1, twice=((0, 6),) * 5)], RULES, by=(Rule.CONSISTENCY,))
    assert (found.findings[Rule.CONSISTENCY].value, found.kept) == (None, True)


def test_every_reason_is_as_long_as_prolific_asks() -> None:
    found = left_out_by_each()
    assert set(found) == set(Rule)
    for each in found.values():
        told = reason(each, minutes=30)
        assert len(told.message) >= SHORTEST
        assert told.category
        assert each.conduct.name not in told.message


@pytest.mark.parametrize(
    ("failed", "minutes", "ground"), [(2, 30, "yes"), (1, 4, "yes"), (1, 5, "no"), (2, 4, "yes")]
)
def test_failed_checks_are_a_ground_by_the_length_of_the_study(
    failed: int, minutes: int, ground: str
) -> None:
    checks = (False,) * failed + (True,) * (2 - failed)
    (only,) = screened([person(1, checks=checks)], ScreeningRules(checks_failed=1))
    assert reason(only, minutes=minutes).ground.partition(":")[0] == ground


def test_no_other_rule_is_called_a_ground() -> None:
    for rule, each in left_out_by_each().items():
        if rule is not Rule.CHECKS:
            assert reason(each, minutes=30).ground.partition(":")[0] in ("no", "perhaps")
