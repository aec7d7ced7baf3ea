from dataclasses import replace
from pathlib import Path

import pytest

from meetings import meeting, walk
from paseo.suite.runs.jobs import jobs_of
from paseo.suite.runs.planning import RunOptions, plan_run
from paseo.suite.runs.results import Result, result_of, summaries
from paseo.world.records import Outcome, Verdict
from runs import suite


def result(verdict: Verdict, time_s: float, **changes: object) -> Result:
    reached = verdict in (Verdict.SUCCESS, Verdict.PERSON_COLLISION)
    fields = {
        "episode": "one", "planner": "straight", "control": "velocity", "seed": 0, "rule": "",
        "verdict": verdict, "reason": "", "person_contacts": 0, "time_s": time_s, "record": "",
        "outcome": Outcome.REACHED_GOAL if reached else Outcome.HIT_WALL, "sha256": "",
        "caused_contacts": 0, "shared_contacts": 0, "walked_into_contacts": 0,
        "time_limit_s": 60.0,
    }  # fmt: skip
    return Result(**{**fields, **changes})  # type: ignore[arg-type]


def test_hitting_a_wall_early_makes_no_planner_look_fast() -> None:
    """A success in 20 s, an arrival with a contact in 10 s, a wall after 2 s."""
    (found,) = summaries(
        [
            result(Verdict.SUCCESS, 20.0),
            result(Verdict.PERSON_COLLISION, 10.0, person_contacts=3, shared_contacts=3),
            result(Verdict.WALL_COLLISION, 2.0),
        ]
    )
    assert found.success_time_s == 20.0
    assert found.time_to_goal_s == pytest.approx((20 + 10 + 60) / 3)
    assert (found.person_contacts, found.shared_contacts) == (3, 3)


def test_planners_at_another_latency_are_summed_up_apart() -> None:
    lines = [result(Verdict.SUCCESS, 20.0, latency_s=each) for each in (None, 0.0, 0.5, 0.5)]
    found = summaries(lines)
    assert [(each.latency_s, each.episodes) for each in found] == [(None, 1), (0.0, 1), (0.5, 2)]
    assert lines[0].key == "one/straight/0"
    assert len({each.key for each in lines}) == 3


def test_without_a_success_there_is_no_time_of_successes() -> None:
    (found,) = summaries([result(Verdict.WALL_COLLISION, 2.0)])
    assert (found.success_time_s, found.time_to_goal_s) == (None, 60.0)


def test_results_from_before_causes_were_told_leave_the_sums_open() -> None:
    old = result(Verdict.WALL_COLLISION, 2.0, caused_contacts=None, time_limit_s=None)
    (found,) = summaries([old, result(Verdict.SUCCESS, 20.0)])
    assert (found.caused_contacts, found.shared_contacts) == (None, 0)
    assert (found.success_time_s, found.time_to_goal_s) == (20.0, None)


def test_a_result_tells_its_contacts_by_their_cause(tmp_path: Path) -> None:
    job = jobs_of(plan_run(suite(tmp_path), "straight", RunOptions(data=tmp_path)))[0]
    met = meeting(walk((5, 5), (0, 0)), walk((8, 5), (-1.2, 0)))
    found = result_of(job, met, b"")
    causes = found.caused_contacts, found.shared_contacts, found.walked_into_contacts
    assert (found.person_contacts, causes) == (1, (0, 0, 1))
    assert found.time_limit_s == met.scenario.time_limit
    nobody = result_of(job, replace(met, contacts=()), b"")
    assert (nobody.person_contacts, nobody.walked_into_contacts) == (0, 0)
