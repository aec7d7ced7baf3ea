from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from paseo.data.suites.episodes import Choices
from paseo.data.suites.suite_file import ReactionEntry, Settings, read_suite
from paseo.planners.choices import PlannerChoice, parse_planners
from paseo.suite.runs.jobs import RunPlan, jobs_of
from paseo.world.clocks import ClockName, Timekeeping
from paseo.world.scenarios import Reaction, ReactionModel
from runs import suite


@pytest.fixture
def plan(tmp_path: Path) -> RunPlan:
    return RunPlan(
        name="room",
        episodes=tuple(read_suite(suite(tmp_path)).episodes),
        planners=tuple(parse_planners("straight,straight:speed=0.5")),
        seeds=(0, 7),
        control=None,
        choices=Choices(),
        data=Path(),
    )


def test_there_is_one_job_for_each_planner_episode_and_seed_in_this_order(plan: RunPlan) -> None:
    jobs = jobs_of(plan)
    assert len(jobs) == 2 * 3 * 2
    assert [job.key for job in jobs[:3]] == ["one/straight/0", "one/straight/7", "two/straight/0"]
    assert jobs[-1].key == "three/straight:speed=0.5/7"
    assert len({job.key for job in jobs}) == len({job.record for job in jobs}) == len(jobs)


def test_every_latency_has_jobs_keys_and_records_of_its_own(plan: RunPlan) -> None:
    charged = replace(plan, timekeeping=Timekeeping(clock=ClockName.CHARGED))
    slow = replace(charged, seeds=(0,), latencies=(0.0, 0.5), reactivities=(0.5,))
    jobs = jobs_of(slow)
    assert [job.latency_s for job in jobs] == [0.0] * 6 + [0.5] * 6
    assert len({job.key for job in jobs}) == len({job.record for job in jobs}) == 12
    assert jobs[-1].key == "three/straight:speed=0.5/0/0.5/latency=0.5"
    assert jobs[0].record == "one--straight--0--0.5--latency=0.0.npz"
    (undelayed, *_) = jobs_of(plan)
    assert undelayed.latency_s is None
    alone = replace(charged, latencies=(0.5,))
    turned = replace(plan, reactivities=(0.5,))
    assert {job.key for job in jobs_of(alone)}.isdisjoint(job.key for job in jobs_of(turned))


def test_a_record_has_a_name_one_can_read(plan: RunPlan) -> None:
    names = [job.record for job in jobs_of(plan)]
    assert names[0] == "one--straight--0.npz"
    assert names[-1].startswith("three--straight_speed=0.5-")


def test_labels_that_differ_only_in_what_a_file_name_cannot_hold_do_not_share_records(
    plan: RunPlan, tmp_path: Path
) -> None:
    text = "class A:\n    control = 'velocity'\n    def begin(self, b): pass\n    plan = begin\n"
    for name in ("a b.py", "a_b.py"):
        (tmp_path / name).write_text(text)
    references = [f"{tmp_path}/a b.py:A", f"{tmp_path}/a_b.py:A"]
    both = replace(plan, planners=tuple(map(PlannerChoice, references)))
    jobs = jobs_of(both)
    assert len({job.record for job in jobs}) == len(jobs)
    assert all("/" not in job.record and " " not in job.record for job in jobs)


def test_the_longest_name_still_fits_a_file_name(plan: RunPlan) -> None:
    entry = msgspec.structs.replace(plan.episodes[0], name="ö" * 100)
    twin = msgspec.structs.replace(entry, name="ö" * 99 + "ä")
    jobs = jobs_of(replace(plan, episodes=(entry, twin)))
    assert all(len(job.record.encode()) < 200 for job in jobs)
    assert len({job.record for job in jobs}) == len(jobs)


def test_a_job_has_room_for_every_command(plan: RunPlan) -> None:
    (job, *_) = jobs_of(replace(plan, choices=Choices(settings=Settings(dt_s=0.3))))
    assert job.steps >= 2.0 / 0.3


def test_a_finished_run_can_be_looked_at_where_its_planner_is_gone(plan: RunPlan) -> None:
    gone = replace(plan, planners=(PlannerChoice("gone.py:A"),))
    assert next(job.key for job in jobs_of(gone)) == "one/gone.py:A/0"


def test_the_reaction_of_a_plan_is_the_strongest_that_any_job_has(plan: RunPlan) -> None:
    assert plan.reaction is None
    turned = replace(plan, reactivities=(0.0, 0.5))
    assert turned.reaction == Reaction(by=ReactionModel.SOCIAL_FORCE, reactivity=0.5)
    settings = Settings(reaction=ReactionEntry(by=ReactionModel.ORCA))
    given = replace(plan, choices=Choices(settings=settings))
    assert given.reaction == Reaction(by=ReactionModel.ORCA)
    assert replace(given, reactivities=(0.0,)).reaction == Reaction(
        by=ReactionModel.ORCA, reactivity=0.0
    )
