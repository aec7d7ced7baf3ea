"""`paseo data import`."""

import argparse
import sys

from paseo.cli.data_check import missing_rate
from paseo.crowd_check.examination import examine
from paseo.data.maps.inferred import is_inferred
from paseo.data.recordings.recordings import read_sightings
from paseo.data.store.catalog import Affine
from paseo.data.store.crowds import crowd_floorplan, crowd_folder
from paseo.data.store.importing import ImportOptions, import_crowd, only_member
from paseo.data.store.locations import data_dir, named_floorplan


def bring(options: argparse.Namespace) -> int:
    """Make a recording a named crowd in the data folder."""
    folder = data_dir(options.data)
    member = options.member or only_member(options.file)
    reading = read_sightings(options.file, format=options.format, member=member)
    transform: Affine | None = options.transform
    if options.fps is None and reading.sightings.fps is None:
        raise missing_rate(reading, transform)
    wanted = ImportOptions(
        name=options.name,
        fps=options.fps,
        transform=transform,
        longest_gap=options.longest_gap_s,
        plan=named_floorplan(options.map, folder) if options.map else None,
        groups=options.groups,
        replace=options.replace,
    )
    recording = import_crowd(reading, options.file, wanted, folder)
    if options.format is None:
        _say(f"{reading.path.name} is taken for {reading.format}: {reading.reason}")
    plan = crowd_floorplan(options.name, folder)
    if wanted.plan is None and plan is not None:
        _say(f"no map was given. {plan.source}")
    witness = None if wanted.plan is None or is_inferred(wanted.plan) else wanted.plan
    doubts = [each for each in examine(recording, witness).findings if each.wrong]
    for doubt in doubts:
        _say(f"doubtful ({doubt.sure:.0%} sure): {doubt.what}")
    if doubts:
        _say(f"the crowd was kept; `paseo data check {options.name}` tells more")
    people = len(recording.tracks)
    _say(f"{people} people at {recording.fps:g} frames/s; use recording = \"{options.name}\" and "
         f"map = \"{options.name}\" in a suite, or `paseo data sample {options.name}`")  # fmt: skip
    print(crowd_folder(options.name, folder))
    return 0


def _say(message: str) -> None:
    print(f"paseo: {message}", file=sys.stderr)
