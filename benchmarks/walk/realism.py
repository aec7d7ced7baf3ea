"""How near crowds by the shipped recipes come to the recordings, with seeds nobody fitted to.

Usage: python benchmarks/walk/realism.py DATA_FOLDER [RECIPES_FOLDER]

Ten minutes for each of six seeds on each map, pooled; distances in bars. A folder of recipes is
measured in place of those that ship.
"""

import sys
from pathlib import Path

from paseo.crowd.generator.generator import generate_crowd
from paseo.crowd_check.real_crowds import (
    PLACE_OF_MAP,
    Likeness,
    likeness,
    recorded_profile,
    shipped_real_crowds,
)
from paseo.crowd_check.realism import STATISTICS, WINDOW, Profile, crowd_profile, pooled
from paseo.data.maps.floorplans import shipped_floorplan
from paseo.data.store.locations import DataFolder
from paseo.data.suites.crowd_recipe import read_recipe, shipped_recipe
from paseo.world.recipes import Recipe
from paseo.world.tracks import Recording

SEEDS = range(601, 607)
MINUTES = 10


def main() -> None:
    """Measure every map and print the table."""
    data = DataFolder(Path(sys.argv[1]))
    found = {}
    for name in PLACE_OF_MAP:
        plan = shipped_floorplan(name)
        file = shipped_recipe(name)
        if len(sys.argv) > 2:
            file = read_recipe(Path(sys.argv[2]) / f"{name}.toml")
        found[name] = generated_likeness(name, file.recipe(plan), data)
    print(f"| statistic | {' | '.join(found)} |")
    print("|---" * (len(found) + 1) + "|")
    for k, each in enumerate(STATISTICS):
        print(f"| {each.words} | {' | '.join(_cell(like, k) for like in found.values())} |")


def generated_likeness(name: str, recipe: Recipe, data: DataFolder) -> Likeness:
    """How near crowds by a recipe for this map come to the recording of its place."""
    plan, real_crowds = shipped_floorplan(name), shipped_real_crowds()
    parts = [
        part
        for seed in SEEDS
        for part in minutes(generate_crowd(plan, recipe, duration=MINUTES * WINDOW, seed=seed))
    ]
    place = real_crowds.place(PLACE_OF_MAP[name])
    real = pooled([recorded_profile(data.recording(each)) for each in place.recordings])
    return likeness(parts, place, real_crowds.bars, real=real)


def minutes(crowd: Recording) -> list[Profile]:
    """What people do in each minute."""
    windows = [(k * WINDOW, (k + 1) * WINDOW) for k in range(MINUTES)]
    return [crowd_profile(crowd.tracks, groups=crowd.groups, window=each) for each in windows]


def _cell(found: Likeness, k: int) -> str:
    each = found.judgements[k]
    assert each.distance is not None
    mark = "**" if each.distance > each.bar else ""
    return f"{mark}{each.distance / each.bar:.2f}{mark}"


if __name__ == "__main__":
    main()
