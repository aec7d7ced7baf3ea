"""What answers took."""

import pytest

from ballots import AFFECTED, GOAL, labels, sheet
from paseo.vlm.models import Usage
from paseo.vqa.questions.answers import Answer
from paseo.vqa.scores.baselines import baseline_rows
from paseo.vqa.scores.marking import Variant, marking
from paseo.vqa.scores.rows import Group, choosing, sheet_row
from paseo.vqa.scores.sheets import Asking, Sheet
from paseo.vqa.scores.spending import Spending, spending

VOTES = labels({("a", GOAL): {"ahead": 5}, ("a", AFFECTED): {"yes": 5}, ("b", GOAL): {"ahead": 5}})
MARKS = marking(VOTES, Variant.DEFINITION)


def account(answers: Sheet) -> Spending:
    found = spending(sheet_row(answers, choosing(VOTES, MARKS), name="m", group=Group.MODEL), VOTES)
    assert found is not None
    return found


def test_answers_are_counted_by_what_became_of_them() -> None:
    found = account(
        sheet({("a", GOAL): ("ahead", "?"), ("a", AFFECTED): "?", ("z", GOAL): "ahead"})
    )
    assert (found.answers, found.invalid, found.unanswered, found.unlabelled) == (3, 2, 1, 1)
    assert found.invalid_rate == pytest.approx(2 / 3)


def test_only_answers_with_labels_count_as_read_tolerantly() -> None:
    loose = (Answer(option=("ahead",), tolerant=True),)
    read = Sheet(model="m", answers={("a", GOAL): loose * 2, ("z", GOAL): loose})
    assert account(read).tolerant == 2


def test_latency_tokens_and_cost_are_summed_up() -> None:
    usage = Usage(input_tokens=100, output_tokens=10, cached_tokens=50)
    askings = tuple(
        Asking(latency_s=float(k), usage=usage if k else None, cost_usd=0.5 if k else None)
        for k in range(21)
    )
    found = account(sheet({("a", GOAL): "ahead"}, askings=askings))
    assert (found.requests, found.latency_median_s, found.latency_p95_s) == (21, 10.0, 19.0)
    assert (found.input_tokens, found.cached_tokens, found.output_tokens) == (2000, 1000, 200)
    assert found.cost_usd == pytest.approx(10.0)


def test_what_was_not_recorded_is_not_made_up() -> None:
    found = account(sheet({}))
    assert found.invalid_rate is None
    assert (found.requests, found.latency_p95_s, found.input_tokens, found.cost_usd) == (None,) * 4


def test_a_baseline_of_labels_has_no_account() -> None:
    assert all(spending(row, VOTES) is None for row in baseline_rows(VOTES, MARKS))
