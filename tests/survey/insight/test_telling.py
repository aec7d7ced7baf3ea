"""What is told: sentences, tables, JSON and a picture; and studies that tell little."""

import json
import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from tasters import PLANTED, Taste, study

from paseo.cli.main import main
from paseo.cli.vqa.rating_metrics import insight_text
from paseo.errors import InputError
from paseo.survey.insight.insight import Verdict, metric_insight
from paseo.survey.insight.rated import RatedStudy
from paseo.survey.insight.telling.figure import draw_insight
from paseo.survey.insight.telling.output import as_json

SMALL = Taste(people=20, episodes=8, clips_each=16)


def text(made: RatedStudy, *, whole: bool = True) -> str:
    """All that is told, which never holds what is not a number."""
    insight = metric_insight(made, draws=40)
    told = insight_text(insight, "text", whole=whole)
    told += json.dumps(as_json(insight), allow_nan=False)
    for layout in ("markdown", "csv", "latex"):
        assert insight_text(insight, layout, whole=True)
    assert "nan" not in told.lower().replace("dominan", "")
    assert "inf " not in told
    return told


def measured(made: RatedStudy, change: Callable[[float], float]) -> RatedStudy:
    """With the planted metric changed."""
    values = {
        clip: {**each, PLANTED: change(each[PLANTED])} for clip, each in made.measured.items()
    }
    return replace(made, measured=values)


def test_one_screen_says_what_predicts_and_what_a_score_is_worth() -> None:
    lines = insight_text(metric_insight(study(Taste(), 1), draws=60), "text", whole=False)
    assert f"Predicted by {PLANTED}" in lines
    assert "A learned score: comfort = " in lines
    assert "it comes down to one metric, so use that" in lines
    assert len(lines.splitlines()) < 50


def test_csv_has_every_number_in_a_column_of_its_own() -> None:
    lines = insight_text(metric_insight(study(SMALL, 0), draws=40), "csv", whole=False)
    header = next(line for line in lines.splitlines() if line.startswith("metric,better"))
    assert "within episodes,within episodes low,within episodes high" in header


def test_nothing_said_is_refused_in_a_sentence() -> None:
    made = study(SMALL, 0)
    with pytest.raises(InputError, match="nobody has rated"):
        metric_insight(replace(made, ratings=(), preferences=()))
    with pytest.raises(InputError, match="no metric has a value"):
        metric_insight(replace(made, measured={}))


def test_one_planner_leaves_correlations_over_all() -> None:
    made = study(replace(SMALL, planners=2), 0)
    kept = tuple(each for each in made.ratings if each.clip.planner == "planner 0")
    told = text(replace(made, ratings=kept, preferences=()))
    assert "There is one planner" in told
    assert "cannot be told" in told


def test_one_rater_has_no_intervals() -> None:
    told = text(study(replace(SMALL, people=1, clips_each=40), 0))
    assert "With 1 rater there are no intervals" in told
    assert "what a metric could reach cannot be told" in told


def test_ratings_that_are_all_equal_tell_nothing() -> None:
    made = study(SMALL, 0)
    same = tuple(replace(each, value=4) for each in made.ratings)
    told = text(replace(made, ratings=same))
    assert "Which metrics predict it cannot be told" in told
    assert "No score can be learned" in told


def test_a_constant_or_undefined_metric_is_named() -> None:
    for value in (1.0, math.nan, math.inf):
        made = measured(study(replace(SMALL, likes={"energy": 2.0}), 0), lambda _, v=value: v)
        insight = metric_insight(made, draws=40)
        (own,) = (each for each in insight.aspects[0].predictions if each.metric == PLANTED)
        assert own.verdict is Verdict.UNTOLD
        assert own.within.value is None
        text(made)


def test_a_metric_that_is_sometimes_undefined_is_told_of_the_other_clips() -> None:
    made = measured(study(Taste(), 1), lambda value: math.nan if value > 1 else value)
    (first, *_) = metric_insight(made, draws=40).aspects[0].predictions
    assert first.metric == PLANTED
    assert first.clips < 100


def test_only_ratings_or_only_choices_are_enough() -> None:
    made = study(SMALL, 0)
    assert "there being no choices" in text(replace(made, preferences=()))
    assert "Nobody rated it on the scale" in text(replace(made, ratings=()))


def test_an_aspect_that_nobody_was_asked_about_is_said_to_be_empty() -> None:
    made = study(SMALL, 0)
    assert "legibility: Nobody rated" in text(replace(made, aspects=("comfort", "legibility")))


def test_choices_by_nothing_in_particular_rank_planners_too() -> None:
    made = study(SMALL, 0)
    chosen = tuple(replace(each, aspect="overall") for each in made.preferences)
    told = text(replace(made, preferences=chosen))
    assert "overall: Nobody rated it on the scale" in told
    assert "Planners by people (320 choices" in told


@pytest.mark.extra("plots")
def test_the_picture_is_the_same_every_time(tmp_path: Path) -> None:
    insight = metric_insight(study(SMALL, 0), draws=40)
    for name in ("one.png", "two.png"):
        draw_insight(insight, tmp_path / name)
    assert (tmp_path / "one.png").read_bytes() == (tmp_path / "two.png").read_bytes()


def test_a_folder_without_a_study_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["survey", "metrics", str(tmp_path)]) == 2
    assert "holds no study.toml" in capsys.readouterr().err
