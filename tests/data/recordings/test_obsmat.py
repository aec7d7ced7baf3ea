from pathlib import Path

import numpy as np
import pytest

from paseo.data.recordings.obsmat import Obsmat
from paseo.errors import BadFile

PATH = Path("obsmat.txt")
ROW = "   7.8000000e+02   1.0000000e+00   8.4568443e+00   0   3.5880664e+00   1.6   0   0.17"


def test_the_ground_plane_is_the_third_and_fifth_column() -> None:
    seen = Obsmat().sightings([ROW], PATH)
    assert (seen.frames.tolist(), seen.ids.tolist()) == ([780], [1])
    np.testing.assert_array_equal(seen.positions, [[8.4568443, 3.5880664]])


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("780 1 8.4 0 3.5", "has 5 columns, expected frame id pos_x pos_z pos_y v_x v_z v_y"),
        ("780 1.5 8.4 0 3.5 1 0 1", "has the person id 1.5, expected a whole number"),
        ("780 1 8.4 0 inf 1 0 1", "has the y inf, expected a finite coordinate"),
    ],
)
def test_malformed_lines_are_reported(line: str, problem: str) -> None:
    with pytest.raises(BadFile) as error:
        Obsmat().sightings([ROW, line], PATH)
    assert str(error.value).startswith(f"obsmat.txt: line 2 {problem}")
