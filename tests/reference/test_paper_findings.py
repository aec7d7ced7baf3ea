"""What becomes of the paper's claims: found, not found, or not to be told by 33 episodes."""

import numpy as np
import pytest
from findings import CLAIMS, Outcome, difference, findings
from paper_tables import ROWS

from paseo.metrics.comparison.clusters import Stretch
from paseo.metrics.comparison.measured import MeasuredEpisode
from paseo.metrics.comparison.rows import Row
from paseo.world.motion import Control
from paseo.world.records import Verdict

SOCIAL, ORCA, CADRL, BASELINE = ROWS
METRICS = {claim.metric for claim in CLAIMS} - {"success"}


def episode(name, k, value, *, completed=True):
    verdict = Verdict.SUCCESS if value < 10 else Verdict.PERSON_COLLISION
    return MeasuredEpisode(
        row=Row(planner=name, control=Control.POSITION, rule="socnavbench", robot=None),
        episode=f"e{k}", seed=0, window=(Stretch(f"w{k // 2}", 0.0, 60.0),), verdict=verdict,
        completed=completed, time_s=10.0, time_limit_s=60.0,
        values=dict.fromkeys(METRICS, value), moments={}, machine="",
    )  # fmt: skip


def rows(means, spread=0.0):
    """20 episodes in 10 windows; `spread` is shared by nobody."""
    rng = np.random.default_rng(0)
    return {
        name: [episode(name, k, mean + spread * rng.normal()) for k in range(20)]
        for name, mean in zip(ROWS, means, strict=True)
    }


def outcomes(episodes):
    return {each.claim: each.outcome for each in findings(episodes)}


def test_a_claim_is_found_against_all_belied_by_one_or_not_to_be_told():
    found = outcomes(rows((9.0, 5.0, 1.0, 4.0), spread=0.5))
    assert found["SA-CADRL has the shortest paths"] is Outcome.FOUND
    assert found["Social Forces is the fastest"] is Outcome.FOUND
    assert found["ORCA has the longest paths"] is Outcome.NOT_FOUND
    alike = outcomes(rows((5.0, 5.0, 5.0, 5.0), spread=0.5))
    assert alike["ORCA has the longest paths"] is Outcome.NOT_DISTINGUISHABLE


def test_the_second_most_needs_one_row_ahead_and_the_others_behind():
    episodes = rows((1.0, 1.0, 99.0, 99.0))
    episodes[ORCA][:8] = [episode(ORCA, k, 99.0) for k in range(8)]
    assert outcomes(episodes)["ORCA has the second most successes"] is Outcome.FOUND
    episodes[SOCIAL] = [episode(SOCIAL, k, 99.0) for k in range(20)]
    assert outcomes(episodes)["ORCA has the second most successes"] is Outcome.NOT_FOUND


def test_differences_are_paired_over_episodes():
    a = [episode("a", k, 10.0 * k + 1.0 + 0.1 * (k % 3)) for k in range(20)]
    b = [episode("b", k, 10.0 * k) for k in range(20)]
    found = difference(a, b, lambda each: each.values["path_length"])
    assert found.mean == pytest.approx(1.095)
    assert 1.0 < found.low < found.high < 1.2


def test_no_incomplete_episode_cannot_be_told_from_one_but_many_can():
    claim = "each planner leaves one episode incomplete, all different"
    episodes = rows((1.0, 1.0, 1.0, 1.0))
    assert outcomes(episodes)[claim] is Outcome.NOT_DISTINGUISHABLE
    for k, name in enumerate(ROWS):
        episodes[name][k] = episode(name, k, 1.0, completed=False)
    assert outcomes(episodes)[claim] is Outcome.FOUND
    episodes[BASELINE][:8] = [episode(BASELINE, k, 1.0, completed=False) for k in range(8)]
    assert outcomes(episodes)[claim] is Outcome.NOT_FOUND
