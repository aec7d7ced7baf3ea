"""The words after `paseo ask` and `paseo exam`."""

import argparse
import math
from pathlib import Path

from paseo.cli.arguments import Commands, Parser, add_command, natural, positive
from paseo.cli.scenes_words import add_picture_options

METHODS = ["independent", "chain", "chain-human", "reason"]


def add_ask_commands(commands: Commands) -> None:
    """`paseo ask`, `paseo exam show` and `paseo exam probes`."""
    ask = add_command(commands, "ask", "put the questions about scenes to a model", "asking", "ask")
    ask.add_argument(
        "model", metavar="MODEL", help="provider/model, see `paseo list models`; or file.py:Class"
    )
    _add_what(ask)
    _add_how(ask)
    _add_caps(ask)
    text = "look at exams"
    exam = commands.add_parser("exam", help=text, description=text[0].upper() + text[1:] + ".")
    words: Commands = exam.add_subparsers(title="commands", metavar="COMMAND", required=True)
    show = add_command(
        words, "show", "make a web page of all questions and answers", "exam_show", "show"
    )
    show.add_argument("exam", type=Path, metavar="DIR")
    show.add_argument("--out", type=Path, required=True, metavar="FILE.html")
    show.add_argument(
        "--scenes", type=Path, metavar="DIR", help="where scenes are now (default: where they were)"
    )
    show.add_argument(
        "--labels", type=Path, metavar="DIR", help="people's answers (default: beside the scenes)"
    )
    show.add_argument(
        "--no-pictures", dest="pictures", action="store_false", help="a small page without scenes"
    )
    probes = add_command(
        words, "probes", "tell how often answers changed as they must", "exam_probes", "probes"
    )
    probes.add_argument("exam", type=Path, metavar="DIR", help="asked with --probe")
    probes.add_argument(
        "--format", choices=["markdown", "csv", "latex", "json"], default="markdown"
    )


def _add_what(ask: Parser) -> None:
    """What decides the replies."""
    ask.add_argument(
        "--scenes", type=Path, metavar="DIR", help="where scenes are (default: SocialNav-SUB)"
    )
    ask.add_argument(
        "--method",
        choices=METHODS,
        default="chain",
        help="what a model is told before a question (default: chain, its earlier answers)",
    )
    add_picture_options(ask)
    ask.add_argument(
        "--largest-px", type=positive, metavar="N", help="scale pictures down to N on a side"
    )
    ask.add_argument(
        "--wording",
        choices=["dataset", "paseo"],
        help="whose sentences (default: the data set's own where it has any)",
    )
    ask.add_argument(
        "--labels", type=Path, metavar="DIR", help="people's answers, for --method chain-human"
    )
    ask.add_argument(
        "--probe",
        metavar="NAME[,NAME...]",
        help="ask again with the scene changed: mirror, renumber, shuffle",
    )
    ask.add_argument(
        "--together", type=positive, default=1, metavar="N", help="questions per request"
    )
    ask.add_argument(
        "--repeats", type=positive, default=1, metavar="N", help="how often each is asked"
    )
    ask.add_argument(
        "--temperature", type=_amount, metavar="T", help="and the next three: default the model's"
    )
    ask.add_argument("--max-tokens", type=positive, metavar="N", help="of one reply")
    ask.add_argument("--seed", type=natural, metavar="N", help="sent with every request")
    ask.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="a setting of the provider's own, such as reasoning_effort=low",
    )
    ask.add_argument("--limit", type=positive, metavar="N", help="only the first N scenes")


def _add_how(ask: Parser) -> None:
    """What decides only how the replies are got."""
    ask.add_argument(
        "--out", type=Path, metavar="DIR", help="default: exams/<model>-<method>-<images>"
    )
    ask.add_argument("--resume", action="store_true", help="ask what is missing in --out")
    ask.add_argument("--dry-run", action="store_true", help="tell what it will take, send nothing")
    ask.add_argument(
        "--concurrency", type=positive, default=8, metavar="N", help="requests at once (default: 8)"
    )
    ask.add_argument("--rate-limit-rpm", type=_above_zero, metavar="N", help="requests per minute")
    ask.add_argument(
        "--retries", type=natural, default=5, metavar="N", help="of a request (default: 5)"
    )
    ask.add_argument(
        "--timeout-s",
        type=_above_zero,
        default=120.0,
        metavar="S",
        help="of a request (default: 120)",
    )
    ask.add_argument(
        "--keep-going", action="store_true", help="even after 50 useless answers in a row"
    )


def _add_caps(ask: Parser) -> None:
    """What an exam may cost."""
    ask.add_argument("--max-usd", type=_amount, metavar="USD", help="stop before spending more")
    ask.add_argument(
        "--max-tokens-total", type=positive, metavar="N", help="stop before using more"
    )
    ask.add_argument(
        "--prices", type=Path, metavar="FILE", help="what tokens cost (default: a shipped table)"
    )


def _above_zero(text: str) -> float:
    """A number above 0."""
    if (value := _amount(text)) == 0:
        raise argparse.ArgumentTypeError(f"expected a number above 0, not '{text[:40]}'")
    return value


def _amount(text: str) -> float:
    """A number from 0 on."""
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not 0 <= value < math.inf:
        raise argparse.ArgumentTypeError(f"expected a number of 0 or more, not '{text[:40]}'")
    return value
