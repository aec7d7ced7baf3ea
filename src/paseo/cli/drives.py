"""What `paseo data` and `paseo run` do with drives that were reconstructed."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from paseo.cli.arguments import Parser
from paseo.cli.drive_options import (
    add_drive_options,
    add_people_options,
    opened_drive,
    traced_drive,
)
from paseo.cli.screen import bars, output, say

if TYPE_CHECKING:
    from paseo.crowd_check.reading import ReadingOptions
    from paseo.data.store.locations import DataFolder
    from paseo.pipeline.reconstruction import Reconstruction
    from paseo.registry.trust import Consent
    from paseo.suite.runs.planning import RunOptions


def add_kind_option(bring: Parser) -> None:
    """Whether a file is a recording or a drive."""
    bring.add_argument(
        "--as",
        dest="kind",
        choices=["recording", "crowd"],
        default="recording",
        help="crowd: FILE is a drive, or its tracks by `paseo bag tracks` (default: recording)",
    )
    add_people_options(bring)
    add_drive_options(bring)


def add_driven_option(sample: Parser) -> None:
    """Episodes where the robot was driven."""
    sample.add_argument(
        "--driven",
        action="store_true",
        help="where the robot of a drive was driven; only --count, --min-distance-m and --robot "
        "count beside it",
    )


def bring_drive(options: argparse.Namespace, reading: "ReadingOptions", data: "DataFolder") -> int:
    """Make a reconstructed drive a named crowd."""
    from paseo.pipeline.episodes.crowd import import_drive_as_crowd

    names = ("format", "member", "fps", "transform", "longest_gap")
    reading.check_unused(*names, target=str(options.file), kind="a drive")
    imported = import_drive_as_crowd(
        _known(options),
        options.name,
        floorplan=options.map,
        replacing=options.replace,
        data=data,
    )
    for each in imported.examination.findings:
        say(f"{each.severity.value} ({each.sure:.0%} sure): {each.what}")
    say(imported.floorplan.source)
    try_it = f"paseo data sample {options.name} --driven --out {options.name}.toml"
    short = len(imported.too_short)
    say(f"{len(imported.recording.tracks)} people, {short} left out as too short; try: {try_it}")
    output(imported.folder)
    return 0


def _known(options: argparse.Namespace) -> "Reconstruction":
    """The tracks that a file holds, or those that are made of a drive."""
    from paseo.pipeline.reconstruction_file import load_reconstruction

    if options.file.suffix == ".npz":
        return load_reconstruction(options.file)
    with bars() as progress:
        drive = opened_drive(options, options.file, progress)
        return traced_drive(options, drive, progress)


def sample_driven(options: argparse.Namespace, data: "DataFolder") -> int:
    """Write a suite of where the robot of a drive was driven."""
    from paseo.data.suites.suite_file import find_robot
    from paseo.pipeline.episodes.crowd import kept_reconstruction
    from paseo.pipeline.episodes.episodes import EpisodeOptions, drive_episodes

    wishes = EpisodeOptions(
        count=options.count,
        least_distance=options.min_distance_m,
        robot=find_robot(options.robot, Path()) if options.robot else None,
    )
    known = kept_reconstruction(options.crowd, data)
    suite = drive_episodes(known, options.crowd, wishes, out=options.out, data=data)
    say(f"{len(suite.episodes)} episodes; try: paseo run {options.out} --planner human,straight")
    output(options.out)
    return 0


def run_draws(options: argparse.Namespace, wanted: "RunOptions", trust: "Consent") -> int:
    """Run among draws of a drive's people, and print which verdicts hold."""
    from paseo.data.store.locations import data_folder
    from paseo.errors import InputError
    from paseo.pipeline.episodes.draws import drawn_crowd
    from paseo.report.table import text_table
    from paseo.suite.drawn import uncertain_verdicts

    if options.out is None or options.target is None:
        raise InputError("--draws needs a suite file and --out")
    data = data_folder(options.data)
    with bars() as progress:
        done = uncertain_verdicts(
            Path(options.target),
            options.planner,
            lambda crowd, count, drift: drawn_crowd(
                crowd, count, seed=options.seed or 0, data=data, drift=drift
            ),
            out=Path(options.out),
            count=options.draws,
            options=wanted,
            resume=options.resume,
            progress=progress,
            trust=trust,
        )
    rows = [[each.episode, each.planner, each.words] for each in done.verdicts]
    output(text_table(["episode", "planner", "verdict"], rows))
    uncertain = sum(each.is_uncertain for each in done.verdicts)
    say(f"{uncertain} of {len(done.verdicts)} verdicts are uncertain: a tenth of the draws or more "
        "say otherwise")  # fmt: skip
    output(f"\nresults: {done.run.folder}")
    return 0
