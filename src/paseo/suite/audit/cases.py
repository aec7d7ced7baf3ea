"""The cases of an audit: every decision of a driven run, what was believed, true, and followed."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from paseo.data.store.locations import DataFolder
from paseo.deciding.decisions import Decision, decisions_file, read_decisions
from paseo.errors import BadValue, InputError
from paseo.metrics.comparison.clusters import clusters
from paseo.planners.choices import PlannerChoice
from paseo.suite.runs.jobs import jobs_of
from paseo.suite.runs.rundir import RunDirectory
from paseo.suite.windows import window_of
from paseo.vqa.questions.questions import Option, kinds
from paseo.world.clocks import ClockName
from paseo.world.recordfile import load_record
from paseo.world.records import Record

PLANNER = "vlm"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Drive:
    """One episode that a model drove, with its decisions."""

    key: str
    cluster: int  # episodes of one cluster share people
    planner: PlannerChoice
    record: Record
    decisions: tuple[Decision, ...]


def audited_drives(folder: Path, planner: str | None = None) -> list[Drive]:
    """The finished drives of a run by one planner that asked a model, in the order of the plan."""
    plan = RunDirectory(folder).plan()
    if plan.timekeeping.clock is ClockName.ASYNC:
        raise BadValue(
            f"{folder}: {plan.timekeeping.depends}, so that no decision can be made again in the "
            "same moment; audit a run by the clock sync or charged"
        )
    chosen = _chosen(asking_planners(folder), planner, folder)
    ((_, found),) = drives_by(folder, [chosen])
    if not any(each.truth and each.answers for drive in found for each in drive.decisions):
        raise InputError(
            f"{folder}: none of its decisions has answers to questions, expected a run of the "
            "planner vlm that thinks about questions (think=questions)"
        )
    return found


def asking_planners(folder: Path) -> list[PlannerChoice]:
    """The planners of a run that ask a model, in the order of the plan."""
    jobs = jobs_of(RunDirectory(folder).plan())
    by_label = {job.planner.label: job.planner for job in jobs if job.planner.reference == PLANNER}
    return list(by_label.values())


def drives_by(
    folder: Path, planners: Iterable[PlannerChoice]
) -> Iterator[tuple[PlannerChoice, list[Drive]]]:
    """The finished drives of a run by each of these, with what it noted."""
    directory = RunDirectory(folder)
    plan = directory.plan()
    jobs = jobs_of(plan)
    results = directory.finished(jobs)
    data = DataFolder(plan.data)
    windows = [window_of(entry, plan.choices.rule, data) for entry in plan.episodes]
    names = [entry.name for entry in plan.episodes]
    cluster = dict(zip(names, clusters(windows).tolist(), strict=True))
    for choice in planners:
        found = []
        for job in jobs:
            if job.planner != choice or job.key not in results:
                continue
            result = results[job.key]
            path = directory.records / result.record
            notes = decisions_file(path)
            if notes.is_file():
                found.append(
                    Drive(
                        key=job.key,
                        cluster=cluster[result.entry],
                        planner=choice,
                        record=load_record(path),
                        decisions=tuple(read_decisions(notes)),
                    )
                )
        yield choice, found


def _chosen(asking: list[PlannerChoice], name: str | None, folder: Path) -> PlannerChoice:
    if name is not None:
        asking = [each for each in asking if name in (each.label, each.parameters.get("model"))]
    if len(asking) != 1:
        known = ", ".join(each.label for each in asking)
        what = f"there are several: {known}" if asking else "there is none"
        raise InputError(
            f"{folder}: of planners {PLANNER} that ask a model {what}, expected one; name it by "
            "its model",
            parameters=("planner",),
        )
    return asking[0]


def judged(decision: Decision) -> Iterator[tuple[str, Option, Option]]:
    """Kind, what was answered and what is true, of all questions of which both are known."""
    for key, true in decision.truth.items():
        told = decision.answers.get(key)
        if told is not None and told.answer:
            kind = key if key in kinds() else key.rpartition("_p")[0]
            yield kind, told.answer, true


def wrong_kinds(decision: Decision) -> list[str]:
    """The kinds of question with a wrong answer, in the order of asking."""
    return list(dict.fromkeys(kind for kind, told, true in judged(decision) if told != true))


def right_kinds(decision: Decision) -> list[str]:
    """The kinds with answers of which none is wrong."""
    wrong = wrong_kinds(decision)
    return list(dict.fromkeys(kind for kind, _, _ in judged(decision) if kind not in wrong))
