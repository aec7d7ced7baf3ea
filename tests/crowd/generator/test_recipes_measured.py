"""Crowds by the shipped recipes measure like the recordings, with seeds nobody fitted to."""

from pathlib import Path

import pytest

from paseo.crowd.generator.generator import generate_crowd
from paseo.crowd_check.real_crowds import (
    PLACE_OF_MAP,
    likeness,
    recorded_profile,
    shipped_real_crowds,
)
from paseo.crowd_check.realism import WINDOW, Profile, crowd_profile, pooled
from paseo.data.maps.floorplans import shipped_floorplan
from paseo.data.store.locations import DataFolder
from paseo.data.suites.crowd_recipe import shipped_recipe

MINUTES, SEEDS = 10, range(601, 607)


def minutes(name: str, seed: int) -> list[Profile]:
    plan = shipped_floorplan(name)
    recipe = shipped_recipe(name).recipe(plan)
    crowd = generate_crowd(plan, recipe, duration=MINUTES * WINDOW, seed=seed)
    starts = [k * WINDOW for k in range(MINUTES)]
    return [
        crowd_profile(crowd.tracks, groups=crowd.groups, window=(t, t + WINDOW)) for t in starts
    ]


@pytest.mark.slow
@pytest.mark.recordings
@pytest.mark.parametrize("name", PLACE_OF_MAP)
def test_every_distance_is_within_the_bar(name: str, data_dir: Path) -> None:
    real_crowds, data = shipped_real_crowds(), DataFolder(data_dir)
    place = real_crowds.place(PLACE_OF_MAP[name])
    real = pooled([recorded_profile(data.recording(each)) for each in place.recordings])
    parts = [part for seed in SEEDS for part in minutes(name, seed)]
    for each in likeness(parts, place, real_crowds.bars, real=real).judgements:
        assert each.distance is not None
        assert each.distance <= each.bar, each.statistic.name
