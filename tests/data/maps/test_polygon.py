"""Plain polygon files."""

import pytest

from paseo.data.maps.polygon import polygon_floorplan
from paseo.errors import BadValue

SQUARE = "0 0\n4 0\n4 4\n0 4\n"


def test_the_first_block_is_the_outline_and_the_others_are_obstacles():
    plan = polygon_floorplan(SQUARE + "\n1 1\n2 1\n2 2\n1 2\n\n\n3 3\n4 3\n4 4\n", "hall")
    assert plan.name == "hall"
    assert plan.area == pytest.approx(16 - 1 - 0.5, abs=0.03)
    assert plan.clearance(1.5, 1.5) == pytest.approx(-0.5)


def test_commas_blanks_tabs_and_comments_are_all_the_same_to_it():
    text = "# a hall\n0,0 # corner\n4 , 0\n# half way\n4\t4\n  0   4.0  \n"
    expected = polygon_floorplan(SQUARE, "hall").walls
    assert polygon_floorplan(text, "hall").walls.tolist() == expected.tolist()


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "no points in it, expected lines of x_m y_m"),
        ("# nothing\n\n", "no points in it"),
        ("0 0\n1 0\n1 x\n", "line 3 is '1 x', expected two numbers"),
        ("0 0\n1 0 5\n", "line 2 is '1 0 5', expected two numbers"),
        ("0 0\n1\n", "line 2 is '1', expected two numbers"),
        ("0 0\nnan 0\n", "line 2 is 'nan 0', expected finite numbers"),
        ("0 0\n1 0\n", "line 1: the outline has 2 different points"),
        ("0 0\n1 0\n2 0\n", "line 1: the outline has no area"),
        (SQUARE + "\n# x\n1 1\n2 2\n2 1\n1 2\n", r"line 7: obstacle 1 crosses .* at \(1.5, 1.5\)"),
        (SQUARE + "\n-1 -1\n9 -1\n9 9\n-1 9\n", "the outline is covered by obstacles"),
        ("0 0\n1e5 0\n1e5 1e5\n", "are its coordinates in metres"),
    ],
)
def test_each_mistake_is_named_with_its_line(text, problem):
    with pytest.raises(BadValue, match=problem):
        polygon_floorplan(text, "hall")
