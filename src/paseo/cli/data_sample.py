"""`paseo data sample`."""

import argparse
import math
import os
import sys
from pathlib import Path

from msgspec import structs

from paseo.data.maps.floorplans import map_file
from paseo.data.store.locations import data_dir, find_recording, named_floorplan, placement
from paseo.data.suites.suite_file import RobotEntry, find_robot
from paseo.data.suites.suite_writing import suite_bytes
from paseo.files import write_whole
from paseo.suite.sampling.sampling import PlacedCrowd, SamplingOptions, sampled_suite


def sample(options: argparse.Namespace) -> int:
    """Write a suite of new episodes from a named crowd."""
    folder = data_dir(options.data)
    recording = find_recording(options.crowd, folder)
    own_map, transform = placement(options.crowd, folder)
    crowd = PlacedCrowd(
        name=options.crowd,
        recording=recording,
        map=_from_suite(options.map, options.out) if options.map else own_map,
        floorplan=named_floorplan(options.map or own_map, folder),
        transform=transform,
    )
    robot = find_robot(options.robot, Path()) if options.robot else RobotEntry()
    wishes = SamplingOptions(
        count=options.count,
        least_distance=options.min_distance_m,
        time_limit=options.time_limit_s,
        density=options.density or (0.0, math.inf),
        flows=tuple(options.flow.split(",")) if options.flow else (),
        robot=robot.robot(),
    )
    suite = structs.replace(sampled_suite(crowd, wishes, options.seed), robot=robot)
    write_whole(options.out, suite_bytes(suite, options.out.suffix))
    print(f"paseo: {len(suite.episodes)} episodes; try: paseo run {options.out} --planner straight",
          file=sys.stderr)  # fmt: skip
    print(options.out)
    return 0


def _from_suite(name_or_path: str, suite: Path) -> str:
    """A map as the suite names it: files are looked for beside the suite."""
    if not Path(map_file(name_or_path)).is_file():
        return name_or_path
    return os.path.relpath(name_or_path, suite.resolve().parent)
