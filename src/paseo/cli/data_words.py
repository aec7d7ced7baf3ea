"""The words after `paseo data`."""

import argparse
import math
from pathlib import Path

from paseo.cli.arguments import Commands, Parser, add_command, add_data_option, natural, positive

FORMATS = ["csv", "obsmat", "vsp", "socnavbench", "trajnet"]
Affine = tuple[tuple[float, float, float], tuple[float, float, float]]


def add_data_commands(commands: Commands) -> None:
    """`paseo data list | fetch | import | check | sample`."""
    text = "get recordings, check them, make episodes from them"
    data = commands.add_parser("data", help=text, description=text[0].upper() + text[1:] + ".")
    words: Commands = data.add_subparsers(title="commands", metavar="COMMAND", required=True)
    listing = add_command(words, "list", "list data sets and crowds", "data_list", "listing")
    listing.add_argument("--json", action="store_true", help="print as JSON, with sums and sources")
    add_data_option(listing)
    _add_fetch(words)
    _add_import(words)
    _add_check(words)
    _add_sample(words)


def _add_fetch(words: Commands) -> None:
    fetch = add_command(words, "fetch", "download data sets by checksum", "data_fetch", "fetch")
    fetch.add_argument("names", nargs="+", metavar="NAME", help="see `paseo data list`; or: ethucy")
    fetch.add_argument(
        "--accept-licence", action="store_true", help="you have read and accept their licences"
    )
    fetch.add_argument(
        "--from", dest="source", type=Path, metavar="DIR", help="take the files from here instead"
    )
    fetch.add_argument("--mirror", metavar="URL", help="ask this server for the same paths")
    add_data_option(fetch)


def _add_import(words: Commands) -> None:
    bring = add_command(
        words, "import", "make a recording a named crowd for suites", "data_import", "bring"
    )
    bring.add_argument("file", type=Path, metavar="FILE")
    bring.add_argument("--name", required=True, help="of the crowd")
    _add_reading(bring)
    bring.add_argument("--map", help="its floor plan, in the same frame (default: inferred)")
    bring.add_argument("--groups", type=Path, metavar="FILE", help="who walks together")
    bring.add_argument("--replace", action="store_true", help="a crowd of that name may be there")
    add_data_option(bring)


def _add_check(words: Commands) -> None:
    check = add_command(words, "check", "find lies in a crowd", "data_check", "check")
    check.add_argument("target", metavar="FILE|CROWD")
    _add_reading(check)
    check.add_argument("--map", help="a shipped map, a crowd's, or a file (default: the crowd's)")
    check.add_argument(
        "--picture", type=Path, metavar="FILE", help=".png or .svg of the evidence (default: "
        "check-NAME.png if something is wrong)",
    )  # fmt: skip
    check.add_argument("--json", action="store_true", help="print as JSON")
    add_data_option(check)


def _add_sample(words: Commands) -> None:
    sample = add_command(words, "sample", "make new episodes from a crowd", "data_sample", "sample")
    sample.add_argument("crowd", metavar="CROWD")
    sample.add_argument("--count", type=positive, default=10, metavar="N", help="default: 10")
    sample.add_argument("--seed", type=natural, default=0, metavar="N", help="default: 0")
    sample.add_argument("--out", type=Path, required=True, metavar="SUITE_FILE")
    sample.add_argument("--map", help="another floor plan in the same frame as the crowd's own")
    sample.add_argument(
        "--flow", default="", metavar="WORD[,WORD]", help="against, along, across; in turn"
    )
    sample.add_argument(
        "--density", type=_span, metavar="LOW,HIGH", help="people at once per free square metre"
    )
    sample.add_argument(
        "--min-distance-m", type=float, default=8.0, metavar="M", help="start to goal (default: 8)"
    )
    sample.add_argument("--time-limit-s", type=float, default=60.0, metavar="S", help="default: 60")
    sample.add_argument(
        "--robot", metavar="NAME|FILE", help="see `paseo list robots`, or a robot file"
    )
    add_data_option(sample)


def _add_reading(command: Parser) -> None:
    command.add_argument("--format", choices=FORMATS, help="of the file (default: guessed)")
    command.add_argument("--fps", type=float, metavar="N", help="frames per second")
    command.add_argument(
        "--transform",
        type=_affine,
        metavar="A,B,C,D,E,F",
        help="x' = A x + B y + C, y' = D x + E y + F, to metres in the map's frame",
    )
    command.add_argument("--member", metavar="NAME", help="which file of a .zip or .tar archive")
    command.add_argument(
        "--longest-gap-s",
        type=_gap,
        default=...,
        metavar="S|none",
        help="people unseen for longer are absent (default: 2; vsp: none)",
    )


def _numbers(text: str, count: int, expected: str) -> list[float]:
    try:
        numbers = [float(cell) for cell in text.split(",")]
    except ValueError:
        numbers = []
    if len(numbers) != count or not all(map(math.isfinite, numbers)):
        raise argparse.ArgumentTypeError(f"expected {expected}, not '{text[:60]}'")
    return numbers


def _affine(text: str) -> Affine:
    a, b, c, d, e, f = _numbers(text, 6, "six numbers A,B,C,D,E,F")
    if abs(a * e - b * d) < 1e-12:
        raise argparse.ArgumentTypeError(f"'{text[:60]}' makes a line of the plane, A E = B D")
    return (a, b, c), (d, e, f)


def _span(text: str) -> tuple[float, float]:
    low, high = _numbers(text, 2, "two numbers LOW,HIGH")
    return low, high


def _gap(text: str) -> float | None:
    if text == "none":
        return None
    (gap,) = _numbers(text, 1, "seconds, or none")
    return gap
