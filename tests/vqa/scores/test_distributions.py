"""Answers over repeats as a distribution, beside people's."""

import math
from dataclasses import replace

import numpy as np
import pytest

from ballots import AFFECTED, GOAL, labels, sheet
from paseo.report.exam.score_export import as_json
from paseo.report.exam.scores import further_tables
from paseo.vqa.questions.votes import Labels
from paseo.vqa.scores.distributions import Spread
from paseo.vqa.scores.scorecard import Scorecard, scorecard
from paseo.vqa.scores.sheets import Sheet

SCENES = "abcd"
VOTES = labels({(scene, GOAL): {"ahead": 4, "to the left": 1} for scene in SCENES})


def carded(model: Sheet, votes: Labels = VOTES) -> Scorecard:
    return scorecard(votes, [model], np.random.default_rng(0))


def spread(*said: str, votes: Labels = VOTES) -> Spread | None:
    model = sheet(dict.fromkeys(votes.rows(), said))
    return carded(model, votes).rows[-1].spread


def test_a_hand_worked_case() -> None:
    found = spread("ahead", "ahead", "to the left", "to the left")
    assert found
    assert (found.repeats, found.expected.questions) == (4, 4)
    assert found.expected.mean == pytest.approx(0.5 * 0.8 + 0.5 * 0.2)
    assert found.most_common.mean == pytest.approx(0.8)
    assert found.alike.mean == pytest.approx(0.5 + 0.2)
    q = 2.5 / 5.5  # two of four, and half an answer for each of three options
    kl = 0.8 * math.log2(0.8 / q) + 0.2 * math.log2(0.2 / q)
    assert found.kl.mean == pytest.approx(kl)
    even = 0.8 * math.log2(0.8 * 3) + 0.2 * math.log2(0.2 * 3)
    assert found.kl_even.mean == pytest.approx(even)
    assert found.kl.clustered_se == pytest.approx(0.0)


def test_the_order_of_repeats_does_not_matter() -> None:
    assert spread("ahead", "to the left", "ahead") == spread("ahead", "ahead", "to the left")


def test_saying_what_people_say_as_often_is_nearest() -> None:
    shares = [spread(*["ahead"] * k, *["to the left"] * (5 - k)) for k in range(6)]
    divergences = [each.kl.mean for each in shares if each and each.kl.mean is not None]
    assert min(range(6), key=divergences.__getitem__) == 4
    assert shares[4] and shares[4].alike.mean == pytest.approx(1.0)


def test_an_answer_that_cannot_be_read_brings_nobody_nearer() -> None:
    half, whole = spread("ahead", "?"), spread("ahead", "ahead")
    assert half and whole and half.kl.mean and whole.kl.mean
    assert half.kl.mean > whole.kl.mean
    assert half.alike.mean == pytest.approx(0.5)
    none = spread("?", "?")
    assert none and none.most_common.mean == 0.0 and none.alike.mean == 0.0


def test_one_answer_is_no_distribution() -> None:
    assert spread("ahead") is None
    some = sheet({("a", GOAL): ("ahead", "ahead"), ("b", GOAL): ("ahead",)})
    found = carded(some).rows[-1].spread
    assert found and found.expected.questions == 1


def test_the_number_of_options_is_the_questions_own() -> None:
    votes = labels({(scene, AFFECTED): {"yes": 5, "no": 5} for scene in SCENES})
    found = spread("yes", "no", votes=votes)
    assert found
    assert found.kl.mean == pytest.approx(0.0)
    assert found.kl_even.mean == pytest.approx(0.0)


def likely(*told: dict[tuple[str, ...], float] | None) -> Spread | None:
    model = sheet(dict.fromkeys(VOTES.rows(), ("ahead",)))
    return carded(replace(model, chances=dict.fromkeys(VOTES.rows(), told))).rows[-1].likely


def test_log_probabilities_by_hand() -> None:
    found = likely({("ahead",): 0.4, ("to the left",): 0.6, ("to the right",): 0.0})
    assert found
    assert found.expected.mean == pytest.approx(0.4 * 0.8 + 0.6 * 0.2)
    assert found.most_common.mean == pytest.approx(0.2)
    assert found.alike.mean == pytest.approx(0.4 + 0.2)
    q = [0.997 * each + 0.001 for each in (0.4, 0.6)]
    kl = 0.8 * math.log2(0.8 / q[0]) + 0.2 * math.log2(0.2 / q[1])
    assert found.kl.mean == pytest.approx(kl)
    assert found.kl_even.mean == pytest.approx(0.8 * math.log2(0.8 * 3) + 0.2 * math.log2(0.2 * 3))


def test_log_probabilities_of_repeats_are_averaged_and_unclear_ones_left_out() -> None:
    one, other = {("ahead",): 1.0}, {("to the left",): 1.0}
    assert likely(one, other, None) == likely({("ahead",): 0.5, ("to the left",): 0.5})
    none = likely(None)
    assert none and (none.expected.questions, none.kl.mean) == (0, None)
    assert carded(sheet(dict.fromkeys(VOTES.rows(), ("ahead",)))).rows[-1].likely is None


def test_log_probabilities_are_told_in_a_table_and_in_json() -> None:
    model = sheet(dict.fromkeys(VOTES.rows(), ("ahead",)))
    card = carded(replace(model, chances=dict.fromkeys(VOTES.rows(), ({("ahead",): 1.0},))))
    assert any("log-probabilities" in table.caption for table in further_tables(card))
    assert as_json(card)["rows"][-1]["likely"]["expected"]["questions"] == 4


def test_it_is_told_in_a_table_and_in_json() -> None:
    card = carded(sheet(dict.fromkeys(VOTES.rows(), ("ahead", "to the left")), model="m"))
    (table,) = [t for t in further_tables(card) if t.caption.startswith("Answers over repeats")]
    assert [row[:3] for row in table.rows] == [["m", "2", "4"]]
    assert as_json(card)["rows"][-1]["spread"]["kl"]["questions"] == 4
    alone = carded(sheet(dict.fromkeys(VOTES.rows(), "ahead")))
    assert not any(t.caption.startswith("Answers over") for t in further_tables(alone))
