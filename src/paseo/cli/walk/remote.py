"""`paseo serve`, `paseo drive` and `paseo play`: somebody else drives."""

import argparse
import os
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Any

from paseo.cli.arguments import Commands, Parser, add_command, add_data_option, natural, positive
from paseo.cli.screen import bars, output, say
from paseo.cli.trust import consent
from paseo.cli.walk.run import print_results
from paseo.cli.walk.run_options import add_clock, add_sight, add_task, sight_options
from paseo.errors import InputError
from paseo.stopping import INTERRUPTED
from paseo.text import in_a_line

if TYPE_CHECKING:
    from paseo.progress import Progress
    from paseo.suite.running import Run


def add_remote_commands(commands: Commands) -> None:
    """Let programs or people drive through a suite or an episode."""
    _add_serve(commands)
    _add_drive(commands)
    _add_play(commands)


def _add_serve(commands: Commands) -> None:
    serve = add_command(
        commands,
        "serve",
        "let programs drive: SocNavBench's clients, or any",
        "walk.remote",
        "serve",
    )
    add_task(serve)
    for name, end, use in (("receive", "recv", "connect to"), ("send", "send", "listen at")):
        text = f"the socket that clients {use} (default: /tmp/socnavbench_joystick_{end})"
        serve.add_argument(f"--{name}", type=Path, metavar="PATH", help=text)
    serve.add_argument(
        "--control",
        choices=["velocity", "position"],
        help="what commands are (default: as the suite says, else position; with --listen as each "
        "client says)",
    )
    add_clock(serve)
    add_sight(serve)
    serve.add_argument(
        "--states",
        choices=["original", "exact"],
        help="people one step late in float32, or all of now (default: original)",
    )
    serve.add_argument(
        "--listen", metavar="HOST:PORT", help="speak Paseo's own protocol there, to many at once"
    )
    _add_token(serve)
    serve.add_argument(
        "--hang-limit-s", type=float, metavar="S", help="a client that sends no command has failed"
    )
    serve.add_argument(
        "--wait-s", type=float, metavar="S", help="wait so long for a client (default: 600)"
    )


def _add_token(command: Parser) -> None:
    text = "keeps strangers out; needed unless HOST is localhost (default: $PASEO_TOKEN)"
    command.add_argument("--token", metavar="TEXT|@FILE", help=text)


def _add_drive(commands: Commands) -> None:
    text = "drive the episodes of a `paseo serve --listen`; several at once share them"
    drive = add_command(commands, "drive", text, "walk.remote", "drive")
    drive.add_argument("planner", metavar="PLANNER", help="by name or file.py:Class, as in run")
    drive.add_argument("--connect", required=True, metavar="HOST:PORT", help="where the server is")
    _add_token(drive)
    drive.add_argument("--control", choices=["velocity", "position"], help="override the planner's")
    drive.add_argument("--episode", metavar="NAME", help="only this one")


def _add_play(commands: Commands) -> None:
    play = add_command(
        commands,
        "play",
        "drive through a suite or an episode yourself, in a browser",
        "walk.remote",
        "play",
    )
    play.add_argument(
        "target", metavar="SUITE|EPISODE", help="a name (see `paseo list`) or suite file"
    )
    play.add_argument("--port", type=natural, metavar="N", help="of the page (default: 8017)")
    play.add_argument(
        "--host",
        default="localhost",
        metavar="HOST",
        help="where others may come from: 0.0.0.0 for a phone (default: localhost)",
    )
    play.add_argument(
        "--token", metavar="WORD|@FILE", help="for others than this machine (default: a new one)"
    )
    play.add_argument("--no-browser", action="store_true", help="only print the link")
    play.add_argument("--out", type=Path, metavar="DIR", help="default: runs/<name>-<date>-<time>")
    play.add_argument(
        "--beside",
        type=Path,
        action="append",
        default=[],
        metavar="RUN_DIR",
        help="show how planners did in this run; may be given several times",
    )
    add_data_option(play)
    play.add_argument("--rule", choices=["everyone", "socnavbench"], help="who is present")
    play.add_argument("--seed", type=natural, metavar="N", help="of the first drive")
    play.add_argument("--limit", type=positive, metavar="N", help="only the first N episodes")
    play.add_argument(
        "--robot", metavar="NAME|FILE", help="see `paseo list robots`, or a robot file"
    )
    play.add_argument(
        "--reaction", metavar="MODEL", help="how people answer the robot (default: not at all)"
    )


def serve(options: argparse.Namespace) -> int:
    """Serve clients until all is driven, and print a table of how it went."""
    from paseo.suite.running import RunStopped

    try:
        with bars() as progress:
            done = _served(options, progress)
    except RunStopped as stopped:
        listen = f" --listen {options.listen}" if options.listen else ""
        folder = shlex.quote(str(stopped.folder))
        say(f"stopped; finish with: paseo serve --resume{listen} --out {folder}")
        return INTERRUPTED
    print_results(done, as_json=options.json)
    return 0


def _served(options: argparse.Namespace, progress: "Progress") -> "Run":
    from paseo.remote.clients import WAIT_S
    from paseo.remote.joystick import serving as joystick
    from paseo.remote.tokens import token_of
    from paseo.remote.websocket import serving as websocket
    from paseo.suite.runs.planning import RunOptions
    from paseo.world.motion import Control

    usual: dict[str, Any] = {
        "out": options.out,
        "resume": options.resume,
        "progress": progress,
        "trust": consent(options),
        "wait_s": WAIT_S if options.wait_s is None else options.wait_s,
        "options": RunOptions(
            control=Control(options.control) if options.control else None,
            rule=options.rule,
            seed=options.seed,
            limit=options.limit,
            robot=options.robot,
            hang_limit_s=options.hang_limit_s,
            data=options.data,
            clock=options.clock,
            latencies=options.latency,
            **sight_options(options),
        ),
    }
    if options.listen is None and options.token is not None:
        raise InputError("a --token is for those who come to --listen; add that, or omit it")
    if options.listen is None:
        receive, send = options.receive or joystick.RECEIVE, options.send or joystick.SEND
        states = options.states
        return joystick.serve(options.target, receive=receive, send=send, states=states, **usual)
    others = ("receive", "send", "states")
    if given := [f"--{name}" for name in others if getattr(options, name)]:
        raise InputError(f"with --listen omit {', '.join(given)}, which the other protocol has")
    token = token_of(options.token, os.environ)
    return websocket.serve(options.target, listen=options.listen, token=token, **usual)


def drive(options: argparse.Namespace) -> int:
    """Drive what a server has left, and print how each episode ended."""
    from paseo.remote.tokens import token_of
    from paseo.remote.websocket.driving import drive as drive_episodes
    from paseo.world.motion import Control

    with bars() as progress:
        ended = drive_episodes(
            options.planner,
            options.connect,
            token=token_of(options.token, os.environ),
            control=Control(options.control) if options.control else None,
            episode=options.episode,
            progress=progress,
        )
    for each in ended:
        output(f"{in_a_line(each.episode)}\t{in_a_line(each.verdict)}")
    return 0


def play(options: argparse.Namespace) -> int:
    """Serve the page until Ctrl-C, then say where the drives are."""
    import webbrowser

    from paseo.remote.play.playing import PORT
    from paseo.remote.play.playing import play as play_episodes
    from paseo.suite.runs.planning import RunOptions

    def opened(link: str) -> None:
        output(f"drive at {link}")
        say("end with Ctrl-C")
        if not options.no_browser:
            webbrowser.open(link)

    with bars() as progress:
        played = play_episodes(
            options.target,
            host=options.host,
            port=PORT if options.port is None else options.port,
            token=options.token,
            out=options.out,
            options=RunOptions(
                rule=options.rule,
                seed=options.seed,
                limit=options.limit,
                robot=options.robot,
                reaction=options.reaction,
                data=options.data,
            ),
            beside=options.beside,
            opened=opened,
            progress=progress,
        )
    if not played.results:
        say("nothing was driven")
        return 0
    folders = " ".join(shlex.quote(str(folder)) for folder in played.rounds)
    count = len(played.results)
    say(f"{count} drive{'s' * (count > 1)}; compare them with: paseo compare {folders}")
    output("\n".join(map(str, played.rounds)))
    return 0
