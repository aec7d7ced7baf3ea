"""Simulated participants: of the bad nearly all are found, of the careful nearly all are kept."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from left_out import DATA
from participants import BAD, Scenes, labelled_scenes, made_up_scenes, study_of
from paseo.survey.screening.conduct import Conduct
from paseo.survey.screening.findings import Rule
from paseo.survey.screening.screening import screened
from paseo.survey.store.people import Stage
from paseo.survey.study.screening_rules import ScreeningRules

FOUND, LOST = 0.95, 0.03  # at least of the bad, at most of the careful
RULES = ScreeningRules()
SOME = ((20, 6), (75, 2))  # people, studies
OFF = ScreeningRules(
    checks_failed=9, seconds_per_question=0, same_position=1, agreement=-9, alike=1
)
Study = list[tuple[str, Conduct]]


def studies(
    scenes: Scenes, *, bad: float, sizes: Sequence[tuple[int, int]] = SOME, seed: int = 0
) -> Iterator[Study]:
    for people, count in sizes:
        for number in range(count):
            rng = np.random.default_rng([seed, people, number])
            yield study_of(scenes, rng, people=people, bad=bad)


def shares_out(every: Iterator[Study], rules: ScreeningRules = RULES) -> dict[str, float]:
    """The share of each kind of participant that is left out, and of all who are bad."""
    total: Counter[str] = Counter()
    out: Counter[str] = Counter()
    for study in every:
        found = screened([conduct for _, conduct in study], rules)
        for (kind, _), each in zip(study, found, strict=True):
            for name in (kind, *(["bad"] if kind in BAD else [])):
                total[name] += 1
                out[name] += not each.kept
    return {kind: out[kind] / total[kind] for kind in total}


@pytest.fixture(scope="module")
def scenes() -> Scenes:
    return made_up_scenes(60, np.random.default_rng(0))


@pytest.mark.parametrize("bad", [0.1, 0.3])
def test_the_bad_are_found_and_the_careful_are_kept(scenes: Scenes, bad: float) -> None:
    shares = shares_out(studies(scenes, bad=bad))
    assert shares["bad"] >= FOUND
    assert shares["careful"] <= LOST


@pytest.mark.recordings
def test_the_same_holds_for_people_who_disagree_as_the_real_ones_do() -> None:
    real = labelled_scenes(Path(DATA) / "socialnavsub")
    shares = shares_out(studies(real, bad=0.2))
    assert shares["bad"] >= FOUND
    assert shares["careful"] <= LOST


@pytest.mark.slow
@pytest.mark.recordings
@pytest.mark.parametrize("bad", [0.1, 0.3])
@pytest.mark.parametrize("people", [20, 75, 200])
def test_it_holds_at_every_size_and_share(people: int, bad: float) -> None:
    real = labelled_scenes(Path(DATA) / "socialnavsub")
    shares = shares_out(studies(real, bad=bad, sizes=((people, 2000 // people),), seed=1))
    assert shares["bad"] >= FOUND
    assert shares["careful"] <= LOST


def test_without_the_rules_nobody_is_found(scenes: Scenes) -> None:
    # But those who failed both checks, whom the study itself has sent away.
    assert shares_out(studies(scenes, bad=0.3, sizes=((75, 1),)), OFF)["bad"] < 0.5


def test_where_answers_belong_to_other_scenes_agreement_finds_nobody(scenes: Scenes) -> None:
    rng = np.random.default_rng(1)

    def shuffled(conduct: Conduct) -> Conduct:
        by_kind: dict[str, list[tuple[str, str]]] = {}
        for place, reply in conduct.replies.items():
            by_kind.setdefault(reply.kind, []).append(place)
        moved = {}
        for places in by_kind.values():
            for place, k in zip(places, rng.permutation(len(places)), strict=True):
                moved[place] = conduct.replies[places[k]]
        return replace(conduct, replies=moved)

    study = next(studies(scenes, bad=0.3))
    found = screened([shuffled(conduct) for _, conduct in study], RULES)
    assert {each.findings[Rule.AGREEMENT].out for each in found} == {False}
    kinds = [kind for kind, _ in study]
    lost = [k == "inverted" and each.kept for k, each in zip(kinds, found, strict=True)]
    assert any(lost)


def test_who_answers_by_lot_is_found_even_if_nothing_else_betrays_them(scenes: Scenes) -> None:
    def composed(study: Study) -> Study:
        passed = {"checks": (True, True), "stage": Stage.DONE, "pace": (6.0,) * 40}
        return [(kind, replace(each, **passed)) for kind, each in study]

    only = ScreeningRules(same_position=1)
    shares = shares_out(map(composed, studies(scenes, bad=0.3, sizes=((75, 2),))), only)
    assert shares["random"] >= FOUND
    assert shares["inverted"] >= FOUND
    assert shares["constant"] >= FOUND


def test_the_same_participants_are_screened_alike(scenes: Scenes) -> None:
    first, second = (
        [each.out_by for each in screened([c for _, c in study], RULES)]
        for study in (next(studies(scenes, bad=0.3)), next(studies(scenes, bad=0.3)))
    )
    assert first == second
