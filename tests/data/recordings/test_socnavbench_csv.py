from pathlib import Path

import numpy as np
import pytest

from paseo.data.recordings.socnavbench_csv import SocNavBench
from paseo.errors import BadFile

PATH = Path("walk.csv")


def test_y_stands_above_x() -> None:
    seen = SocNavBench().sightings(["7,8.0", "3,3", "1,2", "10,20"], PATH)
    assert (seen.frames.tolist(), seen.ids.tolist()) == ([7, 8], [3, 3])
    np.testing.assert_array_equal(seen.positions, [[10, 1], [20, 2]])


@pytest.mark.parametrize(
    ("lines", "sentence"),
    [
        (["7", "3", "1"], "line 4 is missing, expected four lines: frame, person id, y, x"),
        (["7", "3", "1", "2", "5"], "line 5 is one too many, expected four lines"),
        (["7,8", "3,3", "1", "2,2"], "line 3 has 1 column, expected 2 numbers, as many as line 1"),
        (["7,8", "3,3", "1,nan", "2,2"], "line 3, column 2 has the y nan, expected a finite"),
        (["7,8", "3,3", "1,1", "inf,2"], "line 4, column 1 has the x inf, expected a finite"),
        (["7,-8", "3,3", "1,1", "2,2"], "line 1, column 2 has the frame -8.0, expected a whole"),
    ],
)
def test_malformed_lines_are_reported(lines: list[str], sentence: str) -> None:
    with pytest.raises(BadFile) as error:
        SocNavBench().sightings(lines, PATH)
    assert str(error.value).startswith(f"walk.csv: {sentence}")
