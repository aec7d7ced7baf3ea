"""`paseo ask --task waypoints`."""

import argparse
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

from paseo.cli.arguments import Parser, positive
from paseo.cli.screen import bar, output, say
from paseo.errors import BadValue
from paseo.stopping import INTERRUPTED

if TYPE_CHECKING:
    from paseo.vqa.exam.asking import AskOptions, Stopper
    from paseo.vqa.exam.budget import Tally
    from paseo.vqa.waypoints.asking import WaypointOutcome, WaypointPaper

RUNS = 5  # of each choice, as in the paper


def add_waypoint_options(ask: Parser) -> None:
    """What is asked: the questions, or where the robot should go."""
    ask.add_argument(
        "--task",
        choices=["questions", "waypoints"],
        default="questions",
        help="the questions, or which of several marked places the robot goes to "
        "(default: questions)",
    )
    ask.add_argument(
        "--context",
        choices=["none", "random", "own", "people", "geometry"],
        help="for waypoints: whose answers to the questions are told before (default: none)",
    )
    ask.add_argument(
        "--candidates",
        type=positive,
        metavar="N",
        help="for waypoints: among how many places (default: 5)",
    )


def check_questions(options: argparse.Namespace) -> None:
    """Refuse what only a choice of waypoints understands."""
    for name in ("context", "candidates"):
        if getattr(options, name) is not None:
            raise BadValue(f"--{name} goes with --task waypoints; add that, or omit --{name}")


def ask_waypoints(
    options: argparse.Namespace,
    asking: "AskOptions",
    stopped_in_order: "Callable[[Stopper], AbstractContextManager[None]]",
    why_unfinished: "Callable[[Tally], str]",
) -> int:
    """Let a model choose waypoints, or say what that will take; print how it went."""
    for name in ("batch", "logprobs"):
        if getattr(options, name):
            raise BadValue(f"--{name} goes with questions, not with --task waypoints; omit it")
    from paseo.vqa.exam.asking import Stopper
    from paseo.vqa.waypoints.asking import (
        WaypointOptions,
        conduct_waypoints,
        prepare_waypoints,
        waypoint_folder,
    )
    from paseo.vqa.waypoints.contexts import Context
    from paseo.vqa.waypoints.sampling import USUAL_COUNT

    chosen = WaypointOptions(
        context=Context(options.context or "none"),
        candidates=options.candidates or USUAL_COUNT,
        asking=asking,
    )
    with bar("scene") as progress:
        paper = prepare_waypoints(options.model, options.scenes, options=chosen, progress=progress)
    _name_left_out(paper)
    if options.dry_run:
        output(_estimate(paper))
        return 0
    out, stopper = options.out or waypoint_folder(paper.plan), Stopper()
    with bar("answer") as progress, stopped_in_order(stopper):
        done = conduct_waypoints(
            paper,
            out=out,
            resume=options.resume,
            stopper=stopper,
            watch=lambda tally: progress("asking", tally.done, paper.questions),
        )
    return _told(done, why_unfinished(done.tally))


def _name_left_out(paper: "WaypointPaper") -> None:
    for each in paper.found.unreadable:
        say(f"scene {each.scene} is left out: {each.reason}")
    if left := len(paper.found.unreadable):
        say(f"{left} scenes are left out, {len(paper.found.scenes)} are asked about")
    if not paper.mount.is_known:
        say(f"the camera is taken to be {paper.plan.mounted}")


def _estimate(paper: "WaypointPaper") -> str:
    from paseo.report.exam.outcome import money

    requests, usage, _ = paper.estimate()
    price = paper.prices.of(paper.plan.model)
    cost = None if price is None else price.cost_usd(usage)
    return "\n".join(
        [
            f"scenes: {len(paper.plan.scenes)}, runs: {paper.plan.repeats}, requests: {requests}",
            f"tokens, about: {usage.input_tokens} in, {usage.output_tokens} out",
            f"cost, about: {money(cost)}",
            "nothing was sent",
        ]
    )


def _told(done: "WaypointOutcome", unfinished: str) -> int:
    from paseo.report.exam.waypoints import waypoint_table
    from paseo.report.formats import markdown
    from paseo.vqa.exam.budget import Ending
    from paseo.vqa.waypoints.scoring import waypoint_rows

    for problem in done.tally.problems[:5]:
        say(problem)
    output(markdown([waypoint_table(waypoint_rows(done.folder), done.plan)]))
    output(f"\nexam: {done.folder}")
    if unfinished:
        say(f"{unfinished}; go on with the same words and: --resume --out {done.folder}")
    if done.tally.ending is Ending.STOPPED:
        return INTERRUPTED
    return 1 if unfinished else 0
