"""`paseo list`."""

import argparse
import json
import os
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

from msgspec import structs

from paseo.data.maps.floorplans import shipped_floorplan, shipped_maps
from paseo.data.store.crowds import crowd_floorplan, stored_crowds
from paseo.data.store.locations import data_dir
from paseo.data.suites.episodes import Choices, recording_ends, scenario
from paseo.data.suites.suite_file import EpisodeEntry, shipped_robots, shipped_suites
from paseo.errors import InputError, MissingData
from paseo.metrics.crowding import FLOWS, crowd_statistics
from paseo.metrics.record.catalog import METRICS, PUBLISHED
from paseo.metrics.record.measure import PLANNING_TIME, PUBLISHED_PLANNING_TIME
from paseo.registry import installed_metrics, planner_class, planner_targets
from paseo.report.table import text_table
from paseo.vlm.catalog import known_models
from paseo.world.planning import declared_control
from paseo.world.space.floorplan import FloorPlan

Row = dict[str, Any]
CROWD_KEYS = (
    "people",
    "most_at_once",
    "mean_at_once",
    "density_per_m2",
    "mean_speed_mps",
    "flow_against",
)
FLOW_KEYS = {name: f"near_route_{name}" for name in FLOWS}
FILE_KEYS = ("format", "version")  # what tells one kind of file from another


def listing(options: argparse.Namespace) -> int:
    """Print the suites, episodes, planners, robots, maps, metrics or models there are."""
    folder = data_dir(options.data)
    rows = {
        "suites": _suites,
        "episodes": lambda: _episodes(folder, options.rule),
        "planners": _planners,
        "robots": _robots,
        "maps": lambda: _maps(folder),
        "metrics": _metrics,
        "models": _models,
    }[options.what]()
    if options.json:
        print(json.dumps(rows, indent=1))
    else:
        line = {"episodes": _episode_line, "models": _model_line}.get(options.what)
        lines = [line(row) for row in rows] if line else rows
        print(text_table(list(lines[0]), [tuple(line.values()) for line in lines]))
    return 0


def _suites() -> list[Row]:
    suites = shipped_suites().values()
    return [
        {"name": s.name, "episodes": len(s.episodes), "description": s.description} for s in suites
    ]


def _planners() -> list[Row]:
    rows: list[Row] = []
    for name in planner_targets():
        try:
            cls = planner_class(name)
        except InputError as error:  # of another package; the others can still be used
            rows.append({"name": name, "control": None, "summary": f"cannot be used: {error}"})
            continue
        summary = (cls.__doc__ or "").strip().partition("\n")[0]
        rows.append({"name": name, "control": declared_control(cls).value, "summary": summary})
    return rows


def _robots() -> list[Row]:
    return [
        {key: value for key, value in structs.asdict(robot).items() if key not in FILE_KEYS}
        for robot in shipped_robots().values()
    ]


def _metrics() -> list[Row]:
    return [
        {
            "name": each.name,
            "variant": each.variant.value,
            "unit": each.unit,
            "better": each.better.value,
            "summary": each.summary,
        }
        for each in (
            *METRICS,
            PLANNING_TIME,
            *PUBLISHED,
            PUBLISHED_PLANNING_TIME,
            *installed_metrics(),
        )
    ]


def _models() -> list[Row]:
    return [
        {
            "name": f"{known.provider.name}/{model}",
            "extra": known.provider.extra or None,
            "installed": known.installed,
            "keys": list(known.provider.keys),
            "key_set": known.key_set,
            "needs": known.needs,
            "summary": summary,
        }
        for known in known_models(os.environ)
        for model, summary in known.provider.models.items()
    ]


def _model_line(row: Row) -> Row:
    """What fits on a line of a terminal; --json gives the rest."""
    return {"name": row["name"], "still needs": row["needs"], "summary": row["summary"]}


def _maps(folder: Path) -> list[Row]:
    plans = {name: shipped_floorplan(name) for name in shipped_maps()}
    for name in stored_crowds(folder):
        try:
            plan = crowd_floorplan(name, folder)
        except InputError as error:  # the others can still be used
            print(f"paseo: {error}", file=sys.stderr)
            continue
        if plan is not None:
            plans[name] = plan
    return [_map_row(name, plan) for name, plan in plans.items()]


def _map_row(name: str, plan: FloorPlan) -> Row:
    x0, y0, x1, y1 = plan.bounds
    size = {"width_m": round(x1 - x0, 2), "height_m": round(y1 - y0, 2)}
    places = "; ".join(place.name for place in plan.places)
    free = round(plan.area, 1)
    return {"name": name, **size, "free_m2": free, "places": places, "source": plan.source}


def _episodes(folder: Path, rule: str) -> list[Row]:
    rows, missing = [], ""
    for suite in shipped_suites().values():
        for entry in suite.episodes:
            try:
                numbers = _numbers(entry, folder, rule)
            except MissingData as error:
                missing = str(error)
                keys = [*CROWD_KEYS, *FLOW_KEYS.values(), "recording_ends_after_s"]
                numbers = dict.fromkeys(keys)
            start, goal = entry.start.pose(), entry.goal.pose()
            rows.append(
                {
                    "name": entry.name,
                    "suite": suite.name,
                    "map": entry.map,
                    **numbers,
                    "start_goal_distance_m": round(start.distance_to(goal), 3),
                    "time_limit_s": entry.time_limit_s,
                    "duplicate_of": _twin(entry, suite.episodes),
                    "note": entry.note,
                }
            )
    if missing:
        print(f"paseo: no numbers where recordings are missing: {missing}", file=sys.stderr)
    return rows


def _episode_line(row: Row) -> Row:
    """What fits on a line of a terminal; --json gives the rest."""
    density = row["density_per_m2"]
    return {
        "name": row["name"],
        "map": row["map"],
        "people": row["people"],
        "at once": row["most_at_once"],
        "per m2": None if density is None else f"{density:.3f}",
        "m/s": row["mean_speed_mps"],
        **{f"% {name}": _percent(row[key]) for name, key in FLOW_KEYS.items()},
        "metres": row["start_goal_distance_m"],
        "note": row["note"],
    }


def _percent(share: float | None) -> int | None:
    return None if share is None else round(100 * share)


def _numbers(entry: EpisodeEntry, folder: Path, rule: str) -> Row:
    world = scenario(entry, Choices(rule=rule), folder)
    statistics = asdict(crowd_statistics(world))
    shares = statistics["flow"] or dict.fromkeys(FLOWS)
    numbers = {key: statistics[key] for key in CROWD_KEYS}
    numbers |= {key: shares[name] for name, key in FLOW_KEYS.items()}
    # To more places than any table or note, which round again.
    rounded = {k: round(v, 6) if isinstance(v, float) else v for k, v in numbers.items()}
    return {**rounded, "recording_ends_after_s": recording_ends(entry, folder, rule)}


def _twin(entry: EpisodeEntry, entries: list[EpisodeEntry]) -> str | None:
    """The earlier episode that differs from this one in nothing but the name."""
    for other in entries:
        if other is entry:
            return None
        if (other.map, other.start, other.goal, other.recordings, other.people) == (
            entry.map, entry.start, entry.goal, entry.recordings, entry.people,
        ):  # fmt: skip
            return other.name
    return None
