"""What stands still in a picture, and the names of planners."""

from dataclasses import replace

import numpy as np
import pytest

import worlds
from paseo.errors import BadValue
from paseo.planners.stop import Stop
from paseo.render.raster.colours import OWN
from paseo.render.raster.palette import DARK
from paseo.render.staging.backdrop import backdrop_of, checked_size, planner_names, usual_size
from paseo.sim.simulate import simulate
from paseo.world.records import Record


def called(record: Record, planner: str, **parameters: float | None) -> Record:
    return replace(
        record, provenance=replace(record.provenance, planner=planner, parameters=parameters)
    )


def test_planners_are_called_by_the_end_of_their_name(bump: Record) -> None:
    names = ["orca", "my/own/planner.py:Mine", "paseo.planners.straight:Straight"]
    assert planner_names([called(bump, name) for name in names]) == [
        "orca", "planner.py:Mine", "Straight",
    ]  # fmt: skip


def test_planners_of_one_name_are_told_apart_by_what_differs(bump: Record) -> None:
    slow, fast = called(bump, "straight", speed=0.5), called(bump, "straight", speed=1.0)
    assert planner_names([slow, fast]) == ["straight speed=0.5", "straight speed=1.0"]
    other_seed = replace(bump, scenario=replace(bump.scenario, seed=7))
    assert planner_names([bump, other_seed]) == ["Straight seed 0", "Straight seed 7"]


def test_only_those_of_one_name_say_more_and_only_what_differs(bump: Record) -> None:
    orca = called(bump, "orca", horizon=5.0)
    slow, usual = (called(bump, "straight", speed=speed, room=1.0) for speed in (0.5, None))
    assert planner_names([orca, slow, usual]) == ["orca", "straight speed=0.5", "straight"]


def test_names_are_one_line_of_signs_that_can_be_seen(bump: Record) -> None:
    assert planner_names([called(bump, "a\n\u202eb\x07")]) == [r"a \u202eb\x07"]
    hostile = replace(bump, scenario=replace(bump.scenario, name="one\ntwo"))
    assert backdrop_of([hostile]).title == "one two"


def test_each_planner_has_its_colour(bump: Record, standing: Record) -> None:
    actors = backdrop_of([bump, standing], theme=DARK).actors
    assert [actor.name for actor in actors] == ["Straight", "Stop"]
    assert [actor.colour for actor in actors] == [
        DARK.planner(OWN["straight"]), DARK.planner(OWN["stop"])
    ]  # fmt: skip


def test_records_of_different_places_do_not_go_into_one_picture(bump: Record) -> None:
    elsewhere = simulate(worlds.scenario(name="other"), Stop())
    with pytest.raises(BadValue, match="'test' and 'other' are not the same place"):
        backdrop_of([bump, elsewhere])
    rebuilt = simulate(worlds.scenario(floorplan=worlds.DIVIDED), Stop())
    with pytest.raises(BadValue, match="not the same place"):
        backdrop_of([bump, rebuilt])


def test_sizes_are_even_and_suit_the_map(bump: Record) -> None:
    backdrop = backdrop_of([bump])
    width, height = usual_size(backdrop)
    assert width % 2 == height % 2 == 0
    assert 600 < width < 800
    long = replace(backdrop, box=backdrop.box._replace(x1=40.0))
    assert usual_size(long)[0] > 1000


@pytest.mark.parametrize("size", [(20, 600), (800, 9000), (0, 0)])
def test_sizes_that_make_no_picture_are_refused(size: tuple[int, int]) -> None:
    with pytest.raises(BadValue, match="cannot be made, expected sides of 120 to 8192"):
        checked_size(size)


def test_sizes_are_made_even() -> None:
    assert checked_size((801, 600)) == (800, 600)


def test_the_way_beyond_the_walls_is_shown(bump: Record) -> None:
    away = bump.robot + np.array([20.0, 0.0, 0.0])
    assert backdrop_of([replace(bump, robot=away)]).box.x1 > 27
