"""`paseo data`: data sets listed and fetched, recordings imported and checked, episodes sampled."""

import argparse
import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

from paseo.cli.arguments import (
    Commands,
    Parser,
    add_command,
    add_data_option,
    flag,
    natural,
    positive,
)
from paseo.cli.drives import add_driven_option, add_kind_option, bring_drive, sample_driven
from paseo.cli.screen import bar, json_text, output, say
from paseo.errors import PaseoError

if TYPE_CHECKING:  # commands import what they need when they are called: help must come at once
    from paseo.crowd_check.examination import Examination
    from paseo.crowd_check.reading import ReadingOptions
    from paseo.data.store.fetching import Fetched
    from paseo.data.store.listing import DataSet
    from paseo.data.store.locations import DataFolder

COLUMNS = {"name": "name", "kind": "kind", "fps": "frames/s", "map": "map", "licence": "licence",
           "file": "here"}  # fmt: skip
Affine = tuple[tuple[float, float, float], tuple[float, float, float]]


def add_data_commands(commands: Commands) -> None:
    """`paseo data list | fetch | import | check | sample`."""
    text = "get recordings, check them, make episodes from them"
    data = commands.add_parser("data", help=text, description=text[0].upper() + text[1:] + ".")
    words: Commands = data.add_subparsers(title="commands", metavar="COMMAND", required=True)
    listing = add_command(words, "list", "list data sets and crowds", "data", "listing")
    listing.add_argument("--json", action="store_true", help="print as JSON, with sums and sources")
    add_data_option(listing)
    _add_fetch(words)
    _add_import(words)
    _add_check(words)
    _add_sample(words)


def _add_fetch(words: Commands) -> None:
    fetch = add_command(words, "fetch", "download data sets by checksum", "data", "fetch")
    fetch.add_argument("names", nargs="+", metavar="NAME", help="see `paseo data list`; or: ethucy")
    fetch.add_argument(
        "--accept-licence",
        "--accept-license",
        action="store_true",
        help="you have read and accept their licences",
    )
    fetch.add_argument(
        "--from", dest="source", type=Path, metavar="DIR", help="take the files from here instead"
    )
    fetch.add_argument("--mirror", metavar="URL", help="ask this server for the same paths")
    fetch.add_argument(
        "--avatars",
        metavar="WORD[,WORD]|N",
        help="of rocketbox: Adults, Children, Professions, all, names, or how many "
        "(default: Adults,Children)",
    )
    add_data_option(fetch)


def _add_import(words: Commands) -> None:
    bring = add_command(
        words, "import", "make a recording a named crowd for suites", "data", "bring"
    )
    bring.add_argument("file", type=Path, metavar="FILE")
    bring.add_argument("--name", required=True, help="of the crowd")
    add_kind_option(bring)
    _add_reading(bring)
    bring.add_argument("--map", help="its floor plan, in the same frame (default: inferred)")
    bring.add_argument("--groups", type=Path, metavar="FILE", help="who walks together")
    bring.add_argument("--replace", action="store_true", help="a crowd of that name may be there")
    add_data_option(bring)


def _add_check(words: Commands) -> None:
    check = add_command(words, "check", "find lies in a crowd", "data", "check")
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
    sample = add_command(words, "sample", "make new episodes from a crowd", "data", "sample")
    sample.add_argument("crowd", metavar="CROWD")
    sample.add_argument("--count", type=positive, default=10, metavar="N", help="default: 10")
    sample.add_argument("--seed", type=natural, default=0, metavar="N", help="default: 0")
    sample.add_argument("--out", type=Path, required=True, metavar="SUITE_FILE")
    add_driven_option(sample)
    sample.add_argument("--map", help="another floor plan in the same frame as the crowd's own")
    sample.add_argument(
        "--flow", default="", metavar="WORD[,WORD]", help="against, along, across; in turn"
    )
    sample.add_argument(
        "--density",
        type=_span,
        metavar="LOW,HIGH",
        help="people per free square metre within 3 m of the robot",
    )
    sample.add_argument(
        "--encounters",
        type=natural,
        default=0,
        metavar="N",
        help="whom every reference drive would meet, at least (default: 0)",
    )
    sample.add_argument(
        "--min-distance-m", type=float, default=8.0, metavar="M", help="start to goal (default: 8)"
    )
    sample.add_argument("--time-limit-s", type=float, default=60.0, metavar="S", help="default: 60")
    sample.add_argument(
        "--robot", metavar="NAME|FILE", help="see `paseo list robots`, or a robot file"
    )
    add_data_option(sample)


def add_format_option(command: Parser) -> None:
    """How a file is to be read."""
    command.add_argument(
        "--format",
        metavar="FORMAT",
        help="of the file: csv, obsmat, vsp, socnavbench, trajnet or FILE.py:CLASS "
        "(default: guessed)",
    )


def _add_reading(command: Parser) -> None:
    add_format_option(command)
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


def listing(options: argparse.Namespace) -> int:
    """Print the data sets Paseo knows and the crowds that are here."""
    from paseo.data.store.listing import data_sets
    from paseo.report.table import text_table

    data = folder_of(options)
    rows = [_row(each) for each in data_sets(data)]
    if options.json:
        output(json_text(rows))
        return 0
    lines = [tuple(_short(row[key]) for key in COLUMNS) for row in rows]
    output(text_table(tuple(COLUMNS.values()), lines))
    output(f"\ndata folder: {data.path}")
    return 0


def fetch(options: argparse.Namespace) -> int:
    """Download data sets, verify them, and make crowds of them."""
    from paseo.data.store.fetching import FetchOptions
    from paseo.data.store.fetching import fetch as fetch_data

    way = FetchOptions(
        source=options.source,
        mirror=options.mirror,
        avatars=options.avatars,
        accept_licence=options.accept_licence,
    )
    with bar("B") as progress:
        fetch_data(
            options.names, way, data=folder_of(options), progress=progress, fetched=_tell_fetched
        )
    return 0


def bring(options: argparse.Namespace) -> int:
    """Make a recording a named crowd in the data folder."""
    from paseo.crowd_check.importing import import_recording

    if options.kind == "crowd":
        return bring_drive(options, reading_of(options), folder_of(options))
    imported = import_recording(
        options.file,
        options.name,
        reading=reading_of(options),
        floorplan=options.map,
        groups=options.groups,
        replace=options.replace,
        data=folder_of(options),
    )
    recording = imported.examination.recording
    for note in imported.notes:
        say(note)
    for each in imported.examination.findings:
        say(f"{each.severity.value} ({each.sure:.0%} sure): {each.what}")
    if imported.examination.findings:
        say(f"the crowd was kept; `paseo data check {options.name}` tells more")
    say(f"{len(recording.tracks)} people at {recording.fps:g} frames/s; use recording = "
        f"\"{options.name}\" and map = \"{options.name}\" in a suite, or `paseo data sample "
        f"{options.name}`")  # fmt: skip
    output(imported.folder)
    return 0


def check(options: argparse.Namespace) -> int:
    """Examine a crowd; 0 if nothing is wrong with it, 1 if something is."""
    from paseo.crowd_check.examination import check_recording
    from paseo.report.crowd.examination import examination_text

    checked = check_recording(
        options.target,
        reading=reading_of(options),
        floorplan=options.map,
        data=folder_of(options),
    )
    result = checked.examination
    for note in checked.notes:
        say(note)
    text = json_text(_as_json(result)) if options.json else None
    output(text or examination_text(result, flag))
    return _drawn(result, options.picture)


def sample(options: argparse.Namespace) -> int:
    """Write a suite of new episodes from a named crowd."""
    from paseo.data.suites.suite_file import RobotEntry, find_robot
    from paseo.suite.sampling.sampling import sample_episodes
    from paseo.suite.sampling.wishes import SamplingOptions

    if options.driven:
        return sample_driven(options, folder_of(options))
    robot = find_robot(options.robot, Path()) if options.robot else RobotEntry()
    wishes = SamplingOptions(
        count=options.count,
        least_distance=options.min_distance_m,
        time_limit=options.time_limit_s,
        density=options.density or (0.0, math.inf),
        flows=tuple(options.flow.split(",")) if options.flow else (),
        encounters=options.encounters,
        robot=robot.robot(),
    )
    suite = sample_episodes(
        options.crowd,
        wishes,
        seed=options.seed,
        floorplan=options.map,
        out=options.out,
        data=folder_of(options),
    )
    say(f"{len(suite.episodes)} episodes; try: paseo run {options.out} --planner straight")
    output(options.out)
    return 0


def folder_of(options: argparse.Namespace) -> "DataFolder":
    """The data folder that was named, or the user's."""
    from paseo.data.store.locations import data_folder

    return data_folder(options.data)


def reading_of(options: argparse.Namespace) -> "ReadingOptions":
    """How a recording's file is to be read; not every command has all the words for it."""
    from paseo.crowd_check.reading import ReadingOptions

    return ReadingOptions(
        format=options.format,
        member=options.member,
        fps=options.fps,
        transform=getattr(options, "transform", None),
        longest_gap=getattr(options, "longest_gap_s", ...),
    )


def _row(each: "DataSet") -> dict[str, Any]:
    from msgspec import to_builtins

    here = None if each.place is None else str(each.place)
    row: dict[str, Any] = {"name": each.name, "kind": each.kind.value}
    numbers = {"fps": each.fps, "map": each.map, "licence": each.licence}
    if each.problem:
        return {**row, **numbers, "file": f"cannot be used: {each.problem}"}
    if each.about is not None:
        return {**row, "map": each.map, "file": here, **to_builtins(each.about)}
    files, sources = to_builtins(each.files), list(each.sources)
    if each.dataset is not None:
        files = [{key: getattr(each.dataset, key) for key in ("repo", "revision", "bytes")}]
    if each.recipe is not None:
        here, made = "comes with Paseo", each.recipe
        command = f"paseo crowd generate {made.recipe} --seed {made.seed} --duration-s "
        sources = [f"{command}{made.duration_s:g}"] if made.is_current else []
    known = {"citation": each.citation, "files": list(files), "sources": sources}
    return {**row, **numbers, **known, "file": here}


def _short(value: object) -> str:
    """What fits into a column; --json gives the rest."""
    if value is None or value == "":
        return "-"
    text = f"{value:g}" if isinstance(value, float) else str(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _tell_fetched(each: "Fetched") -> None:

    if each.was_here:
        say(f"{each.name} is here already")
    output(f"{each.name}: {each.place}")


def _as_json(result: "Examination") -> dict[str, Any]:
    return {
        "name": result.recording.name,
        "people": len(result.recording.tracks),
        "fps": result.recording.fps,
        "wrong": result.wrong,
        "walkers": result.pace.walkers,
        "top_speed_mps": result.pace.top_speed,
        "spacing_m": result.pace.spacing,
        "findings": [
            {
                "doubt": each.doubt.value,
                "severity": each.severity.value,
                "sure": round(each.sure, 3),
                "what": each.what,
                "fix": each.spelled_fix(flag),
                "people": list(each.people),
            }
            for each in result.findings
        ],
        "unchecked": result.spelled_unchecked(flag),
    }


def _drawn(result: "Examination", wanted: Path | None) -> int:
    """Draw what was asked for, or by itself when something is wrong; the exit code."""
    from paseo.report.crowd.check_figure import draw_evidence

    path = wanted or Path(f"check-{result.recording.name}.png")
    if wanted is not None or result.wrong:
        try:
            draw_evidence(result, path, flag)
            say(f"evidence drawn in {path}")
        except PaseoError as error:
            say(f"no picture of the evidence: {error.spelled(flag)}")
            if wanted is not None:
                return 2
    return 1 if result.wrong else 0
