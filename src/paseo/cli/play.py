"""`paseo play`."""

import argparse
import shlex
from pathlib import Path

from paseo.cli.arguments import Commands, add_command, add_data_option, natural, positive
from paseo.cli.progress import bars, say


def add_play_command(commands: Commands) -> None:
    """`paseo play`."""
    play = add_command(
        commands,
        "play",
        "drive through a suite or an episode yourself, in a browser",
        "play",
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


def play(options: argparse.Namespace) -> int:
    """Serve the page until Ctrl-C, then say where the drives are."""
    import webbrowser

    from paseo.remote.play.playing import PORT
    from paseo.remote.play.playing import play as play_episodes
    from paseo.suite.runs.planning import RunOptions

    def opened(link: str) -> None:
        print(f"drive at {link}", flush=True)
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
    print("\n".join(map(str, played.rounds)))
    return 0
