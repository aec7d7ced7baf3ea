"""The words after `paseo crowd`."""

from pathlib import Path

from paseo.cli.arguments import Commands, add_command, add_data_option, natural
from paseo.cli.data_words import FORMATS

PLACES = ["eth", "hotel", "univ", "zara01", "zara02", "zara"]


def add_crowd_commands(commands: Commands) -> None:
    """`paseo crowd generate | realism`."""
    text = "make synthetic crowds, and compare crowds with real ones"
    crowd = commands.add_parser("crowd", help=text, description=text[0].upper() + text[1:] + ".")
    words: Commands = crowd.add_subparsers(title="commands", metavar="COMMAND", required=True)
    _add_generate(words)
    _add_realism(words)


def _add_generate(words: Commands) -> None:
    generate = add_command(
        words, "generate", "make a synthetic crowd for a floor plan", "crowd_generate", "generate"
    )
    generate.add_argument("map", metavar="MAP", help="a shipped map, a crowd's, or a file")
    generate.add_argument("--out", type=Path, required=True, metavar="FILE", help=".csv or .csv.gz")
    generate.add_argument("--seed", type=natural, default=0, metavar="N", help="default: 0")
    generate.add_argument("--duration-s", type=float, default=60.0, metavar="S", help="default: 60")
    generate.add_argument(
        "--recipe", type=Path, metavar="FILE", help="who comes and goes (default: the map's own)"
    )
    add_data_option(generate)


def _add_realism(words: Commands) -> None:
    realism = add_command(
        words, "realism", "say how near a crowd comes to real ones", "crowd_realism", "realism"
    )
    realism.add_argument(
        "target", metavar="FILE|CROWD|SUITE", help="a recording, or a suite with its crowds"
    )
    realism.add_argument(
        "--place",
        choices=PLACES,
        help="zara: both recordings (default: a suite's own, else the nearest of the five)",
    )
    realism.add_argument("--format", choices=FORMATS, help="of the file (default: guessed)")
    realism.add_argument("--fps", type=float, metavar="N", help="frames per second")
    realism.add_argument("--member", metavar="NAME", help="which file of a .zip or .tar archive")
    realism.add_argument("--json", action="store_true", help="print as JSON")
    add_data_option(realism)
