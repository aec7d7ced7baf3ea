"""Simulated raters of clips: nearly all of the bad are found, nearly all of the careful kept."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest

from paseo.cli.main import main
from paseo.survey.screening.conduct import conducts
from paseo.survey.screening.findings import Rule
from paseo.survey.screening.screening import RULES, screen_study, screened
from paseo.survey.store.content import read_content
from paseo.survey.study.content import Repeat
from paseo.survey.study.folder import Study
from paseo.survey.study.ratings.steps import ClipStep
from paseo.survey.study.settings import USUAL_RULES, Kind
from rated_studies import rate, tiny_ratings
from raters import BAD, raters_of
from studies import Hand, opened_visits

ASPECTS = ("comfort", "legibility", "politeness", "competence")
USUAL = USUAL_RULES[Kind.RATINGS]
FOUND, LOST = 0.95, 0.03  # at least of the bad, at most of the careful


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Study:
    folder = tmp_path_factory.mktemp("ratings") / "study"
    return tiny_ratings(folder, episodes=10, ask=ASPECTS, scenes_each=8)


def shares_out(
    study: Study, *, bad: float, studies: Sequence[int], by: Collection[Rule] = tuple(Rule)
) -> Mapping[str, float]:
    """The share of each kind of rater that these rules leave out, over studies of these sizes."""
    total: Counter[str] = Counter()
    out: Counter[str] = Counter()
    for number, people in enumerate(studies):
        made = raters_of(study, people, bad, np.random.default_rng([number, people]))
        found = screened([each for _, each in made], USUAL, by=RULES[Kind.RATINGS])
        for (kind, _), each in zip(made, found, strict=True):
            for name in (kind, *(["bad"] if kind in BAD else [])):
                total[name] += 1
                out[name] += bool({*each.out_by} & {*by})
    return {kind: out[kind] / total[kind] for kind in total}


def test_the_bad_are_found_and_the_careful_are_kept(study: Study) -> None:
    shares = shares_out(study, bad=0.3, studies=[20] * 2 + [75] * 3)
    assert shares["bad"] >= FOUND
    assert shares["careful"] <= LOST


@pytest.mark.slow
@pytest.mark.parametrize("bad", [0.1, 0.3])
def test_it_holds_at_every_size_and_share(study: Study, bad: float) -> None:
    shares = shares_out(study, bad=bad, studies=[20] * 20 + [75] * 5)
    assert shares["bad"] >= FOUND
    assert shares["careful"] <= LOST


def test_who_rates_by_lot_is_mostly_found_by_what_they_saw_twice(study: Study) -> None:
    shares = shares_out(study, bad=0.3, studies=[75] * 2, by=[Rule.CONSISTENCY])
    assert shares["random"] >= 0.6
    assert shares["constant"] == 0
    assert shares["careful"] <= LOST


def taste(step: ClipStep, key: str) -> str:
    return step.choices[sum(map(ord, step.clips[0] + key)) % len(step.choices)]


def one_rater(study: Study, *, seconds: float = 20.0) -> None:
    with opened_visits(study, Hand()) as visits:
        rate(visits, 0, taste, seconds=seconds)


def test_time_that_a_clip_takes_is_no_time_to_think(tmp_path: Path) -> None:
    study = tiny_ratings(tmp_path / "study", episodes=4, scenes_each=6)
    one_rater(study)
    (found,) = conducts(study, read_content(study))
    # 12 s on a page by the browser, 2 s of them the clip, two questions and at times a check.
    assert set(found.pace) == {10 / 2, 10 / 3}


def test_who_leaves_before_the_clip_has_ended_is_too_fast(tmp_path: Path) -> None:
    study = tiny_ratings(tmp_path / "study", episodes=4, scenes_each=6)
    one_rater(study, seconds=1.5)
    (found,) = screen_study(study.folder).people
    assert (found.findings[Rule.SPEED].value or 0) < 0
    assert found.out_by == (Rule.SPEED,)


@pytest.mark.parametrize("points", [7, 0])
def test_who_says_the_same_of_what_is_shown_again_is_consistent(
    tmp_path: Path, points: int
) -> None:
    """Also of pairs that come the other way round, which is another place in the list."""
    asking = {"points": points, "again": 0.5}
    study = tiny_ratings(tmp_path / "study", episodes=4, scenes_each=8, asking=asking)

    def settled(step: ClipStep, key: str) -> str:
        if not step.is_pair:
            return taste(step, key)
        return ("first", "second")[step.clips[0] > step.clips[1]]

    with opened_visits(study, Hand()) as visits:
        rate(visits, 0, settled)
    (found,) = screen_study(study.folder).people
    finding = found.findings[Rule.CONSISTENCY]
    assert (finding.value, finding.rests_on) == (1.0, 2 * 4)


def test_a_pair_that_is_turned_repeats_its_place(tmp_path: Path) -> None:
    study = tiny_ratings(tmp_path / "study", episodes=1, asking={"points": 0})
    one, other, _ = study.content.units
    first, again = f"{one}-{other}-1", f"{one}-{other}-2-again"
    assert study.content.repeat(again, [first, again]) == Repeat(first, turned=True)
    assert study.content.repeat(first, [first, again]) is None
    assert study.content.repeat(again, [again]) is None


def test_the_command_tells_of_rules_that_ratings_are_screened_by(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    study = tiny_ratings(tmp_path / "study", episodes=4, scenes_each=8)
    one_rater(study)
    assert main(["survey", "screen", str(study.folder)]) == 0
    told = capsys.readouterr().out
    assert "consistency" in told
    assert "agreement" not in told
    assert "1 of 1 people are kept" in told


def test_twice_is_counted_only_where_both_were_answered(tmp_path: Path) -> None:
    study = tiny_ratings(tmp_path / "study", episodes=4, scenes_each=4)
    with opened_visits(study, Hand()) as visits:
        rate(visits, 0, taste, places=1)
    (found,) = conducts(study, read_content(study))
    assert found.twice == ()
