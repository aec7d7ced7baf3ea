"""All scores together, and the synthetic data set's own account of them in exact fractions."""

import json
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from ballots import AFFECTED, GOAL, labels, sheet
from paseo.vqa.questions.answers import Answer
from paseo.vqa.questions.questions import questions
from paseo.vqa.questions.votes import Labels, read_labels
from paseo.vqa.scores.baselines import constants
from paseo.vqa.scores.marking import Variant, left_out_oracle, marking
from paseo.vqa.scores.rows import Group, Over
from paseo.vqa.scores.scorecard import Scorecard, ScorePlan, scorecard
from paseo.vqa.scores.sheets import Sheet
from paseo.vqa.synthetic import truths

NAMES = {
    "oracle": "human oracle",
    "average_human": "average human",
    "constant_held_out": "constant answer",
    "random": "random",
    "first": "always first",
    "truth": "truth",
}
SCENES = "abcdef"
VOTES = labels(
    {(scene, GOAL): {"ahead": 4, "to the left": 1} for scene in SCENES}
    | {(scene, AFFECTED): {"yes": 4, "no": 1} for scene in SCENES}
)
GOOD = sheet(
    {place: "ahead" if place[1] == GOAL else "yes" for place in VOTES.rows()}, model="good"
)
BAD = sheet(
    {place: "to the left" if place[1] == GOAL else "no" for place in VOTES.rows()}, model="bad"
)


def carded(*sheets: Sheet, votes: Labels = VOTES, **plan: object) -> Scorecard:
    return scorecard(
        votes, sheets, np.random.default_rng(0), plan=ScorePlan(**plan)  # type: ignore[arg-type]
    )  # fmt: skip


def means(card: Scorecard, section: str = "category") -> dict[str, dict[str, float | None]]:
    return {
        each.row.name: {name: score.mean for name, score in each.scores[section].items()}
        for each in card.rows
    }


def test_on_common_questions_every_row_is_over_what_all_models_answered() -> None:
    goals = sheet({place: "ahead" for place in VOTES.rows() if place[1] == GOAL}, model="goals")
    own, common = carded(GOOD, goals), carded(GOOD, goals, questions=Over.COMMON)
    counts = [each.scores["category"]["all"].questions for each in own.rows]
    assert sorted(set(counts)) == [6, 12]
    assert {each.scores["category"]["all"].questions for each in common.rows} == {6}
    assert {each.scores["category"]["social"].questions for each in common.rows} == {0}
    # The constant answer is the one chosen on all questions, seen on fewer.
    assert (
        means(common)["constant answer"]["all"] == means(own, "question")["constant answer"][GOAL]
    )
    assert carded(questions=Over.COMMON).rows[0].scores == carded().rows[0].scores


def test_baselines_stand_before_models() -> None:
    card = carded(GOOD, BAD)
    assert [each.row.name for each in card.rows] == [
        "human oracle", "average human", "constant answer", "random", "always first", "good", "bad",
    ]  # fmt: skip
    assert [each.row.group for each in card.rows][-2:] == [Group.MODEL] * 2
    assert means(card)["good"] == pytest.approx(
        {"all": 0.8, "spatial": 0.8, "spatiotemporal": None, "social": 0.8}
    )


def test_rules_stand_among_the_baselines_and_are_compared_with() -> None:
    rules = sheet(dict.fromkeys(VOTES.rows(), "yes"), model="rules (tracks)")
    card = scorecard(VOTES, [GOOD], np.random.default_rng(0), rules=[rules])
    assert card.rows[2].row.name == "rules (tracks)"
    assert card.rows[2].row.group is Group.BASELINE
    pairs = [(pair.first, pair.second) for pair in card.pairs]
    assert pairs == [("good", "rules (tracks)"), ("good", "constant answer")]


def test_every_model_is_compared_with_the_constant_answer_and_those_before_it() -> None:
    card = carded(GOOD, BAD)
    assert [(pair.first, pair.second) for pair in card.pairs] == [
        ("good", "constant answer"), ("bad", "constant answer"), ("bad", "good"),
    ]  # fmt: skip
    assert card.pairs[2].difference.score.mean == pytest.approx(-0.6)
    assert card.pairs[2].p == pytest.approx(3 * (card.pairs[2].difference.p or 0))


def test_models_are_held_against_one_more_person() -> None:
    tests = {each.row.name: each.against_person for each in carded(GOOD).rows}
    assert tests["human oracle"] is None
    assert tests["average human"] is None
    good = tests["good"]
    assert good is not None
    assert good.difference == pytest.approx(0.8 - 0.6)


def test_the_seed_decides_the_bytes() -> None:
    votes = read_labels_of_many(np.random.default_rng(3))
    first, again = (carded(votes=votes) for _ in range(2))
    assert first.rows[0].scores == again.rows[0].scores
    other = scorecard(votes, [], np.random.default_rng(1))
    assert other.rows[0].scores != first.rows[0].scores


def read_labels_of_many(rng: np.random.Generator) -> Labels:
    asked = tuple(each for scene in SCENES for each in questions(scene, (1, 2)))
    counts = np.zeros((len(asked), 7), int)
    for row, each in enumerate(asked):
        counts[row, : len(each.kind.options)] = rng.integers(0, 5, len(each.kind.options))
        counts[row, 0] += 2
    return Labels(questions=asked, counts=counts)


@pytest.fixture(scope="module")
def synthetic(staged: Path) -> Path:
    return staged


@pytest.fixture(scope="module")
def truth() -> Sheet:
    answers = {
        (scene, key): (Answer(option=option),)
        for scene, options in truths(3).items()
        for key, option in options.items()
    }
    return Sheet(model="truth", answers=answers)


def expected(folder: Path) -> dict[str, dict[str, dict[str, str]]]:
    content = json.loads(next(folder.rglob("expected.json")).read_text())
    return content.get("scores", content)


def groups(card: Scorecard, name: str) -> Iterator[tuple[str, float | None, float | None, int]]:
    each = next(each for each in card.rows if each.row.name == name)
    for section in ("category", "question"):
        for group, found in each.scores[section].items():
            yield group, found.mean, each.weighted[section][group].mean, found.questions


@pytest.mark.extra("camera")
@pytest.mark.parametrize("row", NAMES)
def test_scores_agree_with_the_exact_fractions(synthetic: Path, truth: Sheet, row: str) -> None:
    card = carded(truth, votes=read_labels(synthetic))
    wanted = expected(synthetic)[row]
    for group, mean, weighted, count in groups(card, NAMES[row]):
        assert count == int(wanted[group]["questions"])
        assert mean == pytest.approx(float(Fraction(wanted[group]["pa"])))
        assert weighted == pytest.approx(float(Fraction(wanted[group]["cwpa"])))


@pytest.mark.extra("camera")
@pytest.mark.parametrize("row", ["oracle", "average_human", "truth", "first"])
def test_published_scores_agree_with_the_exact_fractions(
    synthetic: Path, truth: Sheet, row: str
) -> None:
    card = carded(truth, votes=read_labels(synthetic), variant=Variant.PUBLISHED)
    wanted = expected(synthetic)[f"published_{row}"]
    for group, mean, weighted, count in groups(card, NAMES[row]):
        assert count == int(wanted[group]["questions"])
        assert mean == pytest.approx(float(Fraction(wanted[group]["pa"])))
        assert weighted == pytest.approx(float(Fraction(wanted[group]["cwpa"])))


@pytest.mark.extra("camera")
def test_constants_and_the_peeking_oracle_agree_with_the_exact_fractions(synthetic: Path) -> None:
    votes = read_labels(synthetic)
    marks = marking(votes, Variant.DEFINITION)
    chosen = constants(votes, marks)
    worth = marks.agreement[np.arange(len(chosen)), chosen]
    wanted = expected(synthetic)
    assert worth.mean() == pytest.approx(float(Fraction(wanted["constant"]["all"]["pa"])))
    peeking = np.nanmean(left_out_oracle(votes.counts))
    assert peeking == pytest.approx(float(Fraction(wanted["oracle_left_out"]["all"]["pa"])))


@pytest.mark.extra("camera")
def test_people_of_the_synthetic_set_are_scored_by_name(synthetic: Path) -> None:
    card = carded(votes=read_labels(synthetic))
    assert card.people
    assert sum(len(each.questions) for each in card.people) == (
        card.labels.people[card.labels.people > 1].sum()
    )
