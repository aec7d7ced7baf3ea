"""The run that a server writes: what is left to do, under whose name, and what came of it."""

from collections.abc import Sequence
from dataclasses import replace

from paseo.errors import InputError
from paseo.planners.choices import PlannerChoice
from paseo.planners.names import PLANNERS
from paseo.suite.runners.carrying_out import finished
from paseo.suite.runners.runner import Task
from paseo.suite.running import Run
from paseo.suite.runs.jobs import Job, RunPlan, jobs_of
from paseo.suite.runs.results import Result
from paseo.suite.runs.rundir import RunDirectory
from paseo.suite.runs.timing import Timing
from paseo.version import paseo_version
from paseo.world.motion import Control
from paseo.world.records import Provenance, Record

TRANSPORT = "joystick"


class Logbook:
    """A run directory that one client after the other fills, all of the same name."""

    def __init__(self, directory: RunDirectory, plan: RunPlan) -> None:
        self._directory, self._plan = directory, plan
        self._results = directory.finished(jobs_of(plan))

    @property
    def jobs(self) -> list[Job]:
        """All there is to do, in order."""
        return jobs_of(self._plan)

    @property
    def left(self) -> list[Job]:
        """What has no result yet, in order."""
        return [job for job in self.jobs if job.key not in self._results]

    def call(self, name: str) -> None:
        """Say under whose name the results are; once there is one, the name stays."""
        choice = PlannerChoice(row_name(name))
        if self._plan.planners == (choice,):
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
            transport=TRANSPORT,
        )

    def keep(self, job: Job, record: Record, waits: Sequence[float]) -> Result:
        """Write down what came of a job; it is on disk when this returns."""
        job = next(each for each in self.jobs if _place(each) == _place(job))  # as it is called now
        done = finished(Task(job, record.provenance), record, Timing(planning_s=tuple(waits)))
        self._directory.add(done.result, record=done.record, timing=done.timing)
        self._results[job.key] = done.result
        return done.result

    def closed(self) -> Run:
        """The run as far as it has come, with a table of its results."""
        found = [self._results[job.key] for job in self.jobs if job.key in self._results]
        self._directory.write_table(found)
        return Run(folder=self._directory.folder, plan=self._plan, results=tuple(found))


def row_name(name: str) -> str:
    """A client's name in tables; one that is a planner's of Paseo is told apart from it."""
    return f"{TRANSPORT}:{name}" if name in PLANNERS.targets() else name


def _place(job: Job) -> tuple[str, int, float | None, float | None]:
    return job.episode.name, job.seed, job.reactivity, job.latency_s
