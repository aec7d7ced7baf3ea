"""The runs that people's drives make: one of every episode's first drive, one of the second..."""

import threading
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Self

from paseo.data.suites.suite_file import EpisodeEntry
from paseo.errors import InputError
from paseo.files import held_folder, write_whole
from paseo.planners.choices import PlannerChoice
from paseo.remote.play.inputs import Pressed, inputs_bytes, inputs_file
from paseo.suite.runners.answers import finished
from paseo.suite.runners.carrying_out import driven
from paseo.suite.runners.runner import Task
from paseo.suite.runs.jobs import Job, RunPlan, jobs_of
from paseo.suite.runs.results import Result
from paseo.suite.runs.rundir import RunDirectory, same
from paseo.version import paseo_version
from paseo.world.motion import Control
from paseo.world.records import Provenance, Record

PERSON = "person"  # the row of all who drive
TRANSPORT = "play"
ROUND = "round-"
CLOCK = "a person drove, in real time"
MADE = Provenance(
    paseo_version=paseo_version(),
    planner=PERSON,
    control=Control.VELOCITY,
    clock=CLOCK,
    transport=TRANSPORT,
)


class Drives:
    """A folder with a run for each round; the n-th drive of an episode is in round n.

    A round's seed is one more than that of the round before, so that all of them can be compared
    at once. Whatever has been driven is a finished run at any moment. Threads may share it.
    """

    def __init__(self, folder: Path, plan: RunPlan) -> None:
        self.folder = folder
        self._plan = driven_by_people(plan)
        self._rounds: dict[int, _Round] = {}
        self._taken: set[tuple[str, int]] = set()  # an episode and its seed, while it is driven
        self._lock, self._stack = threading.RLock(), ExitStack()

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            stack.enter_context(held_folder(self.folder, by="paseo play"))
            for file in sorted(self.folder.glob(f"{ROUND}*/run.json")):
                number = file.parent.name.removeprefix(ROUND)
                if number.isdecimal():
                    self._rounds[int(number)] = self._round(int(number), stack)
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def _round(self, number: int, stack: ExitStack) -> "_Round":
        directory = stack.enter_context(RunDirectory(self.folder / f"{ROUND}{number}"))
        return _Round(directory, replace(self._plan, seeds=(self._plan.seeds[0] + number - 1,)))

    @property
    def rounds(self) -> tuple[Path, ...]:
        """The run directories, the first drives first."""
        return tuple(self.folder / f"{ROUND}{number}" for number in sorted(self._rounds))

    @property
    def results(self) -> tuple[Result, ...]:
        """Of everything that was driven, round after round."""
        with self._lock:
            return tuple(r for _, each in sorted(self._rounds.items()) for r in each.results)

    def begin(self, entry: EpisodeEntry) -> Job:
        """The next drive of an episode, which is nobody else's until it is dropped."""
        with self._lock:
            driven = {(each.entry, each.seed) for each in self.results} | self._taken
            seeds = count(self._plan.seeds[0])
            seed = next(each for each in seeds if (entry.name, each) not in driven)
            self._taken.add((entry.name, seed))
            return jobs_of(replace(self._plan, episodes=(entry,), seeds=(seed,)))[0]

    def drop(self, job: Job) -> None:
        """Let somebody else have a drive that was begun, unless it was kept."""
        with self._lock:
            self._taken.discard((job.episode.name, job.seed))

    def keep(self, job: Job, record: Record, inputs: Sequence[Pressed]) -> Result:
        """Write down a drive and what was pressed; both are on disk when this returns."""
        with self._lock:
            number = job.seed - self._plan.seeds[0] + 1
            if number not in self._rounds:
                self._rounds[number] = self._round(number, self._stack)
            return self._rounds[number].keep(job, record, inputs)


class _Round:
    """One run, whose plan grows with every drive."""

    def __init__(self, directory: RunDirectory, plan: RunPlan) -> None:
        self._directory, self._plan = directory, replace(plan, episodes=())
        self._found: dict[str, Result] = {}
        if directory.exists:
            stored = directory.reopen()
            if not same(replace(stored, episodes=()), self._plan):
                raise InputError(
                    f"{directory.folder} holds drives of something else; choose another out",
                    parameters=("out",),
                )
            self._plan, self._found = stored, directory.agreeing(stored)

    @property
    def results(self) -> list[Result]:
        return [self._found[job.key] for job in jobs_of(self._plan) if job.key in self._found]

    def keep(self, job: Job, record: Record, inputs: Sequence[Pressed]) -> Result:
        """The plan names a drive only once its result is there, so the run is always finished."""
        directory, plan = self._directory, self._plan
        if job.episode not in plan.episodes:
            plan = replace(plan, episodes=(*plan.episodes, job.episode))
        if not directory.exists:
            directory.create(plan)
        done = finished(Task(job, record.provenance), driven(record))
        write_whole(inputs_file(directory.records / job.record), inputs_bytes(inputs))
        directory.add(done.result, record=done.record, timing=done.timing)
        directory.replan(plan)
        self._plan = plan
        self._found[job.key] = done.result
        directory.write_table(self.results)
        return done.result


def driven_by_people(plan: RunPlan) -> RunPlan:
    """The plan with a person in the place of its planners, who drives every episode once."""
    return replace(
        plan,
        planners=(PlannerChoice(PERSON),),
        planner_hashes={PERSON: ""},
        seeds=plan.seeds[:1],
        control=Control.VELOCITY,
        reactivities=plan.reactivities[:1],
    )
