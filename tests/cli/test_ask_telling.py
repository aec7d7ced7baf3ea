"""What `paseo ask` tells while it runs and afterwards."""

import io
from pathlib import Path

import pytest
from tqdm import tqdm

from paseo.cli.ask_paper import default_folder
from paseo.cli.ask_telling import money, name_problems, on, summary, why_unfinished
from paseo.vqa.exam.plan import ExamPlan
from paseo.vqa.exam.tally import Ending, Tally


def bar_for(tally: Tally) -> str:
    text = io.StringIO()
    with tqdm(total=100, file=text, ncols=120, unit="question", mininterval=0) as bar:
        on(bar)(tally)
    return text.getvalue().split("\r")[-1]


def test_the_bar_shows_rate_cost_invalid_answers_and_time_left() -> None:
    shown = bar_for(Tally(answered=40, stored=10, invalid=3, usd=1.5))
    assert "40/100" in shown
    assert "question/s" in shown
    assert "$1.5000, 3 invalid" in shown


def test_the_bar_shows_trouble_only_when_there_is_some() -> None:
    shown = bar_for(Tally(answered=40, failed=2, left_out=1, retries=7, at_once=4))
    assert "43/100" in shown
    assert "cost unknown, 0 invalid, 2 failed, 7 retries, 4 at once" in shown
    assert "retries" not in bar_for(Tally(answered=40))


@pytest.mark.parametrize(
    ("usd", "text"),
    [(None, "cost unknown"), (0.0, "$0.00"), (0.00123, "$0.0012"), (12.345, "$12.35")],
)
def test_money_is_told_as_finely_as_needed(usd: float | None, text: str) -> None:
    assert money(usd) == text


def test_a_summary_tells_of_failures_where_there_are_any() -> None:
    tally = Tally(answered=90, invalid=9, failed=4, left_out=6, usd=2.0, tokens=500)
    text = summary(tally, questions=100, model="test/m")
    assert "test/m: 90 of 100 questions answered" in text
    assert "invalid answers: 9 (10.0%)" in text
    assert "failed: 4, not asked because of that: 6" in text
    assert "500 tokens, $2.0000" in text


@pytest.mark.parametrize(
    ("tally", "words"),
    [
        (Tally(), ""),
        (Tally(failed=1), "some questions have no answer"),
        (Tally(ending=Ending.SPENT), "raise it to go on"),
        (Tally(ending=Ending.USELESS), "50 answers in a row"),
        (Tally(ending=Ending.STOPPED, dropped=2), "2 requests under way were dropped"),
    ],
)
def test_an_early_end_is_explained(tally: Tally, words: str) -> None:
    assert words in why_unfinished(tally)
    assert bool(why_unfinished(tally)) is bool(words)


def test_the_first_problems_are_named_and_the_rest_pointed_to(
    capsys: pytest.CaptureFixture[str],
) -> None:
    name_problems(Tally(failed=9, problems=[f"p{k}" for k in range(9)]))
    told = capsys.readouterr().err
    assert "p4" in told and "p5" not in told
    assert "`failures` of replies.sqlite" in told


@pytest.mark.parametrize(
    ("model", "folder"),
    [
        ("openai/gpt-4o", "openai-gpt-4o-chain-front"),
        ("../../my model.py:Mine", "my-model.py-Mine-chain-front"),
        ("..", "model-chain-front"),
    ],
)
def test_the_folder_is_named_after_the_model_whatever_it_is_called(model: str, folder: str) -> None:
    plan = ExamPlan(
        model=model,
        settings={},
        method="chain",
        images="front",
        drawing="paseo",
        wording="paseo",
        wording_hash="",
    )
    assert default_folder(plan) == Path("exams") / folder
