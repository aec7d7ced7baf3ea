"""Whether more people would change a ranking: by hand, by urns, and on planted differences."""

import math
from dataclasses import replace
from statistics import NormalDist

import numpy as np
import pytest

from ballots import AFFECTED, GOAL, labels, sheet
from paseo.metrics.comparison.statistics import NORMAL, student_t
from paseo.survey.status.deciding import Decision, Merits, decided, merits_of
from paseo.vqa.scores.scorecard import scorecard
from paseo.world.arrays import FloatArray

PHI = NormalDist().cdf


def merits(votes: FloatArray, questions: float = 10.0, *, apart: bool = True) -> Merits:
    """Votes (scenes, people); everybody answers one scene, or else all of them."""
    scenes, people = votes.shape
    scene, turn = np.indices(votes.shape)
    person = (scene * people + turn) if apart else turn
    return Merits(
        votes=votes.ravel(),
        person=person.ravel(),
        scene=scene.ravel(),
        questions=np.full(scenes, questions),
    )


def judged(found: Merits, draws: int = 4000) -> Decision:
    decision = decided(found, np.random.default_rng(0), draws)
    assert decision is not None
    return decision


def drawn(
    lead: float, *, scenes: int = 20, people: int = 5, spread: float = 0.0, seed: int = 1
) -> Merits:
    """People whose votes are normal around their scene's mean."""
    rng = np.random.default_rng(seed)
    means = lead + spread * rng.normal(size=(scenes, 1))
    return merits(means + rng.normal(size=(scenes, people)))


def test_a_ballot_is_how_many_votes_more_the_first_gets_from_somebody() -> None:
    a, b, c = ("a", GOAL), ("a", AFFECTED), ("b", GOAL)
    said = {
        "ann": {a: ("ahead",), b: ("yes",), c: ("ahead",)},
        "bo": {a: ("to the left",), b: ("no",), c: ("ahead",)},
        "cy": {a: ("ahead",), b: ("no",)},
    }
    votes = labels(
        {a: {"ahead": 2, "to the left": 1}, b: {"yes": 1, "no": 2}, c: {"ahead": 2}}, said
    )
    first = sheet({a: "ahead", b: ("yes", "no"), c: "ahead"}, model="one")
    second = sheet({a: "to the left", b: ("no", "?"), c: "to the right"}, model="two")
    card = scorecard(votes, [first, second], np.random.default_rng(0))
    one, two = (each.row for each in card.rows if each.row.sheet)
    found = merits_of(card, one, two)
    by_name = {each.name: number for number, each in enumerate(card.people)}
    table = {
        (int(scene), int(person)): float(vote)
        for scene, person, vote in zip(found.scene, found.person, found.votes, strict=True)
    }
    assert table == {
        (0, by_name["ann"]): 1 + 0.5,  # half of the first's answers are hers, none of the second's
        (0, by_name["bo"]): -1 + 0.5 - 0.5,
        (0, by_name["cy"]): 1 + 0.5 - 0.5,
        (1, by_name["ann"]): 1.0,
        (1, by_name["bo"]): 1.0,
    }
    assert found.difference == pytest.approx(float((one.agreement - two.agreement).mean()))


def test_a_scene_with_one_person_is_left_out_and_told() -> None:
    a, b = ("a", GOAL), ("b", GOAL)
    said = {"ann": {a: ("ahead",), b: ("ahead",)}, "bo": {a: ("ahead",)}}
    votes = labels({a: {"ahead": 2}, b: {"ahead": 1}}, said)
    sheets = [sheet({a: "ahead", b: "ahead"}, model=name) for name in ("one", "two")]
    card = scorecard(votes, sheets, np.random.default_rng(0))
    one, two = (each.row for each in card.rows if each.row.sheet)
    found = merits_of(card, one, two)
    assert (len(found.questions), found.lonely) == (1, 1)
    assert decided(found, np.random.default_rng(0)) is None  # one scene tells nothing


def test_the_errors_of_people_and_scenes_are_those_of_an_analysis_of_variance() -> None:
    votes = np.random.default_rng(3).normal(size=(12, 6)) + np.arange(12)[:, None] / 4
    found = judged(merits(votes))
    within = votes.var(axis=1, ddof=1).mean()
    between = votes.mean(axis=1).var(ddof=1)
    assert found.people_se == pytest.approx(math.sqrt(within / (12 * 6)) / 10)
    assert found.scenes_se == pytest.approx(math.sqrt((between - within / 6) / 12) / 10)


def test_people_who_answer_alike_everywhere_are_no_new_people_in_another_scene() -> None:
    taste = np.random.default_rng(4).normal(size=20)
    votes = np.tile(taste, (5, 1)) + 1.0
    once = judged(merits(votes, apart=False))
    assert once.people_se == pytest.approx(taste.std(ddof=1) / math.sqrt(20) / 10, rel=0.05)
    assert judged(merits(votes)).people_se < once.people_se / 2


def test_draws_agree_with_the_closed_form_for_any_number_of_people() -> None:
    study = drawn(0.15, scenes=40)
    found = judged(study, 20_000)
    wider = student_t(40 * 4) / NORMAL
    for each in found.crowds:
        grown = 1.0 if each.per_scene is None else 1 - 5 / each.per_scene
        error = found.people_se * math.sqrt(grown) * wider
        assert each.same == pytest.approx(PHI(abs(found.difference) / error), abs=0.01)
        assert each.high - each.low == pytest.approx(2 * NORMAL * error, rel=0.05)
    assert [each.per_scene for each in found.crowds] == [10, 20, 50, None]


def test_more_people_move_a_mean_as_far_as_an_urn_says() -> None:
    """Polya's: who was drawn goes back with a double, as in Rubin's bootstrap it must."""
    rng, votes = np.random.default_rng(5), np.random.default_rng(6).normal(size=4)
    means = []
    for _ in range(4000):
        urn = list(votes)
        for _ in range(16):
            urn.append(urn[rng.integers(len(urn))])
        means.append(np.mean(urn))
    whole = [rng.dirichlet(np.ones(4)) @ votes for _ in range(4000)]
    assert np.var(means) / np.var(whole) == pytest.approx(1 - 4 / 20, rel=0.08)


def test_a_large_difference_is_decided_early() -> None:
    found = judged(drawn(1.5, spread=0.5))
    assert found.settled_here and found.settled
    assert all(each.same > 0.99 for each in found.crowds)


def test_no_difference_is_decided_as_seldom_as_the_level_says() -> None:
    here, everywhere = [], []
    for seed in range(200):
        here.append(judged(drawn(0.0, seed=seed), 400).settled_here)
        everywhere.append(judged(drawn(0.0, spread=1.0, seed=seed), 400).settled)
    assert np.mean(here) < 0.09 and np.mean(everywhere) < 0.09


def test_a_small_difference_in_many_scenes_is_decided_by_scenes_not_by_people() -> None:
    few, many = (drawn(0.3, scenes=scenes, people=8, spread=1.0) for scenes in (12, 400))
    short, long = judged(few, 1000), judged(many, 1000)
    assert not short.settled and not short.people_would_do
    assert short.people_wanted is None
    assert short.scenes_wanted is not None and short.scenes_wanted > 12
    assert long.settled and long.settled_here


def test_where_scenes_are_alike_more_people_would_decide() -> None:
    rng = np.random.default_rng(8)
    votes = rng.normal(size=(10, 4))
    votes += 0.25 - votes.mean(axis=1, keepdims=True)  # every scene says the same
    found = judged(merits(votes))
    assert found.scenes_se == 0.0
    assert found.people_would_do
    assert found.people_wanted is not None and found.people_wanted >= 4


def test_the_names_of_the_two_do_not_matter() -> None:
    study = drawn(0.2, spread=0.5)
    one, other = judged(study), judged(replace(study, votes=-study.votes))
    assert other.difference == -one.difference
    assert [c.same for c in one.crowds] == [c.same for c in other.crowds]
    assert (one.people_se, one.scenes_wanted) == (other.people_se, other.scenes_wanted)


def test_people_who_all_agree_leave_nothing_open_on_their_scenes() -> None:
    found = judged(merits(np.tile(np.arange(6.0)[:, None], (1, 5))))
    assert found.people_se == 0.0
    assert all(each.same == 1.0 for each in found.crowds)
    assert found.settled_here


def test_too_few_people_or_scenes_say_nothing() -> None:
    rng = np.random.default_rng(0)
    assert decided(merits(np.ones((2, 9))), rng) is None
    assert decided(merits(np.ones((5, 4)), apart=False), rng) is None
    empty = Merits(
        votes=np.empty(0), person=np.empty(0, np.int64), scene=np.empty(0, np.int64),
        questions=np.empty(0),
    )  # fmt: skip
    assert decided(empty, rng) is None
