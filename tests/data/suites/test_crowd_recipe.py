import math
import re
from pathlib import Path

import pytest

from paseo.data.maps.floorplans import shipped_floorplan, shipped_maps
from paseo.data.suites.crowd_recipe import RecipeFile, read_recipe, shipped_recipe, shipped_recipes
from paseo.errors import BadFile, BadValue, UnknownName
from paseo.world.recipes import Habit

TEXT = """
format = "paseo-recipe"
version = 1
name = "mine"
map = "ETH"

[[gates]]
name = "door"
place = "main door"
width_m = 2.0
facing_deg = 90

[[gates]]
name = "north"
x_m = 6.9
y_m = 17.0

[[flows]]
origin = "north"
destination = "door"
people_per_minute = 12

[[stays]]
habit = "queue"
x_m = 7.0
y_m = 4.0
visits_per_minute = 3
direction_deg = 90
"""


def read(text: str, folder: Path) -> RecipeFile:
    path = folder / "recipe.toml"
    path.write_text(text)
    return read_recipe(path)


def test_a_recipe_file_gives_si_values_on_its_floor_plan(tmp_path: Path) -> None:
    recipe = read(TEXT, tmp_path).recipe(shipped_floorplan("ETH"))
    door, north = recipe.gates
    assert (door.x, door.y, door.width) == (7.0, 1.5, 2.0)
    assert door.facing == pytest.approx(math.pi / 2) and north.facing is None
    assert recipe.flows[0].rate == pytest.approx(0.2)
    assert recipe.stays[0].habit is Habit.QUEUE
    assert recipe.stays[0].rate == pytest.approx(0.05)
    assert recipe.stays[0].direction == pytest.approx(math.pi / 2)


def test_speeds_are_quantiles_or_a_normal_distribution_cut_at_both_ends(tmp_path: Path) -> None:
    plan = shipped_floorplan("ETH")
    normal = read(TEXT + "[speeds]\nmean_mps = 1.2\nsd_mps = 0.3\nmax_mps = 1.5\n", tmp_path)
    speeds = normal.recipe(plan).speeds
    assert speeds.values[10] == pytest.approx(1.2)
    assert speeds.values[15] == pytest.approx(1.2 + 0.674 * 0.3, abs=1e-3)
    assert (speeds.values[0], speeds.values[-1]) == (0.6, 1.5)
    given = read(TEXT + "[speeds]\npercent = [5, 95]\nmps = [1.0, 1.5]\n", tmp_path)
    assert given.recipe(plan).speeds.shares == (0.05, 0.95)


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("width_m", "widht_m", "gates.*unknown key 'widht_m'; did you mean 'width_m'"),
        ('"queue"', '"quue"', "stays.*habit: invalid enum value"),
        ("people_per_minute = 12", "people_per_minute = -1", "flows.*people_per_minute"),
        ("version = 1", "version = 2", "version"),
        (
            "[[stays]]",
            "[speeds]\nmax_mps = 0.5\n[[stays]]",
            "speeds: min_mps of 0.6 is above",
        ),
    ],
)
def test_a_wrong_key_or_value_is_named(tmp_path: Path, old: str, new: str, sentence: str) -> None:
    with pytest.raises(BadFile, match=sentence):
        read(TEXT.replace(old, new), tmp_path)


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ('"door"\npeople', '"north"\npeople', "flow from 'north' to 'north': nobody walks there"),
        ("= 12", "= 6000", "gate 'door': 6003 people a minute come and go, expected at most 162"),
    ],
)
def test_a_flow_that_cannot_be_is_refused(
    tmp_path: Path, old: str, new: str, sentence: str
) -> None:
    assert old in TEXT
    with pytest.raises(BadValue, match=sentence):
        read(TEXT.replace(old, new), tmp_path).recipe(shipped_floorplan("ETH"))


def test_a_place_the_floor_plan_does_not_have_is_refused(tmp_path: Path) -> None:
    recipe = read(TEXT.replace("main door", "main dor"), tmp_path)
    with pytest.raises(UnknownName, match="'main dor'. Did you mean 'main door'?"):
        recipe.recipe(shipped_floorplan("ETH"))


@pytest.mark.parametrize("extra", ["x_m = 1.0", ""])
def test_a_gate_is_at_a_place_or_at_a_point(tmp_path: Path, extra: str) -> None:
    text = TEXT.replace('place = "main door"', f'place = "main door"\n{extra}' if extra else "")
    with pytest.raises(BadFile, match="needs either a place or both x_m and y_m"):
        read(text, tmp_path).recipe(shipped_floorplan("ETH"))


def test_each_shipped_map_has_a_shipped_recipe_labelled_synthetic() -> None:
    assert shipped_recipes() == shipped_maps()
    for name in shipped_recipes():
        file = shipped_recipe(name)
        assert file.map == file.name == name
        assert file.about.startswith("Synthetic.")
        assert file.recipe(shipped_floorplan(name)).flows


def test_an_unknown_recipe_is_named_with_the_nearest_one() -> None:
    with pytest.raises(UnknownName, match="no recipe is called 'Zarra'. Did you mean 'Zara'?"):
        shipped_recipe("Zarra")


def test_the_recipe_in_the_docs_is_valid(tmp_path: Path) -> None:
    page = Path(__file__).parents[3] / "docs" / "guides" / "crowds.md"
    (example,) = re.findall(r"```toml\n(.*?)```", page.read_text(), re.DOTALL)
    recipe = read(example, tmp_path).recipe(shipped_floorplan("ETH"))
    assert [gate.name for gate in recipe.gates] == ["door", "north"]
