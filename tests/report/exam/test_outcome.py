"""How an exam goes and went, in words."""

from datetime import date
from pathlib import Path

import pytest

from paseo.report.exam.outcome import age, in_short, money, summary
from paseo.vqa.exam.asking import ExamOutcome
from paseo.vqa.exam.budget import Tally
from paseo.vqa.exam.plan import ExamPlan
from paseo.vqa.pictures.pictures import Drawing, Layout
from paseo.vqa.prompts.wording import WordingSource
from paseo.vqa.questions.methods import Method


def test_trouble_is_told_beside_a_bar_only_when_there_is_some() -> None:
    assert in_short(Tally(answered=40, stored=10, invalid=3, usd=1.5)) == "$1.5000, 3 invalid"
    troubled = Tally(answered=40, failed=2, left_out=1, retries=7, at_once=4)
    assert in_short(troubled) == "cost unknown, 0 invalid, 2 failed, 7 retries, 4 at once"
    assert troubled.done == 43


@pytest.mark.parametrize(
    ("when", "words"),
    [("2026-01-01", ""), ("2025-12-01", ", 12 months old: check them"), ("2030-01-01", ""),
     ("some day", "")],
)  # fmt: skip
def test_prices_that_have_aged_are_said_to(when: str, words: str) -> None:
    told = age(when, date(2026, 6, 1) if not words else date(2026, 11, 18))
    assert told.startswith(words) if words else told == ""


@pytest.mark.parametrize(
    ("usd", "text"),
    [(None, "cost unknown"), (0.0, "$0.00"), (0.00123, "$0.0012"), (12.345, "$12.35")],
)
def test_money_is_told_as_finely_as_needed(usd: float | None, text: str) -> None:
    assert money(usd) == text


def test_a_summary_tells_of_failures_where_there_are_any() -> None:
    tally = Tally(answered=90, invalid=9, failed=4, left_out=6, usd=2.0, tokens=500)
    plan = ExamPlan(
        model="test/m", settings={}, method=Method.CHAIN, images=Layout.FRONT,
        drawing=Drawing.PASEO, wording=WordingSource.PASEO, wording_hash="",
    )  # fmt: skip
    done = ExamOutcome(folder=Path("x"), plan=plan, tally=tally, questions=100, unreadable=())
    text = summary(done)
    assert "test/m: 90 of 100 questions answered" in text
    assert "invalid answers: 9 (10.0%)" in text
    assert "failed: 4, not asked because of that: 6" in text
    assert "500 tokens, $2.0000" in text
