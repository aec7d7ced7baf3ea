"""Run planners through a suite or an episode, from the start or from where a run stopped."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import datetime
from itertools import chain, count
from pathlib import Path

from paseo.errors import InputError
from paseo.metrics.record.contacts.causes import causes_of
from paseo.progress import Progress, silent
from paseo.registry.trust import Consent, agreed, only_known, remember
from paseo.suite.runners.kernels import compile_kernels
from paseo.suite.runners.preparing import check_unchanged, prepared
from paseo.suite.runners.runner import Runner, Task, make_runner
from paseo.suite.runners.tasks import place_of, planned, tasks_of, workers
from paseo.suite.runs.imports import code_of_planner, code_of_planners, code_of_worlds
from paseo.suite.runs.jobs import RunPlan
from paseo.suite.runs.planning import NO_TARGET, NamedPlanner, RunOptions, decided, named_planners
from paseo.suite.runs.results import Result, Summary, summaries
from paseo.suite.runs.rundir import RunDirectory, same
from paseo.suite.runs.timing import PlanningSummary, planning_summaries, read_timing, timing_words

EPISODE, FILM = "episode", "film"  # what progress counts
USUAL = RunOptions()


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """A run that has come to its end."""

    folder: Path
    plan: RunPlan
    results: tuple[Result, ...]  # in the order of the plan
    unfilmed: tuple[str, ...] = ()  # a sentence for each film that could not be made
    deaths: int = 0  # of worker processes whose episodes were then tried again
    blind: tuple[str, ...] = ()  # a sentence for each planner that may have seen nobody

    @property
    def summaries(self) -> list[Summary]:
        """How each planner did, in the order of the plan."""
        return summaries(self.results)

    @property
    def planning(self) -> list[PlanningSummary]:
        """How long each planner took, likewise."""
        return planning_summaries(self.results, self._records)

    @property
    def timing_words(self) -> str:
        """Under what load that was measured."""
        return timing_words(read_timing(self._records / each.record) for each in self.results)

    @property
    def _records(self) -> Path:
        return self.folder / "records"


class RunStopped(KeyboardInterrupt):
    """Somebody stopped a run; resuming it in its `folder` does the rest."""

    def __init__(self, folder: Path) -> None:
        super().__init__(f"{folder} holds a run that was stopped; resume it to do the rest")
        self.folder = folder


def run(
    target: str | Path | None = None,
    planners: NamedPlanner | Sequence[NamedPlanner] | None = None,
    *,
    out: Path | str | None = None,
    options: RunOptions = USUAL,
    resume: bool = False,
    progress: Progress = silent,
    trust: Consent = only_known,
) -> Run:
    """Run planners through a suite or an episode, named or in a file, into the folder `out`.

    `planners` are by default the suite's own, named as on the command line or by their classes;
    `out` is by default a new folder in runs/. With `resume` the run in `out` is finished instead,
    and neither target nor planners need to be repeated. Stopped by Ctrl-C, `RunStopped` tells
    which folder to resume. `trust` is asked before code is imported that only the run to be resumed
    names. Processes of their own run the episodes: a script must not begin a run
    while it is imported, so guard it with `if __name__ == "__main__":`.
    """
    named = target if options.replay_latency is None else target or options.replay_latency
    with RunDirectory(run_folder(named, out, resume)) as directory:
        if resume:
            plan = _resumed(directory, target, planners, options)
        else:
            plan = planned(target, planners, options)
        if resume or options.replay_latency is not None:
            _agree_again(plan, directory.folder, planners, trust)
        remember([*code_of_planners(plan), *code_of_worlds(plan)])
        known = prepared(plan)
        place = place_of(directory.folder, options)
        tasks = tasks_of(plan, known.made, alone=options.time_planning, place=place)
        runner = make_runner(options.runner, workers(tasks, options))
        if not resume:
            directory.create(plan)
        unfilmed: list[str] = []
        try:
            prepare_camera(plan, progress)
            compile_kernels(lambda news: progress(news, 0, 0), plan.planners, plan.reaction)
            with _films(directory, options.video, progress, unfilmed) as stored:
                results, deaths = _carried_out(plan, tasks, directory, runner, progress, stored)
        except KeyboardInterrupt as stop:
            raise RunStopped(directory.folder) from stop
    return Run(
        folder=directory.folder,
        plan=plan,
        results=tuple(results),
        unfilmed=tuple(unfilmed),
        deaths=deaths,
        blind=known.blind,
    )


def prepare_camera(plan: RunPlan, progress: Progress) -> None:
    """Compile the camera before it is needed, where a robot of the plan sees by one."""
    if any(plan.sights):
        from paseo.camera.view import prepare  # takes long to import

        prepare(progress)


def run_folder(target: str | Path | None, out: Path | str | None, resume: bool) -> Path:
    """The folder of a run: `out`, or else a new one in runs/."""
    if out is not None:
        return Path(out)
    if resume:
        raise InputError(
            "resume needs out to name the run directory to finish", parameters=("resume", "out")
        )
    if target is None:
        raise InputError(NO_TARGET)
    first = Path("runs") / f"{Path(target).stem}-{datetime.now():%Y%m%d-%H%M%S}"
    others = (first.with_name(f"{first.name}-{number}") for number in count(2))
    return next(folder for folder in chain([first], others) if not folder.exists())


def _resumed(
    directory: RunDirectory,
    target: str | Path | None,
    planners: NamedPlanner | Sequence[NamedPlanner] | None,
    options: RunOptions,
) -> RunPlan:
    """The plan of a run that is taken up again; what is said of it must be what was said then."""
    given = [*(["planners"] if planners is not None else []), *decided(options)]
    if target is None and given:
        raise InputError(
            f"{', '.join(given)} would change the run that resume is to finish; omit that, or "
            "repeat all it was begun with",
            parameters=(*given, "resume"),
        )
    stored = directory.reopen()
    if target is not None and not same(stored, planned(target, planners, options)):
        raise InputError(
            f"{directory.folder} holds a run of something else; repeat all it was begun with, or "
            "give only resume and out",
            parameters=("resume", "out"),
        )
    return stored


def _agree_again(
    plan: RunPlan,
    folder: Path,
    planners: NamedPlanner | Sequence[NamedPlanner] | None,
    trust: Consent,
) -> None:
    """Have somebody agree to what is imported because a file of a run names it."""
    check_unchanged(plan)
    named = () if planners is None else named_planners(planners)
    remember(code for each in named for code in code_of_planner(each.reference))
    agreed([*code_of_planners(plan), *code_of_worlds(plan)], trust, whose=f"the run in {folder}")


def _carried_out(
    plan: RunPlan,
    tasks: Sequence[Task],
    directory: RunDirectory,
    runner: Runner,
    progress: Progress,
    stored: Callable[[Result], None],
) -> tuple[list[Result], int]:
    """Do every task that has no result yet; the results of all, in the order of the tasks.

    Also returns how many workers died meanwhile. `stored` is told of each result whose record
    lies on the disk, also of those from before. Planners that were lost are asked again.
    """
    jobs = [task.job for task in tasks]
    found = directory.agreeing(plan)
    results = {key: each for key, each in found.items() if not directory.was_lost(each)}
    deaths = 0
    progress(EPISODE, len(results), len(jobs))
    for result in results.values():
        stored(result)
    left = [task for task in tasks if task.job.key not in results]
    with closing(runner.results(left)) as arriving:
        for each in arriving:
            directory.add(
                each.result,
                record=each.record,
                timing=each.timing,
                decisions=each.decisions,
            )
            stored(each.result)
            results[each.result.key] = each.result
            deaths += each.deaths
            progress(EPISODE, len(results), len(jobs))
    directory.check_kept(results)
    ordered = [results[job.key] for job in jobs]
    directory.write_table(ordered)
    return ordered, deaths


@contextmanager
def _films(
    directory: RunDirectory, wanted: bool, progress: Progress, unfilmed: list[str]
) -> Iterator[Callable[[Result], None]]:
    """Films each result as it comes, in a process of its own; at the end, waits for the last."""
    if not wanted:
        yield lambda result: None
        return
    from paseo.render.films.filming import Filming  # takes long to import, and needs an extra

    with Filming(directory.folder / "films", whose=causes_of) as filming:

        def film(result: Result) -> None:
            record = directory.records / result.record
            if not filming.film(record).exists():
                filming.add(record)

        yield film
        total = filming.left
        filming.wait(lambda left: progress(FILM, total - min(left, total), total))
    unfilmed.extend(filming.failures)
