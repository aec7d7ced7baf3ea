"""`paseo crowd`: synthetic crowds made, and crowds compared with real ones."""

import argparse
from pathlib import Path

from paseo.cli.arguments import Commands, add_command, add_data_option, natural
from paseo.cli.data import add_format_option, folder_of, reading_of
from paseo.cli.screen import bar, json_text, output, say

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
        words, "generate", "make a synthetic crowd for a floor plan", "crowd", "generate"
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
        words, "realism", "say how near a crowd comes to real ones", "crowd", "realism"
    )
    realism.add_argument(
        "target", metavar="FILE|CROWD|SUITE", help="a recording, or a suite with its crowds"
    )
    realism.add_argument(
        "--place",
        choices=PLACES,
        help="zara: both recordings (default: a suite's own, else the nearest of the five)",
    )
    add_format_option(realism)
    realism.add_argument("--fps", type=float, metavar="N", help="frames per second")
    realism.add_argument("--member", metavar="NAME", help="which file of a .zip or .tar archive")
    realism.add_argument("--json", action="store_true", help="print as JSON")
    add_data_option(realism)


def generate(options: argparse.Namespace) -> int:
    """Write a synthetic crowd for a floor plan, and who walks together beside it."""
    from paseo.crowd.generator.generator import check_duration, generate_crowd, is_compiled
    from paseo.data.store.crowd_file import check_crowd_file, write_crowd
    from paseo.data.suites.crowd_recipe import find_recipe

    check_crowd_file(options.out)
    check_duration(options.duration_s)
    plan = folder_of(options).floorplan(options.map)
    file = find_recipe(options.map, options.recipe)
    if file.map not in (options.map, plan.name):
        say(f"this recipe was written for '{file.map}'")
    recipe = file.recipe(plan)
    if not is_compiled():
        say("compiling the crowd, once on this machine (about ten seconds)")
    with bar("step") as progress:
        crowd = generate_crowd(
            plan, recipe, duration=options.duration_s, seed=options.seed, progress=progress
        )
    groups = write_crowd(crowd, options.out)
    say(f"{len(crowd.tracks)} synthetic people; who walks together is in {groups}; "
        f"try: paseo data import {options.out} --fps {crowd.fps:g} --name NAME --map {options.map} "
        f"--groups {groups}")  # fmt: skip
    output(options.out)
    return 0


def realism(options: argparse.Namespace) -> int:
    """Compare a crowd, or those of a suite map by map, with real ones."""
    from paseo.crowd_check.likeness import crowd_realism
    from paseo.report.crowd.realism import realism_json, realism_text

    data = folder_of(options)
    found = crowd_realism(
        options.target, place=options.place, reading=reading_of(options), data=data
    )
    for note in found.notes:
        say(note)
    if found.absent:
        say(f"{', '.join(found.absent)} not in {data.path}: compared with shipped percentiles, off "
            "by up to 0.02; for exact distances: paseo data fetch "
            f"{' '.join(found.absent)}")  # fmt: skip
    told = [(crowd.name, crowd.parts, crowd.likenesses) for crowd in found.crowds]
    if options.json:
        output(json_text({"crowds": [realism_json(*each) for each in told]}))
    else:
        output("\n\n".join(realism_text(*each) for each in told))
    return 0
