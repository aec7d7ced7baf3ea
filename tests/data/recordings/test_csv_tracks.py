from pathlib import Path

import numpy as np
import pytest

from paseo.data.recordings.csv_tracks import Csv
from paseo.errors import BadFile

HEADER = "frame,ped_id,x_m,y_m"
PATH = Path("walk.csv")


def test_columns_are_frame_person_x_and_y() -> None:
    seen = Csv().sightings([HEADER, "7,3,1.5,-2", "8, 4 ,0,1e-3"], PATH)
    np.testing.assert_array_equal(seen.frames, [7, 8])
    np.testing.assert_array_equal(seen.ids, [3, 4])
    np.testing.assert_array_equal(seen.positions, [[1.5, -2], [0, 1e-3]])


@pytest.mark.parametrize(
    ("lines", "sentence"),
    [
        (["7,3,1,2"], "line 1 is '7,3,1,2', expected the header frame,ped_id,x_m,y_m"),
        (["frame,ped_id,y_m,x_m", "7,3,1,2"], "line 1 is 'frame,ped_id,y_m,x_m', expected the"),
        ([HEADER], "line 2 is missing, expected numbers for frame,ped_id,x_m,y_m"),
        ([HEADER, "7,3,1,2", "8,3,1"], "line 3 has 3 columns, expected frame,ped_id,x_m,y_m"),
        ([HEADER, "7,ann,1,2"], "line 2 has 'ann' in column 2, expected frame,ped_id,x_m,y_m"),
        ([HEADER, "7,3,1,2", "7,4,nan,2"], "line 3 has the x nan, expected a finite coordinate"),
    ],
)
def test_malformed_lines_are_reported(lines: list[str], sentence: str) -> None:
    with pytest.raises(BadFile) as error:
        Csv().sightings(lines, PATH)
    assert str(error.value).startswith(f"walk.csv: {sentence}")
