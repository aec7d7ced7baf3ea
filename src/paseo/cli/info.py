"""What there is: `paseo list`, `paseo schema` and `paseo doctor`."""

import argparse
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from paseo.cli.arguments import Commands, add_command, add_data_option, flag
from paseo.cli.screen import json_text, output, say

if TYPE_CHECKING:
    from paseo.suite.listing import ListedEpisode
    from paseo.world.space.floorplan import FloorPlan

Row = dict[str, Any]
LISTED = ["suites", "episodes", "planners", "robots", "maps", "metrics", "models"]
FLOWS = ("along", "across", "against")
# What tells one kind of file from another, and what only drives that were reconstructed ask for.
UNLISTED = ("format", "version", "odometry")


def add_info_commands(commands: Commands) -> None:
    """List what there is, say how files are written, and what is installed."""
    listing = add_command(commands, "list", "list what there is to run", "info", "listing")
    listing.add_argument("what", choices=LISTED)
    listing.add_argument("--json", action="store_true", help="print as JSON")
    add_data_option(listing)
    listing.add_argument(
        "--rule", choices=["everyone", "socnavbench"], default="everyone", help="who is present"
    )
    schema = add_command(
        commands, "schema", "print the JSON schema of suite files", "info", "schema"
    )
    schema.add_argument(
        "kind",
        nargs="?",
        choices=["suite", "robot", "priorities"],
        default="suite",
        help="default: suite",
    )
    doctor = add_command(
        commands, "doctor", "say what is installed and where data is", "info", "doctor"
    )
    add_data_option(doctor)


def listing(options: argparse.Namespace) -> int:
    """Print the suites, episodes, planners, robots, maps, metrics or models there are."""
    from paseo.report.table import text_table

    rows = {
        "suites": _suites,
        "episodes": _episodes,
        "planners": _planners,
        "robots": _robots,
        "maps": _maps,
        "metrics": _metrics,
        "models": _models,
    }[options.what](options)
    if options.json:
        output(json_text(rows))
    else:
        shorter = {"episodes": _episode_line, "metrics": _metric_line, "models": _model_line}
        line = shorter.get(options.what)
        lines = [line(row) for row in rows] if line else rows
        output(text_table(list(lines[0]), [tuple(line.values()) for line in lines]))
    return 0


def _suites(_: argparse.Namespace) -> list[Row]:
    from paseo.data.suites.suite_file import shipped_suites

    suites = shipped_suites().values()
    return [
        {
            "name": s.name,
            "edition": s.edition,
            "episodes": len(s.episodes),
            "description": s.description,
        }
        for s in suites
    ]


def _planners(_: argparse.Namespace) -> list[Row]:
    from paseo.suite.listing import listed_planners

    return [asdict(planner) for planner in listed_planners()]


def _robots(_: argparse.Namespace) -> list[Row]:
    from msgspec import structs

    from paseo.data.suites.suite_file import shipped_robots

    return [
        {key: value for key, value in structs.asdict(robot).items() if key not in UNLISTED}
        for robot in shipped_robots().values()
    ]


def _metrics(_: argparse.Namespace) -> list[Row]:
    from paseo.suite.listing import listed_metrics

    return [
        {
            "name": each.name,
            "variant": each.variant.value,
            "unit": each.unit,
            "better": each.better.value,
            "population": each.population.value,
            "per_minute": each.per_minute,
            "pooled": each.pooled,
            "group": each.group.value,
            "summary": each.summary,
        }
        for each in listed_metrics()
    ]


def _metric_line(row: Row) -> Row:
    """What fits on a line of a terminal; --json gives the rest."""
    return {key: row[key] for key in ("name", "variant", "unit", "better", "summary")}


def _models(_: argparse.Namespace) -> list[Row]:
    from paseo.suite.listing import listed_models

    return [asdict(model) for model in listed_models()]


def _model_line(row: Row) -> Row:
    """What fits on a line of a terminal; --json gives the rest."""
    return {"name": row["name"], "still needs": row["needs"], "summary": row["summary"]}


def _maps(options: argparse.Namespace) -> list[Row]:
    from paseo.suite.listing import listed_maps

    found = listed_maps(options.data)
    for problem in found.unreadable:
        say(problem)
    return [_map_row(name, plan) for name, plan in found.maps.items()]


def _map_row(name: str, plan: "FloorPlan") -> Row:
    x0, y0, x1, y1 = plan.bounds
    size = {"width_m": round(x1 - x0, 2), "height_m": round(y1 - y0, 2)}
    places = "; ".join(place.name for place in plan.places)
    free = round(plan.area, 1)
    return {"name": name, **size, "free_m2": free, "places": places, "source": plan.source}


def _episodes(options: argparse.Namespace) -> list[Row]:
    from paseo.suite.listing import listed_episodes

    found = listed_episodes(options.data, rule=options.rule)
    if found.missing:
        say(f"no numbers where recordings are missing: {found.missing.spelled(flag)}")
    return [_episode_row(episode) for episode in found.episodes]


def _episode_row(episode: "ListedEpisode") -> Row:
    """The episode, with the numbers of its crowd between where and how it is run."""
    row = asdict(episode)
    return {
        **{key: row[key] for key in ("name", "suite", "map")},
        **row.pop("crowd"),
        **row,
    }


def _episode_line(row: Row) -> Row:
    """What fits on a line of a terminal; --json gives the rest."""
    density, met = row["density_met_per_m2"], row["encounters"]
    return {
        "name": row["name"],
        "map": row["map"],
        "people": row["people"],
        "at once": row["most_at_once"],
        "met": None if met is None else f"{met}-{row['most_encounters']}",
        "per m2": None if density is None else f"{density:.3f}",
        **{f"% {name}": _percent(row[f"near_robot_{name}"]) for name in FLOWS},
        "metres": row["start_goal_distance_m"],
        "note": row["note"],
    }


def _percent(share: float | None) -> int | None:
    return None if share is None else round(100 * share)


def schema(options: argparse.Namespace) -> int:
    """Print the JSON schema of suite or robot files."""
    from paseo.data.suites.schemas import schema as schema_of

    output(json_text(schema_of(options.kind)))
    return 0


def doctor(options: argparse.Namespace) -> int:
    """Say what is installed, what each extra would add, and where data is."""
    from paseo.suite.diagnosis import diagnosis

    found = diagnosis(options.data)
    kernels = "compiled" if found.kernels_are_compiled else "not yet compiled: the first run will"
    output(f"paseo     {found.paseo} on Python {found.python}")
    output(f"machine   {found.machine}, {found.cores} cores")
    output(f"kernels   {kernels}")
    output(f"camera    {f'draws on {found.camera}' if found.camera else 'not installed'}")
    packages = ", ".join(f"{each.name} {each.version or 'MISSING'}" for each in found.packages)
    output(f"packages  {packages}")
    for extra in found.extras:
        state = "installed"
        if extra.missing:
            state = f"pip install 'paseo[{extra.name}]' adds {', '.join(extra.missing)}"
        output(f"extra     {extra.name} ({extra.purpose}): {state}")
    there = "" if found.data.is_dir() else " (no such folder; set PASEO_DATA)"
    output(f"data      {found.data}{there}")
    for recording in found.recordings:
        fetch = f"get it with `paseo data fetch {recording.name}`"
        remedy = fetch if recording.can_be_fetched else "import it again"
        output(f"          {recording.name}: {recording.file or f'missing; {remedy}'}")
    return 0
