from pathlib import Path

import numpy as np
import pytest

from paseo.data.recordings.vsp import Vsp
from paseo.errors import BadFile

PATH = Path("walk.vsp")
ANN = ["2 - Num of control points", "10 20 0 -79.7 - (2D point, m_id)", "30 40 50 90.0 - (2D"]
BOB = ["1 - Num of control points", "-5.5 6 25 88.1 - (2D point, m_id)"]


def test_people_are_numbered_in_the_order_of_the_file() -> None:
    seen = Vsp().sightings(["2 - the number of splines", *ANN, *BOB], PATH)
    assert seen.ids.tolist() == [1, 1, 2]
    assert seen.frames.tolist() == [0, 50, 25]
    np.testing.assert_array_equal(seen.positions, [[10, 20], [30, 40], [-5.5, 6]])


def test_obstacles_after_the_last_spline_are_not_people() -> None:
    seen = Vsp().sightings(["1 - splines", *BOB, "7 - number of line obstacles", "1 2 3 4"], PATH)
    assert seen.ids.tolist() == [1]


def test_a_spline_without_points_still_takes_a_number() -> None:
    assert Vsp().sightings(["2", "0 - Num of control points", *BOB], PATH).ids.tolist() == [2]


def test_of_two_points_in_one_frame_the_last_counts() -> None:
    seen = Vsp().sightings(["1", "3", "0 0 5 9", "1 1 6 9", "2 2 5 9"], PATH)
    assert dict(zip(seen.frames, seen.positions[:, 0], strict=True)) == {5: 2, 6: 1}


@pytest.mark.parametrize(
    ("lines", "sentence"),
    [
        (["two splines"], "line 1 is 'two splines', expected the number of splines"),
        (["nan"], "line 1 begins with nan, expected the number of splines"),
        (["0 splines"], "line 1 begins a file without control points, expected somebody"),
        (["1e99", *BOB], "line 4 is missing, expected the number of control points"),
        (["1", "1.5", "1 2 3"], "line 2 begins with 1.5, expected the number of control points"),
        (["1", "2", "1 2 3"], "line 4 is missing, expected x and y in pixels and a frame number"),
        (["1", "1", "1 2 - (2D"], "line 3 is '1 2 - (2D', expected x and y in pixels"),
        (["1", "1", "1 nan 3"], "line 3 has the y nan, expected a finite coordinate"),
        (["1", "1", "1 2 3.5"], "line 3 has the frame 3.5, expected a whole number from 0 on"),
        (["2", *BOB, "1", "1 2 -3"], "line 5 has the frame -3.0, expected a whole number"),
    ],
)
def test_malformed_lines_are_reported(lines: list[str], sentence: str) -> None:
    with pytest.raises(BadFile) as error:
        Vsp().sightings(lines, PATH)
    assert str(error.value).startswith(f"walk.vsp: {sentence}")
