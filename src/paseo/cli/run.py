"""`paseo run`."""

import argparse
import json
import os
import shlex
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import asdict
from datetime import datetime
from itertools import chain, count
from pathlib import Path
from typing import Any

from msgspec import structs
from tqdm import tqdm

from paseo.data.settings_file import converted
from paseo.data.store.crowds import stored_crowds
from paseo.data.store.locations import data_dir
from paseo.data.suites.episodes import Choices
from paseo.data.suites.suite_file import (
    RobotEntry,
    SensorEntry,
    Settings,
    SuiteFile,
    find_robot,
    read_suite,
    shipped_episodes,
    shipped_suites,
)
from paseo.errors import InputError, UnknownName
from paseo.registry import PlannerChoice, is_reference, parse_planners, planner_hash
from paseo.report.table import text_table
from paseo.suite.run import check_plan
from paseo.suite.run import run as run_plan
from paseo.suite.runners.kernels import compile_kernels
from paseo.suite.runs.jobs import RunPlan
from paseo.suite.runs.results import Result, Summary, summaries
from paseo.suite.runs.rundir import RunDirectory, same
from paseo.world.motion import Control

INTERRUPTED = 130
# What decides the results, and so cannot be changed by --resume.
DECIDING = (
    "planner", "control", "data", "rule", "seed", "limit", "robot", "sense", "stop_on_contact",
    "pause_s", "cooldown_s", "stall_limit_s", "hang_limit_s", "reaction", "reactivity",
)  # fmt: skip


def run(options: argparse.Namespace) -> int:
    """Run what was asked for and print a table of how it went."""
    with _directory(options) as out:
        plan = _begun(options, out)
        workers = options.jobs or os.cpu_count() or 1
        try:
            compile_kernels(_say, plan.planners, plan.reaction)
            with (
                _films(out) if options.video else nullcontext(_unfilmed) as film,
                tqdm(unit="episode", disable=None, file=sys.stderr) as bar,
            ):
                results = run_plan(plan, out, workers=workers, progress=_on(bar), stored=film)
        except KeyboardInterrupt:
            video = " --video" if options.video else ""
            folder = shlex.quote(str(out.folder))
            _say(f"stopped; finish with: paseo run --resume{video} --out {folder}")
            return INTERRUPTED
    if options.json:
        print(json.dumps(_as_json(results, out.folder), indent=1))
    else:
        print(_table(summaries(results)))
        print(f"\nresults: {out.folder}")
    return 0


@contextmanager
def _films(out: RunDirectory) -> Iterator[Callable[[Result], None]]:
    """Films each result as it comes, in a process of its own; at the end, waits for the last."""
    from paseo.render.topview.filming import Filming  # takes long to import, and needs an extra

    with Filming(out.folder / "films") as filming:

        def film(result: Result) -> None:
            record = out.records / result.record
            if not filming.film(record).exists():
                filming.add(record)

        yield film
        with tqdm(unit="film", total=filming.left, disable=None, file=sys.stderr) as bar:
            filming.wait(lambda left: _advance(bar, left))
    for problem in filming.failures:
        _say(problem)


def _advance(bar: "tqdm[Any]", left: int) -> None:
    bar.update((bar.total or 0) - left - bar.n)


def _unfilmed(result: Result) -> None:
    """Without --video nothing is filmed."""


def _on(bar: "tqdm[Any]") -> Callable[[int, int], None]:
    def show(finished: int, total: int) -> None:
        bar.total = total
        bar.update(finished - bar.n)

    return show


def _directory(options: argparse.Namespace) -> RunDirectory:
    if options.out is None and options.resume:
        raise InputError("--resume needs --out to name the run directory to finish")
    if options.out is None and options.target is None:
        raise InputError("name a suite or an episode to run; `paseo list suites` shows them")
    return RunDirectory(options.out or _new_folder(Path(options.target).stem))


def _new_folder(name: str) -> Path:
    first = Path("runs") / f"{name}-{datetime.now():%Y%m%d-%H%M%S}"
    others = (first.with_name(f"{first.name}-{number}") for number in count(2))
    return next(folder for folder in chain([first], others) if not folder.exists())


def _begun(options: argparse.Namespace, out: RunDirectory) -> RunPlan:
    """The plan of a run directory that is ready: just made, or taken up again."""
    if options.resume:
        _check_resumed(options)
        stored = out.reopen()
        if options.target is not None and not same(stored, _plan(options)):
            raise InputError(
                f"{out.folder} holds a run of something else; give the same words as when it was "
                f"begun, or only: paseo run --resume --out {out.folder}"
            )
        check_plan(stored)
        return stored
    plan = _plan(options)
    check_plan(plan)
    out.create(plan)
    return plan


def _check_resumed(options: argparse.Namespace) -> None:
    """Without the words it was begun with, a run is resumed as it was."""
    given = [key for key in DECIDING if getattr(options, key) not in (None, False)]
    if options.target is None and given:
        names = ", ".join(f"--{key.replace('_', '-')}" for key in given)
        raise InputError(
            f"{names} would change the run that --resume is to finish; leave that away, or repeat "
            "all the words it was begun with"
        )


def _plan(options: argparse.Namespace) -> RunPlan:
    if options.target is None:
        raise InputError("name a suite or an episode to run; `paseo list suites` shows them")
    data = data_dir(options.data).resolve()
    suite = _suite(options.target, data)
    robot = find_robot(options.robot, Path()) if options.robot else suite.robot
    assert isinstance(robot, RobotEntry)  # read_suite has read the file a suite may name
    planners = tuple(_planners(options.planner, suite))
    return RunPlan(
        name=suite.name,
        episodes=tuple(suite.episodes[: options.limit]),
        planners=planners,
        planner_hashes={each.reference: planner_hash(each.reference) for each in planners},
        seeds=suite.seeds if options.seed is None else (options.seed,),
        control=Control(options.control) if options.control else suite.control_mode(),
        choices=Choices(
            rule=options.rule or suite.rule,
            robot=robot,
            settings=_settings(options, suite.settings),
        ),
        data=data,
        reactivities=options.reactivity or (),
    )


def _suite(target: str, data: Path) -> SuiteFile:
    suites, episodes = shipped_suites(), shipped_episodes()
    if target in suites:
        return suites[target]
    if target in episodes:
        return SuiteFile(format="paseo-suite", version=1, name=target, episodes=[episodes[target]])
    if Path(target).suffix or Path(target).is_file():
        return read_suite(Path(target), stored_crowds(data))
    raise UnknownName("suite or episode", target, [*suites, *episodes])


def _planners(text: str | None, suite: SuiteFile) -> list[PlannerChoice]:
    named = text or ",".join(suite.planners)
    if not named:
        raise InputError(f"'{suite.name}' names no planner; add --planner, e.g. --planner straight")
    return parse_planners(named)


def _settings(options: argparse.Namespace, settings: Settings) -> Settings:
    """The suite's settings with those of the command line laid over them."""
    changes: dict[str, Any] = {}
    if options.sense:
        pairs = [part.partition("=")[::2] for part in options.sense.split(",")]
        sensor = {key.strip(): _number_or_word(value) for key, value in pairs}
        changes["sensor"] = structs.asdict(converted(sensor, SensorEntry, where="--sense"))
    if options.stop_on_contact:
        changes["stop_on_contact"] = True
    if options.pause_s is not None or options.cooldown_s is not None:
        pause = {"duration_s": options.pause_s, "cooldown_s": options.cooldown_s}
        changes["pause"] = {key: value for key, value in pause.items() if value is not None}
    if options.reaction is not None:
        changes["reaction"] = {"by": options.reaction}
    for key in ("stall_limit_s", "hang_limit_s"):
        if getattr(options, key) is not None:
            changes[key] = getattr(options, key)
    given = converted(changes, Settings, where="command line")
    return structs.replace(settings, **{key: getattr(given, key) for key in changes})


def _number_or_word(text: str) -> float | bool | str:
    if text.strip().lower() in ("true", "false"):
        return text.strip().lower() == "true"
    try:
        return float(text)
    except ValueError:
        return text


def _table(rows: list[Summary]) -> str:
    header = [
        "planner", "control", "reactivity", "episodes", "success", "T", "PC", "EC", "failed",
        "contacts", "mean time s",
    ]  # fmt: skip
    lines = [[_marked(row.planner), *list(asdict(row).values())[1:]] for row in rows]
    if all(row.reactivity is None for row in rows):
        dial = header.index("reactivity")
        for line in (header, *lines):
            del line[dial]
    return text_table(header, lines)


def _marked(planner: str) -> str:
    """The planner, or that it is none."""
    name = parse_planners(planner)[0].reference
    return f"{planner} (reference, own episodes)" if is_reference(name) else planner


def _as_json(results: list[Result], folder: Path) -> dict[str, Any]:
    return {
        "out": str(folder),
        "summary": [asdict(row) for row in summaries(results)],
        "results": [asdict(result) for result in results],
    }


def _say(message: str) -> None:
    print(f"paseo: {message}", file=sys.stderr)
