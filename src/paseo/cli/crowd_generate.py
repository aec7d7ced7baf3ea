"""`paseo crowd generate`."""

import argparse
import gzip
import sys
from pathlib import Path

import msgspec
from tqdm import tqdm

from paseo.compiled import is_cached
from paseo.crowd.generator.generator import KERNELS, generated
from paseo.crowd.steering.social_force import Form, SocialForce
from paseo.data.recordings.csv_tracks import csv_bytes
from paseo.data.store.locations import data_dir, named_floorplan
from paseo.data.suites.crowd_recipe import RecipeFile, read_recipe, shipped_recipe, shipped_recipes
from paseo.errors import BadValue, InputError
from paseo.files import write_whole


def generate(options: argparse.Namespace) -> int:
    """Write a synthetic crowd for a floor plan, and who walks together beside it."""
    out: Path = options.out
    if not out.name.endswith((".csv", ".csv.gz")):
        raise BadValue(f"{out}: a crowd is written as .csv or .csv.gz; rename it")
    if not out.parent.is_dir():
        raise BadValue(f"{out}: there is no folder {out.parent}; make it or choose another")
    plan = named_floorplan(options.map, data_dir(options.data))
    file = _recipe(options)
    if file.map not in (options.map, plan.name):
        print(f"paseo: this recipe was written for '{file.map}'", file=sys.stderr)
    recipe = file.recipe(plan)
    if not all(is_cached(kernel) for kernel in KERNELS):
        print(
            "paseo: compiling the crowd, once on this machine (about ten seconds)", file=sys.stderr
        )
    crowd = generated(
        plan,
        recipe,
        duration=options.duration_s,
        seed=options.seed,
        steering=SocialForce(form=Form.ANGULAR),
        shown=lambda steps: tqdm(steps, unit="step", leave=False, disable=None, file=sys.stderr),
    )
    if not crowd.tracks:
        raise BadValue(
            f"nobody comes in {options.duration_s:g} s with seed {options.seed}; make it longer, "
            "take another seed, or let more people come"
        )
    content = csv_bytes(crowd)
    groups = out.with_name(f"{out.name.removesuffix('.gz').removesuffix('.csv')}_groups.json")
    write_whole(groups, msgspec.json.encode({"groups": crowd.groups}))
    write_whole(out, gzip.compress(content, mtime=0) if out.suffix == ".gz" else content)
    print(f"paseo: {len(crowd.tracks)} synthetic people; who walks together is in {groups}; "
          f"try: paseo data import {out} --fps {crowd.fps:g} --name NAME --map {options.map} "
          f"--groups {groups}", file=sys.stderr)  # fmt: skip
    print(out)
    return 0


def _recipe(options: argparse.Namespace) -> RecipeFile:
    if options.recipe is not None:
        return read_recipe(options.recipe)
    if options.map not in shipped_recipes():
        raise InputError(
            f"no recipe comes with Paseo for '{options.map}'; name one with --recipe (known: "
            f"{', '.join(shipped_recipes())})"
        )
    return shipped_recipe(options.map)
