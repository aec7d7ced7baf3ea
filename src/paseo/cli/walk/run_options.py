"""What can be said of a run on the command line, as the function that runs takes it."""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from paseo.cli.arguments import Parser, add_data_option, natural, positive
from paseo.cli.trust import add_trust

if TYPE_CHECKING:
    from paseo.suite.runs.planning import RunOptions


def add_run_options(run: Parser) -> None:
    """What to run, and how."""
    run.add_argument(
        "--planner",
        metavar="NAME[:key=value][,NAME...]",
        help="by name (see `paseo list planners`) or file.py:Class",
    )
    run.add_argument("--control", choices=["velocity", "position"], help="override the planner's")
    add_task(run)
    run.add_argument(
        "--jobs",
        type=positive,
        metavar="N",
        help="processes (default: all cores; one where thinking is timed)",
    )
    run.add_argument(
        "--video", action="store_true", help="also film every episode, into films/ of the run"
    )
    run.add_argument(
        "--time-planning",
        action="store_true",
        help="one worker alone on a core, and a table of the processor time of planners",
    )
    run.add_argument(
        "--sense",
        metavar="KEY=VALUE[,...]",
        help="what the robot can tell about people, e.g. range_m=6,occlusion=true",
    )
    add_sight(run)
    run.add_argument("--stall-limit-s", type=float, metavar="S", help="a slower plan() has failed")
    run.add_argument(
        "--hang-limit-s", type=float, metavar="S", help="kill a planner silent so long"
    )
    run.add_argument(
        "--memory-limit-mb", type=float, metavar="N", help="kill a planner whose process takes more"
    )
    run.add_argument(
        "--runner",
        default="local",
        metavar="NAME",
        help="who carries episodes out: local, or serial to debug a planner (default: local)",
    )
    _add_people(run)
    _add_time(run)
    _add_caps(run)


def _add_caps(run: Parser) -> None:
    """What planners that ask models may use."""
    run.add_argument(
        "--max-usd",
        type=float,
        metavar="USD",
        help="stop before planners that ask models spend more, all of them together",
    )
    run.add_argument(
        "--max-tokens-total", type=positive, metavar="N", help="likewise before they use more"
    )
    run.add_argument(
        "--rate-limit-rpm", type=float, metavar="N", help="requests per minute, likewise"
    )


def add_task(command: Parser) -> None:
    """What to drive through, with which robot, and where the results go."""
    command.add_argument(
        "target", nargs="?", metavar="SUITE|EPISODE", help="a name (see `paseo list`) or suite file"
    )
    add_data_option(command)
    command.add_argument(
        "--out", type=Path, metavar="DIR", help="default: runs/<name>-<date>-<time>"
    )
    command.add_argument("--rule", choices=["everyone", "socnavbench"], help="who is present")
    command.add_argument("--seed", type=natural, metavar="N", help="instead of the suite's seeds")
    command.add_argument("--limit", type=positive, metavar="N", help="only the first N episodes")
    command.add_argument("--resume", action="store_true", help="finish the run in --out")
    add_trust(command)
    command.add_argument("--json", action="store_true", help="print results as JSON")
    command.add_argument(
        "--robot", metavar="NAME|FILE", help="see `paseo list robots`, or a robot file"
    )


def _add_people(run: Parser) -> None:
    """What people do when the robot comes."""
    run.add_argument(
        "--draws",
        type=positive,
        metavar="N",
        help="also among N draws of where the people of a drive may have been: which verdicts are "
        "uncertain; needs --out",
    )
    run.add_argument("--stop-on-contact", action="store_true", help="end at the first contact")
    run.add_argument(
        "--pause-s", type=float, metavar="S", help="people who are touched stand so long"
    )
    run.add_argument(
        "--cooldown-s", type=float, metavar="S", help="then cannot be stopped again so long"
    )
    run.add_argument(
        "--gait",
        choices=["recorded", "natural"],
        help="recorded people walk straight between annotations, or smoothly and swaying "
        "(default: as the suite says, else recorded)",
    )
    run.add_argument(
        "--reaction",
        metavar="MODEL",
        help="how people answer the robot: pause, social-force, orca or FILE.py:CLASS "
        "(default: not at all)",
    )
    run.add_argument(
        "--reactivity",
        type=_reactivities,
        default=(),
        metavar="R[,R...]",
        help="how much, from 0 (as recorded) to 1; several are run one after the other",
    )


def add_sight(command: Parser) -> None:
    """What the robot gets to know of people."""
    command.add_argument(
        "--sensing",
        type=_words,
        default=(),
        metavar="KIND[,KIND]",
        help="schematic: where people are; full: only what a camera on the robot shows; both are "
        "run one after the other (default: schematic)",
    )
    command.add_argument(
        "--perception",
        type=_words,
        default=(),
        metavar="NAME[,NAME...]",
        help="who finds people in what the camera shows, before the planner: depth, ids or "
        "FILE.py:CLASS; several are run one after the other (default: nobody)",
    )
    command.add_argument(
        "--camera", metavar="PRESET|FILE", help="on the robot (default: realsense)"
    )
    command.add_argument(
        "--camera-sensor",
        metavar="KEY=VALUE[,...]|FILE",
        help="what it gets wrong, e.g. depth_noise_m=0.005,max_range_m=10, or a file (.toml)",
    )
    command.add_argument(
        "--camera-fps",
        type=float,
        metavar="N",
        help="pictures for each second, in whole steps (default: 10)",
    )


def sight_options(options: argparse.Namespace) -> dict[str, Any]:
    """What was said of how the robot sees, by the names of a run's options."""
    return {
        "sensing": options.sensing,
        "perceptions": options.perception,
        "camera": options.camera,
        "camera_sensor": _camera_sensor(options.camera_sensor) if options.camera_sensor else None,
        "camera_fps": options.camera_fps,
    }


def add_clock(command: Parser) -> None:
    """How time passes while somebody thinks."""
    command.add_argument(
        "--clock",
        choices=["sync", "async", "charged"],
        help="the world waits for planners, runs at the wall clock, or is charged with the time "
        "they take (default: sync)",
    )
    command.add_argument(
        "--latency",
        type=_latencies,
        default=(),
        metavar="S[,S...]",
        help="charge every answer so much time of the world; several are run one after the other",
    )


def _add_time(run: Parser) -> None:
    """What passes while a planner thinks."""
    add_clock(run)
    run.add_argument(
        "--thinking",
        choices=["hold", "stop", "follow"],
        help="meanwhile the robot holds the last command, stops, or follows the last plan "
        "(default: hold)",
    )
    run.add_argument(
        "--late",
        choices=["here", "there", "skip"],
        help="a late answer counts from where the robot is, from where it was, or without what "
        "is over of its plan (default: here)",
    )
    run.add_argument(
        "--repeat-limit-s",
        type=float,
        metavar="S",
        help="so long after an answer the robot stops (default: 2.5 by --clock async, else never)",
    )
    run.add_argument(
        "--replay-latency",
        type=Path,
        metavar="RUN_DIR",
        help="charge the latencies that were measured in a run again",
    )


def run_options(options: argparse.Namespace) -> "RunOptions":
    """What was said of a run, as its function takes it."""
    from paseo.suite.runs.planning import RunOptions
    from paseo.world.motion import Control

    return RunOptions(
        control=Control(options.control) if options.control else None,
        rule=options.rule,
        seed=options.seed,
        limit=options.limit,
        robot=options.robot,
        sensor=_sensor(options.sense) if options.sense else None,
        stop_on_contact=options.stop_on_contact,
        pause_s=options.pause_s,
        cooldown_s=options.cooldown_s,
        gait=options.gait,
        reaction=options.reaction,
        reactivities=options.reactivity,
        latencies=options.latency,
        stall_limit_s=options.stall_limit_s,
        hang_limit_s=options.hang_limit_s,
        memory_limit_mb=options.memory_limit_mb,
        data=options.data,
        clock=options.clock,
        thinking=options.thinking,
        late=options.late,
        repeat_limit_s=options.repeat_limit_s,
        replay_latency=options.replay_latency,
        **sight_options(options),
        runner=options.runner,
        jobs=options.jobs,
        video=options.video,
        time_planning=options.time_planning,
        max_usd=options.max_usd,
        max_tokens_total=options.max_tokens_total,
        rate_limit_rpm=options.rate_limit_rpm,
    )


def _words(text: str) -> tuple[str, ...]:
    return tuple(each.strip() for each in text.split(","))


def _reactivities(text: str) -> tuple[float, ...]:
    return _stops(text, 1.0, "numbers from 0 to 1 such as 0,0.5,1")


def _latencies(text: str) -> tuple[float, ...]:
    return _stops(text, sys.float_info.max, "numbers of seconds from 0 on such as 0,0.5,2")


def _stops(text: str, most: float, expected: str) -> tuple[float, ...]:
    """Different numbers up to the largest, of which each is run."""
    try:
        stops = tuple(float(cell) for cell in text.split(","))
    except ValueError:
        stops = ()
    if not stops or len(set(stops)) < len(stops) or not all(0 <= stop <= most for stop in stops):
        raise argparse.ArgumentTypeError(f"expected different {expected}, not '{text[:40]}'")
    return stops


def _sensor(text: str) -> dict[str, float | bool | str]:
    pairs = [part.partition("=")[::2] for part in text.split(",")]
    return {key.strip(): _number_or_word(value) for key, value in pairs}


def _camera_sensor(text: str) -> Path | dict[str, float | bool | str]:
    return Path(text) if Path(text).suffix == ".toml" else _sensor(text)


def _number_or_word(text: str) -> float | bool | str:
    if text.strip().lower() in ("true", "false"):
        return text.strip().lower() == "true"
    try:
        return float(text)
    except ValueError:
        return text
