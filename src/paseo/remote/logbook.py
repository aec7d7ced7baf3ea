"""The run that a server writes: what is left to do, under whose name, and what came of it."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path

from paseo.errors import InputError
from paseo.planners.choices import PlannerChoice
from paseo.planners.names import PLANNERS
from paseo.registry.trust import Consent, agreed, remember
from paseo.suite.runners.answers import finished
from paseo.suite.runners.carrying_out import driven
from paseo.suite.runners.preparing import check_worlds
from paseo.suite.runners.runner import Task
from paseo.suite.running import Run
from paseo.suite.runs.imports import code_of_worlds
from paseo.suite.runs.jobs import Job, RunPlan, jobs_of
from paseo.suite.runs.planning import RunOptions, decided, plan_run
from paseo.suite.runs.results import Result
from paseo.suite.runs.rundir import RunDirectory
from paseo.suite.runs.timing import Timing
from paseo.version import paseo_version
from paseo.world.motion import Control
from paseo.world.recordfile import load_record
from paseo.world.records import Provenance, Record

JOYSTICK = "joystick"  # how a robot was driven, unless somebody says otherwise


class Logbook:
    """A run directory that clients fill: one after the other under one name, or several at once."""

    def __init__(
        self, directory: RunDirectory, plan: RunPlan, *, transport: str = JOYSTICK
    ) -> None:
        self._directory, self._plan, self._transport = directory, plan, transport
        self._listed = plan, jobs_of(plan)
        self._results = directory.agreeing(plan)
        self._called: str | None = None

    @property
    def jobs(self) -> list[Job]:
        """All there is to do, in order."""
        if self._listed[0] is not self._plan:
            self._listed = self._plan, jobs_of(self._plan)
        return self._listed[1]

    @property
    def left(self) -> list[Job]:
        """What has no result yet, in order."""
        return [job for job in self.jobs if job.key not in self._results]

    def call(self, name: str) -> None:
        """Say under whose name the results are; once there is one, the name stays."""
        if name == self._called:
            return
        choice = PlannerChoice(row_name(name, self._transport))
        if self._plan.planners == (choice,):
            self._called = name
            return
        if self._results:
            raise InputError(
                f"the client calls itself '{name}', but {self._directory.folder} holds the run of "
                f"'{self._plan.planners[0].label}'; serve it into another out",
                parameters=("out",),
            )
        self._plan = replace(self._plan, planners=(choice,), planner_hashes={choice.reference: ""})
        self._directory.replan(self._plan)

    def provenance(self, control: Control) -> Provenance:
        """How the records of this run are made."""
        return Provenance(
            paseo_version=paseo_version(),
            planner=self._plan.planners[0].reference,
            control=control,
            transport=self._transport,
        )

    def jobs_of_row(self, name: str) -> list[Job]:
        """All there is to do under a name, whether or not there is a result of it."""
        choice = PlannerChoice(row_name(name, self._transport))
        return jobs_of(replace(self._plan, planners=(choice,)))

    def results_of(self, jobs: Sequence[Job]) -> list[Result]:
        """Those that there are."""
        return [self._results[job.key] for job in jobs if job.key in self._results]

    def made(self, jobs: Sequence[Job]) -> Provenance | None:
        """How the first record that there is of these jobs was made; None: there is none."""
        found = self.results_of(jobs)
        return load_record(self._directory.records / found[0].record).provenance if found else None

    @property
    def is_begun(self) -> bool:
        """Whether there are results."""
        return bool(self._results)

    def begin_row(self, job: Job) -> None:
        """Make room for the results of the job's planner beside those of others."""
        begun = {each.planner for each in self._results.values()}
        others = tuple(each for each in self._plan.planners if each.label in begun)
        if job.planner not in others:
            planners = (*others, job.planner)
            hashes = {each.reference: "" for each in planners}
            self._plan = replace(self._plan, planners=planners, planner_hashes=hashes)
            self._directory.replan(self._plan)

    def keep(
        self,
        job: Job,
        record: Record,
        waits: Sequence[float],
        charged: Sequence[float] | None = None,
    ) -> Result:
        """Write down what came of a job; it is on disk when this returns.

        `waits` are the seconds for each command, `charged` those that were measured and charged.
        """
        same = (each for each in self.jobs if each.key == job.key)
        renamed = (each for each in self.jobs if _place(each) == _place(job))
        job = next(chain(same, renamed))  # as it is called now
        charged_s = None if charged is None else tuple(charged)
        timing = Timing(planning_s=tuple(waits), charged_s=charged_s)
        done = finished(Task(job, record.provenance), driven(record, timing))
        self._directory.add(done.result, record=done.record, timing=done.timing)
        self._results[job.key] = done.result
        return done.result

    def closed(self) -> Run:
        """The run as far as it has come, with a table of its results."""
        found = self.results_of(self.jobs)
        self._directory.write_table(found)
        return Run(folder=self._directory.folder, plan=self._plan, results=tuple(found))


def asked_plan(
    target: str | Path | None, options: RunOptions, *, resume: bool, nobody: str
) -> RunPlan | None:
    """The plan of a new run, of `nobody` until a client comes; None where an old one is resumed."""
    if not resume:
        plan = plan_run(target, PlannerChoice(nobody), options)
        remember(code_of_worlds(plan))
        check_worlds(plan)
        return plan
    given = [*(["target"] if target is not None else []), *decided(options)]
    if given:
        raise InputError(
            f"{', '.join(given)} would change the run that resume is to finish; omit that",
            parameters=(*given, "resume"),
        )
    return None


def begun(directory: RunDirectory, plan: RunPlan | None, trust: Consent) -> RunPlan:
    """A new run of the plan, or the one in the directory where there is none.

    `trust` is asked before code is imported that only the directory names.
    """
    if plan is not None:
        directory.create(plan)
        return plan
    stored = directory.reopen()
    agreed(code_of_worlds(stored), trust, whose=f"the run in {directory.folder}")
    return stored


def row_name(name: str, transport: str = JOYSTICK) -> str:
    """A client's name in tables; one that is a planner's of Paseo is told apart from it."""
    return f"{transport}:{name}" if name.partition(":")[0] in PLANNERS.targets() else name


def _place(job: Job) -> tuple[str, int, float | None, float | None, str | None]:
    return job.episode.name, job.seed, job.reactivity, job.latency_s, job.sensing
